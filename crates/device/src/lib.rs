//! The seam between protocols and machines: operators, never protocol steps.
//!
//! A [`Device`] is a board whose slots are always full, each an operator behind a trait; a [`Session`] runs
//! operators on a board and keeps the account; the [`reference`] board is the plain implementation that judges
//! every other. Nothing here knows a transcript or draws randomness.
#![forbid(unsafe_code)]

mod board;
mod checked;
mod cost;
mod error;
mod ops;
pub mod reference;
mod report;
mod session;

pub use board::Device;
pub use checked::Checked;
pub use cost::{
    Bound, Cost, Dram, Fidelity, Modelled, Occupancy, OpCount, Picojoules, Time, Traffic, Transfer, timed,
};
pub use error::{DeviceError, Done, log_leaves, same_length, sumcheck_len, table_size};
pub use ops::{
    Direction, Entry, EntrySource, FixedG2, MsmOp, NttOp, PairingOp, SparseShape, SumcheckOp, TreeOp, VecOp,
};
pub use report::{Record, Report, Totals};
pub use session::{Event, Session};
