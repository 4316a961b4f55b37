//! Errors of the Poly-OP engine.

use super::{Bank, map};
use crate::isa::Transform;
use pairwright_sim::SimError;
use pairwright_sim::settings::OutOfRange;
use thiserror::Error;

/// An operation that the engine cannot do, or a fault of its schedule.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PolyError {
    /// A transform of a length the bank map does not serve.
    #[error("sub-NTT of 2^{log_len} points: the bank map serves 2^4 to 2^10")]
    Length {
        /// Logarithm of the length.
        log_len: u32,
    },
    /// More entries than the banks hold.
    #[error("{entries} entries of a vector: a bank set holds 1 to {}", map::WORDS)]
    Entries {
        /// Number of entries that was asked for.
        entries: u32,
    },
    /// A set of banks that the engine does not have.
    #[error("set {set}: there are two sets of banks, 0 and 1")]
    Set {
        /// The set that was asked for.
        set: u8,
    },
    /// A slot beyond the banks, or an empty range of slots.
    #[error("slots {first} to {end} of 2^{log_len} points: {slots} fit")]
    Slots {
        /// The first slot that was asked for.
        first: u8,
        /// The slot after the last one.
        end: u8,
        /// Logarithm of the length of each sub-NTT.
        log_len: u32,
        /// Number of slots that fit.
        slots: u32,
    },
    /// A bank or a row that the memory does not have.
    #[error("banks {memory:?} have no row {row} of bank {bank}")]
    Cell {
        /// The group of banks.
        memory: Bank,
        /// The bank in the group.
        bank: u32,
        /// The row that was asked for.
        row: u32,
    },
    /// A vector of which one part lies in Banks_A and another in Banks_B.
    #[error("rows {first} and {row} of set {set} lie in different banks")]
    Split {
        /// The set of banks.
        set: u8,
        /// The first row of the vector.
        first: u32,
        /// A row that lies in the other banks.
        row: u32,
    },
    /// A batch in a design that runs one sub-NTT at a time.
    #[error("{slots} slots at once: the design has no batches")]
    Batch {
        /// Number of slots that was asked for.
        slots: u32,
    },
    /// A coset transform in a design whose twiddles are not merged.
    #[error("{kind:?}: the design multiplies by the coset's powers before a plain transform")]
    NotMerged {
        /// The transform that was asked for.
        kind: Transform,
    },
    /// Making tables in a design that loads them, or makes them in another way.
    #[error("the design does not make twiddles so: its tables are {tables:?}")]
    Tables {
        /// The source of the tables in this design.
        tables: super::RowTables,
    },
    /// A coset or a root of unity that is zero.
    #[error("the generator of a table of twiddles is zero")]
    Zero,
    /// A parameter outside of what can be built.
    #[error(transparent)]
    Parameter(#[from] OutOfRange),
    /// An access that a bank could not serve.
    #[error("banks {memory:?} of set {set}: {why}")]
    Access {
        /// The group of banks.
        memory: Bank,
        /// The set of banks.
        set: u8,
        /// The fault that the bank reports.
        #[source]
        why: SimError,
    },
}
