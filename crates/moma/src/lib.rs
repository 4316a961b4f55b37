//! Multi-word modular arithmetic as a rewrite system, after \[MoMA\].
//!
//! A [`Kernel`](ir::Kernel) states arithmetic on integers of any width. Numbered [rules] lower it: they halve the
//! widths of its operations until every operation is native to a [`Machine`](machine::Machine). [Passes](passes) fold
//! constants and remove dead code, and the [interpreter](interp) computes what a kernel means before and after each
//! step. Printers turn the lowered kernel into C, CUDA C, OpenCL C, Rust or SystemVerilog. The kernels of [steps] are
//! the stages of a hardware pipeline, each the combinational logic between two registers.
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
//! // For each of the four words, a row of four products and a row of four for the reduction.
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
