//! A Barreto–Lynn–Scott curve over a prime of 34 bits, whose groups of some ten million points tests can enumerate. It is a
//! test fixture **without any security**, which no command and no file format accepts.

#[rustfmt::skip]
mod constants;

pub use constants::{Fq, Fq2, Fq6, Fq12, FqModulus, Fr, FrModulus, G1, G2, Parameters, TinyBls12, U, V};
