//! Permutations of the lanes of one or two values.

use super::digits::LANES;

/// A permutation: for each of the eight lanes of the result, the source among the sixteen lanes of two values, or zero.
#[repr(C, align(64))]
pub(crate) struct LanePermutation {
    index: [u64; LANES],
    taken: u8,
}

impl LanePermutation {
    /// Makes a permutation from the source lanes of the first lanes; a negative number means zero, and so does a missing one.
    pub(super) const fn new(from: &[i8]) -> Self {
        let mut sources = Self { index: [0; LANES], taken: 0 };
        let mut i = 0;
        while i < from.len() {
            if from[i] >= 0 {
                sources.index[i] = from[i] as u64;
                sources.taken |= 1 << i;
            }
            i += 1;
        }
        sources
    }

    /// The source lanes of all lanes, aligned for vector loads.
    pub(super) fn index(&self) -> &[u64; LANES] {
        &self.index
    }

    /// A mask of the lanes that are not zero.
    pub(super) fn taken(&self) -> u8 {
        self.taken
    }
}
