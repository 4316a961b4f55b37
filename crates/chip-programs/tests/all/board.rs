//! The chip as a device passes the tests that every device must pass.

use pairwright_chip::MachineSpec;
use pairwright_chip_programs::{OnChipPrograms, board};
use pairwright_curve::bls12_377::Bls12_377;
use pairwright_curve::bls12_381::{Bls12_381, Fr, G1};
use pairwright_curve::bn254::Bn254;
use pairwright_curve::{G1Affine, G2Affine};
use pairwright_device::{Device, Session, reference};
use pairwright_poly::{Domain, KeySection, Poly};
use pairwright_testkit::conformance::{self, Values, known_points};
use pairwright_testkit::sessions::{a_late_copy, copies, two_proofs};

/// Small windows, since an MSM of ten points reduces as many buckets as one of a million.
fn chip<E: OnChipPrograms>() -> Device<E> {
    let spec = MachineSpec::paper().with("msm.window_g1", "4").unwrap().with("msm.window_g2", "3").unwrap();
    board(&spec, reference::board::<E>())
}

#[test]
fn bls12_381_conforms() {
    conformance::device::<Bls12_381>(&chip());
}

/// A key stays in the chip's DRAM from one proof of a session to the next, a witness from one MSM of a proof to the
/// next, and a result from one operator to the next.
#[test]
fn what_the_chip_has_is_not_sent_again() {
    let device = chip::<Bls12_381>();
    let (points, _) = known_points::<G1>(10, 1);
    let key = KeySection::new(points.clone());
    let mut on = Session::new(&device);
    for seed in [1, 2] {
        let witness = Values::<Fr>::new(seed).take_buf(10);
        for _ in 0..2 {
            on.msm_g1(key.buf(points.clone()).view(), witness.view()).unwrap();
        }
    }
    let domain = Domain::new(5).unwrap();
    let p = Poly::new(domain, Values::<Fr>::new(3).take_buf(32)).unwrap();
    let mut q = on.extend(p).unwrap().into_buf();
    let r = q.clone();
    on.mul(&mut q, r.view()).unwrap();
    q[0] = Fr::from(5);
    on.mul(&mut q, r.view()).unwrap();
    let report = on.finish();
    let moved: Vec<_> =
        report.records.iter().map(|r| r.cost.transfer.map(|t| (t.to_machine, t.to_host)).unwrap()).collect();
    let (key, scalars, sum, vector) = (10 * 96, 10 * 32, 3 * 48, 32 * 32);
    assert_eq!(moved[..4], [(key + scalars, sum), (0, sum), (scalars, sum), (0, sum)]);
    // The host reads a vector back between the two products, and none afterwards.
    assert_eq!(moved[4..], [(vector, 0), (0, 0), (0, vector), (vector, 0)]);
    assert_eq!(report.records[6].operator, "transfer");
    let all = report.totals().transfer;
    assert_eq!((all.to_machine, all.to_host), (key + 2 * scalars + 2 * vector, 4 * sum + vector));
}

#[test]
fn a_result_that_the_host_asks_for_late_is_in_the_account() {
    a_late_copy::<Bls12_381>(&chip());
}

/// The points of finite pairs are sent to the chip at each call, and their product is returned.
#[test]
fn pairings_send_points_and_give_back_a_product() {
    let (p, q) = (G1Affine::<Bls12_381>::generator(), G2Affine::<Bls12_381>::generator());
    let device = chip::<Bls12_381>();
    for _ in 0..2 {
        let pairs = [(p, q), (G1Affine::<Bls12_381>::INFINITY, q), (p, q)];
        let transfer = device.pairing.multi_pairing(&pairs).unwrap().1.transfer.unwrap();
        assert_eq!((transfer.to_machine, transfer.to_host), (2 * (2 + 4) * 48, 12 * 48));
    }
}

/// In two proofs of one session, the second one reuses the key in DRAM.
#[test]
fn a_second_proof_does_not_send_the_key_again() {
    // The smallest domain that the chip can transform, 32 points.
    let (key, [first, second]) = two_proofs(&chip::<Bls12_381>(), 20);
    let [first, second] = [first, second].map(|records| copies(&records).to_machine);
    let g1 = key.a.len() + key.b_g1.len() + key.c.len() + key.h.len();
    assert_eq!(first - second, (g1 * 96 + key.b_g2.len() * 192) as u64);
    assert!(second > 0, "a witness is sent for each proof");
}

#[test]
fn transforms_and_vectors_conform_over_other_fields() {
    let b = chip::<Bn254>();
    conformance::field(&*b.ntt, &*b.vec);
    let b = chip::<Bls12_377>();
    conformance::field(&*b.ntt, &*b.vec);
}
