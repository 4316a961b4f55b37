//! What every part of a prover has: the session, the key, and the key's polynomials as they are needed.

use super::Addition;
use crate::groth16::load;
use alloc::boxed::Box;
use alloc::vec::Vec;
use pairwright_curve::{G1Affine, Pairing};
use pairwright_device::{DeviceError, Session};
use pairwright_field::Field;
use pairwright_poly::{Basis, Buf, Domain, DomainError, Eval, KeySection, Memory, Poly, Source, SourceError};
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

/// The parts of a proving key that say what its circuit is.
pub(crate) struct Tables<'a, F> {
    /// The domain whose points number the rows.
    pub(crate) domain: Domain<F>,
    /// Number of public values.
    pub(crate) public: usize,
    /// The factors of the domain for the cells of the columns b and c.
    pub(crate) k: [F; 2],
    /// Number of wires: those of the witness, and one for each addition.
    pub(crate) wires: usize,
    /// The wires that the witness does not have, in order.
    pub(crate) additions: &'a dyn Source<Addition<F>>,
    /// The wires in the columns a, b and c, one a gate.
    pub(crate) columns: &'a [Box<dyn Source<u32>>; 3],
    /// The coefficients of the selectors qM, qL, qR, qO and qC.
    pub(crate) selectors: &'a [KeySection<F>; 5],
    /// The coefficients of the permutation's polynomials S1, S2 and S3.
    pub(crate) sigmas: &'a [KeySection<F>; 3],
}

/// A proof while it is made.
pub(crate) struct Prover<'s, 'd, E: Pairing> {
    pub(crate) on: &'s mut Session<'d, E>,
    pub(crate) key: Tables<'s, E::Fr>,
    pub(crate) powers: &'s KeySection<G1Affine<E>>,
}

impl<E: Pairing> Prover<'_, '_, E> {
    /// Commitments to polynomials of no more coefficients than there are powers.
    pub(crate) fn commit<const N: usize>(
        &mut self,
        polys: [&Buf<E::Fr>; N],
    ) -> Result<[G1Affine<E>; N], ProveError> {
        let powers = self.powers()?;
        let mut sums = Vec::with_capacity(N);
        for p in polys {
            sums.push(self.on.start_msm_g1(powers.slice(..p.len()), p.view())?);
            // The scalars as an MSM has them: a polynomial is committed to once, and held for longer.
            p.forget(&Memory::HOST);
        }
        let mut points = [G1Affine::<E>::INFINITY; N];
        for (point, sum) in points.iter_mut().zip(sums) {
            *point = self.on.wait(sum)?.to_affine();
        }
        Ok(points)
    }

    /// The key's powers of τ; read when they are needed, so that they do not take memory beside the quotient.
    pub(crate) fn powers(&mut self) -> Result<Buf<G1Affine<E>>, ProveError> {
        Ok(load(self.on, "read_powers", self.powers)?)
    }

    /// The coefficients of a selector.
    pub(crate) fn selector(&mut self, index: usize) -> Result<Buf<E::Fr>, ProveError> {
        Ok(load(self.on, "read_q", &self.key.selectors[index])?)
    }

    /// The coefficients of a polynomial of the permutation.
    pub(crate) fn sigma(&mut self, index: usize) -> Result<Buf<E::Fr>, ProveError> {
        Ok(load(self.on, "read_s", &self.key.sigmas[index])?)
    }

    /// The factors of the domain for the cells of the three columns.
    pub(crate) fn factors(&self) -> [E::Fr; 3] {
        let [k1, k2] = self.key.k;
        [E::Fr::ONE, k1, k2]
    }

    pub(crate) fn interpolated(&mut self, values: Buf<E::Fr>) -> Result<Buf<E::Fr>, ProveError> {
        let p = self.poly::<Eval>(values)?;
        Ok(self.on.intt(p)?.into_buf())
    }

    /// A polynomial of the domain's size.
    pub(crate) fn poly<B: Basis>(&self, numbers: Buf<E::Fr>) -> Result<Poly<E::Fr, B>, ProveError> {
        let (expected, found) = (self.key.domain.size(), numbers.len());
        Poly::new(self.key.domain, numbers).ok_or(ProveError::KeyShape { part: "domain", expected, found })
    }
}
