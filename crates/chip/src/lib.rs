//! The 28 nm crypto-processor of \[CP\] as a modelled machine. \[CP\] is Chen et al., *A 28nm 8.3mm² crypto-processor for
//! hybrid ZKP-PBC application* (2025); comments and parameters marked \[I\] are inferred, since the paper does not print
//! them.
//!
//! [`isa`] defines the instruction set as a table. [`compiler`] turns straight-line formulas over `Ring` into scheduled L2
//! routines. [`machine`] runs L1 programs that call these routines, cycle by cycle and bit-exactly. [`task`] writes the L1
//! programs of transforms, vector operations and multi-scalar multiplications, and [`operator`] runs them with their data.
//! [`power`] models area and energy. A design is plain data, a [`MachineSpec`]. Programs for the pairing processor are in
//! the crate `pairwright-chip-programs`.
#![forbid(unsafe_code)]

pub mod board;
pub mod compiler;
mod curves;
pub mod isa;
pub mod machine;
pub mod operator;
pub mod power;
pub mod spec;
pub mod task;

pub use curves::OnChip;
pub use spec::{
    ArithUnit, Banks, Clock, Control, Exponentiation, Forwarding, Inversion, Issue, MachineSpec, MmStyle,
    MmUnit, Switcher,
};
