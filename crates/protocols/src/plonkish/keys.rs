//! The proving key of Plonk and fflonk.

use super::Addition;
use super::prover::Tables;
use super::verify::PlonkishKey;
use alloc::boxed::Box;
use core::fmt;
use pairwright_curve::{G1Affine, Pairing};
use pairwright_poly::{KeySection, Source};

/// A proving key with a verifying key of type `K`. Polynomials, points and wires are sources, so a key opened from a file is not
/// copied into memory.
pub struct ProvingKey<E: Pairing, K> {
    /// The verifying key, with the domain and the number of public values.
    pub vk: K,
    /// Number of wires: those of the witness, plus one for each addition.
    pub wires: usize,
    /// The additional wires, which are not in the witness, in the order of their numbers.
    pub additions: Box<dyn Source<Addition<E::Fr>>>,
    /// The wires in the columns a, b and c, one per gate.
    pub columns: [Box<dyn Source<u32>>; 3],
    /// The coefficients of the selectors qM, qL, qR, qO and qC.
    pub selectors: [KeySection<E::Fr>; 5],
    /// The coefficients of the permutation's polynomials S1, S2 and S3.
    pub sigmas: [KeySection<E::Fr>; 3],
    /// `τ^i` in G1; how many there are depends on the protocol.
    pub powers: KeySection<G1Affine<E>>,
}

impl<E: Pairing, K: PlonkishKey<E>> ProvingKey<E, K> {
    /// Number of rows of the table of gates.
    pub fn gates(&self) -> usize {
        let [a, ..] = &self.columns;
        a.len()
    }

    /// The parts that describe the circuit.
    pub(crate) fn tables(&self) -> Tables<'_, E::Fr> {
        Tables {
            domain: self.vk.domain(),
            public: self.vk.public(),
            k: self.vk.factors(),
            wires: self.wires,
            additions: &*self.additions,
            columns: &self.columns,
            selectors: &self.selectors,
            sigmas: &self.sigmas,
        }
    }
}

impl<E: Pairing, K: PlonkishKey<E>> fmt::Debug for ProvingKey<E, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, public) = (self.vk.domain().size(), self.vk.public());
        write!(f, "ProvingKey({}, {} wires, {public} public, domain {n})", E::NAME, self.wires)
    }
}
