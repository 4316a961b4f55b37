//! BN254: the Barreto–Naehrig curve of Ethereum's precompiled contracts, which circom and snarkjs call bn128.

#[rustfmt::skip]
mod constants;

pub use constants::{Bn254, Fq, Fq2, Fq6, Fq12, FqModulus, Fr, FrModulus, G1, G2, Parameters, U, V};
