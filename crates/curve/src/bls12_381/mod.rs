//! BLS12-381: the Barreto–Lynn–Scott curve of Zcash, Ethereum and drand, with its suites of hashing to curves.

#[rustfmt::skip]
mod constants;
mod hash;
#[rustfmt::skip]
mod hash_constants;

pub use constants::{Bls12_381, Fq, Fq2, Fq6, Fq12, FqModulus, Fr, FrModulus, G1, G2, Parameters, U, V};
