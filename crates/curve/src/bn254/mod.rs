//! BN254: the Barreto–Naehrig curve of Ethereum's precompiled contracts, which circom and snarkjs call bn128.

#[rustfmt::skip]
mod constants;
mod hash;
#[rustfmt::skip]
mod hash_constants;

pub use constants::{Bn254, Fq, Fq2, Fq6, Fq12, FqModulus, Fr, FrModulus, G1, G2, Parameters, U, V};
pub use hash::reduced;
