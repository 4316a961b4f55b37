//! Parameters of the transfer engine.

use pairwright_sim::settings::{OutOfRange, Range, between, power_of_two, section_in_range};
use serde::{Deserialize, Serialize};

/// Parameters of the DMA. \[CP\] prints none of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DmaSpec {
    /// Core cycles from the start of a transfer to its first request. Inferred as 0: the published time of an NTT of
    /// 2^20 points leaves at most 9 for each of its 4,096 transfers.
    pub setup: u32,
    /// Transfers under way: 1, the next begins when the last is done; 2 or more, when the memory has taken its last
    /// request, the setup hidden behind it. Inferred.
    pub outstanding: u32,
    /// Words a cycle between the DMA and the banks: as many as there are banks of A. Bounds what the tile buffer gives.
    pub words_per_cycle: u32,
    /// Words of the tile buffer, 0 for none. Ours.
    pub tile_words: u32,
    /// Words of a line of the tile buffer, 2 to 64, a power of two: a burst of 64 bytes, or more.
    pub line_words: u32,
    /// Address generators. Inferred.
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

    /// Whether the model can express it.
    ///
    /// # Errors
    /// The first parameter out of range.
    pub fn check(&self) -> Result<(), OutOfRange> {
        section_in_range("dma", self, RANGES)
    }
}
