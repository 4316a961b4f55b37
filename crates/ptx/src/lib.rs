//! An interpreter of PTX, the text that NVRTC makes of a kernel, with detectors: races, accesses out of bounds or not
//! aligned, reads of what nothing has written, barriers that not all threads reach.
//!
//! It knows the instructions that the kernels of this project consist of, and refuses others. A text becomes a [`Module`]
//! ([`parse()`]); [`launch()`] runs one of its kernels on a [`Memory`] and counts what happened.
//!
//! Modules: text to program (`text`, `reader`, `parse`, `body`, `check`, `registers`), the instructions as one table
//! (`table`), a warp with its registers (`warp`), blocks, barriers and memory with race and bounds checks (`launch`,
//! `memory`, `region`).

#![forbid(unsafe_code)]

mod access;
mod body;
mod check;
mod counters;
mod error;
mod fault;
mod float;
#[cfg(test)]
mod instructions;
mod lanes;
mod launch;
mod memory;
mod parse;
mod program;
mod reader;
mod region;
mod registers;
mod symbols;
mod table;
mod text;
mod tile;
mod warp;

pub use access::Space;
pub use counters::Counters;
pub use error::TextError;
pub use fault::{Fault, FaultKind};
pub use launch::{Launch, launch};
pub use memory::Memory;
pub use parse::parse;
pub use program::{Kernel, Module, Parameter};
pub use region::Region;
