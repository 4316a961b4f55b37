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
    /// The points of a proof of Plonk in the order of [`Proof::points`].
    pub const OF_PROOF: [Self; 9] = [
        Self::named("A"),
        Self::named("B"),
        Self::named("C"),
        Self::named("Z"),
        Self::named("T1"),
        Self::named("T2"),
        Self::named("T3"),
        Self::named("Wxi"),
        Self::named("Wxiw"),
    ];
    /// The points of G1 of a key of Plonk: commitments to the selectors, then to the permutation's polynomials.
    pub const OF_KEY: [Self; 8] = [
        Self::named("Qm"),
        Self::named("Ql"),
        Self::named("Qr"),
        Self::named("Qo"),
        Self::named("Qc"),
        Self::named("S1"),
        Self::named("S2"),
        Self::named("S3"),
    ];
}

impl<E: Pairing> ProofPoints<E> for Proof<E> {
    const NAMES: &'static [Element] = &Element::OF_PROOF;

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
        let points = self.selectors.iter().chain(&self.sigmas);
        for (element, p) in Element::OF_KEY.into_iter().zip(points) {
            check(p, element)?;
        }
        finite(&self.x_2, Element::X_2)?;
        Ok(InSubgroup(self))
    }
}
