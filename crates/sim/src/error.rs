//! Accesses to a memory that the hardware could not serve.

use core::fmt;
use thiserror::Error;

/// The direction of an access to a memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Access {
    /// From the memory to its user.
    Read,
    /// From its user into the memory.
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

/// An access to a block that the modelled hardware could not serve.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SimError {
    /// More accesses of one kind to a bank in one cycle than it has ports.
    #[error("bank {bank} has {ports} {access} port(s), cycle {cycle} asks for one more")]
    Ports {
        /// The number of the bank.
        bank: u32,
        /// The kind of port of which there are too few.
        access: Access,
        /// The number of such ports of each bank.
        ports: u32,
        /// The cycle of the access, the first being 0.
        cycle: u64,
    },
    /// A second access in one cycle to a bank with a single shared port.
    #[error("the port of bank {bank} is taken in cycle {cycle}: no second access, a {access}")]
    SinglePort {
        /// The number of the bank.
        bank: u32,
        /// The kind of the second access.
        access: Access,
        /// The cycle of the access, the first being 0.
        cycle: u64,
    },
    /// A read of a row that was never written.
    #[error("bank {bank} row {row} is read in cycle {cycle} and was never written")]
    Unwritten {
        /// The number of the bank.
        bank: u32,
        /// The number of the row.
        row: u32,
        /// The cycle of the access, the first being 0.
        cycle: u64,
    },
    /// Two writes to one row in one cycle.
    #[error("bank {bank} row {row} is written twice in cycle {cycle}")]
    Collision {
        /// The number of the bank.
        bank: u32,
        /// The number of the row.
        row: u32,
        /// The cycle of the access, the first being 0.
        cycle: u64,
    },
    /// A bank or a row that the memory does not have.
    #[error("bank {bank} row {row}: the memory has {banks} bank(s) of {rows} rows")]
    Address {
        /// The bank asked for.
        bank: u32,
        /// The row asked for.
        row: u32,
        /// The number of banks.
        banks: u32,
        /// The number of rows of each bank.
        rows: u32,
    },
}
