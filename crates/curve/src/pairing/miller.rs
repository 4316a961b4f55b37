//! The Miller loop: its turns, the running point and its lines, and prepared second arguments.

use super::lines::{self, Line};
use super::{Fq2, Fq12, PairingData, Tower, psi};
use crate::{Affine, Curve};
use alloc::vec::Vec;
use core::fmt;
use pairwright_field::{Cubic, Field, NonResidue, Quad, Ring, Root, batch_invert};

/// The kind of the sextic twist `y² = x³ + b'` that carries the second group, `ξ` being the element whose cube root
/// Fq6 adjoins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TwistKind {
    /// `b' = b/ξ`; lines have the shape `l0 + l3·w + l4·v·w`.
    D,
    /// `b' = b·ξ`; lines have the shape `l0 + l1·v + l4·v·w`.
    M,
}

/// A second argument with the line coefficients of its Miller loop computed, in the order the loop takes them; none
/// for infinity.
pub struct Prepared<P: PairingData> {
    lines: Vec<Line<Fq2<P>>>,
    /// Whether the constant terms are all one.
    monic: bool,
}

impl<P: PairingData> Prepared<P> {
    /// Whether the point is infinity, whose pairings are all one.
    pub fn is_infinity(&self) -> bool {
        self.lines.is_empty()
    }

    /// The line coefficients, in the order the Miller loop takes them.
    pub fn lines(&self) -> &[Line<Fq2<P>>] {
        &self.lines
    }

    /// The same argument with every line divided by its constant term: 5M a line and one inversion here, 4M a line
    /// less in each Miller loop. Should a constant term be zero, the lines stay as they are.
    #[must_use]
    pub fn into_monic(mut self) -> Self {
        let mut inverses: Vec<_> = self.lines.iter().map(|line| line.constant).collect();
        if self.monic || inverses.iter().any(Field::is_zero) {
            return self;
        }
        batch_invert(&mut inverses);
        for (line, inverse) in self.lines.iter_mut().zip(inverses) {
            let (along_x, along_y) = (line.along_x * inverse, line.along_y * inverse);
            *line = Line { constant: Fq2::<P>::ONE, along_x, along_y };
        }
        self.monic = true;
        self
    }

    /// The lines of the loop over `q`, with those of the two closing turns if the family has them.
    pub(super) fn new<C: Curve<Base = Fq2<P>>>(q: &Affine<C>, frobenius_tail: bool) -> Self {
        if q.is_infinity() {
            return Self { lines: Vec::new(), monic: false };
        }
        let closing = frobenius_tail.then(|| closing_points::<P, C>(q).map(|p| [p.x, p.y]));
        let mut walk = Walk::new([q.x, q.y], closing, Fq2::<P>::ONE);
        let mul_3b = |x| P::mul_3b_twist(x, P::B_TWIST_3);
        let mut lines = Vec::with_capacity(2 * P::MILLER_DIGITS.len());
        lines.extend(turns::<P>(frobenius_tail).filter_map(|turn| walk.line(turn, mul_3b)));
        Self { lines, monic: false }
    }
}

/// The points ψ(Q) and -ψ²(Q), through which the two lines go that close the loop of Barreto–Naehrig curves.
pub fn closing_points<P: PairingData, C: Curve<Base = Fq2<P>>>(q: &Affine<C>) -> [Affine<C>; 2] {
    let once = psi::<P, C>(q);
    [once, -psi::<P, C>(&once)]
}

/// A turn of the Miller loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The accumulated value is squared.
    Square,
    /// The running point is doubled; the tangent's value is multiplied in.
    Tangent,
    /// The argument, or its negative, is added; the chord's value is multiplied in.
    Chord {
        /// Whether the negative is added.
        negative: bool,
    },
    /// The value is conjugated and the running point negated, for a negative seed.
    Conjugate,
    /// A closing point is added, the first or the second; the chord's value is multiplied in.
    Closing(usize),
}

/// The turns of a loop in their order: those of the digits, the conjugation that a negative seed asks for, and with
/// `frobenius_tail` the two closing ones.
pub fn turns<P: PairingData>(frobenius_tail: bool) -> impl Iterator<Item = Turn> {
    let of_digits = P::MILLER_DIGITS.iter().enumerate().flat_map(|(i, &digit)| {
        let chord = (digit != 0).then_some(Turn::Chord { negative: digit < 0 });
        [(i > 0).then_some(Turn::Square), Some(Turn::Tangent), chord]
    });
    let closing = [0, 1].map(|k| frobenius_tail.then_some(Turn::Closing(k)));
    of_digits.chain([P::X_NEGATIVE.then_some(Turn::Conjugate)]).chain(closing).flatten()
}

