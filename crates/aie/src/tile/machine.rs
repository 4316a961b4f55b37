//! The engine as data.

use super::TileError;
use crate::digits::DIGITS;
use pairwright_sim::schedule::Machine;
use serde::{Deserialize, Serialize};

/// A tile: an engine with its memories. Every number can be changed; [`Tile::first_generation`] is the paper's, and its
/// file says where each number is from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tile {
    /// Its name in reports.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// Data memory, in bytes.
    pub data_bytes: usize,
    /// Program memory, in bytes.
    pub program_bytes: usize,
    /// The longest instruction, in bytes; programs are counted as if all were as long.
    pub instruction_bytes: usize,
    /// Cycles around a task that is run by itself.
    pub call_cycles: u32,
    /// Slots, classes and register files: classes `load`, `store`, `load accumulator`, `store accumulator`, `mac` with
    /// its operand `acc`, `srs`, `ups`, `vector`, `extract`, `update`, `scalar`, and `receive` and `send` over `stream`
    /// and `cascade` of a `vector`, an `accumulator` and a `scalar` each (`send stream vector`); files `vector` (256 bits
    /// each), `accumulator` (8 lanes of 80), `scalar` (32).
    pub machine: Machine,
}

impl Tile {
    /// The engine of \[AIE\].
    pub fn first_generation() -> Self {
        Self::parse(include_str!("../../machines/aie1.toml")).expect("a test reads it")
    }

    /// Reads a description.
    ///
    /// # Errors
    /// [`TileError::Description`] if it is none; what its machine is refused for.
    pub fn parse(text: &str) -> Result<Self, TileError> {
        let tile: Self = toml::from_str(text)?;
        tile.machine.check()?;
        Ok(tile)
    }

    /// Registers of a file; none if there is no such file.
    pub(super) fn registers(&self, file: &str) -> usize {
        self.machine.files.iter().find(|f| f.name == file).map_or(0, |f| f.size as usize)
    }
}

/// Bytes of a number in memory.
pub(super) const NUMBER_BYTES: usize = 4 * DIGITS;
