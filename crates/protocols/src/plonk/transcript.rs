//! The transcript of snarkjs' Plonk. The last challenge, u, which only the verifier needs, is a hash of the two opening points alone.
//! These depend on all earlier messages through the challenge v.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::{Proof, VerifyingKey};
use crate::plonkish::transcript::Challenge;
use pairwright_curve::{G1Affine, Pairing};
use pairwright_field::PrimeField;

/// β and γ, from the key, the public values and the commitments to the columns.
pub(super) fn beta_gamma<E: Pairing>(
    vk: &VerifyingKey<E>,
    public: &[E::Fr],
    wires: &[G1Affine<E>; 3],
) -> [E::Fr; 2] {
    let hash = Challenge::new().points::<E>(&vk.selectors).points::<E>(&vk.sigmas);
    let beta: E::Fr = hash.scalars(public).points::<E>(wires).finish();
    [beta, Challenge::new().scalars(&[beta]).finish()]
}

/// α, from β, γ and the commitment to the running product.
pub(super) fn alpha<E: Pairing>(beta_gamma: &[E::Fr; 2], z: &G1Affine<E>) -> E::Fr {
    Challenge::new().scalars(beta_gamma).points::<E>(&[*z]).finish()
}

/// ξ, from α and the commitments to the parts of the quotient.
pub(super) fn xi<E: Pairing>(alpha: E::Fr, t: &[G1Affine<E>; 3]) -> E::Fr {
    Challenge::new().scalars(&[alpha]).points::<E>(t).finish()
}

/// v, from ξ and the claimed values.
pub(super) fn v<F: PrimeField>(xi: F, evaluations: &[F; 6]) -> F {
    Challenge::new().scalars(&[xi]).scalars(evaluations).finish()
}

/// All challenges of a proof.
pub(super) struct Challenges<F> {
    pub(super) beta: F,
    pub(super) gamma: F,
    pub(super) alpha: F,
    pub(super) xi: F,
    pub(super) v: F,
    pub(super) u: F,
}

impl<F: PrimeField> Challenges<F> {
    pub(super) fn of<E: Pairing<Fr = F>>(vk: &VerifyingKey<E>, public: &[F], proof: &Proof<E>) -> Self {
        let beta_gamma = beta_gamma(vk, public, &proof.wires);
        let alpha = alpha::<E>(&beta_gamma, &proof.z);
        let xi = xi::<E>(alpha, &proof.t);
        let v = v(xi, &proof.evaluations.to_array());
        let u = Challenge::new().points::<E>(&[proof.w_xi, proof.w_xi_omega]).finish();
        let [beta, gamma] = beta_gamma;
        Self { beta, gamma, alpha, xi, v, u }
    }
}
