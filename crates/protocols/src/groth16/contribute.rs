//! A contribution to a key: a secret factor of δ. The key is safe as long as one contributor forgets theirs.

use super::ProvingKey;
use super::powers::CHUNK;
use alloc::vec::Vec;
use pairwright_curve::{Affine, Curve, Pairing, Projective};
use pairwright_device::Session;
use pairwright_field::{Field, batch_invert};
use pairwright_poly::{KeySection, Source, SourceError};
use rayon::prelude::*;
use thiserror::Error;
use zeroize::Zeroizing;

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
}

/// Multiplies δ of a key by a secret factor, and divides the elements that stand over δ by it.
///
/// Every product with the secret runs in time independent of it, and its inverse is wiped; the caller wipes the
/// factor itself. Whoever keeps the factors of all contributions can forge proofs.
///
/// # Errors
/// When the factor is zero or the key cannot be read.
pub fn contribute<E: Pairing>(
    on: &mut Session<'_, E>,
    key: ProvingKey<E>,
    factor: &E::Fr,
) -> Result<ProvingKey<E>, ContributeError> {
    on.phase("contribution");
    let inverse = Zeroizing::new(factor.invert().ok_or(ContributeError::Zero)?);
    let c = on.host("contribute_c", key.c.len(), || scale_all(key.c.as_ref(), &inverse))?;
    let h = on.host("contribute_h", key.h.len(), || scale_all(key.h.as_ref(), &inverse))?;
    let mut key = ProvingKey { c: KeySection::new(c), h: KeySection::new(h), ..key };
    key.delta_g1 = Projective::from(key.delta_g1).mul(factor).to_affine();
    key.vk.delta_g2 = Projective::from(key.vk.delta_g2).mul(factor).to_affine();
    Ok(key)
}

/// `k·p` for every point of a source, in time independent of `k`.
fn scale_all<C: Curve>(source: &dyn Source<Affine<C>>, k: &C::Scalar) -> Result<Vec<Affine<C>>, SourceError> {
    let n = source.len();
    // Small pieces: a product takes a tenth of a millisecond.
    let piece = CHUNK / 16;
    let parts: Vec<Vec<Affine<C>>> = (0..n.div_ceil(piece))
        .into_par_iter()
        .map(|i| {
            let range = i * piece..n.min((i + 1) * piece);
            let mut points = Vec::with_capacity(range.len());
            source.read(range, &mut points)?;
            let scaled: Vec<Projective<C>> = points.iter().map(|p| Projective::from(*p).mul(k)).collect();
            let mut z: Vec<C::Base> = scaled.iter().map(|p| p.z).collect();
            batch_invert(&mut z);
            // Infinity has z = 0, whose "inverse" stays 0, and becomes (0, 0): infinity again.
            Ok(scaled.iter().zip(&z).map(|(p, zi)| Affine { x: p.x * *zi, y: p.y * *zi }).collect())
        })
        .collect::<Result<_, SourceError>>()?;
    Ok(parts.concat())
}
