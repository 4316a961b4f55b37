//! Random 80-bit weights, which several passes over a file generate again chunk by chunk.

use crate::sizes::chunks;
use core::ops::Range;
use pairwright_field::PrimeField;
use pairwright_poly::Buf;
use pairwright_protocols::short_weights::ShortWeights;
use rand_core::CryptoRng;

/// Number of points that are combined at a time. It is small in the tests of this crate, so that small powers have several
/// chunks.
pub(super) const CHUNK: usize = if cfg!(test) { 4 } else { 1 << 17 };

/// A vector of random weights that is not held in memory: any chunk of it can be generated from a seed.
pub(super) struct Weights {
    weights: ShortWeights,
    len: usize,
}

impl Weights {
    /// Draws the seed of `len` weights.
    pub(super) fn draw(len: usize, rng: &mut dyn CryptoRng) -> Self {
        Self { weights: ShortWeights::draw(rng), len }
    }

    /// The index ranges of the weights, in chunks of [`CHUNK`]; the last chunk may be shorter.
    pub(super) fn chunks(&self) -> impl Iterator<Item = Range<usize>> {
        chunks(self.len, CHUNK)
    }

    /// The weights of one of [`Weights::chunks`].
    pub(super) fn of<F: PrimeField>(&self, chunk: &Range<usize>) -> Buf<F> {
        self.weights.of(chunk.clone())
    }
}
