//! The functions of a pairing (Miller loops and final exponentiation), which exist in portable code and in lanes.

use super::argument::Argument;
use pairwright_curve::{G1Affine, G2Affine, Pairing};
use std::borrow::Cow;

/// A Miller loop over pairs of points.
pub(crate) type LoopOverPairs<E> = fn(&[(G1Affine<E>, G2Affine<E>)]) -> <E as Pairing>::Gt;

/// The functions by which products of pairings are computed.
#[derive(Clone, Copy)]
pub(crate) struct Loops<E: Pairing> {
    /// The product of the Miller loops of many pairs, eight at a time, up to a factor that the final exponentiation
    /// removes; only in lanes.
    pub(crate) abreast: Option<LoopOverPairs<E>>,
    /// The product of the Miller loops of some pairs, which share their squarings, up to a factor that the final exponentiation
    /// removes.
    pub(crate) shared: fn(&[(G1Affine<E>, Argument<'_, E>)]) -> E::Gt,
    /// The final exponentiation; `None` for zero.
    pub(crate) final_exponentiation: fn(&E::Gt) -> Option<E::Gt>,
}

impl<E: Pairing> Loops<E> {
    /// The portable functions of the curve.
    pub(crate) fn portable() -> Self {
        Self { abreast: None, shared: in_turn::<E>, final_exponentiation: E::final_exponentiation }
    }
}

/// The portable Miller loop of the curve; lines of points are computed first.
fn in_turn<E: Pairing>(pairs: &[(G1Affine<E>, Argument<'_, E>)]) -> E::Gt {
    let prepared: Vec<_> = pairs
        .iter()
        .map(|(p, argument)| match argument {
            Argument::Point(q) => (*p, Cow::Owned(E::prepare_g2(q))),
            Argument::Lines(lines) => (*p, Cow::Borrowed(*lines)),
        })
        .collect();
    let refs: Vec<_> = prepared.iter().map(|(p, q)| (*p, &**q)).collect();
    E::multi_miller_loop(&refs)
}
