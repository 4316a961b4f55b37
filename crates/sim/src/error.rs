//! What a block refuses, and what writing a trace can fail with.

use core::fmt;
use thiserror::Error;

/// Which way data go through a port of a memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Access {
    /// Out of the memory.
    Read,
    /// Into the memory.
    Write,
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::Write => "write",
        })
    }
}

/// A use of a block that the hardware it stands for could not serve.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SimError {
    /// More accesses to a bank in one cycle than it has ports.
    #[error("bank {bank} has {ports} {access} port(s), cycle {cycle} asks for one more")]
    Ports {
        /// The bank.
        bank: u32,
        /// Reads or writes.
        access: Access,
        /// How many a cycle may have.
        ports: u32,
        /// When.
        cycle: u64,
    },
    /// A second access to a bank whose one port reads or writes.
    #[error("the port of bank {bank} is taken in cycle {cycle}: no second access, a {access}")]
    SinglePort {
        /// The bank.
        bank: u32,
        /// What the second access would have been.
        access: Access,
        /// When.
        cycle: u64,
    },
    /// A row that no write has reached.
    #[error("bank {bank} row {row} is read in cycle {cycle} and was never written")]
    Unwritten {
        /// The bank.
        bank: u32,
        /// The row.
        row: u32,
        /// When.
        cycle: u64,
    },
    /// Two writes of one row in one cycle.
    #[error("bank {bank} row {row} is written twice in cycle {cycle}")]
    Collision {
        /// The bank.
        bank: u32,
        /// The row.
        row: u32,
        /// When.
        cycle: u64,
    },
    /// A bank or a row that the memory does not have.
    #[error("bank {bank} row {row}: the memory has {banks} bank(s) of {rows} rows")]
    Address {
        /// The bank asked for.
        bank: u32,
        /// The row asked for.
        row: u32,
        /// Banks there are.
        banks: u32,
        /// Rows of a bank.
        rows: u32,
    },
}
