//! All integration tests of the crate in one binary, so that the generic code that they instantiate is compiled once.

mod abe;
mod bbs;
mod bls;
mod bls_ethereum;
mod bls_threshold;
mod bls_vs_blst;
mod circuit;
mod common;
mod fe;
mod fflonk;
mod groth16;
mod groth16_bytes;
mod groth16_vs_arkworks;
mod ibe;
mod kzg;
mod plonk;
mod powers;
mod scheme_bytes;
mod zerocheck_bytes;
