//! Checks that points are on their curves and in their subgroups, and the type of values that passed them.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::{Proof, VerifyingKey};
use core::fmt;
use core::ops::Deref;
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_device::parallel;
use thiserror::Error;

/// An element of a proof or of a verifying key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// The point π_A of a proof.
    A,
    /// The point π_B of a proof.
    B,
    /// The point π_C of a proof.
    C,
    /// α of the key.
    Alpha,
    /// β of the key.
    Beta,
    /// γ of the key.
    Gamma,
    /// δ of the key.
    Delta,
    /// The element of the key's IC with this index.
    Ic(usize),
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::A | Self::B | Self::C => write!(f, "pi_{self:?}"),
            Self::Alpha => f.write_str("alpha"),
            Self::Beta => f.write_str("beta"),
            Self::Gamma => f.write_str("gamma"),
            Self::Delta => f.write_str("delta"),
            Self::Ic(i) => write!(f, "IC[{i}]"),
        }
    }
}

/// The check that a point failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointFault {
    /// It is not on the curve.
    OffCurve,
    /// It is on the curve but outside of the prime-order subgroup.
    WrongSubgroup,
    /// It is infinity, and anybody could forge proofs for a key with infinity there.
    Infinity,
}

impl fmt::Display for PointFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OffCurve => "not on the curve",
            Self::WrongSubgroup => "not in the prime-order subgroup",
            Self::Infinity => "infinity",
        })
    }
}

/// A point that failed a check, and the failed check. `P` is the type that names the points of a protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{element} is {fault}")]
pub struct BadPoint<P = Element> {
    /// The point that is at fault.
    pub element: P,
    /// The check that the point failed.
    pub fault: PointFault,
}

/// A [`Proof`] or a [`VerifyingKey`] whose points were checked, once: each is on its curve and in its prime-order
/// subgroup, and α, β, γ, δ are not infinity. Only [`Proof::check`], [`VerifyingKey::check`], functions that make the same checks for
/// many proofs, and those of other protocols make it, so a function that takes it can rely on the check and need not repeat it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InSubgroup<T>(pub(crate) T);

impl<T> InSubgroup<T> {
    /// Returns the value without the evidence that it was checked.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for InSubgroup<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: PartialEq> PartialEq<T> for InSubgroup<T> {
    fn eq(&self, other: &T) -> bool {
        self.0 == *other
    }
}

impl<E: Pairing> Proof<E> {
    /// Checks that the points are on their curves and in their subgroups. Variable time.
    ///
    /// # Errors
    /// The first point that fails the check.
    pub fn check(self) -> Result<InSubgroup<Self>, BadPoint> {
        // The test in G2 takes about as long as two in G1.
        let of_g1 = || (check(&self.a, Element::A), check(&self.c, Element::C));
        let of_g2 = || check(&self.b, Element::B);
        #[cfg(feature = "std")]
        let (ac, b) = rayon::join(of_g1, of_g2);
        #[cfg(not(feature = "std"))]
        let (ac, b) = (of_g1(), of_g2());
        ac.0.and(b).and(ac.1).map(|()| InSubgroup(self))
    }

    /// [`Self::check`] with the results of the subgroup tests of A, B and C given; a result counts only if the point is on its
    /// curve.
    pub(super) fn with_subgroups_known(self, [a, b, c]: [bool; 3]) -> Result<InSubgroup<Self>, BadPoint> {
        on_curve(&self.a, Element::A)?;
        inside(a, Element::A)?;
        on_curve(&self.b, Element::B)?;
        inside(b, Element::B)?;
        on_curve(&self.c, Element::C)?;
        inside(c, Element::C)?;
        Ok(InSubgroup(self))
    }
}

impl<E: Pairing> VerifyingKey<E> {
    /// Checks that the points are on their curves and in their subgroups, and that α, β, γ and δ are not infinity. Variable
    /// time.
    ///
    /// # Errors
    /// The first point that fails the check.
    pub fn check(self) -> Result<InSubgroup<Self>, BadPoint> {
        finite(&self.alpha_g1, Element::Alpha)?;
        finite(&self.beta_g2, Element::Beta)?;
        finite(&self.gamma_g2, Element::Gamma)?;
        finite(&self.delta_g2, Element::Delta)?;
        parallel::try_map(&self.ic, |i, p| check(p, Element::Ic(i))).map(|_| InSubgroup(self))
    }
}

/// Fails unless a point is on its curve, in its subgroup and not infinity. Variable time.
pub(crate) fn finite<C: Curve, P: Copy>(p: &Affine<C>, element: P) -> Result<(), BadPoint<P>> {
    if p.is_infinity() {
        return Err(BadPoint { element, fault: PointFault::Infinity });
    }
    check(p, element)
}

/// Fails unless a point is on its curve and in its subgroup. Variable time.
pub(crate) fn check<C: Curve, P: Copy>(p: &Affine<C>, element: P) -> Result<(), BadPoint<P>> {
    on_curve(p, element)?;
    inside(p.is_in_subgroup_vartime(), element)
}

fn on_curve<C: Curve, P>(p: &Affine<C>, element: P) -> Result<(), BadPoint<P>> {
    if p.is_on_curve() { Ok(()) } else { Err(BadPoint { element, fault: PointFault::OffCurve }) }
}

fn inside<P>(subgroup: bool, element: P) -> Result<(), BadPoint<P>> {
    if subgroup { Ok(()) } else { Err(BadPoint { element, fault: PointFault::WrongSubgroup }) }
}
