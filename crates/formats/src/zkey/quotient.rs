//! Random combinations of the elements H, with the values of a random polynomial of a quotient's degree.
//!
//! A proof combines the elements H with the values of `A·B - C` on the odd coset. These are -2 times the values of the
//! quotient, whose degree is at most the size of the domain minus two. So the component of H along the last power of τ does not
//! influence any proof, and a key that was imported from bellman's file, where that power is missing, has different elements H
//! for the same proofs.

use crate::sizes::chunks;
use alloc::vec::Vec;
use core::iter;
use pairwright_curve::{G1Affine, Jacobian, Pairing};
use pairwright_device::{DeviceError, Session};
use pairwright_field::Field;
use pairwright_poly::{Buf, Coeff, Domain, Poly, Source};
use pairwright_protocols::short_weights::ShortWeights;
use rand_core::CryptoRng;

/// Number of points that are combined at a time.
const CHUNK: usize = 1 << 16;

/// A random polynomial of at most a quotient's degree.
pub(super) struct Quotient<E: Pairing> {
    /// The coefficients: one fewer than the domain has points.
    pub(super) coefficients: Buf<E::Fr>,
    /// The values on the odd coset of the domain.
    pub(super) values: Buf<E::Fr>,
}

impl<E: Pairing> Quotient<E> {
    /// Draws a polynomial for a domain.
    pub(super) fn draw(
        on: &mut Session<'_, E>,
        domain: &Domain<E::Fr>,
        rng: &mut dyn CryptoRng,
    ) -> Result<Self, DeviceError> {
        let coefficients = ShortWeights::draw(rng).of::<E::Fr>(0..domain.size().saturating_sub(1));
        let padded: Buf<E::Fr> = coefficients.iter().copied().chain(iter::once(E::Fr::ZERO)).collect();
        let shift = domain.odd_shift()?;
        let values = match Poly::<_, Coeff>::new(*domain, padded) {
            Some(polynomial) => on.coset_ntt(polynomial, &shift)?.into_buf(),
            // Not reached: there is a coefficient for each point.
            None => Buf::from(Vec::new()),
        };
        Ok(Self { coefficients, values })
    }
}

/// Computes `Σ weights[i]·points[i]`, over as many points as there are weights.
#[allow(clippy::arithmetic_side_effects)] // Arithmetic of a group: nothing overflows.
pub(super) fn weighted<E: Pairing>(
    on: &mut Session<'_, E>,
    source: &dyn Source<G1Affine<E>>,
    weights: &Buf<E::Fr>,
) -> Result<Jacobian<E::G1>, DeviceError> {
    let mut sum = Jacobian::INFINITY;
    for range in chunks(weights.len(), CHUNK) {
        let mut points = Vec::new();
        source.read(range.clone(), &mut points)?;
        sum += on.msm_g1(Buf::from(points).view(), weights.slice(range))?;
    }
    Ok(sum)
}
