//! The 28 nm crypto-processor of \[CP\] as a modelled machine.
//!
//! [`isa`] is its instruction set as a table; [`compiler`] turns straight-line formulas over `Ring` into scheduled L2
//! routines; [`machine`] runs L1 programs that call them, cycle by cycle and bit-exactly; [`program`] holds the
//! routines and programs of pairings and of schemes built on them; [`power`] their area and energy. A design is a
//! [`MachineSpec`]: data.
#![forbid(unsafe_code)]

pub mod board;
pub mod compiler;
mod curves;
pub mod isa;
pub mod machine;
pub mod operator;
pub mod power;
pub mod program;
pub mod prover;
mod spec;
pub mod task;

pub use board::board;
pub use curves::OnChip;
pub use spec::{
    Banks, Clock, Control, Exponentiation, Forwarding, Inversion, Issue, MachineSpec, MmStyle, MmUnit,
    SpecError, Switcher, Unit,
};
