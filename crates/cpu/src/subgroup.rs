//! A probabilistic test whether many points are all in the prime-order subgroup, for less work than a test of each: random sums of
//! the points are tested, recursively while there are many sums.
//!
//! **Random buckets.** Points are assigned to `2^c` random buckets, and the sums of the buckets are tested. Consider a point
//! outside of the subgroup. Whatever the buckets of the other points are, there is at most one bucket for this point with which
//! all sums are inside the subgroup, so a round misses with probability at most 2^-c. It takes one addition per point.
//!
//! **Signed sums.** Smaller sets of points are added with random coefficients of one, minus one or zero. If the cofactor is odd, a
//! point outside of the subgroup is the sum of a point of the subgroup and a point T of odd order, so -T, 0 and T differ. Whatever
//! the other coefficients are, at most one coefficient of this point gives a sum inside, so a sum misses with probability at most
//! 1/3.

use crate::lanes::dispatch::routines;
use crate::msm::{signed_sums, sums_of_random_buckets};
use pairwright_curve::{Affine, Curve};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use std::borrow::Cow;

/// The rounds of one step miss with probability at most `2^-MISS_BITS`. Six steps and the signed sums together miss
/// with probability below 2^-80: 6·2^-84 + 0.6·2^-80.
const MISS_BITS: u32 = 84;
/// Number of signed sums in one step; they miss with probability 3^-51, which is below 0.6·2^-80.
const SIGNED: usize = 51;
/// Approximate number of additions per point for the signed sums.
const SIGNED_COST: usize = 21;
/// Base-2 logarithms of the numbers of buckets that are considered.
const BITS: core::ops::RangeInclusive<u32> = 5..=14;

/// A step of the test, which tests points or replaces them by fewer sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SubgroupStep {
    /// Each point is tested.
    Each,
    /// The points are replaced by signed sums.
    Signed,
    /// The points are replaced by the sums of `2^bits` buckets for each round.
    RandomBuckets(u32),
}

/// Whether all points are in the subgroup, and the number of additions; `each` tests single points.
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
    loop {
        let (sums, count) = match plan::<C>(tested.len()).1 {
            SubgroupStep::Each => return (each(&tested).into_iter().all(|is_inside| is_inside), adds),
            SubgroupStep::Signed => signed_sums(&tested, &signs(SIGNED * tested.len(), &mut rng)),
            SubgroupStep::RandomBuckets(bits) => {
                let mut seed = [0; 32];
                rng.fill_bytes(&mut seed);
                sums_of_random_buckets(&tested, bits, rounds(bits), &seed)
            }
        };
        adds += count;
        tested = Cow::Owned(sums);
    }
}

/// Number of rounds of random assignment to `2^bits` buckets that one step needs.
fn rounds(bits: u32) -> u32 {
    MISS_BITS.div_ceil(bits)
}

/// The least cost of testing this number of points, in additions, and the first step.
fn plan<C: Curve>(points: usize) -> (usize, SubgroupStep) {
    // The cost of a single test in additions of a batch: its doublings and additions do not share inversions.
    let test = if routines::<C>().is_some() { 96 } else { 64 };
    let odd = C::COFACTOR.first().is_some_and(|limb| limb % 2 == 1);
    let signed = odd.then(|| (points * SIGNED_COST + SIGNED * test, SubgroupStep::Signed));
    // A step leaves less than a quarter of the points: no test has more than six such steps up to 2^29 points.
    let by_buckets = |bits: u32| {
        let sums = rounds(bits) as usize * points.min(1 << bits);
        let cost = || rounds(bits) as usize * points + plan::<C>(sums).0;
        (4 * sums < points).then(|| (cost(), SubgroupStep::RandomBuckets(bits)))
    };
    let all = BITS.filter_map(by_buckets).chain(signed).chain([(points * test, SubgroupStep::Each)]);
    all.min().unwrap_or((0, SubgroupStep::Each))
}

/// Uniformly random signs of one, minus one and zero.
fn signs(count: usize, rng: &mut ChaCha8Rng) -> Vec<i8> {
    /// Number of signs from a byte below [`EVEN`].
    const SIGNS_PER_BYTE: usize = 5;
    /// The number 3 to the power of [`SIGNS_PER_BYTE`].
    const EVEN: u8 = 243;
    let mut signs = Vec::with_capacity(count + SIGNS_PER_BYTE);
    let mut bytes = [0; 256];
    while signs.len() < count {
        rng.fill_bytes(&mut bytes);
        for mut rest in bytes.into_iter().filter(|byte| *byte < EVEN) {
            for _ in 0..SIGNS_PER_BYTE {
                signs.push((rest % 3).cast_signed() - 1);
                rest /= 3;
            }
        }
    }
    signs.truncate(count);
    signs
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::{bls12_377, bls12_381, bn254};

    /// The steps of a test of this number of points.
    fn steps<C: Curve>(mut points: usize) -> Vec<SubgroupStep> {
        let mut steps = Vec::new();
        loop {
            let step = plan::<C>(points).1;
            steps.push(step);
            points = match step {
                SubgroupStep::Each => return steps,
                SubgroupStep::Signed => SIGNED,
                SubgroupStep::RandomBuckets(bits) => rounds(bits) as usize * points.min(1 << bits),
            };
        }
    }

    #[test]
    fn the_more_points_the_less_a_point_costs() {
        assert_eq!(steps::<bls12_381::G1>(0), [SubgroupStep::Each]);
        assert_eq!(steps::<bls12_381::G1>(50), [SubgroupStep::Each]);
        assert_eq!(steps::<bls12_381::G1>(900), [SubgroupStep::Signed, SubgroupStep::Each]);
        // The cofactor of this group is even, so signed sums are not used.
        assert!(!steps::<bls12_377::G1>(900).contains(&SubgroupStep::Signed));
        for (points, most) in [(1 << 12, 24), (1 << 16, 12), (1 << 20, 9), (1 << 29, 8)] {
            assert!(plan::<bn254::G2>(points).0 <= most * points, "{points}");
            let by_buckets = |step: &&SubgroupStep| matches!(step, SubgroupStep::RandomBuckets(_));
            for steps in [steps::<bn254::G2>(points), steps::<bls12_377::G1>(points)] {
                assert!(steps.iter().filter(by_buckets).count() <= 6, "{points}: {steps:?}");
            }
        }
    }

    #[test]
    fn signs_are_even() {
        let signs = signs(9001, &mut ChaCha8Rng::seed_from_u64(1));
        assert_eq!(signs.len(), 9001);
        for sign in -1..=1 {
            let count = signs.iter().filter(|s| **s == sign).count();
            assert!((2850..3150).contains(&count), "{sign}: {count}");
        }
    }
}
