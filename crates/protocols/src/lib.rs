//! Protocols, written once against a device session.
//!
//! A prover asks for operators and never learns which machine runs them; its output depends on (inputs,
//! randomness) alone.
#![forbid(unsafe_code)]

extern crate alloc;

pub mod circuit;
pub mod groth16;
pub mod r1cs;
pub mod schemes;
pub mod sumcheck;
pub mod transcript;
mod weights;
pub mod zerocheck;
