//! Cases of the element-wise operators on many points of one group.

use super::{accept, known_points, point_kinds, refuse_lengths, scalar_kinds};
use core::any::Any;
use pairwright_curve::hash_to_curve::Suite;
use pairwright_curve::{Affine, Curve, Jacobian, bls12_381};
use pairwright_device::{Done, PointsOp};
use pairwright_field::{Field, PrimeField, Ring, Sqrt};

/// Numbers of points: zero, few, and around the number of lanes.
const COUNTS: [usize; 6] = [0, 1, 7, 8, 9, 20];

/// Points of the curve, inside and outside of the subgroup: infinity, points of small order, sums of both kinds.
fn points_of_curve<C: Curve>() -> Vec<Affine<C>> {
    let (mut points, _) = known_points::<C>(3, 41);
    points.extend([Affine::INFINITY, C::GENERATOR]);
    // On y² = x³ + b, points with x = 0 have order three.
    for x in 0..7 {
        let x = <C::Base as pairwright_field::Extension>::from_prime(x.into());
        let Some(y) = (x.square() * x + C::B).sqrt_vartime() else { continue };
        let p = Affine::<C>::from_xy_unchecked(x, y);
        let small = p.to_jacobian().mul_limbs_vartime(C::Scalar::MODULUS.as_ref());
        points.extend([p, -p, small.to_affine()]);
        points.push((small + Jacobian::from(points[0])).to_affine());
    }
    points
}

pub(super) fn in_subgroup<C: Curve>(fast: &dyn PointsOp<C>, judge: &dyn PointsOp<C>) {
    let points = points_of_curve::<C>();
    let order = C::Scalar::MODULUS;
    let by_order: Vec<bool> =
        points.iter().map(|p| p.to_jacobian().mul_limbs_vartime(order.as_ref()).is_infinity()).collect();
    assert!(by_order.contains(&true), "some points are inside");
    let cofactor = C::COFACTOR.iter().enumerate().any(|(i, limb)| *limb != u64::from(i == 0));
    assert_eq!(by_order.contains(&false), cofactor, "some are outside, if there are any");
    for n in COUNTS {
        for first in 0..points.len() {
            let (some, want): (Vec<_>, Vec<_>) =
                (0..n).map(|i| (first + i) % points.len()).map(|i| (points[i], by_order[i])).unzip();
            assert!(
                accept("in_subgroup", fast.in_subgroup(&some)) == want,
                "{} in_subgroup: {n} points from {first} on",
                C::NAME
            );
            if first == 0 {
                assert!(accept("in_subgroup", judge.in_subgroup(&some)) == want, "the plain board");
            }
        }
    }
}

pub(super) fn all_in_subgroup<C: Curve>(fast: &dyn PointsOp<C>, judge: &dyn PointsOp<C>) {
    let seed = [43; 32];
    let all = |points: &[Affine<C>]| {
        let got = accept("all_in_subgroup", fast.all_in_subgroup(points, &seed));
        if points.len() <= 20 {
            assert!(
                accept("all_in_subgroup", judge.all_in_subgroup(points, &seed)) == got,
                "the plain board"
            );
        }
        got
    };
    let others = points_of_curve::<C>();
    let outside: Vec<Affine<C>> = others.iter().filter(|p| !p.is_in_subgroup_vartime()).copied().collect();
    // Few points, which boards test one by one, and many, of which they test sums.
    for (n, kinds) in [(0, 1), (1, 9), (8, 9), (20, 9), (300, 1), (3000, 1)] {
        for (points_are, mut points, _) in point_kinds::<C>(n).into_iter().take(kinds) {
            assert!(all(&points), "{} all_in_subgroup of {n}: points {points_are}", C::NAME);
            if outside.is_empty() || n == 0 {
                continue;
            }
            for (i, p) in [(0, outside[0]), (n - 1, outside[outside.len() - 1])] {
                let before = core::mem::replace(&mut points[i], p);
                assert!(!all(&points), "{} all_in_subgroup of {n}: point {i} is outside", C::NAME);
                points[i] = before;
            }
            // Points outside of the subgroup whose sum is inside.
            if n > 1 {
                (points[0], points[n - 1]) = (outside[0], -outside[0]);
                assert!(!all(&points), "{} all_in_subgroup of {n}: points that cancel", C::NAME);
            }
        }
    }
}

