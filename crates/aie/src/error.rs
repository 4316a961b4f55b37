//! The errors of evaluating an addition on AI Engines.

use crate::mapping::Mapping;
use thiserror::Error;

/// Why a design cannot be evaluated.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum AieError {
    /// The description of the engine is invalid, or a kernel has no schedule.
    #[error(transparent)]
    Tile(#[from] crate::tile::TileError),
    /// The simulation of the array fails.
    #[error(transparent)]
    Array(#[from] crate::array::ArrayError),
    /// The parameters of the board are invalid.
    #[error(transparent)]
    System(#[from] crate::system::SystemError),
    /// The method combines a multiplication with carries that it does not support.
    #[error(transparent)]
    Method(#[from] crate::method::MethodError),
    /// A parameter of the array is outside its range.
    #[error(transparent)]
    Fabric(#[from] pairwright_sim::settings::OutOfRange),
    /// The array is too small for one unit of the mapping.
    #[error("a unit of {} takes {needs} columns of 8 rows, the array has {columns} of {rows}", mapping.name())]
    NoRoom {
        /// The mapping that does not fit.
        mapping: Mapping,
        /// Columns that one unit takes.
        needs: usize,
        /// Columns of the array.
        columns: usize,
        /// Rows of the array.
        rows: usize,
    },
    /// More tasks were requested than a timeline draws.
    #[error("a timeline of {tasks} tasks, at most {most} are drawn")]
    Tasks {
        /// The number of tasks requested.
        tasks: u64,
        /// The greatest number of tasks that a timeline draws.
        most: u64,
    },
}
