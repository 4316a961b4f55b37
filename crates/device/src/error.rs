//! What can go wrong in an operator.

use crate::Cost;
use pairwright_poly::{DomainError, SourceError};
use thiserror::Error;

/// A result with its cost.
pub type Done<T> = Result<(T, Cost), DeviceError>;

/// Why an operator gave no result.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// Operands that belong together have different lengths.
    #[error("{op}: operands of {left} and {right} elements")]
    LengthMismatch {
        /// Operator.
        op: &'static str,
        /// Length of the first.
        left: usize,
        /// Length of the second.
        right: usize,
    },
    /// More elements than the machine takes.
    #[error("{op}: {len} elements, this machine takes {max}")]
    TooLarge {
        /// Operator.
        op: &'static str,
        /// Elements given.
        len: usize,
        /// Largest possible.
        max: usize,
    },
    /// A coset shift of zero.
    #[error("a coset shift is not zero")]
    ZeroShift,
    /// A sparse entry outside the matrix or the vector.
    #[error("sparse entry {index}: row {row}, column {column} outside {rows} x {columns}")]
    EntryOutOfRange {
        /// Position of the entry.
        index: usize,
        /// Its row.
        row: u32,
        /// Its column.
        column: u32,
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        columns: usize,
    },
    /// A decorated operator disagreed with the reference.
    #[error("{op} differs from the reference")]
    Mismatch {
        /// Operator.
        op: &'static str,
    },
    /// The machine itself failed: its driver, its compiler, its memory.
    #[error("{machine}: {cause}")]
    Machine {
        /// Which machine.
        machine: &'static str,
        /// The machine's own error.
        cause: Box<dyn core::error::Error + Send + Sync>,
    },
    /// No such domain.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// Operands could not be read.
    #[error(transparent)]
    Source(#[from] SourceError),
}

/// `Ok` if the lengths agree.
pub(crate) fn same_length(op: &'static str, left: usize, right: usize) -> Result<(), DeviceError> {
    if left == right { Ok(()) } else { Err(DeviceError::LengthMismatch { op, left, right }) }
}
