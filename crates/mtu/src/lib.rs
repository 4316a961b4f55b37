//! The Multifunction Tree Unit of \[MTU\] as a modelled machine: processing elements for modular products, sums and
//! SHA3, connected for forward and inverted trees; breadth-first, depth-first and hybrid traversal; memory streams;
//! area, power and energy.
//!
//! [`simulate`] runs a [`Job`] on a [`UnitConfig`] cycle by cycle, with or without data, and says in an [`Account`] what
//! happened. [`Mtu`] is the unit as the tree slot of a board.
#![forbid(unsafe_code)]

mod account;
mod clock;
mod config;
mod datapath;
mod error;
mod job;
mod operator;
pub mod power;
pub mod sumcheck;
mod unit;

pub use account::{Account, ElementUse, Operations, Sram, StageUse, Stalls};
pub use clock::Clock;
pub use config::{Schedule, Traversal, UnitConfig};
pub use error::MtuError;
pub use job::{Job, TreeDir, Workload};
pub use operator::{Mtu, board, build_eq, hash_leaves, mle_eval, reduce, simulate, simulate_traced};
pub use unit::{Node, Slot, clocked, schedule_table};

/// The machine's name in costs and reports.
pub const NAME: &str = "mtu";
