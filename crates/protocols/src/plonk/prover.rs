//! What every part of a Plonk prover has: the session, the key, and the key's polynomials as they are needed.

use super::{ProvingKey, VerifyingKey};
use crate::groth16::load;
use pairwright_curve::{G1Affine, Pairing};
use pairwright_device::{DeviceError, Session};
use pairwright_poly::{Basis, Buf, Domain, DomainError, Eval, Poly, SourceError};
use thiserror::Error;

/// Why there is no proof.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProveError {
    /// The witness has the wrong number of values.
    #[error("the witness has {found} values, the key {expected} wires")]
    WitnessLength {
        /// Number of wires of the key's circuit.
        expected: usize,
        /// Number of values of the witness.
        found: usize,
    },
    /// The first value of the witness is not one.
    #[error("the witness does not begin with the constant one")]
    NoConstantOne,
    /// A part of the key has another length than its sizes say.
    #[error("the key's {part} has {found} elements, its sizes say {expected}")]
    KeyShape {
        /// Name of the part of the key.
        part: &'static str,
        /// By the key's sizes.
        expected: usize,
        /// Number of elements that the part has.
        found: usize,
    },
    /// A part of the key names a wire that does not exist, or not yet.
    #[error("the key's {part} name wire {wire} at position {index}, where there are {wires}")]
    NoSuchWire {
        /// Name of the part of the key.
        part: &'static str,
        /// Position in that part.
        index: usize,
        /// The wire that is named.
        wire: u32,
        /// Number of wires there are at that position.
        wires: usize,
    },
    /// The witness does not satisfy a gate.
    #[error("the witness does not satisfy gate {gate} of the circuit")]
    Unsatisfied {
        /// The first row that does not hold, from zero.
        gate: usize,
    },
    /// The permutation of the key ties other cells together than those of one wire.
    #[error("the permutation of the key does not belong to its wires")]
    KeyPermutation,
    /// The field has no domain of four times the points.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// An operator failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The key could not be read.
    #[error(transparent)]
    Source(#[from] SourceError),
}

/// A proof while it is made.
pub(super) struct Prover<'s, 'd, E: Pairing> {
    pub(super) on: &'s mut Session<'d, E>,
    pub(super) key: &'s ProvingKey<E>,
    pub(super) vk: &'s VerifyingKey<E>,
    pub(super) domain: Domain<E::Fr>,
}

impl<E: Pairing> Prover<'_, '_, E> {
    /// Commitments to polynomials of room for their blinding.
    pub(super) fn commit<const N: usize>(
        &mut self,
        polys: [&Buf<E::Fr>; N],
    ) -> Result<[G1Affine<E>; N], ProveError> {
        let powers = self.powers()?;
        let mut points = [G1Affine::<E>::INFINITY; N];
        for (point, p) in points.iter_mut().zip(polys) {
            *point = self.on.msm_g1(powers.view(), p.view())?.to_affine();
        }
        Ok(points)
    }

    /// The key's powers of τ; read when they are needed, so that they do not take memory beside the quotient.
    pub(super) fn powers(&mut self) -> Result<Buf<G1Affine<E>>, ProveError> {
        Ok(load(self.on, "read_powers", &self.key.powers)?)
    }

    /// The coefficients of a selector.
    pub(super) fn selector(&mut self, index: usize) -> Result<Buf<E::Fr>, ProveError> {
        Ok(load(self.on, "read_q", &self.key.selectors[index])?)
    }

    /// The coefficients of a polynomial of the permutation.
    pub(super) fn sigma(&mut self, index: usize) -> Result<Buf<E::Fr>, ProveError> {
        Ok(load(self.on, "read_s", &self.key.sigmas[index])?)
    }

    pub(super) fn interpolated(&mut self, values: Buf<E::Fr>) -> Result<Buf<E::Fr>, ProveError> {
        let p = self.poly::<Eval>(values)?;
        Ok(self.on.intt(p)?.into_buf())
    }

    /// A polynomial of the domain's size.
    pub(super) fn poly<B: Basis>(&self, numbers: Buf<E::Fr>) -> Result<Poly<E::Fr, B>, ProveError> {
        let (expected, found) = (self.domain.size(), numbers.len());
        Poly::new(self.domain, numbers).ok_or(ProveError::KeyShape { part: "domain", expected, found })
    }
}
