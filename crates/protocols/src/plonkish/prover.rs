//! The state of a prover: the session and the key, whose polynomials are read when they are needed.

use super::Addition;
use crate::groth16::load;
use alloc::boxed::Box;
use alloc::vec::Vec;
use pairwright_curve::{G1Affine, Pairing};
use pairwright_device::{DeviceError, Session};
use pairwright_field::Field;
use pairwright_poly::{Basis, Buf, Domain, DomainError, Eval, KeySection, Memory, Poly, Source, SourceError};
use thiserror::Error;

/// Why no proof was made.
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
        /// Number of elements that the key's sizes require.
        expected: usize,
        /// Number of elements that the part has.
        found: usize,
    },
    /// A part of the key names a wire that does not exist, or an addition names one that is not computed before it.
    #[error("the key's {part} name wire {wire} at position {index}, where there are {wires}")]
    NoSuchWire {
        /// Name of the part of the key.
        part: &'static str,
        /// Position in that part.
        index: usize,
        /// The wire that is named.
        wire: u32,
        /// Number of wires that exist at that position.
        wires: usize,
    },
    /// The witness does not satisfy a gate.
    #[error("the witness does not satisfy gate {gate} of the circuit")]
    Unsatisfied {
        /// The first row that does not hold, from zero.
        gate: usize,
    },
    /// The permutation of the key does not tie together the cells of the same wire.
    #[error("the permutation of the key does not belong to its wires")]
    KeyPermutation,
    /// The field has no domain of four times the size of the circuit's.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// An operator failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The key could not be read.
    #[error(transparent)]
    Source(#[from] SourceError),
}

/// The parts of a proving key that describe its circuit.
pub(crate) struct Tables<'a, F> {
    /// The domain: row `i` of the table of gates belongs to its point `ω^i`.
    pub(crate) domain: Domain<F>,
    /// Number of public values.
    pub(crate) public: usize,
    /// The factors `k1` and `k2`: the cell of row `i` in column b is named `k1·ω^i`, in column c `k2·ω^i`.
    pub(crate) k: [F; 2],
    /// Number of wires: those of the witness, plus one for each addition.
    pub(crate) wires: usize,
    /// The additional wires, which are not in the witness, in the order of their numbers.
    pub(crate) additions: &'a dyn Source<Addition<F>>,
    /// The wires in the columns a, b and c, one per gate.
    pub(crate) columns: &'a [Box<dyn Source<u32>>; 3],
    /// The coefficients of the selectors qM, qL, qR, qO and qC.
    pub(crate) selectors: &'a [KeySection<F>; 5],
    /// The coefficients of the permutation's polynomials S1, S2 and S3.
    pub(crate) sigmas: &'a [KeySection<F>; 3],
}

/// The prover of one proof.
pub(crate) struct Prover<'s, 'd, E: Pairing> {
    pub(crate) on: &'s mut Session<'d, E>,
    pub(crate) key: Tables<'s, E::Fr>,
    pub(crate) powers: &'s KeySection<G1Affine<E>>,
}

impl<E: Pairing> Prover<'_, '_, E> {
    /// Commits to polynomials, none of which has more coefficients than there are powers.
    pub(crate) fn commit<const N: usize>(
        &mut self,
        polys: [&Buf<E::Fr>; N],
    ) -> Result<[G1Affine<E>; N], ProveError> {
        let powers = self.powers()?;
        let mut sums = Vec::with_capacity(N);
        for p in polys {
            sums.push(self.on.start_msm_g1(powers.slice(..p.len()), p.view())?);
            // Drop the form of the scalars that the MSM has cached: a polynomial is committed to once, but held for longer.
            p.forget(&Memory::HOST);
        }
        let mut points = [G1Affine::<E>::INFINITY; N];
        for (point, sum) in points.iter_mut().zip(sums) {
            *point = self.on.wait(sum)?.to_affine();
        }
        Ok(points)
    }

    /// Reads the key's powers of τ. They are read for each commitment, so that they take no memory while the quotient is computed.
    pub(crate) fn powers(&mut self) -> Result<Buf<G1Affine<E>>, ProveError> {
        Ok(load(self.on, "read_powers", self.powers)?)
    }

    /// Reads the coefficients of a selector, by its index in [`Tables::selectors`].
    pub(crate) fn selector(&mut self, index: usize) -> Result<Buf<E::Fr>, ProveError> {
        Ok(load(self.on, "read_q", &self.key.selectors[index])?)
    }

    /// Reads the coefficients of a polynomial of the permutation, by its index in [`Tables::sigmas`].
    pub(crate) fn sigma(&mut self, index: usize) -> Result<Buf<E::Fr>, ProveError> {
        Ok(load(self.on, "read_s", &self.key.sigmas[index])?)
    }

    /// The factors of the three columns in the names of cells: 1, `k1` and `k2`.
    pub(crate) fn factors(&self) -> [E::Fr; 3] {
        let [k1, k2] = self.key.k;
        [E::Fr::ONE, k1, k2]
    }

    pub(crate) fn interpolated(&mut self, values: Buf<E::Fr>) -> Result<Buf<E::Fr>, ProveError> {
        let p = self.poly::<Eval>(values)?;
        Ok(self.on.intt(p)?.into_buf())
    }

    /// A polynomial of the domain's size, from its coefficients or values.
    pub(crate) fn poly<B: Basis>(&self, numbers: Buf<E::Fr>) -> Result<Poly<E::Fr, B>, ProveError> {
        let (expected, found) = (self.key.domain.size(), numbers.len());
        Poly::new(self.key.domain, numbers).ok_or(ProveError::KeyShape { part: "domain", expected, found })
    }
}
