//! Multi-scalar multiplication, with lanes and without, on points and scalars that formulas and schedules could get wrong, with
//! multiples of the points and without. The sums are known by the logarithms of the points.

use pairwright_cpu::{Msm, Precomputation, precompute};
use pairwright_curve::{Affine, Curve, Jacobian, bls12_377, bls12_381, bn254};
use pairwright_device::MsmOp;
use pairwright_field::{Field, Ring};
use pairwright_poly::{Buf, View};
use pairwright_testkit::conformance::{Values, known_points};

/// The host's sums and how they are computed.
fn ways() -> [(&'static str, Msm); 2] {
    [("by default", Msm::default()), ("without lanes", Msm::without_lanes())]
}

fn sum<C: Curve>(msm: Msm, points: View<'_, Affine<C>>, scalars: View<'_, C::Scalar>) -> Affine<C> {
    msm.msm(points, scalars).unwrap().0.to_affine()
}

/// The sum of points by their logarithms.
fn known_sum<'a, C: Curve>(
    logs: &[C::Scalar],
    scalars: impl IntoIterator<Item = &'a C::Scalar>,
) -> Affine<C> {
    let log = scalars.into_iter().zip(logs).fold(C::Scalar::ZERO, |acc, (s, k)| acc + *s * *k);
    Jacobian::generator().mul_vartime(&log).to_affine()
}

/// Compares sums over these points, at some lengths also over their multiples, with the known one.
fn all_are_right<C: Curve>(points: &[Affine<C>], logs: &[C::Scalar], scalars: Vec<C::Scalar>, what: &str) {
    let want = known_sum::<C>(logs, &scalars);
    let n = points.len();
    let (points, scalars) = (Buf::from(points.to_vec()), Buf::from(scalars));
    let mosts: &[usize] = if [9, 64, 257].contains(&n) { &[1, 3, 64] } else { &[1] };
    for &most in mosts {
        let multiples = precompute(&points, most).unwrap();
        assert_eq!(multiples, Precomputation::of::<C>(n, most));
        if most > 1 && multiples.is_none() {
            continue;
        }
        for (name, msm) in ways() {
            let got = sum(msm, points.view(), scalars.view());
            assert_eq!(got, want, "{} msm of {n}, {what}, {multiples:?}, {name}", C::NAME);
        }
    }
}

/// The scalars of a range may all be zero though those of the buffer are not.
fn zeros_in_a_range<C: Curve>() {
    let (points, _) = known_points::<C>(40, 31);
    let points = Buf::from(points);
    let mut scalars = vec![C::Scalar::ZERO; 40];
    scalars.push(-C::Scalar::from(u64::MAX).square());
    let scalars = Buf::from(scalars);
    for (_, msm) in ways() {
        assert!(sum(msm, points.view(), scalars.slice(0..40)).is_infinity());
        let last = points[39].to_jacobian().mul_vartime(&scalars[40]).to_affine();
        assert_eq!(sum(msm, points.view(), scalars.slice(1..41)), last);
    }
}

fn degenerate<C: Curve>() {
    zeros_in_a_range::<C>();
    for n in [0, 1, 7, 8, 9, 63, 64, 65, 255, 256, 257, 1023, 1025] {
        let (mut points, mut logs) = known_points::<C>(n, 31);
        let random: Vec<C::Scalar> = Values::new(32).take_buf(n).to_vec();
        let uniform = || random.clone();
        all_are_right(&points, &logs, uniform(), "uniform");
        all_are_right(&points, &logs, vec![C::Scalar::ONE; n], "one hot bucket");
        all_are_right(&points, &logs, vec![-C::Scalar::from(1 << 40); n], "equal scalars");
        let small =
            (0..n as u64).map(|i| if i % 5 == 0 { C::Scalar::from(i) } else { C::Scalar::from(i % 2) });
        all_are_right(&points, &logs, small.collect(), "small scalars");
        let witness = (0..n).map(|i| match i % 20 {
            3 | 17 => random[i],
            5 => -C::Scalar::from(i as u64),
            k => C::Scalar::from(u64::from(k > 12)),
        });
        all_are_right(&points, &logs, witness.collect(), "zeros, ones and few long scalars");
        // Every second point is the negative of the one before it.
        for i in (1..n).step_by(2) {
            (points[i], logs[i]) = (-points[i - 1], -logs[i - 1]);
        }
        all_are_right(&points, &logs, uniform(), "half negations");
        all_are_right(&points, &logs, vec![C::Scalar::from(77); n], "sums that are infinite");
        for i in (0..n).step_by(3) {
            (points[i], logs[i]) = (Affine::INFINITY, C::Scalar::ZERO);
        }
        all_are_right(&points, &logs, uniform(), "infinities");
        for i in 0..n {
            (points[i], logs[i]) = (C::GENERATOR, C::Scalar::ONE);
        }
        all_are_right(&points, &logs, uniform(), "equal points");
        all_are_right(&points, &logs, vec![C::Scalar::from(3).square(); n], "equal points and scalars");
    }
}

macro_rules! per_group {
    ($($name:ident: $group:ty;)+) => {$(
        #[test]
        fn $name() {
            degenerate::<$group>();
        }
    )+};
}
per_group! {
    bn254_g1: bn254::G1;
    bn254_g2: bn254::G2;
    bls12_381_g1: bls12_381::G1;
    bls12_381_g2: bls12_381::G2;
    bls12_377_g1: bls12_377::G1;
    bls12_377_g2: bls12_377::G2;
}
