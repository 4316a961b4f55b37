//! Random weights for random linear combinations of long lists, generated from a seed for any range of positions.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;
use pairwright_device::parallel;
use pairwright_field::PrimeField;
use pairwright_poly::Buf;
use rand_chacha::ChaCha20Rng;
use rand_core::{CryptoRng, Rng, SeedableRng};

/// Uniform weights of 80 bits: a weighted sum of equations of which one does not hold passes with probability 2^-80. The weights
/// are not stored: any range of them is computed from a seed, as often as needed.
pub struct ShortWeights {
    seed: [u8; 32],
}

impl fmt::Debug for ShortWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShortWeights")
    }
}

/// Words of 32 bits of the generator's stream that one weight takes.
const WORDS: u128 = 4;

impl ShortWeights {
    /// Draws the seed of new weights.
    pub fn draw(rng: &mut dyn CryptoRng) -> Self {
        let mut seed = [0; 32];
        rng.fill_bytes(&mut seed);
        Self { seed }
    }

    /// The weights of a range of positions, computed on all threads.
    pub fn of<F: PrimeField>(&self, range: Range<usize>) -> Buf<F> {
        in_pieces(range, |piece| {
            let mut rng = ChaCha20Rng::from_seed(self.seed);
            rng.set_word_pos(piece.start as u128 * WORDS);
            let weight = |_| F::from_limbs_reduced(&[rng.next_u64(), rng.next_u64() & 0xffff]);
            piece.map(weight).collect()
        })
    }
}

/// The scalars that `of` gives for a range of positions, computed on all threads in pieces of the range.
pub(crate) fn in_pieces<F: PrimeField>(
    range: Range<usize>,
    of: impl Fn(Range<usize>) -> Vec<F> + Sync,
) -> Buf<F> {
    /// Positions per piece.
    const PIECE: usize = 1 << 12;
    let starts = range.clone().step_by(PIECE);
    parallel::map(starts, |_, start| of(start..range.end.min(start + PIECE))).concat().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::bn254;

    #[test]
    fn short_weights_are_those_of_their_positions() {
        let weights = ShortWeights::draw(&mut ChaCha20Rng::seed_from_u64(9));
        let all = weights.of::<bn254::Fr>(0..9000);
        assert!(all.iter().all(|w| matches!(w.to_limbs().as_ref(), [_, high, 0, 0] if high >> 16 == 0)));
        assert!((1..all.len()).all(|i| all[i] != all[i - 1]));
        for range in [0..0, 0..1, 5..6, 4090..4100, 4096..8192, 17..9000] {
            assert_eq!(weights.of::<bn254::Fr>(range.clone())[..], all[range]);
        }
    }
}
