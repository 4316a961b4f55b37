//! Multi-word modular arithmetic as a rewrite system.
#![forbid(unsafe_code)]

mod error;

pub use error::MomaError;
