//! The interface between protocols and machines. It consists of operators (transforms, multi-scalar multiplications, hashes and
//! so on), never of protocol steps.
//!
//! - A [`Device`] is a board: a set of slots, each of which always has a provider, an object that implements the slot's trait.
//! - A [`Session`] runs operators on a board and records the cost of each call in its account, a [`Report`].
//! - The [`mod@reference`] board is the plain implementation against which all others are tested.
//!
//! Nothing in this crate knows a transcript or draws randomness.
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[macro_use]
mod sums;
#[macro_use]
mod table;

mod board;
mod clock;
mod cost;
mod deferred;
mod error;
mod link;
mod log;
#[cfg(feature = "std")]
mod once;
mod operands;
mod ops;
mod or_host;
pub mod parallel;
pub mod reference;
mod report;
mod session;

pub use board::NoSlot;
pub use cost::{
    Bound, Cost, Dram, Fidelity, Modelled, Occupancy, OpCount, Picojoules, Time, Traffic, Transfer, timed,
};
pub use deferred::{Deferred, Started};
pub use error::{DeviceError, Done, log_leaves, same_length, sumcheck_len, table_size};
pub use link::Link;
pub use log::MachineLog;
#[cfg(feature = "std")]
pub use once::once;
pub use operands::{Direction, Entry, EntrySource, FixedG2, KeyEntries, SparseShape};
pub use ops::{
    Device, HashOp, MsmOp, NttOp, Operator, PairingOp, PointsOp, PolyOp, Slot, SparseOp, SumcheckOp, TreeOp,
    VecOp,
};
pub use or_host::OrHost;
pub use report::{ModelTotals, PlannedCall, Record, Report, Totals};
pub use session::{Event, Session};
