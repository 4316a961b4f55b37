//! Comparisons of operators with peers, one file per operator; the benchmarks in `bin/` choose among them.

pub mod abe;
pub mod blobs;
pub mod groth16;
pub mod msm;
pub mod ntt;
pub mod pairing;
pub mod plonk;
pub mod processes;
pub mod schemes;
pub mod signatures;
pub mod timelock;
pub mod verification;
