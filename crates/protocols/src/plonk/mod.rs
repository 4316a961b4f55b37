//! Plonk (eprint 2019/953), compatible with snarkjs: gates, keys and transcript are the same, so that keys and proofs can be
//! exchanged.
//!
//! A row of the table of gates names three wires, of values a, b and c, and holds five selectors:
//! `qM·a·b + qL·a + qR·b + qO·c + qC + PI = 0`, where PI is minus a public value in the first rows and zero below them. A
//! permutation of the table's cells ties the cells of one wire together. Columns are polynomials on a domain of `n` points;
//! a proof contains KZG commitments to them.
//!
//! The quotient is computed on three cosets of `n` points one after the other, so that no vector is longer than `n + 6`.

mod equation;
mod keys;
mod points;
#[cfg(feature = "std")]
mod prove;
#[cfg(feature = "std")]
mod setup;
#[cfg(feature = "std")]
mod sizes;
mod transcript;
mod verify;

pub use crate::groth16::{InSubgroup, PointFault};
#[cfg(feature = "std")]
pub use crate::groth16::{PowersFault, PowersOfTau, SetupError};
pub use crate::plonkish::verify::{batch_verify, check_proofs, verify, verify_with_unsafe_key};
pub use crate::plonkish::{Addition, BadPoint, Element, VerifyError, Weakness};
#[cfg(feature = "std")]
pub use crate::plonkish::{Gates, ProveError};
#[cfg(feature = "std")]
pub use keys::ProvingKey;
pub use keys::{EXTRA_POWERS, Evaluations, Proof, VerifyingKey};
#[cfg(feature = "std")]
pub use prove::{Blinding, prove, prove_blinded};
#[cfg(feature = "std")]
pub use setup::{setup, setup_local};
#[cfg(feature = "std")]
pub use sizes::ProofSizes;
pub use verify::{Claim, PreparedVerifyingKey};

#[cfg(feature = "std")]
use crate::r1cs::ConstraintSource;
#[cfg(feature = "std")]
use pairwright_field::PrimeField;

/// Computes the table of gates of a constraint system, equal to snarkjs'. Terms with the same wire in a combination are added up.
///
/// # Errors
/// When the constraints cannot be read, or there are more wires or rows than the field has room for.
#[cfg(feature = "std")]
pub fn gates<F: PrimeField>(system: &dyn ConstraintSource<F>) -> Result<Gates<F>, SetupError> {
    crate::plonkish::gates::gates(system, crate::plonkish::gates::ZeroTerms::Kept)
}
