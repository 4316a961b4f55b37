//! Random weights of 80 bits that several passes over a file draw again, chunk by chunk.

use crate::sizes::chunks;
use core::ops::Range;
use pairwright_field::PrimeField;
use pairwright_poly::Buf;
use pairwright_protocols::short_weights::ShortWeights;
use rand_core::CryptoRng;

/// Points that are combined at a time: few in tests of this crate, so that small powers have several chunks.
pub(super) const CHUNK: usize = if cfg!(test) { 4 } else { 1 << 17 };

/// A vector of random weights that is not in memory: its seed gives any chunk of it.
pub(super) struct Weights {
    weights: ShortWeights,
    len: usize,
}

impl Weights {
    /// Draws so many weights.
    pub(super) fn draw(len: usize, rng: &mut dyn CryptoRng) -> Self {
        Self { weights: ShortWeights::draw(rng), len }
    }

    /// The indices of the weights in chunks of [`CHUNK`], of which the last may be shorter.
    pub(super) fn chunks(&self) -> impl Iterator<Item = Range<usize>> {
        chunks(self.len, CHUNK)
    }

    /// The weights of one of [`Weights::chunks`].
    pub(super) fn of<F: PrimeField>(&self, chunk: &Range<usize>) -> Buf<F> {
        self.weights.of(chunk.clone())
    }
}
