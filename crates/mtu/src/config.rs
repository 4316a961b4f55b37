//! The parameters of a unit, with their ranges.

use pairwright_sim::dram;
use pairwright_sim::settings::{Design, OutOfRange, Sections, between, flag, in_range, named, power_of_two};
use serde::{Deserialize, Serialize};

/// The order in which the nodes of a tree are computed (\[MTU\] §3.2, §4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Traversal {
    /// Level by level, every level through memory.
    Bfs,
    /// A subtree an element, one element to merge them.
    Dfs,
    /// The lowest levels in a pipeline of elements, the others one by one in the DFS accumulator.
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

/// How the DFS accumulator chooses the level it works on in a slot (\[MTU\] §4.1.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// The fixed pattern of Tables 2 and 3: slot `c = 2^k·(2m + 1)` belongs to the `k`-th level from the stream, idle or
    /// not, for the lowest [`UnitConfig::ruler_levels`] levels. The slots that are left belong to all deeper levels: of an
    /// inverted tree to the deepest that is ready, of a forward one to the lowest that has a parent and room.
    Ruler,
    /// No slot idle that anybody could use. Inverted: the stream's pair first, since it cannot
    /// wait, otherwise the pair that has been complete the longest. Forward: the parent nearest to the leaves whose
    /// children have room.
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

/// A unit with its memory. \[P\] is printed in \[MTU\], \[I\] inferred.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UnitConfig {
    /// The clock that is asked for, in hertz; [`UnitConfig::clock`] says what the unit runs at. \[P\] 1 GHz.
    pub clock_hz: u64,
    /// The clock that the circuits reach with the latencies of the published unit, in hertz. \[P\] 1 GHz.
    pub full_clock_hz: u64,
    /// Processing elements, the DFS accumulator included: a power of two, 2 to 1,024. \[P\] 2 to 32.
    pub pes: u32,
    /// Bits of a field element, for area and energy. \[P\] 255.
    pub element_bits: u32,
    /// Whether the multipliers are built for one prime, in little more than half the area. \[P\] no: "arbitrary prime".
    pub fixed_prime: bool,
    /// Bytes of a word in memory: an element or a digest. \[P\] "256 bits".
    pub word_bytes: u32,
    /// Cycles of the modular multiplier, initiation interval 1. \[I\] 28: neither \[MTU\] nor its sources print a depth.
    pub mul_latency: u32,
    /// Stages with which a multiplier of 255 bits reaches `full_clock_hz`; wider ones need as many more as they have digits
    /// of 64 bits more. \[I\] 28, the latency: the printed unit is taken to have no stage too many.
    pub full_clock_stages: u32,
    /// Cycles of a modular addition or subtraction. \[P\] 1.
    pub add_latency: u32,
    /// Cycles of the SHA3 engine for the parent of two digests. \[I\] 24: a round a cycle.
    pub hash_latency: u32,
    /// Rounds of SHA3 that a cycle of `full_clock_hz` holds. \[I\] 1, as the iterative core of Table 4 does.
    pub full_clock_rounds: u32,
    /// Cycles between two inputs of a SHA3 engine: 1 (24 rounds unrolled), 12 or 24 (iterative, two rounds or one a
    /// cycle). \[MTU\]'s runtimes imply 1, its area an iterative core: \[I\] 1.
    pub hash_ii: u32,
    /// The order in which the nodes of a tree are computed. \[P\] hybrid, beside which \[MTU\] measures the other two.
    pub traversal: Traversal,
    /// How the accumulator fills its slots. \[P\] the pattern.
    pub schedule: Schedule,
    /// Levels that have slots of their own in the ruler's pattern, which repeats after `2^ruler_levels` slots; 1 to 62.
    /// \[I\] 4: the tables show four and leave every sixteenth slot empty. With a level for every slot the start of a
    /// forward tree and the end of an inverted one wait for the deep levels' rare slots: a quarter and a half of the run.
    pub ruler_levels: u32,
    /// Words that an accumulator has room for, all levels together. A run that needs more is refused. \[I\] 190: five for
    /// each of 32 levels, and one for each cycle of an MLE evaluation's element.
    pub accumulator_words: u32,
    /// Bytes of a request to memory. \[I\]
    pub block_bytes: u32,
    /// Blocks that are read before any is written and the other way round, where both wait: a DRAM loses time whenever
    /// its pins turn. \[I\]
    pub blocks_in_row: u32,
    /// Requests that are made in a cycle at most, while the memory's controller takes them: ports to it. \[I\] 1,024, which
    /// limits nothing; the hardware of `pairwright-rtl` has 1, of a row.
    pub requests: u32,
    /// Bytes of the buffer between memory and the elements' inputs. \[I\]: bandwidth times latency, twice.
    pub input_bytes: u32,
    /// Bytes of the buffer between the elements' outputs and memory. \[I\]
    pub output_bytes: u32,
    /// Bytes of on-chip memory in which breadth-first traversal may keep levels; those that do not fit go off the
    /// chip. \[I\] 0: \[MTU\] keeps them all in memory.
    pub level_bytes: u32,
    /// The memory. \[P\] 64 to 1,024 GB/s; \[I\] a pipe of that bandwidth with 100 cycles of latency.
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
    /// The unit of \[MTU\] Table 4: 32 elements, with 1,024 GB/s.
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

    /// The same unit in another traversal.
    #[must_use]
    pub fn traversing(self, traversal: Traversal) -> Self {
        Self { traversal, ..self }
    }

    /// The same unit with another number of elements.
    #[must_use]
    pub fn with_pes(self, pes: u32) -> Self {
        Self { pes, ..self }
    }

    /// The same unit behind a pipe of so many bytes a cycle: gigabytes a second at 1 GHz.
    #[must_use]
    pub fn with_bandwidth(mut self, bytes_per_cycle: u32) -> Self {
        (self.dram.kind, self.dram.bytes_per_cycle) = (dram::Kind::Flat, bytes_per_cycle);
        self
    }

    /// The same unit with buffers for its memory: bandwidth times latency, twice, which is how those of
    /// [`UnitConfig::paper`] were chosen, and no less than [`UnitConfig::check`] asks for.
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
        // A buffer holds a block under way beside what all elements take in a cycle.
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
