//! Why an addition cannot be evaluated on engines.

use crate::mapping::Mapping;
use thiserror::Error;

/// Why a design cannot be evaluated.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum AieError {
    /// The engine is refused, or a kernel has no schedule.
    #[error(transparent)]
    Tile(#[from] crate::tile::TileError),
    /// The array does not run.
    #[error(transparent)]
    Array(#[from] crate::array::ArrayError),
    /// The board is refused.
    #[error(transparent)]
    System(#[from] crate::system::SystemError),
    /// The parts of the method do not go together.
    #[error(transparent)]
    Method(#[from] crate::method::MethodError),
    /// A parameter of the array is out of its range.
    #[error(transparent)]
    Fabric(#[from] pairwright_sim::settings::OutOfRange),
    /// No unit fits the array.
    #[error("a unit of {} takes {needs} columns of 8 rows, the array has {columns} of {rows}", mapping.name())]
    NoRoom {
        /// The mapping that does not fit.
        mapping: Mapping,
        /// Columns of a unit.
        needs: usize,
        /// Columns of the array.
        columns: usize,
        /// Rows of the array.
        rows: usize,
    },
    /// A timeline has more tasks than are drawn.
    #[error("a timeline of {tasks} tasks, at most {most} are drawn")]
    Tasks {
        /// Tasks asked for.
        tasks: u64,
        /// The most tasks that are drawn.
        most: u64,
    },
}
