//! A bridge to arkworks 0.6, for BN254, BLS12-381 and BLS12-377.
//!
//! A [`ConstraintSynthesizer`](ark_relations::gr1cs::ConstraintSynthesizer) becomes a constraint system and a witness here
//! ([`Circuit`]). Proofs and verifying keys are the same points in both, and are converted either way. A proving key of
//! arkworks becomes one for our prover ([`proving_key_from_ark`]) without knowledge of τ: see there how. One of ours becomes
//! one for arkworks' prover ([`proving_key_to_ark`]) where both lay out a circuit alike.
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
