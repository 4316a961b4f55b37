//! An interpreter of PTX, the text that NVRTC compiles a kernel to, with detectors of races, accesses out of bounds or
//! not aligned, reads of memory that nothing has written, and barriers that not all threads reach.
//!
//! It supports the instructions that the kernels of this project consist of, and refuses others. [`parse()`] turns a
//! text into a [`Module`]; [`launch()`] runs one of its kernels on a [`Memory`] and returns counts of instructions,
//! barriers and memory traffic.
//!
//! Modules: parsing (`text`, `reader`, `parse`, `body`, `check`, `registers`), the instructions as one table (`table`),
//! a warp with its registers (`warp`), and blocks, barriers and memory with checks for races and bounds (`launch`,
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
