//! The parameters of a unit, and design files.

use core::{fmt, str::FromStr};
use pairwright_sim::dram;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How the DFS accumulator chooses the level it works on in a slot (\[MTU\] §4.1.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// The fixed pattern of Tables 2 and 3: slot `c = 2^k·(2m + 1)` belongs to the `k`-th level from the stream, idle or
    /// not, for the lowest [`Config::ruler_levels`] levels. The slots that are left belong to all deeper levels: of an
    /// inverted tree to the deepest that is ready, of a forward one to the lowest that has a parent and room.
    Ruler,
    /// No slot idle that anybody could use. Inverted: the stream's pair first, since it cannot
    /// wait, otherwise the pair that has been complete the longest. Forward: the parent nearest to the leaves whose
    /// children have room.
    Filled,
}

impl Schedule {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Ruler, Self::Filled];

    /// Its name on the command line and in files.
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
pub struct Config {
    /// Clock in hertz. \[P\] 1 GHz.
    pub clock_hz: u64,
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
    /// Cycles of a modular addition or subtraction. \[P\] 1.
    pub add_latency: u32,
    /// Cycles of the SHA3 engine for the parent of two digests. \[I\] 24: a round a cycle.
    pub hash_latency: u32,
    /// Cycles between two inputs of a SHA3 engine: 1 (24 rounds unrolled), 12 or 24 (iterative, two rounds or one a
    /// cycle). \[MTU\]'s runtimes imply 1, its area an iterative core: \[I\] 1.
    pub hash_ii: u32,
    /// How the accumulator fills its slots. \[P\] the pattern.
    pub schedule: Schedule,
    /// Levels that have slots of their own in the ruler's pattern, which repeats after `2^ruler_levels` slots; 1 to 62.
    /// \[I\] 4: the tables show four and leave every sixteenth slot empty. With a level for every slot the start of a
    /// forward tree and the end of an inverted one wait for the deep levels' rare slots: a quarter and a half of the run.
    pub ruler_levels: u32,
    /// Bytes of a request to memory. \[I\]
    pub block_bytes: u32,
    /// Blocks that are read before any is written and the other way round, where both wait: a DRAM loses time whenever
    /// its pins turn. \[I\]
    pub blocks_in_row: u32,
    /// Bytes of the buffer between memory and the elements' inputs. \[I\]: bandwidth times latency, twice.
    pub input_bytes: u32,
    /// Bytes of the buffer between the elements' outputs and memory. \[I\]
    pub output_bytes: u32,
    /// Bytes of on-chip memory in which breadth-first traversal may keep levels; those that do not fit go off the
    /// chip. \[I\] 0: \[MTU\] keeps them all in memory.
    pub level_bytes: u32,
    /// The memory. \[P\] 64 to 1,024 GB/s; \[I\] a pipe of that bandwidth with 100 cycles of latency.
    pub dram: dram::Config,
}

