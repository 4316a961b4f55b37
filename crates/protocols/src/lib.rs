//! Proof systems, commitments, signatures and encryption schemes, each written once against a device session.
//!
//! A prover calls operators of a [`Session`](pairwright_device::Session) and never learns which machine runs them; its output
//! depends on (inputs, randomness) alone.
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod blinding;
#[cfg(feature = "std")]
pub mod circuit;
pub mod fflonk;
pub mod groth16;
mod group_ntt;
pub mod kzg;
pub mod plonk;
pub mod plonkish;
pub mod r1cs;
pub mod schemes;
#[cfg(feature = "serde")]
mod serial;
#[cfg(feature = "std")]
pub mod short_weights;
pub mod sumcheck;
pub mod transcript;
mod weights;
pub mod zerocheck;

pub use blinding::Blinding;
