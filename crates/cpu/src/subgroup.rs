//! Whether many points are all in the prime-order subgroup, for less than a test of each.
//!
//! Points are thrown into `2^c` random buckets and only the sums of the buckets are tested. Take any point outside of
//! the subgroup: wherever the other points fell, there is at most one bucket in which this one leaves every sum
//! inside, so a throw misses with probability at most 2^-c. As many independent throws are made as bring the
//! probability of missing below 2^-80, and the sums, while they are many, are tested in the same way.

use crate::msm::{in_lanes, sums_of_thrown};
use pairwright_curve::{Affine, Curve};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use std::borrow::Cow;

/// Logarithm of the probability of missing a bad point, negated: sums of sums of sums add up to less than 2^-80.
const SOUNDNESS: u32 = 84;
/// Logarithms of the numbers of buckets that are considered.
const BITS: core::ops::RangeInclusive<u32> = 3..=14;

/// Whether all points are in the subgroup, and the number of additions; `each` tests them one by one.
pub(crate) fn all_in_subgroup<C: Curve>(
    points: &[Affine<C>],
    seed: &[u8; 32],
    each: impl Fn(&[Affine<C>]) -> Vec<bool>,
) -> (bool, u64) {
    if C::COFACTOR == [1] {
        return (true, 0);
    }
    let mut rng = ChaCha8Rng::from_seed(*seed);
    let (mut tested, mut adds) = (Cow::Borrowed(points), 0);
    while let Some(bits) = plan(tested.len(), test_cost::<C>()).1 {
        let mut seed = [0; 32];
        rng.fill_bytes(&mut seed);
        let (sums, count) = sums_of_thrown(&tested, bits, throws(bits), &seed);
        adds += count;
        tested = Cow::Owned(sums);
    }
    (each(&tested).into_iter().all(|is_inside| is_inside), adds)
}

/// What a test of one point costs, in additions: its doublings, in coordinates that need no inversion. In lanes both take
/// eight points at a time, but additions that share an inversion profit more.
fn test_cost<C: Curve>() -> usize {
    if in_lanes::<C>().is_some() { 96 } else { 64 }
}

/// Throws into so many buckets.
fn throws(bits: u32) -> u32 {
    SOUNDNESS.div_ceil(bits)
}

/// The least cost of testing so many points, in additions, and the buckets of the first throws; none where points are tested
/// one by one.
fn plan(points: usize, test: usize) -> (usize, Option<u32>) {
    let thrown = |bits: u32| {
        let sums = throws(bits) as usize * points.min(1 << bits);
        (sums < points / 2).then(|| (throws(bits) as usize * points + plan(sums, test).0, Some(bits)))
    };
    BITS.filter_map(thrown).chain([(points * test, None)]).min().unwrap_or((0, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_points_are_tested_one_by_one_and_many_for_some_additions_each() {
        assert_eq!(plan(0, 64), (0, None));
        assert_eq!(plan(100, 64).1, None);
        for (points, most) in [(1 << 12, 32), (1 << 16, 13), (1 << 20, 9)] {
            let (cost, bits) = plan(points, 64);
            assert!(bits.is_some() && cost <= most * points, "{points}: {cost}");
        }
    }
}
