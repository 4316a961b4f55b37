//! The errors of operators.

use crate::Cost;
use alloc::boxed::Box;
use pairwright_poly::{Buf, DomainError, SourceError};
use thiserror::Error;

/// A result with its cost.
pub type Done<T> = Result<(T, Cost), DeviceError>;

/// Reasons for which an operator returned no result.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// Operands that belong together have different lengths.
    #[error("{op}: operands of {left} and {right} elements")]
    LengthMismatch {
        /// Name of the operator.
        op: &'static str,
        /// Length of the first operand.
        left: usize,
        /// Length of the second operand.
        right: usize,
    },
    /// There are more elements than the machine takes.
    #[error("{op}: {len} elements, this machine takes {max}")]
    TooLarge {
        /// Name of the operator.
        op: &'static str,
        /// Number of elements that were given.
        len: usize,
        /// Largest number of elements that the machine takes.
        max: usize,
    },
    /// The number of leaves of a tree is not a power of two, or a table has no variable.
    #[error("{op}: {len} elements, where a power of two of at least {least} is wanted")]
    NotATree {
        /// Name of the operator.
        op: &'static str,
        /// Number of elements that were given.
        len: usize,
        /// Smallest number of elements that the operator takes.
        least: usize,
    },
    /// A sum of products names a table that was not given.
    #[error("{op}: the sum is of {wanted} tables, {given} are given")]
    MissingTable {
        /// Name of the operator.
        op: &'static str,
        /// Number of tables that the sum needs.
        wanted: usize,
        /// Number of tables that were given.
        given: usize,
    },
    /// The product of the Miller loops is zero, so the pairing has no value: an argument is not a point of its group.
    #[error("the Miller loops of the pairing multiply to zero: an argument is not a point of its group")]
    ZeroMillerLoop,
    /// The coset shift is zero.
    #[error("the coset shift is zero")]
    ZeroShift,
    /// A sparse entry lies outside its matrix.
    #[error("sparse entry {index}: row {row}, column {column} outside {rows} x {columns}")]
    EntryOutOfRange {
        /// Position of the entry.
        index: usize,
        /// Row that the entry names.
        row: u32,
        /// Column that the entry names.
        column: u32,
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        columns: usize,
    },
    /// The machine itself failed, for example its driver or its compiler.
    #[error("{machine}: {cause}")]
    Machine {
        /// Name of the machine.
        machine: &'static str,
        /// The machine's own error.
        cause: Box<dyn core::error::Error + Send + Sync>,
    },
    /// The machine has too little free memory for the call: nothing was computed, and the operands are as they were.
    #[error("{machine}: {cause}")]
    NoMemory {
        /// Name of the machine.
        machine: &'static str,
        /// The machine's own error, which says how much memory was needed.
        cause: Box<dyn core::error::Error + Send + Sync>,
    },
    /// The field has no domain of the size that the operator needs.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// An operand could not be read.
    #[error(transparent)]
    Source(#[from] SourceError),
}

/// The largest number of variables of a table: tables have at most 2^40 elements, or 2^26 if addresses have 32 bits.
const MOST_VARIABLES: usize = if usize::BITS > 40 { 40 } else { 26 };

/// The number of elements of a table in this number of variables, `2^variables`.
///
/// # Errors
/// [`DeviceError::TooLarge`] when no machine could hold it.
pub fn table_size(op: &'static str, variables: usize) -> Result<usize, DeviceError> {
    if variables <= MOST_VARIABLES {
        Ok(1 << variables)
    } else {
        Err(DeviceError::TooLarge { op, len: usize::MAX, max: 1 << MOST_VARIABLES })
    }
}

/// The base-2 logarithm of a number of leaves.
///
/// # Errors
/// [`DeviceError::NotATree`] when it is not a power of two.
pub fn log_leaves(op: &'static str, len: usize) -> Result<u32, DeviceError> {
    if len.is_power_of_two() { Ok(len.ilog2()) } else { Err(DeviceError::NotATree { op, len, least: 1 }) }
}

/// Checks the tables of a sumcheck and returns their common length.
///
/// # Errors
/// When tables are missing, differ in length, or have no variable left.
pub fn sumcheck_len<F>(op: &'static str, wanted: usize, tables: &[Buf<F>]) -> Result<usize, DeviceError> {
    if tables.len() < wanted {
        return Err(DeviceError::MissingTable { op, wanted, given: tables.len() });
    }
    let len = tables.first().map_or(0, |t| t.len());
    for table in tables {
        same_length(op, len, table.len())?;
    }
    if len.is_power_of_two() && len > 1 { Ok(len) } else { Err(DeviceError::NotATree { op, len, least: 2 }) }
}

/// Checks that two operands of an operator have the same length.
///
/// # Errors
/// [`DeviceError::LengthMismatch`].
pub fn same_length(op: &'static str, left: usize, right: usize) -> Result<(), DeviceError> {
    if left == right { Ok(()) } else { Err(DeviceError::LengthMismatch { op, left, right }) }
}