/// The running point of a Miller loop, in any ring that stands for Fq2.
#[derive(Clone, Debug)]
pub struct Walk<R> {
    point: [R; 3],
    argument: [R; 2],
    closing: Option<[[R; 2]; 2]>,
}

impl<R: Ring> Walk<R> {
    /// The walk that begins at an argument: its coordinates, those of its closing points if the family has them, and one.
    pub fn new(argument: [R; 2], closing: Option<[[R; 2]; 2]>, one: R) -> Self {
        let [x, y] = argument.clone();
        Self { point: [x, y, one], argument, closing }
    }

    /// Takes a turn; the line it gives, if it gives one. `mul_3b` is [`PairingData::mul_3b_twist`].
    ///
    /// # Panics
    /// At a closing turn if there are no closing points.
    #[inline(always)]
    pub fn line(&mut self, turn: Turn, mul_3b: impl Fn(R) -> R) -> Option<Line<R>> {
        let point = self.point.clone();
        let (next, line) = match turn {
            Turn::Square => return None,
            Turn::Conjugate => {
                self.point[1] = -self.point[1].clone();
                return None;
            }
            Turn::Tangent => lines::double_step(point, mul_3b),
            Turn::Chord { negative } => {
                let [x, y] = self.argument.clone();
                lines::add_step(point, [x, if negative { -y } else { y }])
            }
            Turn::Closing(k) => {
                let closing = self.closing.as_ref().expect("closing turns come with closing points");
                lines::add_step(point, closing[k].clone())
            }
        };
        self.point = next;
        Some(line)
    }
}

/// `f` times a line at the point `p`, in any ring that stands for the base field. The line may be `monic`: its constant
/// term is one.
#[inline(always)]
pub fn absorb<P: PairingData, R: Ring>(
    f: Twelve<P, R>,
    line: Line<Quad<R, P::U>>,
    monic: bool,
    [x, y]: [R; 2],
) -> Twelve<P, R>
where
    P::U: NonResidue<R>,
    P::V: NonResidue<Quad<R, P::U>>,
{
    let (x, y) = (line.along_x.scale(x), line.along_y.scale(y));
    match (P::TWIST, monic) {
        (TwistKind::M, false) => lines::mul_by_014(f, line.constant, x, y),
        (TwistKind::D, false) => lines::mul_by_034(f, y, x, line.constant),
        (TwistKind::M, true) => lines::mul_by_014_monic(f, x, y),
        (TwistKind::D, true) => lines::mul_by_034_monic(f, y, x),
    }
}

/// The target field over a ring that stands for the base field.
pub type Twelve<P, R> = Quad<Cubic<Quad<R, <P as Tower>::U>, <P as Tower>::V>, Root>;

/// The product of the Miller loops, squarings shared; pairs with infinity are left out.
pub(super) fn accumulate<P, C>(pairs: &[(Affine<C>, &Prepared<P>)], frobenius_tail: bool) -> Fq12<P>
where
    P: PairingData,
    C: Curve<Base = P::Fq>,
{
    let mut live: Vec<_> = pairs
        .iter()
        .filter(|(p, q)| !p.is_infinity() && !q.is_infinity())
        .map(|(p, q)| (*p, q.lines.iter(), q.monic))
        .collect();
    let mut f = Fq12::<P>::ONE;
    if live.is_empty() {
        return f;
    }
    for turn in turns::<P>(frobenius_tail) {
        match turn {
            Turn::Square => f = f.square(),
            Turn::Conjugate => f = f.conjugate(),
            Turn::Tangent | Turn::Chord { .. } | Turn::Closing(_) => {
                for (p, lines, monic) in &mut live {
                    let line = lines.next().expect("a line for every turn");
                    f = absorb::<P, _>(f, *line, *monic, [p.x, p.y]);
                }
            }
        }
    }
    f
}

impl<P: PairingData> Clone for Prepared<P> {
    fn clone(&self) -> Self {
        Self { lines: self.lines.clone(), monic: self.monic }
    }
}
impl<P: PairingData> fmt::Debug for Prepared<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("lines", &self.lines.len()).finish()
    }
}
