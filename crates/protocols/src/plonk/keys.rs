//! Keys and proofs.

use crate::plonkish::Addition;
#[cfg(feature = "std")]
use crate::plonkish::prover::Tables;
use alloc::boxed::Box;
use core::fmt;
use pairwright_curve::{G1Affine, G2Affine, Pairing};
use pairwright_poly::{Domain, KeySection, Source};

/// A key has so many powers of τ more than its domain has points: the longest polynomial committed to has that many
/// coefficients.
pub const EXTRA_POWERS: usize = 6;

/// What a prover needs. Polynomials, points and wires are sources: a key opened from a file is not copied.
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
    /// `τ^i` in G1, [`EXTRA_POWERS`] more than the domain has points.
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

impl<E: Pairing> fmt::Debug for ProvingKey<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, public) = (self.vk.domain.size(), self.vk.public);
        write!(f, "ProvingKey({}, {} wires, {public} public, domain {n})", E::NAME, self.wires)
    }
}

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
    /// Commitments to the selectors qM, qL, qR, qO and qC.
    pub selectors: [G1Affine<E>; 5],
    /// Commitments to the permutation's polynomials S1, S2 and S3.
    pub sigmas: [G1Affine<E>; 3],
    /// `τ` in the second group.
    pub x_2: G2Affine<E>,
}

/// A proof: nine points and six values.
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
    /// The values that are proved.
    pub evaluations: Evaluations<E::Fr>,
}

impl<E: Pairing> Proof<E> {
    /// The points in the order of files: A, B, C, Z, T1, T2, T3, Wxi, Wxiw.
    pub fn points(&self) -> [G1Affine<E>; 9] {
        let ([a, b, c], [t1, t2, t3]) = (self.wires, self.t);
        [a, b, c, self.z, t1, t2, t3, self.w_xi, self.w_xi_omega]
    }

    /// The proof of points and values in the order of files.
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

/// The values of polynomials that a proof claims.
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
    /// The values in the order of files and of the transcript.
    pub fn to_array(&self) -> [F; 6] {
        [self.a, self.b, self.c, self.s1, self.s2, self.z_omega]
    }
}
