//! The Multifunction Tree Unit of \[MTU\] as a modelled machine: processing elements for modular products, sums and
//! SHA3, connected for forward and inverted trees; breadth-first, depth-first and hybrid traversal; memory streams;
//! area, power and energy.
//!
//! [`simulate`] runs a [`Job`] on a [`Config`] cycle by cycle, with or without data, and says in an [`Account`] what
//! happened. [`Mtu`] is the unit as the tree slot of a board.
#![forbid(unsafe_code)]

mod account;
mod config;
mod job;

pub use account::{Account, ElementUse, Operations, Sram, Stalls};
pub use config::{Config, ConfigError, Schedule};
pub use job::{Job, Traversal, TreeDir, Workload};

/// The machine's name.
pub const NAME: &str = "mtu";
