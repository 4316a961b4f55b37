//! Random weights of equations that are verified together.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;
use pairwright_curve::Curve;
use pairwright_device::parallel;
use pairwright_field::PrimeField;
use pairwright_poly::Buf;
use rand_chacha::ChaCha20Rng;
use rand_core::{CryptoRng, Rng, SeedableRng};

/// Uniform weights of 80 bits, with which an equation that does not hold passes with probability 2^-80. They are not in memory:
/// a seed gives any range of them, as often as it is asked for.
pub struct ShortWeights {
    seed: [u8; 32],
}

impl fmt::Debug for ShortWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShortWeights")
    }
}

/// Words of the generator for a short weight.
const WORDS: u128 = 4;

impl ShortWeights {
    /// Draws the seed.
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

/// Scalars of a range of positions, computed on all threads in pieces of the range.
pub(crate) fn in_pieces<F: PrimeField>(
    range: Range<usize>,
    of: impl Fn(Range<usize>) -> Vec<F> + Sync,
) -> Buf<F> {
    /// Positions of a piece.
    const PIECE: usize = 1 << 12;
    let starts = range.clone().step_by(PIECE);
    parallel::map(starts, |_, start| of(start..range.end.min(start + PIECE))).concat().into()
}

/// `n` weights, each drawn evenly from 2^127 scalars that are not zero, so that a sum of weighed equations of which one does
/// not hold holds with probability at most 2^-127.
///
/// A weight is `a + b·λ` for `a` and `b` of 64 bits, `a` odd, and the eigenvalue `λ` of the group's endomorphism: points are
/// multiplied by two short halves. Weights of different pairs differ: as `λ² + λ + 1 = 0`, the order r of the group would
/// divide `a² - a·b + b²` for the differences `a` and `b` of the halves, which is between 0 and `3·2^128`, less than r.
pub(crate) fn weights<C: Curve>(n: usize, rng: &mut dyn CryptoRng) -> Vec<C::Scalar> {
    // Without an endomorphism, integers of 128 bits.
    let lambda = C::GLV.as_ref().map_or([0, 1, 0, 0], |glv| glv.lambda);
    let lambda = C::Scalar::from_limbs_reduced(&lambda);
    (0..n).map(|_| C::Scalar::from(rng.next_u64() | 1) + lambda * C::Scalar::from(rng.next_u64())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::{Pairing, bls12_377, bls12_381, bn254};
    use pairwright_field::{Field, Ring};
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    /// What the proof above uses, and that its weights are short.
    fn halves_are_short<E: Pairing>() {
        let glv = E::G1::GLV.unwrap();
        let lambda = E::Fr::from_limbs_reduced(&glv.lambda);
        assert_eq!(lambda.square() + lambda + E::Fr::ONE, E::Fr::ZERO);
        assert!(E::Fr::MODULUS.as_ref()[3] > 0, "r is above 2^192");
        let weights = weights::<E::G1>(20, &mut ChaCha20Rng::seed_from_u64(8));
        for weight in &weights {
            let [a, b] = pairwright_curve::glv::decompose(&glv, weight.to_limbs().as_ref());
            assert!(a.0 < 1 << 64 && a.0 % 2 == 1 && !a.1 && b.0 < 1 << 64 && !b.1, "{weight}");
        }
        assert!((1..weights.len()).all(|i| weights[i] != weights[i - 1]));
    }

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

    #[test]
    fn halves_of_weights_are_short() {
        halves_are_short::<bn254::Bn254>();
        halves_are_short::<bls12_381::Bls12_381>();
        halves_are_short::<bls12_377::Bls12_377>();
    }
}
