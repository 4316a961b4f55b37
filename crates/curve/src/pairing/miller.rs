//! The Miller loop: its steps, the running point and its lines, and prepared second arguments.

use super::lines::{self, Line, TwoLines};
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

/// A prepared second argument: the line coefficients of its Miller loop, in the order in which the loop uses them. Infinity has no
/// lines.
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

    /// The line coefficients, in the order in which the Miller loop uses them.
    pub fn lines(&self) -> &[Line<Fq2<P>>] {
        &self.lines
    }

    /// The same argument with every line divided by its constant term. This takes 5M per line and one inversion, and saves 4M per
    /// line in each Miller loop. If a constant term is zero, the lines stay as they are.
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

    /// Computes the lines of the loop over `q`, including those of the two closing steps if the family has them.
    pub(super) fn new<C: Curve<Base = Fq2<P>>>(q: &Affine<C>, frobenius_tail: bool) -> Self {
        if q.is_infinity() {
            return Self { lines: Vec::new(), monic: false };
        }
        let closing = frobenius_tail.then(|| closing_points::<P, C>(q).map(|p| [p.x, p.y]));
        let mut running = RunningPoint::new([q.x, q.y], closing, Fq2::<P>::ONE);
        let mul_3b = |x| P::mul_3b_twist(x, P::B_TWIST_3);
        let mut lines = Vec::with_capacity(2 * P::MILLER_DIGITS.len());
        lines.extend(miller_steps::<P>(frobenius_tail).filter_map(|step| running.advance(step, mul_3b)));
        Self { lines, monic: false }
    }
}

/// The points ψ(Q) and -ψ²(Q), which the two closing steps of Barreto–Naehrig curves add.
pub fn closing_points<P: PairingData, C: Curve<Base = Fq2<P>>>(q: &Affine<C>) -> [Affine<C>; 2] {
    let once = psi::<P, C>(q);
    [once, -psi::<P, C>(&once)]
}

/// A step of the Miller loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MillerStep {
    /// Squares the accumulated value.
    Square,
    /// Doubles the running point and multiplies the accumulated value by the tangent line.
    Tangent,
    /// Adds the second argument or its negative to the running point and multiplies the accumulated value by the line through both.
    Chord {
        /// Whether the negative is added.
        negative: bool,
    },
    /// Conjugates the accumulated value and negates the running point, for a negative seed.
    Conjugate,
    /// Adds a closing point (index 0 or 1, see [`closing_points`]) and multiplies the accumulated value by the line through both.
    Closing(usize),
}

/// The steps of a loop in order: those of the digits, then the conjugation if the seed is negative, then with
/// `frobenius_tail` the two closing steps.
pub fn miller_steps<P: PairingData>(frobenius_tail: bool) -> impl Iterator<Item = MillerStep> {
    let of_digits = P::MILLER_DIGITS.iter().enumerate().flat_map(|(i, &digit)| {
        let chord = (digit != 0).then_some(MillerStep::Chord { negative: digit < 0 });
        [(i > 0).then_some(MillerStep::Square), Some(MillerStep::Tangent), chord]
    });
    let closing = [0, 1].map(|k| frobenius_tail.then_some(MillerStep::Closing(k)));
    of_digits.chain([P::X_NEGATIVE.then_some(MillerStep::Conjugate)]).chain(closing).flatten()
}

/// The running point of a Miller loop, over any ring in the role of Fq2.
#[derive(Clone, Debug)]
pub struct RunningPoint<R> {
    point: [R; 3],
    argument: [R; 2],
    closing: Option<[[R; 2]; 2]>,
}

impl<R: Ring> RunningPoint<R> {
    /// Starts at a second argument, given by its coordinates, those of its closing points if the family has them, and the element
    /// one of the ring.
    pub fn new(argument: [R; 2], closing: Option<[[R; 2]; 2]>, one: R) -> Self {
        let [x, y] = argument.clone();
        Self { point: [x, y, one], argument, closing }
    }

    /// Moves the running point by a step and returns the line of that step, if it has one. `mul_3b` is
    /// [`PairingData::mul_3b_twist`].
    ///
    /// # Panics
    /// At a closing step if there are no closing points.
    #[inline(always)]
    pub fn advance(&mut self, step: MillerStep, mul_3b: impl Fn(R) -> R) -> Option<Line<R>> {
        let point = self.point.clone();
        let (next, line) = match step {
            MillerStep::Square => return None,
            MillerStep::Conjugate => {
                self.point[1] = -self.point[1].clone();
                return None;
            }
            MillerStep::Tangent => lines::double_step(point, mul_3b),
            MillerStep::Chord { negative } => {
                let [x, y] = self.argument.clone();
                lines::add_step(point, [x, if negative { -y } else { y }])
            }
            MillerStep::Closing(k) => {
                let closing = self.closing.as_ref().expect("closing turns come with closing points");
                lines::add_step(point, closing[k].clone())
            }
        };
        self.point = next;
        Some(line)
    }
}

/// `f` times the value of a line at the point `p`, over any ring in the role of the base field. `monic` says that the constant
/// term of the line is one.
#[inline(always)]
pub fn mul_by_line<P: PairingData, R: Ring>(
    f: Twelve<P, R>,
    line: Line<Quad<R, P::U>>,
    monic: bool,
    [x, y]: [R; 2],
) -> Twelve<P, R>
where
    P::U: NonResidue<R>,
    P::V: NonResidue<Quad<R, P::U>>,
{
    if !monic {
        return sparse::<P, R>(f, at_point::<P, R>(line, [x, y]));
    }
    let (x, y) = (line.along_x.scale(x), line.along_y.scale(y));
    match P::TWIST {
        TwistKind::M => lines::mul_by_014_monic(f, x, y),
        TwistKind::D => lines::mul_by_034_monic(f, y, x),
    }
}

