//! The board: units of engines, the programmable logic around them, and memory, \[AIE\] V.
//!
//! [`System`] holds the parameters of the board. [`UnitTiming`] is the timing of a unit as the programmable logic
//! observes it, measured on the clocked array. [`throughput`] and [`latency`] run the two experiments of \[AIE\] V.A.

mod comparison;
mod config;
mod latency;
mod report;
mod throughput;
mod unit;

pub use comparison::{BucketRoom, Hybrid, Pipelined, hybrid};
pub use config::{BucketMemory, CoordinateOrder, Logic, Plio, Reader, Sharing, System};
pub use latency::{latency, latency_traced};
pub use report::{Bounds, Latency, Stages, Throughput, WaitShares};
pub use throughput::{throughput, throughput_of, throughput_traced};
pub use unit::{KernelKind, Pipeline, UnitTiming};

use pairwright_sim::settings::OutOfRange;
use thiserror::Error;

/// Why the parameters of a board are invalid.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum SystemError {
    /// A parameter is out of its range.
    #[error(transparent)]
    Range(#[from] OutOfRange),
    /// The units have one tile. Such a unit has its operands in its memory, and the transfer of operands into that memory
    /// is not modelled.
    #[error(
        "a unit of a single tile has no streams of its own to the logic; the board runs mappings of several tiles"
    )]
    Single,
    /// The units need more channels between logic and array than the interface has.
    #[error("streams to the logic take {taken:?} channels of 64 bits, there are {channels:?}")]
    Channels {
        /// Channels of 64 bits that all units need, into the array and out of it.
        taken: [usize; 2],
        /// Channels of the interface, into the array and out of it.
        channels: [usize; 2],
    },
    /// The units do not fit the columns of the array.
    #[error("units of {columns} columns do not fit the array's {free}")]
    Room {
        /// Columns that all units need.
        columns: usize,
        /// Columns that the array has.
        free: usize,
    },
}

#[cfg(test)]
mod tests;
