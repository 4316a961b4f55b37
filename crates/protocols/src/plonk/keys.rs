//! Proving keys, verifying keys and proofs.

use pairwright_curve::{G1Affine, G2Affine, Pairing};
use pairwright_field::PrimeField;
use pairwright_poly::Domain;

/// Number of powers of τ in a key beyond the size of its domain. The longest committed polynomial has as many coefficients as the key
/// has powers.
pub const EXTRA_POWERS: usize = 6;

/// A proving key, with [`EXTRA_POWERS`] more powers of τ than the domain has points.
#[cfg(feature = "std")]
pub type ProvingKey<E> = crate::plonkish::keys::ProvingKey<E, VerifyingKey<E>>;

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
    /// Commitments to the selectors qM, qL, qR, qO and qC.
    pub selectors: [G1Affine<E>; 5],
    /// Commitments to the permutation's polynomials S1, S2 and S3.
    pub sigmas: [G1Affine<E>; 3],
    /// `τ` in the second group.
    pub x_2: G2Affine<E>,
}

/// A proof: nine points of G1 and six values. The points may be unchecked; see [`Proof::check`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof<E: Pairing> {
    /// Commitments to the columns a, b and c.
    pub wires: [G1Affine<E>; 3],
    /// Commitment to the permutation's running product z.
    pub z: G1Affine<E>,
    /// Commitments to the three parts of the quotient.
    pub t: [G1Affine<E>; 3],
    /// Proof of the values at ξ.
    pub w_xi: G1Affine<E>,
    /// Proof of the value at ξω.
    pub w_xi_omega: G1Affine<E>,
    /// The claimed values, which the opening points prove.
    pub evaluations: Evaluations<E::Fr>,
}

impl<E: Pairing> Proof<E> {
    /// Number of bytes of a proof with compressed points.
    pub fn compressed_bytes() -> usize {
        9 * E::Fq::BYTES + 6 * E::Fr::BYTES
    }

    /// The points in the order of snarkjs' files: A, B, C, Z, T1, T2, T3, Wxi, Wxiw.
    pub fn points(&self) -> [G1Affine<E>; 9] {
        let ([a, b, c], [t1, t2, t3]) = (self.wires, self.t);
        [a, b, c, self.z, t1, t2, t3, self.w_xi, self.w_xi_omega]
    }

    /// Makes a proof from points and values in the order of snarkjs' files.
    pub fn from_parts(points: [G1Affine<E>; 9], evaluations: [E::Fr; 6]) -> Self {
        let [a, b, c, z, t1, t2, t3, w_xi, w_xi_omega] = points;
        let [eval_a, eval_b, eval_c, s1, s2, z_omega] = evaluations;
        Self {
            wires: [a, b, c],
            z,
            t: [t1, t2, t3],
            w_xi,
            w_xi_omega,
            evaluations: Evaluations { a: eval_a, b: eval_b, c: eval_c, s1, s2, z_omega },
        }
    }
}

/// The values of polynomials at the challenge point that a proof claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluations<F> {
    /// Column a at ξ.
    pub a: F,
    /// Column b at ξ.
    pub b: F,
    /// Column c at ξ.
    pub c: F,
    /// The permutation's S1 at ξ.
    pub s1: F,
    /// The permutation's S2 at ξ.
    pub s2: F,
    /// The permutation's running product at ξω.
    pub z_omega: F,
}

impl<F: Copy> Evaluations<F> {
    /// The values in the order of snarkjs' files and of the transcript.
    pub fn to_array(&self) -> [F; 6] {
        [self.a, self.b, self.c, self.s1, self.s2, self.z_omega]
    }
}
