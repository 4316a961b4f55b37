//! Keys and proofs.

#[cfg(feature = "std")]
use crate::plonkish::{Addition, prover::Tables};
#[cfg(feature = "std")]
use alloc::boxed::Box;
#[cfg(feature = "std")]
use core::fmt;
use pairwright_curve::{G1Affine, G2Affine, Pairing};
use pairwright_poly::Domain;
#[cfg(feature = "std")]
use pairwright_poly::{KeySection, Source};

/// What a verifier needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyingKey<E: Pairing> {
    /// The domain whose points number the rows.
    pub domain: Domain<E::Fr>,
    /// Number of public values.
    pub public: usize,
    /// The factor of the domain for the cells of column b.
    pub k1: E::Fr,
    /// The factor of the domain for the cells of column c.
    pub k2: E::Fr,
    /// Commitment to the selectors and the permutation.
    pub c0: G1Affine<E>,
    /// `τ` in the second group.
    pub x_2: G2Affine<E>,
}

/// A proof: four points, fifteen values, and an inverse that spares contracts to compute it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof<E: Pairing> {
    /// Commitment to the columns and the gates' quotient.
    pub c1: G1Affine<E>,
    /// Commitment to the permutation's running product and its quotients.
    pub c2: G1Affine<E>,
    /// Proof of the values: the quotient by what vanishes where they are claimed.
    pub w1: G1Affine<E>,
    /// Proof that this quotient is one, at the challenge y.
    pub w2: G1Affine<E>,
    /// The values that are proved.
    pub evaluations: Evaluations<E::Fr>,
    /// The inverse of the product of everything that snarkjs' contract divides by.
    pub inverse: E::Fr,
}

impl<E: Pairing> Proof<E> {
    /// The points in the order of files: C1, C2, W1, W2.
    pub fn points(&self) -> [G1Affine<E>; 4] {
        [self.c1, self.c2, self.w1, self.w2]
    }

    /// The proof of points, values and the inverse in the order of files.
    pub fn from_parts(points: [G1Affine<E>; 4], evaluations: [E::Fr; 15], inverse: E::Fr) -> Self {
        let [c1, c2, w1, w2] = points;
        Self { c1, c2, w1, w2, evaluations: Evaluations::from_array(evaluations), inverse }
    }
}

/// The values of polynomials that a proof claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluations<F> {
    /// The selector qL at ξ.
    pub ql: F,
    /// The selector qR at ξ.
    pub qr: F,
    /// The selector qM at ξ.
    pub qm: F,
    /// The selector qO at ξ.
    pub qo: F,
    /// The selector qC at ξ.
    pub qc: F,
    /// The permutation's S1 at ξ.
    pub s1: F,
    /// The permutation's S2 at ξ.
    pub s2: F,
    /// The permutation's S3 at ξ.
    pub s3: F,
    /// Column a at ξ.
    pub a: F,
    /// Column b at ξ.
    pub b: F,
    /// Column c at ξ.
    pub c: F,
    /// The permutation's running product at ξ.
    pub z: F,
    /// The permutation's running product at ξω.
    pub z_omega: F,
    /// The quotient of the running product's first value, at ξω.
    pub t1_omega: F,
    /// The quotient of the running product's steps, at ξω.
    pub t2_omega: F,
}

impl<F: Copy> Evaluations<F> {
    /// The values in the order of files and of the transcript.
    pub fn to_array(&self) -> [F; 15] {
        let Self { ql, qr, qm, qo, qc, s1, s2, s3, a, b, c, z, z_omega, t1_omega, t2_omega } = *self;
        [ql, qr, qm, qo, qc, s1, s2, s3, a, b, c, z, z_omega, t1_omega, t2_omega]
    }

    /// The values out of the order of files and of the transcript.
    pub fn from_array(values: [F; 15]) -> Self {
        let [ql, qr, qm, qo, qc, s1, s2, s3, a, b, c, z, z_omega, t1_omega, t2_omega] = values;
        Self { ql, qr, qm, qo, qc, s1, s2, s3, a, b, c, z, z_omega, t1_omega, t2_omega }
    }
}

/// What a prover needs. Polynomials, points and wires are sources: a key opened from a file is not copied. The polynomial that
/// C0 commits to is the selectors and the permutation, and no part of its own.
#[cfg(feature = "std")]
pub struct ProvingKey<E: Pairing> {
    /// The verifying key, with the domain and the number of public values.
    pub vk: VerifyingKey<E>,
    /// Number of wires: those of the witness, and one for each addition.
    pub wires: usize,
    /// The wires that the witness does not have, in order.
    pub additions: Box<dyn Source<Addition<E::Fr>>>,
    /// The wires in the columns a, b and c, one a gate.
    pub columns: [Box<dyn Source<u32>>; 3],
    /// The coefficients of the selectors qM, qL, qR, qO and qC.
    pub selectors: [KeySection<E::Fr>; 5],
    /// The coefficients of the permutation's polynomials S1, S2 and S3.
    pub sigmas: [KeySection<E::Fr>; 3],
    /// `τ^i` in G1, [`powers_for`](super::powers_for) the domain.
    pub powers: KeySection<G1Affine<E>>,
}

#[cfg(feature = "std")]
impl<E: Pairing> ProvingKey<E> {
    /// The parts that say what the circuit is.
    pub(super) fn tables(&self) -> Tables<'_, E::Fr> {
        Tables {
            domain: self.vk.domain,
            public: self.vk.public,
            k: [self.vk.k1, self.vk.k2],
            wires: self.wires,
            additions: &*self.additions,
            columns: &self.columns,
            selectors: &self.selectors,
            sigmas: &self.sigmas,
        }
    }
}

#[cfg(feature = "std")]
impl<E: Pairing> fmt::Debug for ProvingKey<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, public) = (self.vk.domain.size(), self.vk.public);
        write!(f, "ProvingKey({}, {} wires, {public} public, domain {n})", E::NAME, self.wires)
    }
}
