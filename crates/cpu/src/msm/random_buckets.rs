//! Sums of points in random buckets.

use super::buckets::{Buckets, Pool, accumulate, wave};
use super::rows::{ABSENT, Bases, Rows};
use super::sort::Sorted;
use pairwright_curve::{Affine, Curve};
use pairwright_device::parallel;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// In each round every point is assigned to one of `2^bits` random buckets: the sums of the buckets of all rounds that are not
/// empty, and the number of additions. Each round has a stream of its own of the generator that the seed starts.
pub(super) fn sums<C: Curve, R: Rows<C>>(
    points: &[Affine<C>],
    bits: u32,
    rounds: u32,
    seed: &[u8; 32],
) -> (Vec<Affine<C>>, u64) {
    let pool = Pool::<C, R>::new();
    let mut buckets = Buckets::new();
    let (mut all, mut adds) = (Vec::with_capacity(1 << bits), 0);
    let numbers: Vec<u32> = (0..rounds).collect();
    for rounds in numbers.chunks(together(points.len(), rayon::current_num_threads())) {
        let sorted = assign(points.len(), bits, rounds, seed);
        adds += accumulate(Bases::new(points, None), &sorted, &pool, &mut buckets);
        let used = buckets.entries.iter().filter(|entry| **entry != ABSENT);
        all.extend(used.map(|entry| buckets.sums[(entry >> 1) as usize]));
    }
    (all, adds)
}

/// Rounds over so many points that are in work at once: enough for all threads, but no more entries than a word counts.
fn together(points: usize, threads: usize) -> usize {
    let points = points.max(1);
    threads.max(wave(threads) / points).min(u32::MAX as usize / points)
}

/// The points of some rounds by bucket.
fn assign(points: usize, bits: u32, rounds: &[u32], seed: &[u8; 32]) -> Sorted {
    let per_round = 1usize << bits;
    let mut entries = vec![0u32; points * rounds.len()];
    let mut starts = vec![0usize; per_round * rounds.len() + 1];
    let parts = entries.chunks_mut(points.max(1)).zip(starts[1..].chunks_mut(per_round));
    parallel::for_each(parts.zip(rounds), |place, ((entries, ends), round)| {
        let mut rng = ChaCha8Rng::from_seed(*seed);
        rng.set_stream((*round).into());
        // A word has the buckets of several points.
        let per_word = 64 / bits as usize;
        let mut buckets = vec![0u16; points];
        for buckets in buckets.chunks_mut(per_word) {
            let mut word = rng.next_u64();
            for bucket in buckets {
                *bucket = (word & (per_round as u64 - 1)) as u16;
                word >>= bits;
            }
        }
        // A counting sort: the number of points of each bucket, then the place of its next point.
        buckets.iter().for_each(|bucket| ends[*bucket as usize] += 1);
        let mut place = place * points;
        let first = place;
        for end in ends.iter_mut() {
            (*end, place) = (place, place + *end);
        }
        for (index, bucket) in (0u32..).zip(&buckets) {
            let next = &mut ends[*bucket as usize];
            entries[*next - first] = index << 1;
            *next += 1;
        }
    });
    Sorted { entries, starts }
}

#[cfg(test)]
mod tests {
    use super::super::rows::Plain;
    use super::*;
    #[cfg(target_arch = "x86_64")]
    use crate::{isa::lanes_to_test, lanes::points::InRows};
    use pairwright_curve::{Jacobian, bls12_381, bn254};
    use pairwright_testkit::conformance::known_points;

    /// Every round has each point once: the sum of its buckets, in rows of a kind, is that of the points.
    fn buckets_of_a_round_add_up<C: Curve, R: Rows<C>>() {
        let sum = |points: &[Affine<C>]| points.iter().map(Affine::to_jacobian).sum::<Jacobian<C>>();
        for n in [0, 1, 9, 1000] {
            let (points, _) = known_points::<C>(n, 3);
            for bits in [1, 5, 16] {
                let sorted = assign(n, bits, &[0, 1, 2], &[7; 32]);
                let ends: Vec<usize> = (1..=3).map(|k| sorted.starts[k << bits]).collect();
                assert_eq!(ends, [n, 2 * n, 3 * n]);
                for part in sorted.entries.chunks(n.max(1)) {
                    let mut indices: Vec<u32> = part.iter().map(|entry| entry >> 1).collect();
                    indices.sort_unstable();
                    assert_eq!(indices, (0..n as u32).collect::<Vec<_>>());
                }
                if n == 1000 && bits == 5 {
                    assert_ne!(sorted.entries[..n], sorted.entries[n..2 * n], "rounds differ");
                }
                let (sums, _) = sums::<C, R>(&points, bits, 3, &[7; 32]);
                assert!(sums.len() <= 3 * n.min(1 << bits));
                let three = [points.as_slice(); 3].concat();
                assert_eq!(sum(&sums).to_affine(), sum(&three).to_affine(), "{n} points, {bits} bits");
            }
        }
    }

    #[test]
    fn entries_of_a_wave_are_counted_in_words() {
        assert_eq!((together(0, 2), together(1 << 16, 2), together(1 << 20, 2)), (wave(2), 4, 2));
        for points in [1 << 26, 1 << 28, crate::msm::MAX_LEN] {
            let rounds = together(points, 64);
            assert!(rounds > 0 && rounds * points <= u32::MAX as usize);
        }
    }

    #[test]
    fn every_point_is_in_one_bucket_of_each_round() {
        buckets_of_a_round_add_up::<bn254::G2, Plain<_>>();
        #[cfg(target_arch = "x86_64")]
        if lanes_to_test() {
            buckets_of_a_round_add_up::<bn254::G2, InRows<_>>();
            buckets_of_a_round_add_up::<bls12_381::G1, InRows<_>>();
        }
    }
}
