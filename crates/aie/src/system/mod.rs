//! The board: units of engines, the programmable logic around them, and memory, \[AIE\] V.
//!
//! [`System`] is the board as data. [`UnitTiming`] is what a unit is to the logic, taken from the clocked array.
//! [`throughput`] and [`latency`] run the two experiments of \[AIE\] V.A.

mod comparison;
mod config;
mod latency;
mod report;
mod throughput;
mod unit;

pub use comparison::{BucketRoom, Hybrid, Pipelined, hybrid};
pub use config::{BucketMemory, CoordinateOrder, Logic, Plio, Reader, Sharing, System};
pub use latency::latency;
pub use report::{Bounds, Latency, Stages, Throughput, Waits};
pub use throughput::{throughput, throughput_of};
pub use unit::{KernelKind, Pipeline, UnitTiming};

use pairwright_sim::dram;
use thiserror::Error;

/// A board cannot be built.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum SystemError {
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
    Memory(#[from] dram::ConfigError),
    /// A unit of one tile: it has its operands in its memory, and what fills that is not modelled.
    #[error(
        "a unit of a single tile has no streams of its own to the logic; the board runs mappings of several tiles"
    )]
    Single,
    /// More streams than the interface has.
    #[error("streams to the logic take {taken:?} channels of 64 bits, there are {channels:?}")]
    Channels {
        /// Channels into the array, and out of it, that all units take.
        taken: [usize; 2],
        /// Those that there are.
        channels: [usize; 2],
    },
    /// Units that the array has no room for.
    #[error("units of {columns} columns do not fit the array's {free}")]
    Room {
        /// Columns of all units.
        columns: usize,
        /// Columns of the array.
        free: usize,
    },
}

#[cfg(test)]
mod tests;
