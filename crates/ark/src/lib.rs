//! A bridge to arkworks 0.6, for BN254, BLS12-381 and BLS12-377.
//!
//! [`Circuit`] converts a [`ConstraintSynthesizer`](ark_relations::gr1cs::ConstraintSynthesizer) to a constraint system and a
//! witness. Proofs and verifying keys consist of the same points in both libraries and are converted in both directions.
//! [`proving_key_from_ark`] converts a proving key of arkworks for our prover without knowledge of τ; its documentation
//! explains how. [`proving_key_to_ark`] converts one of our proving keys for arkworks' prover if both libraries lay out the
//! circuit in the same way.
#![forbid(unsafe_code)]

mod circuit;
mod convert;
mod curves;
mod key;

pub use circuit::{Circuit, CircuitError};
pub use convert::{
    proof_from_ark, proof_to_ark, scalar_from_ark, scalar_to_ark, verifying_key_from_ark,
    verifying_key_to_ark,
};
pub use curves::Bridge;
pub use key::{KeyError, proving_key_from_ark, proving_key_to_ark};
