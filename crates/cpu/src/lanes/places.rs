//! Permutations of the lanes of values.

use super::digits::LANES;

/// The lanes of two values, sixteen in all, that the eight lanes of another value are taken from; some may be zero.
#[repr(C, align(64))]
pub(crate) struct Places {
    index: [u64; LANES],
    taken: u8,
}

impl Places {
    /// The places of the first lanes, negative for zero; the lanes after them are zero.
    pub(super) const fn new(from: &[i8]) -> Self {
        let mut places = Self { index: [0; LANES], taken: 0 };
        let mut i = 0;
        while i < from.len() {
            if from[i] >= 0 {
                places.index[i] = from[i] as u64;
                places.taken |= 1 << i;
            }
            i += 1;
        }
        places
    }

    /// The places of all lanes, for aligned loads.
    pub(super) fn index(&self) -> &[u64; LANES] {
        &self.index
    }

    /// The lanes that are not zero.
    pub(super) fn taken(&self) -> u8 {
        self.taken
    }
}
