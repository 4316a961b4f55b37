//! Scheduling for a machine that issues several operations in a cycle and exposes their latencies: list scheduling for
//! a block, modulo scheduling for a loop body.
//!
//! The machine is data ([`Machine`]): slots (resources) with a count each, classes of operations with one or several
//! alternative reservation tables ("ways"), latencies, the cycles in which operands are read, and register files with
//! their sizes. The input is a [`Graph`]: operations, and dependence edges with a delay and a distance in iterations.
//! The results are [`Block`] and [`Pipelined`]. Both can be written as a flat list of [`Fact`]s, which [`check()`]
//! verifies independently of the scheduler, and from which [`Usage`], [`listing`] and [`timeline`] are made. Everything
//! is deterministic: no random numbers are used.
//!
//! Modulo scheduling follows Rau (*Iterative modulo scheduling*, 1994): the initiation interval rises from its lower
//! [`Bounds`], and an operation without a free slot evicts the operations in its way. Where values do not fit the
//! register files, operations are placed in the order of swing modulo scheduling (Llosa and others, 1996), close to
//! their neighbours, and are then moved so that values live shorter.
//!
//! ```
//! use pairwright_sim::schedule::{Class, Graph, Machine, Options, Pipelined, Slot, Use, check};
//!
//! let slot = |name: &str| Slot { name: name.to_owned(), count: 1 };
//! let class = |name: &str, slot: &str, latency| Class {
//!     name: name.to_owned(),
//!     ways: vec![vec![Use::now(slot)]],
//!     latency,
//!     reads: [("sum".to_owned(), 3)].into(),
//!     writes: None,
//!     delay_slots: None,
//! };
//! let machine = Machine {
//!     name: "two slots".to_owned(),
//!     slots: vec![slot("memory"), slot("vector")],
//!     classes: vec![class("load", "memory", 8), class("mac", "vector", 6)],
//!     ..Machine::default()
//! };
//!
//! // sum += x[i] * y[i]: two loads, and a sum that is read three cycles after the issue.
//! let mut body = Graph::new();
//! let x = body.op(&machine, "load", "x")?;
//! let y = body.op(&machine, "load", "y")?;
//! let mac = body.op(&machine, "mac", "sum")?;
//! body.flow(&machine, x, mac, None, 0)?;
//! body.flow(&machine, y, mac, None, 0)?;
//! body.flow(&machine, mac, mac, Some("sum"), 1)?;
//!
//! let looped = Pipelined::new(&machine, &body, &Options::default())?;
//! assert_eq!((looped.bounds.resources, looped.bounds.recurrences, looped.ii), (2, 3, 3));
//! assert_eq!(looped.issue_cycles(16), 15 * 3 + 10);
//! assert_eq!(check(&machine, &body, &looped.facts(16), 16), Ok(()));
//! # Ok::<(), pairwright_sim::schedule::ScheduleError>(())
//! ```

mod block;
mod bounds;
mod check;
mod error;
#[cfg(test)]
mod exhaustive;
mod graph;
mod machine;
mod order;
mod pipelined;
mod place;
mod pressure;
mod problem;
mod report;
mod reservation;
#[cfg(test)]
mod tests;

pub use block::Block;
pub use bounds::Bounds;
pub use check::{Fact, Fault, check, check_block};
pub use error::ScheduleError;
pub use graph::{Edge, Fixed, Graph, Op};
pub use machine::{Class, File, Machine, Slot, Use};
pub use pipelined::{Options, Phases, Pipelined};
pub use report::{SlotUsage, Usage, listing, timeline};

use serde::{Deserialize, Serialize};

/// The issue cycle of an operation and the reservation table that it uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Issue {
    /// The cycle of its issue, counted from the start of its block or iteration.
    pub cycle: u32,
    /// The index of the reservation table that it uses, in [`Class::ways`].
    pub way: usize,
}
