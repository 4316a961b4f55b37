//! Everything that is tested from outside, in one binary: what the files below instantiate is built once.

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
