//! The parameters of a unit, with their ranges.

use pairwright_sim::dram;
use pairwright_sim::settings::{Design, OutOfRange, Sections, between, flag, in_range, named, power_of_two};
use serde::{Deserialize, Serialize};

/// The order in which the nodes of a tree are computed (\[MTU\] §3.2, §4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Traversal {
    /// Level by level; every level is written to memory and read again.
    Bfs,
    /// One subtree per element, and one element that merges the subtrees.
    Dfs,
    /// The lowest levels in a pipeline of elements, the higher ones one node at a time in the DFS accumulator.
    Hybrid,
}

impl Traversal {
    /// Every traversal, in the order of \[MTU\] Fig. 4.
    pub const ALL: [Self; 3] = [Self::Bfs, Self::Dfs, Self::Hybrid];

    /// The name on the command line and in design files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bfs => "bfs",
            Self::Dfs => "dfs",
            Self::Hybrid => "hybrid",
        }
    }
}

/// How the DFS accumulator chooses the level whose nodes it processes in a slot (\[MTU\] §4.1.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// The fixed pattern of Tables 2 and 3: slot `c = 2^k·(2m + 1)` belongs to the `k`-th level above the stream, whether
    /// that level is ready or not, for the lowest [`UnitConfig::ruler_levels`] levels. The remaining slots belong to all
    /// deeper levels: in an inverted tree to the deepest that is ready, in a forward tree to the lowest that has a parent
    /// and room.
    Ruler,
    /// No slot is idle while any level could use it. In an inverted tree the stream's pair goes first, since it cannot
    /// wait, then the pair that has been complete longest. In a forward tree the parent nearest to the leaves goes first
    /// whose children have room.
    Filled,
}

impl Schedule {
    /// Both schedules, the published one first.
    pub const ALL: [Self; 2] = [Self::Ruler, Self::Filled];

    /// The name on the command line and in design files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ruler => "ruler",
            Self::Filled => "filled",
        }
    }
}

/// The parameters of a unit with its memory. \[P\] marks numbers printed in \[MTU\], \[I\] inferred ones.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UnitConfig {
    /// The requested clock frequency in hertz; [`UnitConfig::clock`] is the actual one. \[P\] 1 GHz.
    pub clock_hz: u64,
    /// The clock frequency that the circuits reach with the latencies of the published unit, in hertz. \[P\] 1 GHz.
    pub full_clock_hz: u64,
    /// The number of processing elements, including the DFS accumulator: a power of two, 2 to 1,024. \[P\] 2 to 32.
    pub pes: u32,
    /// Bits of a field element, for clock, area and energy. \[P\] 255.
    pub element_bits: u32,
    /// Whether the multipliers are built for one prime, which takes little more than half the area. \[P\] no: "arbitrary
    /// prime".
    pub fixed_prime: bool,
    /// Bytes of a word in memory, which is an element or a digest. \[P\] "256 bits".
    pub word_bytes: u32,
    /// Latency in cycles of the modular multiplier, whose initiation interval is 1. \[I\] 28: neither \[MTU\] nor its
    /// sources print a depth.
    pub mul_latency: u32,
    /// The number of stages with which a multiplier of 255 bits reaches `full_clock_hz`; the number for other widths is
    /// proportional to their digits of 64 bits. \[I\] 28, the latency: the printed unit is assumed to have no superfluous
    /// stage.
    pub full_clock_stages: u32,
    /// Latency in cycles of a modular addition or subtraction. \[P\] 1.
    pub add_latency: u32,
    /// Latency in cycles of the SHA3 engine for the parent of two digests. \[I\] 24: one round per cycle.
    pub hash_latency: u32,
    /// Rounds of SHA3 per cycle at `full_clock_hz`. \[I\] 1, as in the iterative core of Table 4.
    pub full_clock_rounds: u32,
    /// Initiation interval of a SHA3 engine in cycles: 1 (24 rounds unrolled), 12 or 24 (iterative, two rounds or one per
    /// cycle). \[MTU\]'s runtimes imply 1, its area an iterative core: \[I\] 1.
    pub hash_ii: u32,
    /// The order in which the nodes of a tree are computed. \[P\] hybrid; \[MTU\] measures the other two as well.
    pub traversal: Traversal,
    /// How the accumulator assigns its slots to levels. \[P\] the pattern.
    pub schedule: Schedule,
    /// The number of levels that have slots of their own in the ruler's pattern, which repeats after `2^ruler_levels`
    /// slots; 1 to 62. \[I\] 4: the tables show four and leave every sixteenth slot empty. With slots for every level,
    /// the start of a forward tree and the end of an inverted one would wait for the rare slots of the deep levels, for a
    /// quarter and a half of the run.
    pub ruler_levels: u32,
    /// The number of words that an accumulator can hold, all levels together. A run that needs more is refused. \[I\]
    /// 190: five for each of 32 levels, and one for each cycle of latency of an MLE evaluation's element.
    pub accumulator_words: u32,
    /// Bytes of a request to memory; a model parameter. \[I\]
    pub block_bytes: u32,
    /// The number of blocks that are read before any is written, and vice versa, where both kinds of requests wait: a
    /// DRAM loses time whenever its pins change direction. \[I\]
    pub blocks_in_row: u32,
    /// The greatest number of requests to memory per cycle, if the memory's controller accepts them. \[I\] 1,024, which
    /// is no limit; the hardware of `pairwright-rtl` has 1, of a row.
    pub requests: u32,
    /// Bytes of the buffer between memory and the elements' inputs. \[I\]: twice the product of bandwidth and latency.
    pub input_bytes: u32,
    /// Bytes of the buffer between the elements' outputs and memory. \[I\]
    pub output_bytes: u32,
    /// Bytes of on-chip memory in which breadth-first traversal may keep levels; levels that do not fit go to memory.
    /// \[I\] 0: \[MTU\] keeps them all in memory.
    pub level_bytes: u32,
    /// The memory. \[P\] 64 to 1,024 GB/s; \[I\] a flat memory of that bandwidth with 100 cycles of latency.
    pub dram: dram::DramConfig,
}

