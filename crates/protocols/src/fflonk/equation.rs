//! Computations on a proof's values that prover and verifier share: the interpolation of the committed polynomials at their points of
//! opening, and the equation of two pairings.
//!
//! With `Y_k = y^k`, `Z_0 = Y_8 - ξ`, `Z_1 = Y_4 - ξ` and `Z_2 = (Y_3 - ξ)(Y_3 - ξω)` vanish at the points of opening of C0, C1 and
//! C2. R0, R1 and R2 are the polynomials of degrees below 8, 4 and 6 that have the values of C0, C1 and C2 there. A proof is
//! accepted when `e(W2, X_2) = e(F - E·G1 - Z_0·W1 + y·W2, G2)`, where
//!
//! ```text
//! F = C0 + q1·C1 + q2·C2        q1 = α·Z_0/Z_1
//! E = R0(y) + q1·R1(y) + q2·R2(y)        q2 = α²·Z_0/Z_2
//! ```

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::transcript::Challenges;
use super::{Evaluations, InSubgroup, Proof, VerifyError, VerifyingKey, Weakness};
use crate::plonkish::equation::{Equation, first_points, lagrange};
use crate::plonkish::verify::weakness;
use alloc::vec;
use pairwright_curve::Pairing;
use pairwright_field::{Field, PrimeField};
use pairwright_poly::Domain;

impl<E: Pairing> VerifyingKey<E> {
    /// A property that makes proofs for the key meaningless, if it has one. Its points are not tested: see [`VerifyingKey::check`].
    pub fn weakness(&self) -> Option<Weakness> {
        weakness(self)
    }
}

/// The values at ξ of the quotients, which follow from those in a proof: of the gates, of the running product's first value and of
/// its steps. `None` when ξ is in the domain.
pub(super) fn quotients<E: Pairing>(
    vk: &VerifyingKey<E>,
    public: &[E::Fr],
    at: &Evaluations<E::Fr>,
    [beta, gamma, xi]: [E::Fr; 3],
) -> Option<[E::Fr; 3]> {
    let vanishing = vanishing(&vk.domain, xi);
    let inverse = vanishing.invert()?;
    let (l1, pi) = lagrange(&vk.domain, xi, vanishing, public);
    let gates = at.ql * at.a + at.qr * at.b + at.qm * at.a * at.b + at.qo * at.c + at.qc + pi;
    let start = (at.z - E::Fr::ONE) * l1;
    let here = (at.a + beta * xi + gamma)
        * (at.b + beta * vk.k1 * xi + gamma)
        * (at.c + beta * vk.k2 * xi + gamma)
        * at.z;
    let there = (at.a + beta * at.s1 + gamma)
        * (at.b + beta * at.s2 + gamma)
        * (at.c + beta * at.s3 + gamma)
        * at.z_omega;
    Some([gates, start, here - there].map(|x| x * inverse))
}

/// The value of the vanishing polynomial of the domain, `ξ^n - 1`.
fn vanishing<F: PrimeField>(domain: &Domain<F>, xi: F) -> F {
    domain.power_of(xi) - F::ONE
}

/// The scalars of the verification equation, computed from the challenge y and a proof's values.
pub(super) struct Opening<F> {
    /// `Z_0`, the factor of W1.
    pub(super) z0: F,
    /// `q1` and `q2`, the factors of C1 and C2.
    pub(super) factors: [F; 2],
    /// `R0(y) + q1·R1(y) + q2·R2(y)`.
    pub(super) value: F,
    /// The inverse that a proof contains for snarkjs' contract, see [`divisors`].
    pub(super) inverse: F,
}

