//! Building blocks for cycle-accurate models of machines. This crate contains no cryptography.
//!
//! Every block is a [`Clocked`]: its outputs depend on its registered state alone, and its state changes only in
//! [`Clocked::tick`]. Blocks can therefore be evaluated in any order within a cycle. [`Pipe`] and [`Fifo`] are such
//! blocks. [`Banks`] is a memory with several ports; it follows the same discipline and refuses an access when all
//! ports of the cycle are used.
//!
//! The modules:
//!
//! - [`dram`] is off-chip memory: banks with rows, and the time and traffic of transfers.
//! - [`schedule`] decides in which cycle a machine with several issue slots issues the operations of a block or of a
//!   loop.
//! - [`settings`] reads and changes the parameters of a machine, from files and by dotted paths, and holds their
//!   ranges.
//! - [`trace`] writes timelines and waveforms.
//! - [`tech`] converts bits and gates into area.
//! - [`cells`] holds areas, paths and energies of synthesised blocks.
//! - [`multiplier`] relates the pipeline depth of a modular multiplier to its area and its clock.
//! - [`pareto`] finds the designs that no other design beats, and [`search`] looks for them in a space that is too
//!   large to measure.
//!
//! ```
//! use pairwright_sim::{Clocked, Pipe};
//!
//! let mut doubler = Pipe::new(3);
//! let mut seen = Vec::new();
//! for cycle in 0..6 {
//!     seen.push(doubler.out());
//!     doubler.tick((cycle < 2).then_some(2 * cycle));
//! }
//! assert_eq!(seen, [None, None, None, Some(0), Some(2), None]);
//! ```
#![forbid(unsafe_code)]

mod banks;
pub mod cells;
pub mod dram;
mod error;
mod fifo;
pub mod multiplier;
pub mod pareto;
mod pipe;
pub mod schedule;
pub mod search;
pub mod settings;
pub mod tech;
pub mod trace;

pub use banks::{BankTraffic, Banks, Ports};
pub use error::{Access, SimError};
pub use fifo::{Fifo, FifoIn, FifoOut};
pub use pipe::Pipe;

/// A block of registers and the logic between them.
pub trait Clocked {
    /// The inputs of the block in one cycle.
    type In;
    /// The outputs of the block in one cycle.
    type Out;
    /// The outputs of this cycle: a function of the state alone.
    fn out(&self) -> Self::Out;
    /// The clock edge: the next state from the state and this cycle's inputs.
    fn tick(&mut self, input: Self::In);
}
