//! A contribution to a key: a secret factor of δ. The key is safe as long as one contributor forgets theirs.

use super::ProvingKey;
use super::powers::read_all;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::{G1Affine, Pairing, Projective};
use pairwright_device::{DeviceError, Session};
use pairwright_field::Field;
use pairwright_poly::{KeySection, Source, SourceError};
use thiserror::Error;
use zeroize::Zeroizing;

/// Points that one call of the device multiplies.
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

/// Multiplies δ of a key by a secret factor, and divides the elements that stand over δ by it.
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
    on.phase("contribution");
    let inverse = Zeroizing::new(factor.invert().ok_or(ContributeError::Zero)?);
    let c = divided(on, key.c.as_ref(), &inverse)?;
    let h = divided(on, key.h.as_ref(), &inverse)?;
    let mut key = ProvingKey { c: KeySection::new(c), h: KeySection::new(h), ..key };
    key.delta_g1 = Projective::from(key.delta_g1).mul(factor).to_affine();
    key.vk.delta_g2 = Projective::from(key.vk.delta_g2).mul(factor).to_affine();
    Ok(key)
}

/// `k·p` for every point of a source, in time independent of `k`.
fn divided<E: Pairing>(
    on: &mut Session<'_, E>,
    source: &dyn Source<G1Affine<E>>,
    k: &E::Fr,
) -> Result<Vec<G1Affine<E>>, ContributeError> {
    let n = source.len();
    let factors = Zeroizing::new(vec![*k; n.min(PIECE)]);
    let mut multiples = Vec::with_capacity(n);
    for start in (0..n).step_by(PIECE) {
        let points = read_all(source, start..n.min(start + PIECE))?;
        multiples.extend(on.scale_by_secrets_g1(&points, &factors[..points.len()])?);
    }
    Ok(multiples)
}
