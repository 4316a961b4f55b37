//! The blocks of the machine models as register-transfer logic: printed as SystemVerilog, run in lock-step with the
//! models, synthesised.
//!
//! A [`Block`] is a module with its ports, the registers that the model also has, and the latency and interval that
//! both sides use. Its datapath is printed by `moma` from the same kernels as all other code; the pipeline registers
//! are printed from the model's own configuration. [`lockstep`] runs a block in a simulator beside its model and
//! compares every register and output in every cycle. [`synth`] maps it to cells of an open library, and [`energy`]
//! counts the transitions of their nets. [`diagram`] draws the contents of a machine's block, and [`fpga`] connects a
//! block to the buses of an FPGA.
#![forbid(unsafe_code)]

pub mod accept;
pub mod block;
pub mod blocks;
pub mod diagram;
pub mod energy;
mod error;
pub mod fpga;
pub mod lockstep;
pub mod prove;
pub mod synth;
pub mod tools;

pub use block::{Block, Signal};
pub use error::RtlError;
