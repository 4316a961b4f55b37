//! The verifier, single and batched.

#![cfg_attr(
    not(test),
    deny(
        clippy::cast_possible_truncation,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::iter_over_hash_type,
        clippy::panic,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use super::{Proof, VerifyingKey};
use pairwright_curve::{Affine, Curve, Jacobian, Pairing};
use pairwright_device::{DeviceError, Session};
use pairwright_field::{Field, PrimeField};
use pairwright_poly::Buf;
use rand_core::CryptoRng;
use rayon::prelude::*;
use thiserror::Error;

/// An element of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// π_A.
    A,
    /// π_B.
    B,
    /// π_C.
    C,
}

/// Why a proof was not accepted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// Wrong number of public values for the key.
    #[error("{found} public values, the key wants {expected}")]
    PublicCount {
        /// By the key.
        expected: usize,
        /// Given.
        found: usize,
    },
    /// The key has no elements for the constant one.
    #[error("the verifying key has no IC elements")]
    EmptyKey,
    /// A point of the proof is not on its curve.
    #[error("pi_{0:?} is not on the curve")]
    OffCurve(Element),
    /// A point of the proof is on the curve but outside the prime-order subgroup.
    #[error("pi_{0:?} is not in the prime-order subgroup")]
    WrongSubgroup(Element),
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
/// Every point of the proof is checked to be on its curve and in its subgroup. The key is trusted: its decoder checks
/// it.
///
/// # Errors
/// Anything but acceptance.
pub fn verify<E: Pairing>(
    on: &mut Session<'_, E>,
    vk: &VerifyingKey<E>,
    public: &[E::Fr],
    proof: &Proof<E>,
) -> Result<(), VerifyError> {
    on.phase("verify");
    check_points(proof)?;
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

/// Accepts all of many proofs under one key, or names one that fails alone.
///
/// The equations are added up with independent random weights of 128 bits from `rng`: a batch with a bad proof passes
/// with probability at most 2^-127. When the sum fails, the proofs are verified one by one. An empty batch is
/// accepted.
///
/// # Errors
/// Anything but acceptance of every proof.
pub fn batch_verify<E: Pairing>(
    on: &mut Session<'_, E>,
    vk: &VerifyingKey<E>,
    batch: &[(Vec<E::Fr>, Proof<E>)],
    rng: &mut (impl CryptoRng + ?Sized),
) -> Result<(), VerifyError> {
    on.phase("batch verify");
    let at = |index: usize| move |why| VerifyError::InBatch { index, why: Box::new(why) };
    batch
        .par_iter()
        .enumerate()
        .map(|(i, (public, proof))| check_points(proof).and_then(|()| check_count(vk, public)).map_err(at(i)))
        .collect::<Result<Vec<()>, _>>()?;
    if batch.is_empty() {
        return Ok(());
    }
    // Non-zero weights: the low limb is odd.
    let weights: Vec<[u64; 2]> = batch.iter().map(|_| [rng.next_u64() | 1, rng.next_u64()]).collect();
    let (a, c): (Vec<_>, Vec<_>) = batch
        .par_iter()
        .zip(&weights)
        .map(|((_, p), z)| ((-weigh(&p.a, z)).to_affine(), weigh(&p.c, z)))
        .unzip();
    // IC is linear in the public values: weigh the values, then commit once.
    let mut sums = vec![E::Fr::ZERO; vk.ic.len()];
    for ((public, _), z) in batch.iter().zip(&weights) {
        let z = E::Fr::from_limbs_reduced(z);
        for (sum, x) in sums.iter_mut().zip([E::Fr::ONE].iter().chain(public)) {
            *sum += z * *x;
        }
    }
    // The first sum is that of the weights alone.
    let (total, _) = sums.split_first().ok_or(VerifyError::EmptyKey)?;
    let alpha = vk.alpha_g1.to_jacobian().mul_vartime(total).to_affine();
    let ic = on.msm_g1(Buf::from(vk.ic.clone()).view(), Buf::from(sums).view())?;
    let c: Jacobian<E::G1> = c.into_iter().sum();
    let mut pairs: Vec<_> = a.into_iter().zip(batch).map(|(a, (_, p))| (a, p.b)).collect();
    pairs.push((alpha, vk.beta_g2));
    pairs.push((ic.to_affine(), vk.gamma_g2));
    pairs.push((c.to_affine(), vk.delta_g2));
    if on.multi_pairing(&pairs)? == E::Gt::ONE {
        return Ok(());
    }
    for (i, (public, proof)) in batch.iter().enumerate() {
        verify(on, vk, public, proof).map_err(at(i))?;
    }
    // Every proof passes alone, so the sum cannot fail; if it did, a device erred: refuse.
    Err(VerifyError::Rejected)
}

fn weigh<C: Curve>(p: &Affine<C>, z: &[u64; 2]) -> Jacobian<C> {
    p.to_jacobian().mul_limbs_vartime(z)
}

fn check_count<E: Pairing>(vk: &VerifyingKey<E>, public: &[E::Fr]) -> Result<(), VerifyError> {
    let expected = vk.ic.len().checked_sub(1).ok_or(VerifyError::EmptyKey)?;
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
    check_count(vk, public)?;
    let (one, rest) = vk.ic.split_first().ok_or(VerifyError::EmptyKey)?;
    let terms: Jacobian<E::G1> = rest
        .par_iter()
        .zip(public)
        .map(|(p, x)| p.to_jacobian().mul_vartime(x))
        .reduce(|| Jacobian::INFINITY, |a, b| a + b);
    Ok(terms.add_mixed(one))
}

fn check_points<E: Pairing>(proof: &Proof<E>) -> Result<(), VerifyError> {
    check_point(&proof.a, Element::A)?;
    check_point(&proof.b, Element::B)?;
    check_point(&proof.c, Element::C)
}

fn check_point<C: Curve>(p: &Affine<C>, which: Element) -> Result<(), VerifyError> {
    if !p.is_on_curve() {
        return Err(VerifyError::OffCurve(which));
    }
    if !p.is_in_subgroup_vartime() {
        return Err(VerifyError::WrongSubgroup(which));
    }
    Ok(())
}
