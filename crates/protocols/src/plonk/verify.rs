//! Implements for verifying keys the trait of the shared verifier (`plonkish`).

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::equation::equation;
use super::{BadPoint, InSubgroup, Proof, VerifyError, VerifyingKey};
use crate::plonkish::equation::Equation;
use crate::plonkish::verify::{Claim as AnyClaim, PlonkishKey, Prepared};
use alloc::vec::Vec;
use pairwright_curve::{G1Affine, G2Affine, Pairing};
use pairwright_poly::Domain;

/// A verifying key with the line coefficients of its X_2 and of the generator of G2, for the verification of many proofs. Its points
/// are checked, and it has no weakness unless it was made by `of_unsafe_key`.
pub type PreparedVerifyingKey<E> = Prepared<E, VerifyingKey<E>>;

/// The claim that there is a witness for the public values under the key, and its proof.
pub type Claim<'a, E> = AnyClaim<'a, E, VerifyingKey<E>>;

impl<E: Pairing> PlonkishKey<E> for VerifyingKey<E> {
    type Proof = Proof<E>;

    fn checked(self) -> Result<InSubgroup<Self>, BadPoint> {
        self.check()
    }
    fn domain(&self) -> Domain<E::Fr> {
        self.domain
    }
    fn factors(&self) -> [E::Fr; 2] {
        [self.k1, self.k2]
    }
    fn public(&self) -> usize {
        self.public
    }
    fn x_2(&self) -> G2Affine<E> {
        self.x_2
    }
    fn points(&self) -> Vec<G1Affine<E>> {
        self.selectors.iter().chain(&self.sigmas).copied().collect()
    }
    fn equation(&self, public: &[E::Fr], proof: &InSubgroup<Proof<E>>) -> Result<Equation<E>, VerifyError> {
        equation(self, public, proof)
    }
}
