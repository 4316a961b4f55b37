//! Proving keys, verifying keys and proofs.

use alloc::vec::Vec;
use core::fmt;
use pairwright_curve::{G1Affine, G2Affine, Pairing};
#[cfg(feature = "std")]
use pairwright_device::Entry;
use pairwright_device::KeyEntries;
use pairwright_field::PrimeField;
use pairwright_poly::{Domain, KeySection};

/// A proving key. Points and coefficients are sources, so a key opened from a file is not copied into memory. Machines with memories
/// of their own keep the sections that were transferred to them for as long as the key lives.
pub struct ProvingKey<E: Pairing> {
    /// Evaluation domain, with at least constraints + public values + 1 points.
    pub domain: Domain<E::Fr>,
    /// Number of wires, the constant one included.
    pub wires: usize,
    /// Number of public values, without the constant one.
    pub public: usize,
    /// The verifying key, whose elements the prover needs too.
    pub vk: VerifyingKey<E>,
    /// `β` in the first group.
    pub beta_g1: G1Affine<E>,
    /// `δ` in the first group.
    pub delta_g1: G1Affine<E>,
    /// `A_i(τ)` in the first group, one point per wire.
    pub a: KeySection<G1Affine<E>>,
    /// `B_i(τ)` in the first group, one point per wire.
    pub b_g1: KeySection<G1Affine<E>>,
    /// `B_i(τ)` in the second group, one point per wire.
    pub b_g2: KeySection<G2Affine<E>>,
    /// `(β·A_w + α·B_w + C_w)(τ)/δ` for the private wires: point `i` belongs to wire `w = public + 1 + i`.
    pub c: KeySection<G1Affine<E>>,
    /// `L_{2i+1}(τ)/δ` of the double domain, for every `i` below the size of the domain.
    pub h: KeySection<G1Affine<E>>,
    /// Entries of the matrices A (0) and B (1), row = constraint, column = wire. After the constraints come
    /// `public + 1` rows that tie the public wires to A.
    pub coefficients: KeyEntries<E::Fr>,
}

impl<E: Pairing> ProvingKey<E> {
    /// A key whose sections are empty, from the verifying key and `[β, δ]` in the first group.
    #[cfg(feature = "std")]
    pub(super) fn without_sections(
        domain: Domain<E::Fr>,
        wires: usize,
        vk: VerifyingKey<E>,
        [beta_g1, delta_g1]: [G1Affine<E>; 2],
    ) -> Self {
        let none = || KeySection::new(Vec::new());
        Self {
            domain,
            wires,
            public: vk.public(),
            vk,
            beta_g1,
            delta_g1,
            a: none(),
            b_g1: none(),
            b_g2: KeySection::new(Vec::new()),
            c: none(),
            h: none(),
            coefficients: KeyEntries::new(Vec::<Entry<E::Fr>>::new()),
        }
    }
}

impl<E: Pairing> fmt::Debug for ProvingKey<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.domain.size();
        write!(f, "ProvingKey({}, {} wires, {} public, domain {n})", E::NAME, self.wires, self.public)
    }
}

/// A verifying key. Its points may be unchecked; see [`VerifyingKey::check`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyingKey<E: Pairing> {
    /// `α` in the first group.
    pub alpha_g1: G1Affine<E>,
    /// `β` in the second group.
    pub beta_g2: G2Affine<E>,
    /// `γ` in the second group.
    pub gamma_g2: G2Affine<E>,
    /// `δ` in the second group.
    pub delta_g2: G2Affine<E>,
    /// `(β·A_i + α·B_i + C_i)(τ)/γ` for the constant one and the public wires.
    pub ic: Vec<G1Affine<E>>,
}

impl<E: Pairing> VerifyingKey<E> {
    /// Number of public values of a proof, without the constant one; zero for a malformed key with an empty list `ic`.
    pub fn public(&self) -> usize {
        self.ic.len().saturating_sub(1)
    }
}

/// A proof: three affine points, which may be unchecked; see [`Proof::check`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof<E: Pairing> {
    /// The point π_A of the proof.
    pub a: G1Affine<E>,
    /// The point π_B of the proof.
    pub b: G2Affine<E>,
    /// The point π_C of the proof.
    pub c: G1Affine<E>,
}

impl<E: Pairing> Proof<E> {
    /// Number of bytes of a proof with compressed points: two of G1, and one of G2, whose coordinate is twice as long.
    pub fn compressed_bytes() -> usize {
        4 * E::Fq::BYTES
    }
}
