//! The verifier of one proof under a key that is used once.

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
    /// Wrong number of public values for the key.
    #[error("{found} public values, the key wants {expected}")]
    PublicCount {
        /// By the key.
        expected: usize,
        /// Number of public values that were given.
        found: usize,
    },
    /// The key has no elements for the constant one.
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
    /// A proof of a batch is not accepted: its position, and why.
    #[error("proof {index}: {why}")]
    InBatch {
        /// Position in the batch.
        index: usize,
        /// What is wrong with it.
        why: Box<VerifyError>,
    },
    /// An operator failed: no verdict.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// Accepts a proof for these public values, or says why not.
///
/// Every point of the proof is checked to be on its curve and in its subgroup. The key's points are trusted: its decoder
/// checks them. A key under which anybody can forge proofs ([`VerifyingKey::weaknesses`]) accepts none. For more than one
/// proof under a key, and for proofs whose points were checked, prepare it: [`super::PreparedVerifyingKey`].
///
/// # Errors
/// Anything but acceptance.
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

/// [`verify`] under a key that may be one for which anybody can forge proofs: acceptance says nothing then. It is for
/// tests, and to look at keys on their way through a ceremony.
///
/// # Errors
/// Anything but acceptance.
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

/// `Ok` if there are as many public values as the key wants.
pub(super) fn check_count<F>(expected: usize, public: &[F]) -> Result<(), VerifyError> {
    if public.len() == expected {
        Ok(())
    } else {
        Err(VerifyError::PublicCount { expected, found: public.len() })
    }
}

/// `IC_0 + Σ public[i]·IC_{i+1}`.
fn input_commitment<E: Pairing>(
    vk: &VerifyingKey<E>,
    public: &[E::Fr],
) -> Result<Jacobian<E::G1>, VerifyError> {
    let (one, rest) = vk.ic.split_first().ok_or(VerifyError::EmptyKey)?;
    check_count(rest.len(), public)?;
    let terms = parallel::map(rest.iter().zip(public), |_, (p, x)| p.to_jacobian().mul_vartime(x));
    Ok(terms.into_iter().sum::<Jacobian<E::G1>>().add_mixed(one))
}