/// The coefficients of the value of a line at a point, in the order in which the sparse product of the twist takes them.
#[inline(always)]
fn at_point<P: PairingData, R: Ring>(line: Line<Quad<R, P::U>>, [x, y]: [R; 2]) -> [Quad<R, P::U>; 3]
where
    P::U: NonResidue<R>,
{
    let (x, y) = (line.along_x.scale(x), line.along_y.scale(y));
    match P::TWIST {
        TwistKind::M => [line.constant, x, y],
        TwistKind::D => [y, x, line.constant],
    }
}

/// `f` times the value of a line at its point.
#[inline(always)]
fn sparse<P: PairingData, R: Ring>(f: Twelve<P, R>, [a, b, c]: [Quad<R, P::U>; 3]) -> Twelve<P, R>
where
    P::U: NonResidue<R>,
    P::V: NonResidue<Quad<R, P::U>>,
{
    match P::TWIST {
        TwistKind::M => lines::mul_by_014(f, a, b, c),
        TwistKind::D => lines::mul_by_034(f, a, b, c),
    }
}

/// The target field over a ring in the role of the base field.
pub type Twelve<P, R> = Quad<Cubic<Quad<R, <P as Tower>::U>, <P as Tower>::V>, Root>;

/// The product of the Miller loops of the pairs, which share their squarings; pairs with infinity are left out.
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
    if live.is_empty() {
        return Fq12::<P>::ONE;
    }
    let mut product = Product::<P> { f: None, line: None };
    for step in miller_steps::<P>(frobenius_tail) {
        match step {
            MillerStep::Square => product.f = product.take().map(Ring::square),
            MillerStep::Conjugate => product.f = product.take().map(|f| f.conjugate()),
            MillerStep::Tangent | MillerStep::Chord { .. } | MillerStep::Closing(_) => {
                for (p, lines, monic) in &mut live {
                    let line = lines.next().expect("a line for every turn");
                    if *monic {
                        let f = product.f.unwrap_or(Fq12::<P>::ONE);
                        product.f = Some(mul_by_line::<P, _>(f, *line, true, [p.x, p.y]));
                    } else {
                        product.absorb(at_point::<P, _>(*line, [p.x, p.y]));
                    }
                }
            }
        }
    }
    product.take().unwrap_or(Fq12::<P>::ONE)
}

/// The accumulated value of a Miller loop. Lines are multiplied to it in pairs, because the product of two lines is still sparse.
struct Product<P: PairingData> {
    /// The value, `None` for one.
    f: Option<Fq12<P>>,
    /// The value of a line at its point that waits for a second one.
    line: Option<[Fq2<P>; 3]>,
}

impl<P: PairingData> Product<P> {
    /// Multiplies by the value of a line at its point, either now or together with a later line; at the latest in [`Self::take`].
    fn absorb(&mut self, line: [Fq2<P>; 3]) {
        let Some(first) = self.line.take() else {
            self.line = Some(line);
            return;
        };
        self.f = Some(match &self.f {
            Some(f) => mul_by_lines::<P>(f, &first, &line),
            None => value_of_two::<P>(&first, &line),
        });
    }

    /// Returns the value including all lines and resets it to one.
    fn take(&mut self) -> Option<Fq12<P>> {
        let f = self.f.take();
        let Some(line) = self.line.take() else { return f };
        Some(match f {
            Some(f) => sparse::<P, _>(f, line),
            None => value_of::<P>(line),
        })
    }
}

#[inline(always)]
fn two_lines<P: PairingData>(a: &[Fq2<P>; 3], b: &[Fq2<P>; 3]) -> TwoLines<Fq2<P>, P::V> {
    match P::TWIST {
        TwistKind::M => lines::two_of_014(a, b),
        TwistKind::D => lines::two_of_034(a, b),
    }
}

/// The value of a line at its point as an element of the target field.
fn value_of<P: PairingData>([a, b, c]: [Fq2<P>; 3]) -> Fq12<P> {
    let zero = Fq2::<P>::ZERO;
    match P::TWIST {
        TwistKind::M => Quad::new(Cubic::new(a, b, zero), Cubic::new(zero, c, zero)),
        TwistKind::D => Quad::new(Cubic::new(a, zero, zero), Cubic::new(b, c, zero)),
    }
}

/// The product of the values of two lines at their points.
fn value_of_two<P: PairingData>(a: &[Fq2<P>; 3], b: &[Fq2<P>; 3]) -> Fq12<P> {
    let (low, [d0, d1]) = two_lines::<P>(a, b);
    let high = match P::TWIST {
        TwistKind::M => Cubic::new(Fq2::<P>::ZERO, d0, d1),
        TwistKind::D => Cubic::new(d0, d1, Fq2::<P>::ZERO),
    };
    Quad::new(low, high)
}

/// `f` times the values of two lines at their points.
#[inline(never)]
fn mul_by_lines<P: PairingData>(f: &Fq12<P>, a: &[Fq2<P>; 3], b: &[Fq2<P>; 3]) -> Fq12<P> {
    lines::mul_by_two(f, &two_lines::<P>(a, b), matches!(P::TWIST, TwistKind::M))
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
