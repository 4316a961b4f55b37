//! Parameters of the DMA, which moves data between DRAM and the banks.

use pairwright_sim::settings::{OutOfRange, Range, between, power_of_two, section_in_range};
use serde::{Deserialize, Serialize};

/// Parameters of the DMA. \[CP\] prints none of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DmaSpec {
    /// Core cycles from the start of a transfer to its first request. Inferred as 0: the published time of an NTT of
    /// 2^20 points leaves at most 9 for each of its 4,096 transfers.
    pub setup: u32,
    /// Transfers that may be under way at once. With 1, the next transfer begins when the last one is done; with 2 or more,
    /// it begins as soon as the memory has accepted the last request of the one before, which hides its setup. Inferred.
    pub outstanding: u32,
    /// Words per cycle between the DMA and the banks: as many as Banks_A has banks. Bounds the rate at which the tile buffer
    /// delivers.
    pub words_per_cycle: u32,
    /// Words of the tile buffer, 0 for none. Not in the paper.
    pub tile_words: u32,
    /// Words of a line of the tile buffer: a power of two from 2 (a burst of 64 bytes) to 64.
    pub line_words: u32,
    /// Number of address generators. Inferred.
    pub streams: u32,
}

/// The ranges of these parameters.
pub(super) const RANGES: &[Range] = &[
    between("setup", 0.0, 1_048_576.0, "cycles").inferred(),
    between("outstanding", 1.0, 1024.0, "transfers").inferred(),
    between("words_per_cycle", 1.0, 2048.0, "words").inferred(),
    power_of_two("line_words", 2, 64, "words").added(),
    between("tile_words", 0.0, 1_048_576.0, "words").added(),
    between("streams", 1.0, 1024.0, "").inferred(),
];

impl Default for DmaSpec {
    fn default() -> Self {
        Self::paper()
    }
}

impl DmaSpec {
    /// The design of \[CP\] as far as it is known: no tile buffer, one transfer at a time.
    pub fn paper() -> Self {
        Self { setup: 0, outstanding: 1, words_per_cycle: 8, tile_words: 0, line_words: 2, streams: 256 }
    }

    /// Checks that every parameter is in its range.
    ///
    /// # Errors
    /// The first parameter out of range.
    pub fn check(&self) -> Result<(), OutOfRange> {
        section_in_range("dma", self, RANGES)
    }
}