/// A unit that cannot be built.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A parameter outside of what the model can express.
    #[error("{field} is {value}, it must be {must}")]
    Range {
        /// The parameter.
        field: &'static str,
        /// What it is.
        value: u64,
        /// What it may be.
        must: &'static str,
    },
    /// The memory.
    #[error(transparent)]
    Dram(#[from] dram::ConfigError),
    /// A design file that is none; the place is in the error's span.
    #[error("{}", .0.message())]
    Text(#[from] toml::de::Error),
    /// A setting that is not `field=value`, of a field that there is.
    #[error("`{setting}`: {}", why.message())]
    Setting {
        /// The setting.
        setting: String,
        /// What is wrong with it.
        why: toml::de::Error,
    },
}

impl Default for Config {
    fn default() -> Self {
        Self::paper()
    }
}

impl Config {
    /// The unit of \[MTU\] Table 4: 32 elements, with 1,024 GB/s.
    pub fn paper() -> Self {
        let flat = dram::Config {
            kind: dram::Kind::Flat,
            latency: 100,
            bytes_per_cycle: 1024,
            ..dram::Config::paper()
        };
        Self {
            clock_hz: 1_000_000_000,
            pes: 32,
            element_bits: 255,
            fixed_prime: false,
            word_bytes: 32,
            mul_latency: 28,
            add_latency: 1,
            hash_latency: 24,
            hash_ii: 1,
            schedule: Schedule::Ruler,
            ruler_levels: 4,
            block_bytes: 1024,
            blocks_in_row: 16,
            input_bytes: 1 << 18,
            output_bytes: 1 << 18,
            level_bytes: 0,
            dram: flat,
        }
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
    /// [`Config::paper`] were chosen, and no less than [`Config::check`] asks for.
    #[must_use]
    pub fn fitted(self) -> Self {
        let under_way = 2.0 * f64::from(self.dram.latency) * self.peak_bytes_per_cycle();
        let least = 2 * self.block_bytes.max(2 * self.pes * self.word_bytes);
        let bytes = (under_way.ceil().min(f64::from(1 << 24)) as u32).max(least).next_power_of_two();
        Self { input_bytes: bytes, output_bytes: bytes, ..self }
    }

    /// Bytes that the memory's pins move in a cycle of the unit at most.
    pub fn peak_bytes_per_cycle(&self) -> f64 {
        let d = &self.dram;
        match d.kind {
            dram::Kind::Flat => f64::from(d.bytes_per_cycle),
            dram::Kind::Ddr => d.peak() / self.clock_hz as f64,
        }
    }

    /// `Ok` if the model can express it.
    ///
    /// # Errors
    /// The first parameter that is out of range.
    pub fn check(&self) -> Result<(), ConfigError> {
        let within = |field, value: u64, from: u64, to: u64, must| {
            if (from..=to).contains(&value) { Ok(()) } else { Err(ConfigError::Range { field, value, must }) }
        };
        if !self.pes.is_power_of_two() || !(2..=1024).contains(&self.pes) {
            let must = "a power of two, 2 to 1024";
            return Err(ConfigError::Range { field: "pes", value: u64::from(self.pes), must });
        }
        within("clock_hz", self.clock_hz, 1_000_000, 100_000_000_000, "a megahertz to 100 gigahertz")?;
        within("element_bits", u64::from(self.element_bits), 8, 8192, "8 to 8192")?;
        if !self.word_bytes.is_power_of_two() || self.word_bytes > 1024 {
            let must = "a power of two up to 1024";
            return Err(ConfigError::Range { field: "word_bytes", value: u64::from(self.word_bytes), must });
        }
        for (field, value) in [
            ("mul_latency", self.mul_latency),
            ("add_latency", self.add_latency),
            ("hash_latency", self.hash_latency),
            ("hash_ii", self.hash_ii),
        ] {
            within(field, u64::from(value), 1, 1024, "1 to 1024")?;
        }
        within("blocks_in_row", u64::from(self.blocks_in_row), 1, 1 << 20, "1 to 1048576")?;
        within("ruler_levels", u64::from(self.ruler_levels), 1, 62, "1 to 62")?;
        if !self.block_bytes.is_multiple_of(self.word_bytes)
            || self.block_bytes == 0
            || self.block_bytes > 1 << 16
        {
            let must = "whole words, up to 65536 bytes";
            return Err(ConfigError::Range {
                field: "block_bytes",
                value: u64::from(self.block_bytes),
                must,
            });
        }
        // A buffer holds a block under way beside what all elements take in a cycle.
        let least = u64::from(self.block_bytes).max(u64::from(2 * self.pes * self.word_bytes)) * 2;
        let must = "at least two blocks and two cycles' words, up to 16 MiB";
        within("input_bytes", u64::from(self.input_bytes), least, 1 << 24, must)?;
        within("output_bytes", u64::from(self.output_bytes), least, 1 << 24, must)?;
        within("level_bytes", u64::from(self.level_bytes), 0, 1 << 30, "up to a gibibyte")?;
        dram::Dram::new(&self.dram, self.clock_hz as f64)?;
        Ok(())
    }

    /// The unit with one parameter changed, as `pes=16` or `dram.latency=200`: any field of a design file.
    ///
    /// # Errors
    /// [`ConfigError`]: no such field, no such value, or a unit that cannot be built.
    pub fn with(&self, field: &str, value: &str) -> Result<Self, ConfigError> {
        let setting = || format!("{field}={value}");
        let bad = |why| ConfigError::Setting { setting: setting(), why };
        // A value that is not TOML is a name.
        let parsed: Result<toml::Table, _> = toml::from_str(&format!("x = {value}"));
        let text = if parsed.is_ok() { format!("{field} = {value}") } else { format!("{field} = {value:?}") };
        let change: toml::Table = toml::from_str(&text).map_err(bad)?;
        let mut table = toml::Table::try_from(self).expect("a design is a table");
        for (name, value) in change {
            match (table.get_mut(&name), value) {
                (Some(toml::Value::Table(section)), toml::Value::Table(change)) => section.extend(change),
                (_, value) => {
                    table.insert(name, value);
                }
            }
        }
        let changed: Self = table.try_into().map_err(bad)?;
        changed.check()?;
        Ok(changed)
    }
}

/// A design file: TOML, any field left out being the paper's.
impl FromStr for Config {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        let config: Self = toml::from_str(text)?;
        config.check()?;
        Ok(config)
    }
}

/// The design file, every field written out.
impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&toml::to_string(self).expect("a design is a table"))
    }
}
