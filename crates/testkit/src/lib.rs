//! Laws, conformance suite and oracles shared by the tests of every crate; never shipped.
#![forbid(unsafe_code)]

pub mod circuits;
pub mod conformance;
pub mod counted;
pub mod laws;
