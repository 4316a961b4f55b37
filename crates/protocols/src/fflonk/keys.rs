//! Proving keys, verifying keys and proofs.

use pairwright_curve::{G1Affine, G2Affine, Pairing};
use pairwright_field::PrimeField;
use pairwright_poly::Domain;

/// A verifying key. Its points may be unchecked; see [`VerifyingKey::check`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyingKey<E: Pairing> {
    /// The domain: row `i` of the table of gates belongs to its point `ω^i`.
    pub domain: Domain<E::Fr>,
    /// Number of public values.
    pub public: usize,
    /// The factor of column b: its cell in row `i` is named `k1·ω^i`.
    pub k1: E::Fr,
    /// The factor of column c: its cell in row `i` is named `k2·ω^i`.
    pub k2: E::Fr,
    /// Commitment to the selectors and to the permutation's polynomials.
    pub c0: G1Affine<E>,
    /// `τ` in the second group.
    pub x_2: G2Affine<E>,
}

/// A proof: four points of G1, fifteen values, and an inverse that saves a contract its computation. The points may be unchecked; see
/// [`Proof::check`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof<E: Pairing> {
    /// Commitment to the columns and the gates' quotient.
    pub c1: G1Affine<E>,
    /// Commitment to the permutation's running product and its quotients.
    pub c2: G1Affine<E>,
    /// Commitment to the quotient that proves the values: by the polynomials that vanish at the points of opening.
    pub w1: G1Affine<E>,
    /// Proof of opening at the challenge y, which shows that `w1` commits to that quotient.
    pub w2: G1Affine<E>,
    /// The claimed values, which the opening points prove.
    pub evaluations: Evaluations<E::Fr>,
    /// The inverse of the product of everything by which snarkjs' contract divides.
    pub inverse: E::Fr,
}

impl<E: Pairing> Proof<E> {
    /// Number of bytes of a proof: the compressed points, the values and the inverse.
    pub fn compressed_bytes() -> usize {
        4 * E::Fq::BYTES + 16 * E::Fr::BYTES
    }

    /// The points in the order of snarkjs' files: C1, C2, W1, W2.
    pub fn points(&self) -> [G1Affine<E>; 4] {
        [self.c1, self.c2, self.w1, self.w2]
    }

    /// Makes a proof from points, values and the inverse in the order of snarkjs' files.
    pub fn from_parts(points: [G1Affine<E>; 4], evaluations: [E::Fr; 15], inverse: E::Fr) -> Self {
        let [c1, c2, w1, w2] = points;
        Self { c1, c2, w1, w2, evaluations: Evaluations::from_array(evaluations), inverse }
    }
}

/// The values of polynomials at the challenge point that a proof claims.
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
    /// The quotient T1, of the condition on the running product's first value, at ξω.
    pub t1_omega: F,
    /// The quotient T2, of the condition on the running product's steps, at ξω.
    pub t2_omega: F,
}

impl<F: Copy> Evaluations<F> {
    /// The values in the order of snarkjs' files and of the transcript.
    pub fn to_array(&self) -> [F; 15] {
        let Self { ql, qr, qm, qo, qc, s1, s2, s3, a, b, c, z, z_omega, t1_omega, t2_omega } = *self;
        [ql, qr, qm, qo, qc, s1, s2, s3, a, b, c, z, z_omega, t1_omega, t2_omega]
    }

    /// Takes the values in the order of snarkjs' files and of the transcript.
    pub fn from_array(values: [F; 15]) -> Self {
        let [ql, qr, qm, qo, qc, s1, s2, s3, a, b, c, z, z_omega, t1_omega, t2_omega] = values;
        Self { ql, qr, qm, qo, qc, s1, s2, s3, a, b, c, z, z_omega, t1_omega, t2_omega }
    }
}

/// A proving key, with as many powers of τ as [`powers_for`](super::powers_for) gives for the domain. The polynomial of C0 is not
/// stored: it is interleaved from the selectors and the permutation's polynomials.
#[cfg(feature = "std")]
pub type ProvingKey<E> = crate::plonkish::keys::ProvingKey<E, VerifyingKey<E>>;
