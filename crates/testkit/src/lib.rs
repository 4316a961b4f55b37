//! Algebraic laws, the conformance suite of devices, and oracles, shared by the tests of all crates. This crate is never shipped.
#![deny(unsafe_code)]

pub mod circuits;
pub mod conformance;
pub mod counted;
#[allow(unsafe_code)]
pub mod gmp;
#[allow(unsafe_code)]
pub mod jit;
pub mod laws;
pub mod powers;
pub mod sessions;
