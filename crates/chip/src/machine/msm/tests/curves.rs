//! Whole MSMs compared with the host's multiplications.

use super::super::*;
use super::Random;
use pairwright_curve::{Affine, bls12_377, bls12_381, bn254};
use pairwright_field::PrimeField;

/// Runs an MSM in batches of `batch` points, windows from the top down; returns the sum and the cycle of its end.
fn run<P: Addend>(
    config: &MsmSpec,
    group: Group,
    plan: &DigitPlan,
    batch: usize,
    operands: &[(P, Recoded, bool)],
) -> (P, u64) {
    let mut msm = Msm::new(config, group).unwrap();
    msm.begin(0, plan.windows);
    for first in (0..plan.windows).step_by(config.windows_per_fetch as usize).rev() {
        let lanes = config.windows_per_fetch.min(plan.windows - first);
        for batch in operands.chunks(batch) {
            let batch = batch.iter().flat_map(|(point, scalar, there)| {
                (0..lanes).map(move |lane| Operand {
                    lane,
                    digit: if *there { plan.digit(scalar, first + lane) } else { 0 },
                    point: point.clone(),
                })
            });
            msm.accumulate(0, batch).unwrap();
        }
        msm.reduce(0, first).unwrap();
    }
    let (work, sum) = msm.aggregate(0).unwrap();
    (sum, work.end)
}

/// Compares the design's sum with the host's; a run without values takes the same cycles.
fn compare<C: Curve>(config: &MsmSpec, group: Group, points: &[Affine<C>], scalars: &[C::Scalar]) {
    let plan = config.plan(group, C::Scalar::BITS);
    let recode = |k: &C::Scalar| plan.recode(k.to_limbs().as_ref());
    let there = |p: &Affine<C>| !p.is_infinity();
    let operands: Vec<_> =
        points.iter().zip(scalars).map(|(p, k)| (Projective::from(*p), recode(k), there(p))).collect();
    let (sum, end) = run(config, group, &plan, 40, &operands);
    let host = points
        .iter()
        .zip(scalars)
        .fold(Projective::<C>::INFINITY, |sum, (p, k)| sum + Projective::from(*p).mul(k));
    assert_eq!(sum.to_affine(), host.to_affine(), "{} with {config:?}", C::NAME);
    let bare: Vec<_> = operands.into_iter().map(|(_, k, there)| ((), k, there)).collect();
    assert_eq!(run(config, group, &plan, 40, &bare).1, end, "{} without values", C::NAME);
}

fn designs() -> [MsmSpec; 4] {
    // Small windows keep the reductions short where points are few.
    let small = MsmSpec { window_g1: 5, window_g2: 4, ..MsmSpec::paper() };
    [
        small,
        MsmSpec { signed: true, write_behind: 4, segments: 4, ..small },
        MsmSpec { formula: Formula::Mixed, elements: 11, windows_per_fetch: 2, bucket_banks: 2, ..small },
        MsmSpec { elements: 4, segments: 1, fifo: 2, results: 1, ..small },
    ]
}

fn points<C: Curve>(n: usize) -> Vec<Affine<C>> {
    let step = Projective::<C>::generator();
    let first = step.mul(&C::Scalar::from(0x1234_5678_9abc));
    core::iter::successors(Some(first), |p| Some(*p + step)).take(n).map(|p| p.to_affine()).collect()
}

fn scalars<F: PrimeField>(n: usize) -> Vec<F> {
    let mut random = Random(11);
    // Fourth powers and more of 64-bit numbers fill the field.
    (0..n).map(|_| (0..6).fold(F::from(random.next()), |a, _| a.square() + F::from(random.next()))).collect()
}

fn random<C: Curve>(group: Group, n: usize) {
    for config in designs() {
        compare::<C>(&config, group, &points(n), &scalars(n));
    }
}

#[test]
fn random_sums_of_every_curve() {
    random::<bls12_381::G1>(Group::G1, 100);
    random::<bls12_381::G2>(Group::G2, 50);
    random::<bn254::G1>(Group::G1, 50);
    random::<bn254::G2>(Group::G2, 50);
    random::<bls12_377::G1>(Group::G1, 50);
}

fn awkward<C: Curve>(group: Group) {
    let (points, scalars) = (points::<C>(4), scalars::<C::Scalar>(4));
    let (zero, most) = (C::Scalar::ZERO, -C::Scalar::ONE);
    let lots = |p: Affine<C>, k: C::Scalar| (vec![p; 30], vec![k; 30]);
    let cases = [
        lots(points[0], scalars[0]),
        lots(points[0], zero),
        lots(points[0], most),
        lots(Affine::INFINITY, scalars[0]),
        // Sums that are infinity within their bucket, and points after that.
        (vec![points[0], -points[0], points[1], -points[1], points[2]], vec![scalars[0]; 5]),
        (vec![points[0], -points[0]], vec![most; 2]),
        (
            vec![points[0], Affine::INFINITY, points[0], points[1], Affine::INFINITY],
            vec![most, most, zero, C::Scalar::ONE, zero],
        ),
        (Vec::new(), Vec::new()),
    ];
    for config in designs() {
        for (points, scalars) in &cases {
            compare(&config, group, points, scalars);
        }
    }
}

#[test]
fn equal_opposite_and_absent_points_and_the_ends_of_the_scalars() {
    awkward::<bls12_381::G1>(Group::G1);
    awkward::<bls12_381::G2>(Group::G2);
}

#[test]
fn the_papers_windows() {
    compare::<bls12_381::G1>(&MsmSpec::paper(), Group::G1, &points(200), &scalars(200));
    compare::<bls12_381::G2>(&MsmSpec::paper(), Group::G2, &points(30), &scalars(30));
    // Signed digits halve the buckets of a window, so that those of two windows fit into the same memory.
    let two =
        MsmSpec { signed: true, windows_per_fetch: 2, write_behind: 4, segments: 8, ..MsmSpec::paper() };
    compare::<bls12_381::G1>(&two, Group::G1, &points(200), &scalars(200));
    compare::<bls12_381::G2>(&two, Group::G2, &points(30), &scalars(30));
}
