//! Verification of one proof and of many.

#![cfg_attr(
    not(test),
    deny(
        clippy::cast_possible_truncation,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::iter_over_hash_type,
        clippy::panic,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use super::equation::equation;
use super::{Element, InSubgroup, Proof, VerifyError, VerifyingKey, Weakness};
use crate::plonkish::equation::Equation;
use crate::plonkish::verify::{Claim as AnyClaim, Judge, Prepared, check_points, verify_together};
use alloc::vec::Vec;
use pairwright_curve::{G1Affine, G2Affine, Pairing};
use pairwright_device::Session;
use rand_core::CryptoRng;

/// A verifying key made ready for many proofs: with the line coefficients of its X_2 and of the generator. It is of checked
/// points, and safe unless it was asked for as it is.
pub type PreparedVerifyingKey<E> = Prepared<E, VerifyingKey<E>>;

/// That there is a witness for public values under a key, and the proof of it.
pub type Claim<'a, E> = AnyClaim<'a, E, VerifyingKey<E>>;

impl<E: Pairing> Judge<E> for VerifyingKey<E> {
    type Proof = Proof<E>;

    fn weakness(&self) -> Option<Weakness> {
        self.weakness()
    }
    fn public(&self) -> usize {
        self.public
    }
    fn x_2(&self) -> G2Affine<E> {
        self.x_2
    }
    fn points(&self) -> Vec<G1Affine<E>> {
        [self.c0].into()
    }
    fn equation(&self, public: &[E::Fr], proof: &InSubgroup<Proof<E>>) -> Result<Equation<E>, VerifyError> {
        equation(self, public, proof)
    }
}

/// The proofs, if the points of all of them are on their curves and in their subgroups: [`Proof::check`] of many, by a
/// device. Variable time.
///
/// Whether they are in the subgroup is asked of random sums of many points, where that is cheaper. `rng` must not be foreseeable by
/// whoever made the proofs: a bad point is then missed with probability below 2^-80.
///
/// # Errors
/// The first proof with a point that is not, those that are not on the curve first, or the error of an operator.
pub fn check_proofs<E: Pairing>(
    on: &mut Session<'_, E>,
    proofs: &[Proof<E>],
    rng: &mut dyn CryptoRng,
) -> Result<Vec<InSubgroup<Proof<E>>>, VerifyError> {
    check_points(on, proofs, Proof::points, Element::OF_FFLONK_PROOF, rng)
}

/// Accepts a proof for these public values, or says why not.
///
/// The points of key and proof are checked to be on their curves and in their subgroups, and a key under which anybody can
/// forge proofs accepts none. For more than one proof under a key, and for points that were checked, prepare it:
/// [`PreparedVerifyingKey`].
///
/// # Errors
/// Anything but acceptance.
pub fn verify<E: Pairing>(
    on: &mut Session<'_, E>,
    vk: &VerifyingKey<E>,
    public: &[E::Fr],
    proof: &Proof<E>,
) -> Result<(), VerifyError> {
    let proof = proof.check()?;
    let vk = vk.clone().check()?;
    PreparedVerifyingKey::new(on, &vk)?.verify(on, public, &proof)
}

/// [`verify`] under a key that may be one for which anybody can forge proofs: acceptance says nothing then. It is for
/// tests, and to look at such keys.
///
/// # Errors
/// Anything but acceptance.
pub fn verify_with_unsafe_key<E: Pairing>(
    on: &mut Session<'_, E>,
    vk: &VerifyingKey<E>,
    public: &[E::Fr],
    proof: &Proof<E>,
) -> Result<(), VerifyError> {
    let proof = proof.check()?;
    let vk = vk.clone().check()?;
    PreparedVerifyingKey::of_unsafe_key(on, &vk).verify(on, public, &proof)
}

/// Accepts all of many proofs, or names one that fails alone. Their keys may be of different circuits but are of one τ: the
/// proofs together take two pairings.
///
/// The equations are added up with independent random weights from `rng`, of 127 bits of entropy each: a batch with a bad
/// proof passes with probability at most 2^-127. When the sum fails, the proofs are verified one by one. An empty batch is
/// accepted.
///
/// # Errors
/// Anything but acceptance of every proof.
pub fn batch_verify<E: Pairing>(
    on: &mut Session<'_, E>,
    claims: &[Claim<'_, E>],
    rng: &mut dyn CryptoRng,
) -> Result<(), VerifyError> {
    verify_together(on, claims, rng)
}
