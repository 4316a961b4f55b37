//! A model of \[AIE\]: point additions on BLS12-377, computed by digits of 25 bits in the vector lanes of an AI Engine.
//!
//! A [`Program`] is a list of the engine's operations in SSA form, written by functions of this crate. [`Program::run`]
//! computes it bit by bit and fails where a register would overflow; [`ranges::analyse`] proves that none overflows for
//! any operands in range. [`modmul::modmul`] writes a modular product by one of several [`Method`]s, [`padd::padd`] a
//! point addition of eight or nine such products. [`mapping`] cuts an addition into programs of tiles, [`tile`] schedules
//! a program for an engine, and [`mod@array`] simulates tiles and the links between them cycle by cycle. [`system`]
//! models the board around the array, and [`msm`] multi-scalar multiplications on that board, from the rates that the
//! cycle-by-cycle model measured.
//!
//! ```
//! use pairwright_aie::{Carry, Digits, Method, Reduction, modmul::modmul};
//! use pairwright_curve::bls12_377::Fq;
//!
//! let program = modmul(Method::new(Reduction::Barrett, Carry::Mixed));
//! let (a, b) = (Fq::from(3), Fq::from(5));
//! let product = program.run(&[Digits::from(a), Digits::from(b)]).unwrap();
//! assert_eq!(product[0].residue(), a * b);
//! assert_eq!(program.products(), 120);
//! ```
#![forbid(unsafe_code)]

pub mod array;
pub mod board;
mod carry;
mod digits;
mod error;
pub mod evaluate;
mod fast;
pub mod mapping;
mod method;
pub mod modmul;
pub mod msm;
pub mod padd;
#[cfg(test)]
mod parameters;
mod part;
mod program;
pub mod ranges;
mod run;
pub mod system;
pub mod tile;

pub use board::board;
pub use carry::Carry;
pub use digits::{DIGITS, Digits, DigitsError, Layout, RADIX_BITS, modulus};
pub use error::AieError;
pub use evaluate::{Design, Evaluation, Stalls, evaluate, timeline};
pub use fast::FastError;
pub use method::{Method, MethodError, Multiplication, Reduction};
pub use program::{Class, InputRange, LANES, Path, Program, Register, ValueKind};
pub use run::{Fault, RunError};