const RANGES: Sections = &[
    (
        "",
        &[
            between("clock_hz", 1e6, 1e11, "Hz").printed(),
            between("full_clock_hz", 1e8, 1e10, "Hz").printed(),
            power_of_two("pes", 2, 1024, "").printed(),
            between("element_bits", 8.0, 8192.0, "bits").printed(),
            flag("fixed_prime").printed(),
            power_of_two("word_bytes", 1, 1024, "bytes").printed(),
            between("mul_latency", 1.0, 1024.0, "cycles").inferred(),
            between("full_clock_stages", 1.0, 1024.0, "stages").inferred(),
            between("add_latency", 1.0, 1024.0, "cycles").printed(),
            between("hash_latency", 1.0, 1024.0, "cycles").inferred(),
            between("full_clock_rounds", 1.0, 24.0, "rounds").inferred(),
            between("hash_ii", 1.0, 1024.0, "cycles").inferred(),
            named("traversal", &["bfs", "dfs", "hybrid"]).printed(),
            named("schedule", &["ruler", "filled"]).printed(),
            between("ruler_levels", 1.0, 62.0, "levels").inferred(),
            between("accumulator_words", 2.0, 65_536.0, "words").inferred(),
            between("block_bytes", 1.0, 65_536.0, "bytes").inferred(),
            between("blocks_in_row", 1.0, 1_048_576.0, "blocks").inferred(),
            between("requests", 1.0, 1024.0, "").inferred(),
            between("input_bytes", 0.0, 16_777_216.0, "bytes").inferred(),
            between("output_bytes", 0.0, 16_777_216.0, "bytes").inferred(),
            between("level_bytes", 0.0, 1_073_741_824.0, "bytes").inferred(),
        ],
    ),
    ("dram", dram::RANGES),
];

impl Default for UnitConfig {
    fn default() -> Self {
        Self::paper()
    }
}

impl UnitConfig {
    /// The unit of \[MTU\] Table 4, with 32 elements and 1,024 GB/s.
    pub fn paper() -> Self {
        let flat = dram::DramConfig {
            kind: dram::Kind::Flat,
            latency: 100,
            bytes_per_cycle: 1024,
            ..dram::DramConfig::paper()
        };
        Self {
            clock_hz: 1_000_000_000,
            full_clock_hz: 1_000_000_000,
            pes: 32,
            element_bits: 255,
            fixed_prime: false,
            word_bytes: 32,
            mul_latency: 28,
            full_clock_stages: 28,
            add_latency: 1,
            hash_latency: 24,
            full_clock_rounds: 1,
            hash_ii: 1,
            traversal: Traversal::Hybrid,
            schedule: Schedule::Ruler,
            ruler_levels: 4,
            accumulator_words: 190,
            block_bytes: 1024,
            blocks_in_row: 16,
            requests: 1024,
            input_bytes: 1 << 18,
            output_bytes: 1 << 18,
            level_bytes: 0,
            dram: flat,
        }
    }

    /// The same unit with another traversal.
    #[must_use]
    pub fn traversing(self, traversal: Traversal) -> Self {
        Self { traversal, ..self }
    }

    /// The same unit with another number of elements.
    #[must_use]
    pub fn with_pes(self, pes: u32) -> Self {
        Self { pes, ..self }
    }

    /// The same unit with a flat memory of this many bytes per cycle, which are gigabytes per second at 1 GHz.
    #[must_use]
    pub fn with_bandwidth(mut self, bytes_per_cycle: u32) -> Self {
        (self.dram.kind, self.dram.bytes_per_cycle) = (dram::Kind::Flat, bytes_per_cycle);
        self
    }

    /// The same unit with buffers that fit its memory: twice the product of bandwidth and latency, as for those of
    /// [`UnitConfig::paper`], and at least what [`UnitConfig::check`] requires.
    #[must_use]
    pub fn fitted(self) -> Self {
        let under_way = 2.0 * f64::from(self.dram.latency) * self.dram.peak_bytes_per_cycle(self.hz());
        let least = 2 * self.block_bytes.max(2 * self.pes * self.word_bytes);
        let bytes = (under_way.ceil().min(f64::from(1 << 24)) as u32).max(least).next_power_of_two();
        Self { input_bytes: bytes, output_bytes: bytes, ..self }
    }
}

impl Design for UnitConfig {
    type Error = OutOfRange;
    const RANGES: Sections = RANGES;

    fn check(&self) -> Result<(), OutOfRange> {
        in_range(self, RANGES)?;
        let whole = self.block_bytes.is_multiple_of(self.word_bytes);
        OutOfRange::unless(whole, "block_bytes", self.block_bytes, "a multiple of word_bytes")?;
        // A buffer holds a block in transit besides the words of all elements for a cycle.
        let least = self.block_bytes.max(2 * self.pes * self.word_bytes) * 2;
        for (parameter, bytes) in [("input_bytes", self.input_bytes), ("output_bytes", self.output_bytes)] {
            OutOfRange::unless(
                bytes >= least,
                parameter,
                bytes,
                "at least two blocks and two cycles' words",
            )?;
        }
        dram::Dram::new(&self.dram, self.hz())?;
        Ok(())
    }

    fn out_of_range(why: &OutOfRange) -> Option<&OutOfRange> {
        Some(why)
    }
}
