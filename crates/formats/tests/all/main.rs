//! All integration tests in one binary, so that the code that they instantiate is compiled once.

mod age_bytes;
mod any_bytes;
mod bellman;
mod bls_documents;
mod ceremony;
mod circuits;
#[path = "../common/mod.rs"]
mod common;
mod damaged;
mod documents;
mod exchange;
mod export;
mod fflonk;
mod key_ceremony;
mod keys;
mod keystore;
mod mpc_parameters;
mod plonk;
mod powers;
mod powers_ceremony;
mod precompile;
mod proofs;
mod refused;
mod serde_forms;
mod solidity;
#[path = "../common/surgery.rs"]
mod surgery;
