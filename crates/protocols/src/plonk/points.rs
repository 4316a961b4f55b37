//! Points of keys and proofs that were looked at: on their curves, in their subgroups.

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

use super::{Fault, InSubgroup, Proof, VerifyingKey};
use core::fmt;
use pairwright_curve::{Affine, Curve, Pairing};
use thiserror::Error;

/// A point of a proof or of a verifying key, by its name in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element(&'static str);

impl Element {
    /// The points of a proof in the order of [`Proof::points`].
    pub const OF_PROOF: [Self; 9] = [
        Self("A"),
        Self("B"),
        Self("C"),
        Self("Z"),
        Self("T1"),
        Self("T2"),
        Self("T3"),
        Self("Wxi"),
        Self("Wxiw"),
    ];
    /// The points of G1 of a key: commitments to selectors, then to the permutation.
    pub const OF_KEY: [Self; 8] =
        [Self("Qm"), Self("Ql"), Self("Qr"), Self("Qo"), Self("Qc"), Self("S1"), Self("S2"), Self("S3")];
    /// The point of G2 of a key.
    pub const X_2: Self = Self("X_2");

    /// The name in files.
    pub fn name(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A point that cannot stand where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{element} is {fault}")]
pub struct BadPoint {
    /// The point that is at fault.
    pub element: Element,
    /// What is wrong with it.
    pub fault: Fault,
}

impl<E: Pairing> Proof<E> {
    /// The proof, if its points are on their curve and in its subgroup. Variable time.
    ///
    /// # Errors
    /// The first point that is not.
    pub fn check(self) -> Result<InSubgroup<Self>, BadPoint> {
        for (element, p) in Element::OF_PROOF.into_iter().zip(&self.points()) {
            check(p, element)?;
        }
        Ok(InSubgroup(self))
    }
}

impl<E: Pairing> VerifyingKey<E> {
    /// The key, if its points are on their curves and in their subgroups, and X_2 is not infinity. Variable time.
    ///
    /// # Errors
    /// The first point that is not.
    pub fn check(self) -> Result<InSubgroup<Self>, BadPoint> {
        let points = self.selectors.iter().chain(&self.sigmas);
        for (element, p) in Element::OF_KEY.into_iter().zip(points) {
            check(p, element)?;
        }
        if self.x_2.is_infinity() {
            return Err(BadPoint { element: Element::X_2, fault: Fault::Infinity });
        }
        check(&self.x_2, Element::X_2)?;
        Ok(InSubgroup(self))
    }
}

fn check<C: Curve>(p: &Affine<C>, element: Element) -> Result<(), BadPoint> {
    if !p.is_on_curve() {
        return Err(BadPoint { element, fault: Fault::OffCurve });
    }
    if !p.is_in_subgroup_vartime() {
        return Err(BadPoint { element, fault: Fault::WrongSubgroup });
    }
    Ok(())
}