impl<F: PrimeField> Opening<F> {
    /// The opening at y; `None` if a divisor is zero, which happens with negligible probability for an honest proof.
    pub(super) fn at(
        domain: &Domain<F>,
        public: usize,
        at: &Evaluations<F>,
        [t0, t1, t2]: [F; 3],
        [xi, alpha, y]: [F; 3],
    ) -> Option<Self> {
        let polynomial =
            |coefficients: &[F], x: F| coefficients.iter().rev().fold(F::ZERO, |sum, k| sum * x + *k);
        let (xi_omega, y3, y4) = (xi * domain.root(), y.square() * y, y.square().square());
        let (z0, z1, z2, z3) = (y4.square() - xi, y4 - xi, y3 - xi, y3 - xi_omega);
        let r0 = polynomial(&[at.ql, at.qr, at.qo, at.qm, at.qc, at.s1, at.s2, at.s3], y);
        let r1 = polynomial(&[at.a, at.b, at.c, t0], y);
        // Each of the three polynomials in C2 is interpolated by the line through its values at ξ and ξω.
        let step = (xi_omega - xi).invert()?;
        let line = |here: F, there: F| here + (there - here) * step * z2;
        let r2 = polynomial(&[line(at.z, at.z_omega), line(t1, at.t1_omega), line(t2, at.t2_omega)], y);
        let factors = [alpha * z0 * z1.invert()?, alpha.square() * z0 * (z2 * z3).invert()?];
        let value = r0 + factors.iter().zip([r1, r2]).fold(F::ZERO, |sum, (q, r)| sum + *q * r);
        let inverse = divisors(domain, public, [xi, xi_omega], [z0, z1, z2, z3])?.invert()?;
        Some(Self { z0, factors, value, inverse })
    }
}

/// The product of everything by which snarkjs' contract divides: the value of the domain's vanishing polynomial, `Z_1`, `Z_2`, and the
/// denominators of the Lagrange polynomials for the 8, 4 and 6 points of opening and for the public values.
///
/// The denominators for the k-th roots of ξ, which are `h·ω_k^i`, are `k·h^(k-2)·h·ω_k^-i·(y - h·ω_k^i)`. Their product is
/// `k^k·ξ^(k-2)` times the product of the roots, `ξ` for odd k and `-ξ` for even, times `y^k - ξ`. The six points are two
/// triples; in each denominator for a point of one triple, the points of the other contribute the factor `ξ - ξω` up to sign.
fn divisors<F: PrimeField>(
    domain: &Domain<F>,
    public: usize,
    [xi, xi_omega]: [F; 2],
    [z0, z1, z2, z3]: [F; 4],
) -> Option<F> {
    let eight = F::from(8).pow_vartime(&[8]) * xi.pow_vartime(&[7]) * z0;
    let four = F::from(256) * xi.pow_vartime(&[3]) * z1;
    let difference = xi - xi_omega;
    let three = F::from(27) * xi.square() * z2;
    let others = F::from(27) * xi_omega.square() * z3;
    // (ξ - ξω)³·(ξω - ξ)³ = -(ξ - ξω)⁶; the minus signs of the eight and the four cancel.
    let six = -(three * others * difference.pow_vartime(&[6]));
    let n = domain.size_inverse().invert()?;
    let lagrange = first_points(domain, public.max(1)).fold(F::ONE, |all, x| all * n * (xi - x));
    Some(vanishing(domain, xi) * z1 * z2 * z3 * eight * four * six * lagrange)
}

/// The equation of a proof under a key; the number of public values is that of the key. The error is that the proof is rejected.
pub(super) fn equation<E: Pairing>(
    vk: &VerifyingKey<E>,
    public: &[E::Fr],
    proof: &InSubgroup<Proof<E>>,
) -> Result<Equation<E>, VerifyError> {
    let Challenges { beta, gamma, xi, alpha, y } = Challenges::of(vk, public, proof);
    let at = &proof.evaluations;
    let quotients = quotients(vk, public, at, [beta, gamma, xi]).ok_or(VerifyError::Rejected)?;
    let opening = Opening::at(&vk.domain, vk.public, at, quotients, [xi, alpha, y]);
    let opening = opening.ok_or(VerifyError::Rejected)?;
    // snarkjs' program does not check the inverse, but its contract does: a proof that is accepted here is accepted by both.
    if opening.inverse != proof.inverse {
        return Err(VerifyError::Rejected);
    }
    let [q1, q2] = opening.factors;
    Ok(Equation {
        left: vec![(proof.w2, E::Fr::ONE)],
        right: vec![(proof.c1, q1), (proof.c2, q2), (proof.w1, -opening.z0), (proof.w2, y)],
        key: vec![E::Fr::ONE],
        generator: -opening.value,
    })
}
