//! Multi-word modular arithmetic as a rewrite system, after [MoMA].
//!
//! A [`Kernel`](ir::Kernel) states arithmetic on integers of any width; numbered [rules] lower it, halving widths
//! until every operation is native to a [`Machine`](machine::Machine); [passes] prune what is known to be zero; the
//! [interpreter](interp) says what a kernel means, before and after. Printers turn the result into C, CUDA C, OpenCL C,
//! Rust or SystemVerilog; what a pipeline in hardware has between two registers are the kernels of [steps].
//!
//! ```
//! use pairwright_moma::catalogue::{FieldSpec, Function};
//! use pairwright_moma::ir::Reduction;
//! use pairwright_moma::lower::{Options, lower};
//! use pairwright_moma::machine::Machine;
//!
//! # fn main() -> Result<(), pairwright_moma::MomaError> {
//! let machine = Machine::named("c")?;
//! let field = FieldSpec::new(255, Reduction::Montgomery);
//! let kernel = field.kernel(Function::MulMod, &machine)?;
//! let lowered = lower(&kernel, &machine, Options::default())?;
//! let counts = lowered.counts();
//! // Two rows of four products per word, less the ones that only start a row.
//! assert_eq!(counts["mac"] + counts["mul"], 32);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

pub mod catalogue;
mod error;
pub mod generate;
pub mod interp;
pub mod ir;
pub mod library;
pub mod lower;
pub mod machine;
pub mod passes;
pub mod print;
pub mod product;
pub mod registry;
pub mod rules;
pub mod steps;
pub mod text;

pub mod program;

pub use error::{MachineError, MomaError, RuleError, TextError};
