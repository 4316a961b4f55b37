//! The chip as a device does what every device must do.

use pairwright_chip::MachineSpec;
use pairwright_chip_programs::{OnChipPrograms, board};
use pairwright_curve::bls12_377::Bls12_377;
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_curve::bn254::Bn254;
use pairwright_device::{Device, reference};
use pairwright_testkit::conformance;

/// Small windows: an MSM of ten points reduces as many buckets as one of a million.
fn chip<E: OnChipPrograms>() -> Device<E> {
    let spec = MachineSpec::paper().with("msm.window_g1", "4").unwrap().with("msm.window_g2", "3").unwrap();
    board(&spec, reference::board::<E>())
}

#[test]
fn bls12_381_conforms() {
    conformance::device::<Bls12_381>(&chip());
}

#[test]
fn transforms_and_vectors_conform_over_other_fields() {
    let b = chip::<Bn254>();
    conformance::field(&*b.ntt, &*b.vec);
    let b = chip::<Bls12_377>();
    conformance::field(&*b.ntt, &*b.vec);
}
