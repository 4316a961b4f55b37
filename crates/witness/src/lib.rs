//! Runs the WebAssembly witness calculators that circom 2 writes, in this process and without Node.
//!
//! ```no_run
//! use pairwright_curve::bn254::Fr;
//! use pairwright_witness::{Calculator, Inputs};
//!
//! let calculator = Calculator::open("circuit.wasm")?;
//! let inputs = Inputs::from_json(r#"{ "left": "3", "right": ["0x2a", -1] }"#)?;
//! let witness: Vec<Fr> = calculator.witness(&inputs)?;
//! # Ok::<(), pairwright_witness::WitnessError>(())
//! ```
//!
//! # What a calculator can reach
//!
//! A calculator is untrusted code. It is validated, and then compiled to machine code by Cranelift or Winch (through
//! `wasmtime`) or interpreted (by `wasmi`), as [`Engine`] says. Before compilation, the field functions that circom writes into
//! each calculator get faster bodies if they are recognised. Compiled code is kept in its sandbox by checks in the code, by
//! inaccessible pages around its memory, and by signal handlers that wasmtime installs in the process. On every engine a module
//! reaches only its own linear memory and the four functions that circom imports, which take a message or an exception number
//! out of that memory. There is no file, no network, no clock, no randomness and no environment: a module that imports anything
//! else is refused before it runs. Its memory, its stack, its tables, its messages and, if asked, its steps are bounded by
//! [`Limits`].
//!
//! Two things remain possible: the calculator can run forever if the number of steps is not bounded, and it can return a wrong
//! witness, which the prover notices because the constraints fail.
//!
//! Inputs and witness are secrets, but the running time depends on them. Errors name signals and positions, never values. Log
//! lines and messages of the circuit itself are passed on as its author wrote them.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects, clippy::cast_possible_truncation))]
#![cfg_attr(not(test), deny(clippy::cast_possible_wrap, clippy::cast_sign_loss, clippy::expect_used))]
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::iter_over_hash_type, clippy::panic))]
#![cfg_attr(not(test), deny(clippy::string_slice, clippy::unreachable, clippy::unwrap_used))]

mod bytes;
mod calculator;
mod callbacks;
mod compiled;
mod engine;
mod error;
mod file;
mod glance;
mod host;
mod inputs;
mod instance;
mod integer;
mod interpreted;
mod json;
mod library;
mod limits;
mod machine;
mod stack;

pub use calculator::Calculator;
pub use engine::Engine;
pub use error::{Exception, Trace, ValueError, WitnessError};
pub use inputs::Inputs;
pub use limits::Limits;
