//! A model of the Multifunction Tree Unit of \[MTU\]: processing elements for modular products, sums and SHA3, connected
//! for forward and inverted trees; breadth-first, depth-first and hybrid traversal; memory streams; area, power and
//! energy.
//!
//! [`simulate`] runs a [`Job`] on a [`UnitConfig`] cycle by cycle and reports the run in an [`Account`]; [`build_eq`],
//! [`mle_eval`], [`reduce`] and [`hash_leaves`] do the same with values. [`Mtu`] is the unit as the tree slot of a board.
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
pub use unit::{CycleNodes, Node, clocked, schedule_table};

/// The name of the machine in costs and reports.
pub const NAME: &str = "mtu";
