//! Second arguments of Miller loops, prepared or not.

use pairwright_curve::{G2Affine, Pairing};

/// A second argument of a Miller loop.
pub(crate) enum Argument<'a, E: Pairing> {
    /// A point, whose lines are computed in the loop.
    Point(G2Affine<E>),
    /// Line coefficients that were computed before.
    Lines(&'a E::G2Prepared),
}
