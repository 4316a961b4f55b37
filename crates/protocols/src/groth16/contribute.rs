//! A contribution to a key: a secret factor of δ. The key is safe if at least one contributor deletes their factor.

use super::ProvingKey;
use super::powers::read_all;
use super::setup_powers::powers_domain;
use crate::r1cs::Shape;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use pairwright_curve::{G1Affine, Pairing, Projective};
use pairwright_device::{DeviceError, Operator, PlannedCall, Session};
use pairwright_field::{Field, PrimeField};
use pairwright_poly::{KeySection, Source, SourceError};
use thiserror::Error;
use zeroize::Zeroizing;

/// Name of the session's phase for a contribution.
const PHASE: &str = "contribution";
/// Number of points per call of the device.
const PIECE: usize = 1 << 15;

/// Why a contribution could not be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ContributeError {
    /// The factor is zero.
    #[error("a contribution of zero would destroy the key")]
    Zero,
    /// The key could not be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// An operator failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// A secret factor of δ with its inverse, to be applied to a key. Every product with them runs in time independent of them; the
/// inverse is wiped when this is dropped.
pub struct Contribution<'f, F: Field> {
    factor: &'f F,
    inverse: Zeroizing<F>,
}

impl<F: Field> core::fmt::Debug for Contribution<'_, F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Contribution")
    }
}

impl<'f, F: Field> Contribution<'f, F> {
    /// Makes the contribution of a factor. The caller wipes the factor.
    ///
    /// # Errors
    /// When the factor is zero.
    pub fn new(factor: &'f F) -> Result<Self, ContributeError> {
        let inverse = Zeroizing::new(factor.invert().ok_or(ContributeError::Zero)?);
        Ok(Self { factor, inverse })
    }

    /// Multiplies δ of a key by the factor, in both groups.
    pub fn multiply_delta<E: Pairing<Fr = F>>(&self, key: &mut ProvingKey<E>) {
        key.delta_g1 = Projective::from(key.delta_g1).mul(self.factor).to_affine();
        key.vk.delta_g2 = Projective::from(key.vk.delta_g2).mul(self.factor).to_affine();
    }

    /// Reads a range of points of section C or H, and divides them by the factor.
    ///
    /// # Errors
    /// When the section cannot be read, or an operator fails.
    pub fn divided<E: Pairing<Fr = F>>(
        &self,
        on: &mut Session<'_, E>,
        section: &dyn Source<G1Affine<E>>,
        range: Range<usize>,
    ) -> Result<Vec<G1Affine<E>>, ContributeError> {
        let factors = Zeroizing::new(vec![*self.inverse; range.len().min(PIECE)]);
        let mut multiples = Vec::with_capacity(range.len());
        for start in range.clone().step_by(PIECE) {
            let points = read_all(section, start..range.end.min(start + PIECE))?;
            multiples.extend(on.scale_by_secrets_g1(&points, &factors[..points.len()])?);
        }
        Ok(multiples)
    }
}

/// The planned calls of the first contribution to a circuit's key. Empty if the circuit is too large for the field's domains, so that
/// there is no key.
pub fn contribution_plan<F: PrimeField>(shape: &Shape) -> Vec<PlannedCall> {
    let Ok(domain) = powers_domain::<F>(shape) else { return Vec::new() };
    division_plan(shape.wires.saturating_sub(shape.public() + 1) + domain.size())
}

/// The planned calls of a contribution to a key with `points` points in its sections C and H together.
pub fn division_plan(points: usize) -> Vec<PlannedCall> {
    vec![PlannedCall { phase: PHASE, operator: Operator::ScaleBySecretsG1.name(), size: points }]
}

/// Multiplies δ of a key by a secret factor, and divides the elements with the denominator δ (sections C and H) by it.
///
/// Every product with the secret runs in time independent of it, and its inverse is wiped; the caller wipes the
/// factor itself. Whoever keeps the factors of all contributions can forge proofs.
///
/// # Errors
/// When the factor is zero, the key cannot be read, or an operator fails.
#[inline(never)]
pub fn contribute<E: Pairing>(
    on: &mut Session<'_, E>,
    key: ProvingKey<E>,
    factor: &E::Fr,
) -> Result<ProvingKey<E>, ContributeError> {
    on.phase(PHASE);
    let by = Contribution::new(factor)?;
    let c = by.divided(on, key.c.as_ref(), 0..key.c.as_ref().len())?;
    let h = by.divided(on, key.h.as_ref(), 0..key.h.as_ref().len())?;
    let mut key = ProvingKey { c: KeySection::new(c), h: KeySection::new(h), ..key };
    by.multiply_delta(&mut key);
    Ok(key)
}
