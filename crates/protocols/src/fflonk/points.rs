//! Names of the points of keys and proofs, and the checks that these are on their curves and in their subgroups.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::{InSubgroup, Proof, VerifyingKey};
use crate::groth16::{check, finite};
use crate::plonkish::points::{ProofPoints, check_proof};
use crate::plonkish::{BadPoint, Element};
use alloc::vec::Vec;
use pairwright_curve::{G1Affine, Pairing};

impl Element {
    /// The points of a proof of fflonk in the order of [`Proof::points`].
    pub const OF_FFLONK_PROOF: [Self; 4] =
        [Self::named("C1"), Self::named("C2"), Self::named("W1"), Self::named("W2")];
    /// The point of G1 of a key of fflonk.
    pub const C0: Self = Self::named("C0");
}

impl<E: Pairing> ProofPoints<E> for Proof<E> {
    const NAMES: &'static [Element] = &Element::OF_FFLONK_PROOF;

    fn list(&self) -> Vec<G1Affine<E>> {
        self.points().into()
    }
}

impl<E: Pairing> Proof<E> {
    /// Checks that the points are on their curve and in its subgroup. Variable time.
    ///
    /// # Errors
    /// The first point that fails the check.
    pub fn check(self) -> Result<InSubgroup<Self>, BadPoint> {
        check_proof(self)
    }
}

impl<E: Pairing> VerifyingKey<E> {
    /// Checks that the points are on their curves and in their subgroups, and that X_2 is not infinity. Variable time.
    ///
    /// # Errors
    /// The first point that fails the check.
    pub fn check(self) -> Result<InSubgroup<Self>, BadPoint> {
        check(&self.c0, Element::C0)?;
        finite(&self.x_2, Element::X_2)?;
        Ok(InSubgroup(self))
    }
}
