//! Computes the verification equation of a proof: the scalars of an equation of two pairings.
//!
//! With `L1` the first Lagrange polynomial of the domain, `Z_H` its vanishing polynomial, and `PI(ξ) = -Σ x_i·L_i(ξ)`, a proof is
//! accepted when `e(Wxi + u·Wxiw, X_2) = e(ξ·Wxi + u·ξω·Wxiw + F - E·G1, G2)`, where
//!
//! ```text
//! F  = ā·b̄·Qm + ā·Ql + b̄·Qr + c̄·Qo + Qc + v⁴·S1 + v⁵·S2 - (ā+β·s̄1+γ)(b̄+β·s̄2+γ)·α·β·z̄·S3 + v·A + v²·B + v³·C
//!    + ((ā+β·ξ+γ)(b̄+β·k1·ξ+γ)(c̄+β·k2·ξ+γ)·α + L1(ξ)·α² + u)·Z - Z_H(ξ)·(T1 + ξ^n·T2 + ξ^2n·T3)
//! E  = -r0 + v·ā + v²·b̄ + v³·c̄ + v⁴·s̄1 + v⁵·s̄2 + u·z̄
//! r0 = PI(ξ) - L1(ξ)·α² - α·(ā+β·s̄1+γ)(b̄+β·s̄2+γ)(c̄+γ)·z̄
//! ```

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::transcript::Challenges;
use super::{Evaluations, InSubgroup, Proof, VerifyError, VerifyingKey, Weakness};
use crate::plonkish::equation::{Equation, lagrange};
use crate::plonkish::verify::weakness;
use alloc::vec;
use pairwright_curve::Pairing;
use pairwright_field::{Field, PrimeField, Ring};

impl<E: Pairing> VerifyingKey<E> {
    /// A property that makes proofs for the key meaningless, if it has one. Its points are not tested: see [`VerifyingKey::check`].
    pub fn weakness(&self) -> Option<Weakness> {
        weakness(self)
    }
}

impl<F: PrimeField> Evaluations<F> {
    /// The value at ξ of the polynomial that is opened there, which is `E` without the term `u·z̄`. The arguments are
    /// `[L1(ξ), PI(ξ)]` and the challenges α, β, γ and v.
    pub(super) fn opened(&self, [l1, pi]: [F; 2], [alpha, beta, gamma, v]: [F; 4]) -> F {
        let [a, b, c, s1, s2, z] = self.to_array();
        let sigmas = (a + beta * s1 + gamma) * (b + beta * s2 + gamma) * alpha * z;
        let r0 = pi - l1 * alpha.square() - sigmas * (c + gamma);
        [s2, s1, c, b, a].into_iter().fold(F::ZERO, |sum, value| (sum + value) * v) - r0
    }
}

/// The equation of a proof under a key; the number of public values is that of the key. The error is that the proof is rejected.
pub(super) fn equation<E: Pairing>(
    vk: &VerifyingKey<E>,
    public: &[E::Fr],
    proof: &InSubgroup<Proof<E>>,
) -> Result<Equation<E>, VerifyError> {
    let Challenges { beta, gamma, alpha, xi, v, u } = Challenges::of(vk, public, proof);
    let [a, b, c, s1, s2, z] = proof.evaluations.to_array();
    let xi_n = vk.domain.power_of(xi);
    let vanishing = xi_n - E::Fr::ONE;
    if vanishing.is_zero() {
        // ξ is a point of the domain, which happens with negligible probability for an honest proof.
        return Err(VerifyError::Rejected);
    }
    let (l1, pi) = lagrange(&vk.domain, xi, vanishing, public);
    let alpha_2 = alpha.square();
    let sigmas = (a + beta * s1 + gamma) * (b + beta * s2 + gamma) * alpha * z;
    let opened = proof.evaluations.opened([l1, pi], [alpha, beta, gamma, v]);
    let cells = (a + beta * xi + gamma) * (b + beta * vk.k1 * xi + gamma) * (c + beta * vk.k2 * xi + gamma);
    let v_2 = v.square();
    let (v_3, v_4) = (v_2 * v, v_2.square());
    let v_5 = v_4 * v;
    let t = -vanishing;
    let xi_omega = xi * vk.domain.root();
    let of_z = cells * alpha + l1 * alpha_2 + u;
    let scalars = [v, v_2, v_3, of_z, t, t * xi_n, t * xi_n.square(), xi, u * xi_omega];
    Ok(Equation {
        left: vec![(proof.w_xi, E::Fr::ONE), (proof.w_xi_omega, u)],
        right: proof.points().into_iter().zip(scalars).collect(),
        key: vec![a * b, a, b, c, E::Fr::ONE, v_4, v_5, -sigmas * beta],
        generator: -(opened + u * z),
    })
}
