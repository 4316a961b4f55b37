//! fflonk (eprint 2021/1167), compatible with snarkjs: Plonk's gates and permutation, with several polynomials in one
//! commitment, so that a verifier multiplies few points.
//!
//! Polynomials `f_0 … f_(k-1)` are committed to as one, `f_0(X^k) + X·f_1(X^k) + … + X^(k-1)·f_(k-1)(X^k)`, whose values at the
//! k-th roots of a point determine the values of all `f_j` at that point. C0 combines the eight polynomials of the key
//! (selectors and permutation), C1 four (the columns and the gates' quotient), C2 three (the running product and its
//! two quotients). C0 and C1 are opened at ξ, C2 at ξ and ξω, by two points W1 and W2 (the scheme of eprint 2020/081).
//!
//! snarkjs' files exist for BN254 only; the protocol itself works over any curve here.

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
pub use keys::{Evaluations, Proof, VerifyingKey};
#[cfg(feature = "std")]
pub use prove::{Blinding, prove, prove_blinded};
#[cfg(feature = "std")]
pub use setup::{setup, setup_local};
#[cfg(feature = "std")]
pub use sizes::ProofSizes;
pub use verify::{Claim, PreparedVerifyingKey};

#[cfg(feature = "std")]
use crate::plonkish::gates::ZeroTerms;
#[cfg(feature = "std")]
use crate::r1cs::ConstraintSource;
#[cfg(feature = "std")]
use alloc::{vec, vec::Vec};
#[cfg(feature = "std")]
use pairwright_field::PrimeField;
#[cfg(feature = "std")]
use pairwright_poly::{Buf, SourceError};

/// Number of rows at the end of a table that have no gates: they hold the random values that hide the columns.
pub const BLINDED_ROWS: usize = 2;

/// Number of powers of τ that a key for a domain of `n` points has, as snarkjs writes it: `9n + 18`.
pub fn powers_for(n: usize) -> usize {
    n.saturating_mul(9).saturating_add(18)
}

/// Computes the table of gates of a constraint system, equal to snarkjs'. Terms with the same wire in a combination are added up.
///
/// # Errors
/// When the constraints cannot be read, or there are more wires or rows than the field has room for.
#[cfg(feature = "std")]
pub fn gates<F: PrimeField>(system: &dyn ConstraintSource<F>) -> Result<Gates<F>, SetupError> {
    crate::plonkish::gates::gates(system, ZeroTerms::Dropped)
}

/// Computes the lowest `len` coefficients of the polynomial `Σ X^j·f_j(X^k)` from the coefficients of `k` polynomials `f_j`.
///
/// # Errors
/// When a polynomial is in the memory of a machine and cannot be read back.
#[cfg(feature = "std")]
pub fn interleave<'a, F: PrimeField>(
    len: usize,
    parts: impl IntoIterator<Item = &'a Buf<F>>,
) -> Result<Buf<F>, SourceError> {
    let parts = parts.into_iter().map(Buf::host).collect::<Result<Vec<&[F]>, _>>()?;
    let mut all = vec![F::ZERO; len];
    for (i, row) in all.chunks_mut(parts.len().max(1)).enumerate() {
        for (x, part) in row.iter_mut().zip(&parts) {
            *x = part.get(i).copied().unwrap_or(F::ZERO);
        }
    }
    Ok(all.into())
}
