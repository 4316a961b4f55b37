//! Whether many points are on the curve and in the prime-order subgroup, for less than a subgroup test each.
//!
//! Points are thrown into `2^c` random buckets and only the sums of the buckets are tested. Take any point outside of
//! the subgroup: wherever the other points fell, there is at most one bucket in which this one leaves every sum
//! inside, so a round misses with probability at most 2^-c. As many independent rounds are made as bring the
//! probability of missing below 2^-80, and the sums, while they are many, are tested in the same way.

use crate::FormatError;
use crate::points::PointSource;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::{Affine, Curve, Xyzz, batch_to_affine};
use pairwright_poly::Source;
use rand_chacha::ChaCha8Rng;
use rand_core::{CryptoRng, Rng, SeedableRng};
use rayon::prelude::*;

/// Points that are decoded and tested together.
const CHUNK: usize = 1 << 16;
/// The largest number of points that are tested one by one.
const FEW: usize = 1 << 10;
/// Logarithm of the probability of missing a bad point, negated.
const SOUNDNESS: u32 = 80;
/// Roughly what a subgroup test costs, in additions.
const TEST: usize = 64;

/// Tests every point of a source. Variable time.
pub(crate) fn check_points<C: Curve>(
    source: &PointSource<C>,
    rng: &mut dyn CryptoRng,
) -> Result<(), FormatError> {
    let mut seed = [0; 32];
    rng.fill_bytes(&mut seed);
    let error = (0..source.len().div_ceil(CHUNK)).into_par_iter().find_map_first(|i| {
        let start = i.saturating_mul(CHUNK);
        check_chunk(source, start, start.saturating_add(CHUNK).min(source.len()), &seed).err()
    });
    error.map_or(Ok(()), Err)
}

fn check_chunk<C: Curve>(
    source: &PointSource<C>,
    start: usize,
    end: usize,
    seed: &[u8; 32],
) -> Result<(), FormatError> {
    let mut points = Vec::new();
    source.decode(start..end, &mut points)?;
    if let Some(i) = points.par_iter().position_first(|p| !p.is_on_curve()) {
        return Err(source.off_curve(start.saturating_add(i)));
    }
    // Every chunk has a stream of its own.
    let mut rng = ChaCha8Rng::from_seed(*seed);
    rng.set_stream(u64::try_from(start).unwrap_or(u64::MAX));
    if all_in_subgroup(&points, &mut rng) {
        return Ok(());
    }
    match points.par_iter().position_first(|p| !p.is_in_subgroup_vartime()) {
        Some(i) => Err(source.wrong_subgroup(start.saturating_add(i))),
        // A sum outside of the subgroup has a summand outside.
        None => Ok(()),
    }
}

/// Whether points of the curve are all in the subgroup; wrong with probability 2^-80 at most, and only towards yes.
fn all_in_subgroup<C: Curve>(points: &[Affine<C>], rng: &mut ChaCha8Rng) -> bool {
    if C::COFACTOR == [1] {
        return true;
    }
    if points.len() <= FEW {
        return points.par_iter().all(|p| p.is_in_subgroup_vartime());
    }
    let cost = |bits: &u32| {
        let tests = TEST.saturating_mul(1usize.checked_shl(*bits).unwrap_or(usize::MAX));
        points.len().saturating_add(tests).saturating_mul(rounds(*bits))
    };
    let bits = (3..=16).min_by_key(cost).unwrap_or(3);
    let seeds: Vec<[u8; 32]> = (0..rounds(bits))
        .map(|_| {
            let mut seed = [0; 32];
            rng.fill_bytes(&mut seed);
            seed
        })
        .collect();
    let sums: Vec<Affine<C>> =
        seeds.into_par_iter().flat_map_iter(|seed| throw(points, bits, seed)).collect();
    all_in_subgroup(&sums, rng)
}

fn rounds(bits: u32) -> usize {
    usize::try_from(SOUNDNESS.div_ceil(bits)).unwrap_or(usize::MAX)
}

/// The sums of `2^bits` random buckets.
fn throw<C: Curve>(points: &[Affine<C>], bits: u32, seed: [u8; 32]) -> Vec<Affine<C>> {
    let mut rng = ChaCha8Rng::from_seed(seed);
    let mut buckets = vec![Xyzz::<C>::INFINITY; 1usize.checked_shl(bits).unwrap_or(1)];
    let mask = u64::MAX.checked_shr(64u32.saturating_sub(bits)).unwrap_or(0);
    for p in points {
        let at = usize::try_from(rng.next_u64() & mask).unwrap_or(0);
        if let Some(bucket) = buckets.get_mut(at) {
            *bucket = bucket.add_mixed(p);
        }
    }
    let sums: Vec<_> = buckets.iter().map(Xyzz::to_jacobian).collect();
    batch_to_affine(&sums)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::bls12_381::{Fq, G1};
    use pairwright_field::{Field, Ring, Sqrt};

    /// A point of order 3: (0, 2) is on y² = x³ + 4.
    fn order_three() -> Affine<G1> {
        let t = Affine::from_xy_unchecked(Fq::ZERO, Fq::from(4).sqrt_vartime().unwrap());
        assert!(t.is_on_curve() && !t.is_in_subgroup_vartime());
        t
    }

    #[test]
    fn one_bad_point_among_many_is_found_and_two_that_cancel() {
        let n = 5000;
        let mut p = Affine::<G1>::generator().to_jacobian();
        let good: Vec<Affine<G1>> = batch_to_affine(
            &(0..n)
                .map(|_| {
                    p = p.double().add_mixed(&Affine::generator());
                    p
                })
                .collect::<Vec<_>>(),
        );
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        assert!(all_in_subgroup(&good, &mut rng));
        let t = order_three();
        let moved = |i: usize, t: &Affine<G1>| good[i].to_jacobian().add_mixed(t).to_affine();
        for bad in [&[0][..], &[n - 1], &[17, 18], &[1, 2, 3], &[100, 4000]] {
            let mut points = good.clone();
            for (k, &i) in bad.iter().enumerate() {
                // T and -T in turn: sums of all of them may lie in the subgroup.
                points[i] = moved(i, &if k % 2 == 0 { t } else { -t });
            }
            assert!(!all_in_subgroup(&points, &mut rng), "{bad:?}");
        }
        assert_eq!(t.x.square(), Fq::ZERO);
    }

    #[test]
    fn sums_become_fewer() {
        for n in [FEW + 1, 5000, CHUNK] {
            let p = vec![Affine::<G1>::INFINITY; n];
            assert!(all_in_subgroup(&p, &mut ChaCha8Rng::seed_from_u64(2)));
        }
    }
}
