//! Verifies one proof under a key that is used once; see [`super::PreparedVerifyingKey`] for keys that are used repeatedly.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::{BadPoint, Proof, VerifyingKey, Weakness};
use alloc::boxed::Box;
use pairwright_curve::{Jacobian, Pairing};
use pairwright_device::{DeviceError, Session, parallel};
use pairwright_field::Field;
use thiserror::Error;

/// Why a proof was not accepted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The number of public values is not that of the key.
    #[error("{found} public values, the key wants {expected}")]
    PublicCount {
        /// Number of public values of the key.
        expected: usize,
        /// Number of public values that were given.
        found: usize,
    },
    /// The key's list IC is empty, so it has no element for the constant one.
    #[error("the verifying key has no IC elements")]
    EmptyKey,
    /// Anybody can forge proofs for the key, so none is accepted.
    #[error("the key is not safe: {0}")]
    UnsafeKey(#[from] Weakness),
    /// A point of the proof is not on its curve or not in its subgroup.
    #[error(transparent)]
    Point(#[from] BadPoint),
    /// The pairing equation does not hold.
    #[error("the pairing equation does not hold")]
    Rejected,
    /// A proof of a batch is not accepted.
    #[error("proof {index}: {why}")]
    InBatch {
        /// Position in the batch, from zero.
        index: usize,
        /// The reason for which this proof is refused.
        why: Box<VerifyError>,
    },
    /// An operator failed, so there is no verdict.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// Verifies a proof for these public values.
///
/// Every point of the proof is checked to be on its curve and in its subgroup. The key's points are not checked: its decoder
/// does that. A key under which anybody can forge proofs ([`VerifyingKey::weaknesses`]) is refused. For several proofs under one
/// key, or for proofs whose points were already checked, use [`super::PreparedVerifyingKey`].
///
/// # Errors
/// The verdicts other than acceptance, each with its reason.
#[inline(never)]
pub fn verify<E: Pairing>(
    on: &mut Session<'_, E>,
    vk: &VerifyingKey<E>,
    public: &[E::Fr],
    proof: &Proof<E>,
) -> Result<(), VerifyError> {
    vk.expect_safe()?;
    verify_with_unsafe_key(on, vk, public, proof)
}

/// [`verify`] without the test whether anybody can forge proofs for the key. For such a key, acceptance means nothing. It is for
/// tests, and for keys of a ceremony that is not finished.
///
/// # Errors
/// The verdicts other than acceptance, each with its reason.
#[inline(never)]
pub fn verify_with_unsafe_key<E: Pairing>(
    on: &mut Session<'_, E>,
    vk: &VerifyingKey<E>,
    public: &[E::Fr],
    proof: &Proof<E>,
) -> Result<(), VerifyError> {
    on.phase("verify");
    let proof = proof.check()?;
    let ic = input_commitment(vk, public)?;
    // e(A, B) = e(α, β)·e(IC, γ)·e(C, δ), all on one side.
    let product = on.multi_pairing(&[
        (-proof.a, proof.b),
        (vk.alpha_g1, vk.beta_g2),
        (ic.to_affine(), vk.gamma_g2),
        (proof.c, vk.delta_g2),
    ])?;
    if product == E::Gt::ONE { Ok(()) } else { Err(VerifyError::Rejected) }
}

/// Checks that the number of public values is that of the key.
pub(super) fn check_count<F>(expected: usize, public: &[F]) -> Result<(), VerifyError> {
    if public.len() == expected {
        Ok(())
    } else {
        Err(VerifyError::PublicCount { expected, found: public.len() })
    }
}

/// Computes the commitment to the public values, `IC_0 + Σ public[i]·IC_{i+1}`.
fn input_commitment<E: Pairing>(
    vk: &VerifyingKey<E>,
    public: &[E::Fr],
) -> Result<Jacobian<E::G1>, VerifyError> {
    let (one, rest) = vk.ic.split_first().ok_or(VerifyError::EmptyKey)?;
    check_count(rest.len(), public)?;
    let terms = parallel::map(rest.iter().zip(public), |_, (p, x)| p.to_jacobian().mul_vartime(x));
    Ok(terms.into_iter().sum::<Jacobian<E::G1>>().add_mixed(one))
}
