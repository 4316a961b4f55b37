//! The models' blocks as register-transfer logic: SystemVerilog printed, driven in lock-step with the models, synthesised.
//!
//! A [`Block`] is a module with its ports, the registers that a model names too, and the latency and interval that both
//! sides read. Its datapath is printed by `moma` from the same kernels that everything else is made of; the registers
//! between are printed from the model's own configuration. [`lockstep`] runs a block in a simulator beside its model and
//! compares every register and output in every cycle; [`synth`] maps it to cells of an open library, and [`energy`] counts how often
//! these change. [`diagram`] draws what a machine's block consists of, and [`fpga`] puts it behind the buses of an FPGA.
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
