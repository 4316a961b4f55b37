//! Products of pairings on the host device against the portable loops of the curves.

use pairwright_curve::{Affine, Pairing, bls12_377, bls12_381, bn254};
use pairwright_device::FixedG2;
use pairwright_testkit::conformance::known_points;
use std::ops::Range;

/// Ranges of pairs of points, and the number of fixed arguments that follow them. Infinity is at 2, 7 and 4; pair 11 repeats pair 10,
/// and pair 13 cancels pair 12.
const PRODUCTS: [(Range<usize>, usize); 16] = [
    (0..0, 0),
    (0..0, 1),
    (1..2, 0),
    (2..3, 0),
    (7..8, 2),
    (0..1, 2),
    (0..5, 1),
    (0..6, 0),
    (0..7, 2),
    (0..8, 3),
    (0..9, 0),
    (5..13, 2),
    (10..12, 0),
    (12..14, 0),
    (0..13, 0),
    (0..22, 5),
];

/// Tests any number of pairs of both kinds, on one to three threads.
fn products<E: Pairing>() {
    let (mut p, _) = known_points::<E::G1>(27, 5);
    let (mut q, _) = known_points::<E::G2>(27, 6);
    (p[4], q[7]) = (Affine::INFINITY, Affine::INFINITY);
    (p[2], q[2]) = (Affine::INFINITY, Affine::INFINITY);
    (p[11], q[11]) = (p[10], q[10]);
    (p[13], q[13]) = (-p[12], q[12]);
    let fixed: Vec<_> = q.iter().map(|q| FixedG2::<E>::new(*q)).collect();
    let device = pairwright_cpu::board::<E>();
    for (plain, prepared) in PRODUCTS {
        let pairs: Vec<_> = plain.clone().map(|i| (p[i], q[i])).collect();
        let of_fixed: Vec<_> = (plain.end..plain.end + prepared).map(|i| (p[i], &fixed[i])).collect();
        let want = E::multi_pairing(&FixedG2::to_point_pairs(&pairs, &of_fixed));
        for threads in 1..=3 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let got = pool.install(|| device.pairing.multi_pairing_fixed(&pairs, &of_fixed));
            assert_eq!(got.unwrap().0, want, "{plain:?} and {prepared} fixed, {threads} threads");
        }
    }
}

#[test]
fn products_of_bn254() {
    products::<bn254::Bn254>();
}
#[test]
fn products_of_bls12_381() {
    products::<bls12_381::Bls12_381>();
}
#[test]
fn products_of_bls12_377() {
    products::<bls12_377::Bls12_377>();
}
