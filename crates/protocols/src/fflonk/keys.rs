//! Keys and proofs.

use pairwright_curve::{G1Affine, G2Affine, Pairing};
use pairwright_field::PrimeField;
use pairwright_poly::Domain;

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
    /// Counts the bytes of a proof with compressed points: of them, of the values and of the inverse.
    pub fn compressed_bytes() -> usize {
        4 * E::Fq::BYTES + 16 * E::Fr::BYTES
    }

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

/// What a prover needs, with [`powers_for`](super::powers_for) the domain powers of τ. The polynomial that C0 commits to is the
/// selectors and the permutation, and no part of its own.
#[cfg(feature = "std")]
pub type ProvingKey<E> = crate::plonkish::keys::ProvingKey<E, VerifyingKey<E>>;
