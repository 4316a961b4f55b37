//! BLS12-377: the Barreto–Lynn–Scott curve of zexe, whose first group also has a twisted Edwards form.

#[rustfmt::skip]
mod constants;
pub mod edwards;

pub use constants::{Bls12_377, Fq, Fq2, Fq6, Fq12, FqModulus, Fr, FrModulus, G1, G2, Parameters, U, V};