pub(super) fn scale_points<C: Curve>(fast: &dyn PointsOp<C>, judge: &dyn PointsOp<C>) {
    multiples(
        "scale_points",
        |points, scalars| fast.scale_points(points, scalars),
        |p, k| judge.scale_points(p, k),
    );
}

pub(super) fn scale_by_secrets<C: Curve>(fast: &dyn PointsOp<C>, judge: &dyn PointsOp<C>) {
    let by_judge = |points: &[_], scalars: &[_]| judge.scale_by_secrets(points, scalars);
    multiples("scale_by_secrets", |points, scalars| fast.scale_by_secrets(points, scalars), by_judge);
}

/// Multiples of points by individual scalars, compared with known logarithms and the reference board.
fn multiples<C: Curve>(
    op: &'static str,
    fast: impl Fn(&[Affine<C>], &[C::Scalar]) -> Done<Vec<Affine<C>>>,
    judge: impl Fn(&[Affine<C>], &[C::Scalar]) -> Done<Vec<Affine<C>>>,
) {
    for n in COUNTS {
        for (points_are, points, logs) in point_kinds::<C>(n) {
            let mut kinds = scalar_kinds::<C::Scalar>(n);
            if let Some(glv) = C::GLV {
                let lambda = C::Scalar::from_limbs_reduced(&glv.lambda);
                let split =
                    |i: usize| C::Scalar::from(i as u64) + lambda * C::Scalar::from(u64::MAX - i as u64);
                kinds.push(("short halves", (0..n).map(split).collect()));
            }
            for (scalars_are, scalars) in kinds {
                let got = accept(op, fast(&points, &scalars));
                let log = logs.iter().zip(&scalars).map(|(log, k)| *log * *k);
                let want = log.map(|log| Jacobian::<C>::generator().mul_vartime(&log).to_affine());
                assert!(
                    got == want.collect::<Vec<_>>(),
                    "{} {op} of {n}: points {points_are}, scalars {scalars_are}",
                    C::NAME
                );
                if n == 7 && scalars_are == "edges" {
                    assert!(accept(op, judge(&points, &scalars)) == got, "the plain board");
                }
            }
        }
    }
    let (points, scalars) = known_points::<C>(5, 6);
    refuse_lengths(fast(&points, &scalars[..4]));
}

/// The hash-to-curve suite of a group; `None` if it has none.
fn suite<C: Curve>() -> Option<Suite<C>> {
    let known: [&dyn Any; 2] = [&Suite::<bls12_381::G1>::OF_GROUP, &Suite::<bls12_381::G2>::OF_GROUP];
    known.into_iter().find_map(|suite| suite.downcast_ref().copied())
}

pub(super) fn hash_to_curve<C: Curve>(fast: &dyn PointsOp<C>, judge: &dyn PointsOp<C>) {
    let Some(suite) = suite::<C>() else { return };
    let text: Vec<u8> = (0..300u32).map(|i| ((i * i) >> 3) as u8).collect();
    // Messages of different lengths, including the empty message, and one message twice.
    let messages: Vec<&[u8]> = (0..20).map(|i| &text[..(i * i) % 300 / (1 + i % 2)]).collect();
    for dst in [&b"PAIRWRIGHT-CONFORMANCE"[..], &text[..256]] {
        for n in COUNTS {
            let got = accept("hash_to_curve", fast.hash_to_curve(&suite, &messages[..n], dst));
            let want = accept("hash_to_curve", judge.hash_to_curve(&suite, &messages[..n], dst));
            assert!(got == want, "{} hash_to_curve of {n} messages", C::NAME);
        }
    }
    let map = |u: C::Base| (suite.map_to_curve)(&u).to_affine();
    assert!(map(C::Base::ZERO).is_on_curve(), "the exceptional element has an image");
}
