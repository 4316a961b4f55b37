//! Second arguments of Miller loops, prepared or not.

use pairwright_curve::{G2Affine, Pairing};

/// A second argument of a Miller loop.
pub(crate) enum Argument<'a, E: Pairing> {
    /// A point; its lines are computed on the way.
    Point(G2Affine<E>),
    /// Lines that were computed before.
    Lines(&'a E::G2Prepared),
}
