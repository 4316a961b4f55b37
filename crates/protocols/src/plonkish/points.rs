//! Names of the points of proofs and keys, and the check that a proof's points are on their curve and in its subgroup.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use crate::groth16::{InSubgroup, check};
use alloc::vec::Vec;
use core::fmt;
use pairwright_curve::{G1Affine, Pairing};

/// A point of a proof or of a verifying key, by its name in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element(&'static str);

impl Element {
    /// The point `τ·G2` of a key.
    pub const X_2: Self = Self("X_2");

    /// The element with this name.
    pub(crate) const fn named(name: &'static str) -> Self {
        Self(name)
    }

    /// The name of the point in snarkjs' files.
    pub fn name(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A point of a proof or of a key that failed a check, and the failed check.
pub type BadPoint = crate::groth16::BadPoint<Element>;

/// A proof whose points, all of the first group, can be listed by name.
pub trait ProofPoints<E: Pairing>: Copy + fmt::Debug {
    /// The names of the points, in the order of [`Self::list`].
    const NAMES: &'static [Element];

    /// The points in the order of snarkjs' files.
    fn list(&self) -> Vec<G1Affine<E>>;
}

/// Checks that a proof's points are on their curve and in its subgroup; the error is the first point that is not. Variable time.
pub(crate) fn check_proof<E: Pairing, P: ProofPoints<E>>(proof: P) -> Result<InSubgroup<P>, BadPoint> {
    for (element, p) in P::NAMES.iter().zip(&proof.list()) {
        check(p, *element)?;
    }
    Ok(InSubgroup(proof))
}
