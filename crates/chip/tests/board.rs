//! The chip as a device: what every device must do, and proofs of the same bytes as the host's.

use pairwright_chip::{MachineSpec, board};

use pairwright_curve::bls12_377::Bls12_377;
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_curve::bn254::Bn254;
use pairwright_device::{Device, reference};
use pairwright_testkit::conformance;

fn chip<E: pairwright_chip::board::OnChip>() -> Device<E> {
    board(&MachineSpec::paper(), reference::board::<E>())
}

#[test]
fn bls12_381_conforms() {
    conformance::device::<Bls12_381>(&chip());
}

#[test]
fn bn254_conforms() {
    conformance::device::<Bn254>(&chip());
}

#[test]
fn bls12_377_conforms() {
    conformance::device::<Bls12_377>(&chip());
}
