//! The transcript of snarkjs' fflonk.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::{Proof, VerifyingKey};
use crate::plonkish::transcript::Challenge;
use pairwright_curve::{G1Affine, Pairing};
use pairwright_field::PrimeField;

/// β and γ, from the key, the public values and the commitment to the columns.
pub(super) fn beta_gamma<E: Pairing>(c0: &G1Affine<E>, public: &[E::Fr], c1: &G1Affine<E>) -> [E::Fr; 2] {
    let beta: E::Fr = Challenge::new().points::<E>(&[*c0]).scalars(public).points::<E>(&[*c1]).finish();
    [beta, Challenge::new().scalars(&[beta]).finish()]
}

/// The seed s of the points of opening, from γ and the commitment to the running product.
pub(super) fn seed<E: Pairing>(gamma: E::Fr, c2: &G1Affine<E>) -> E::Fr {
    Challenge::new().scalars(&[gamma]).points::<E>(&[*c2]).finish()
}

/// α, from the seed and the claimed values.
pub(super) fn alpha<F: PrimeField>(seed: F, evaluations: &[F; 15]) -> F {
    Challenge::new().scalars(&[seed]).scalars(evaluations).finish()
}

/// y, from α and the first opening point, W1.
pub(super) fn y<E: Pairing>(alpha: E::Fr, w1: &G1Affine<E>) -> E::Fr {
    Challenge::new().scalars(&[alpha]).points::<E>(&[*w1]).finish()
}

/// ξ, the 24th power of the seed. So its 8th, 4th and 3rd roots, at which the commitments to 8, 4 and 3 polynomials are opened, are in
/// the field, as powers of the seed times roots of unity.
pub(super) fn xi<F: PrimeField>(seed: F) -> F {
    let cube = seed.square() * seed;
    cube.square().square().square()
}

/// All challenges of a proof.
pub(super) struct Challenges<F> {
    pub(super) beta: F,
    pub(super) gamma: F,
    pub(super) xi: F,
    pub(super) alpha: F,
    pub(super) y: F,
}

impl<F: PrimeField> Challenges<F> {
    pub(super) fn of<E: Pairing<Fr = F>>(vk: &VerifyingKey<E>, public: &[F], proof: &Proof<E>) -> Self {
        let [beta, gamma] = beta_gamma::<E>(&vk.c0, public, &proof.c1);
        let seed = seed::<E>(gamma, &proof.c2);
        let alpha = alpha(seed, &proof.evaluations.to_array());
        Self { beta, gamma, xi: xi(seed), alpha, y: y::<E>(alpha, &proof.w1) }
    }
}
