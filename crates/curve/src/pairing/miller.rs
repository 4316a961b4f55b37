//! Prepared second arguments and the shared accumulation of a Miller loop.

use super::lines::{self, Line};
use super::{Fq2, Fq12, PairingData, psi};
use crate::{Affine, Curve};
use core::fmt;
use pairwright_field::{Field, batch_invert};

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

    /// Walks the Miller digits from `q`. With `frobenius_tail` the two closing steps of the BN family follow: the
    /// lines through ψ(Q) and -ψ²(Q).
    pub(super) fn new<C: Curve<Base = Fq2<P>>>(q: &Affine<C>, frobenius_tail: bool) -> Self {
        if q.is_infinity() {
            return Self { lines: Vec::new(), monic: false };
        }
        let adds = P::MILLER_DIGITS.iter().filter(|d| **d != 0).count();
        let mut lines = Vec::with_capacity(P::MILLER_DIGITS.len() + adds + 2);
        let mut t = [q.x, q.y, Fq2::<P>::ONE];
        let step = |t: &mut [Fq2<P>; 3], to: Affine<C>| {
            let (sum, line) = lines::add_step(*t, [to.x, to.y]);
            *t = sum;
            line
        };
        for &digit in P::MILLER_DIGITS {
            let (double, line) = lines::double_step(t, P::mul_3b_twist);
            t = double;
            lines.push(line);
            match digit {
                0 => {}
                1.. => lines.push(step(&mut t, *q)),
                _ => lines.push(step(&mut t, -*q)),
            }
        }
        if frobenius_tail {
            if P::X_NEGATIVE {
                t[1] = -t[1];
            }
            let q1 = psi::<P, C>(q);
            lines.push(step(&mut t, q1));
            lines.push(step(&mut t, -psi::<P, C>(&q1)));
        }
        Self { lines, monic: false }
    }
}

/// `f` times the line evaluated at `p`.
#[inline]
fn absorb<P, C>(f: Fq12<P>, line: &Line<Fq2<P>>, monic: bool, p: &Affine<C>) -> Fq12<P>
where
    P: PairingData,
    C: Curve<Base = P::Fq>,
{
    let (x, y) = (line.along_x.scale(p.x), line.along_y.scale(p.y));
    match (P::TWIST, monic) {
        (TwistKind::M, false) => lines::mul_by_014(f, line.constant, x, y),
        (TwistKind::D, false) => lines::mul_by_034(f, y, x, line.constant),
        (TwistKind::M, true) => lines::mul_by_014_monic(f, x, y),
        (TwistKind::D, true) => lines::mul_by_034_monic(f, y, x),
    }
}

/// The product of the Miller loops over the family's digits, squarings shared; pairs with infinity are left out.
/// `tail` more lines of each argument close the loop, after the conjugation that a negative seed asks for.
pub(super) fn accumulate<P, C>(pairs: &[(Affine<C>, &Prepared<P>)], tail: usize) -> Fq12<P>
where
    P: PairingData,
    C: Curve<Base = P::Fq>,
{
    let mut f = Fq12::<P>::ONE;
    let live: Vec<_> = pairs
        .iter()
        .filter(|(p, q)| !p.is_infinity() && !q.is_infinity())
        .map(|(p, q)| (p, q.lines(), q.monic))
        .collect();
    if live.is_empty() {
        return f;
    }
    let mut at = 0;
    let mut take = |f: &mut Fq12<P>| {
        for (p, lines, monic) in &live {
            *f = absorb::<P, C>(*f, &lines[at], *monic, p);
        }
        at += 1;
    };
    for (i, &digit) in P::MILLER_DIGITS.iter().enumerate() {
        if i > 0 {
            f = pairwright_field::Ring::square(f);
        }
        take(&mut f);
        if digit != 0 {
            take(&mut f);
        }
    }
    if P::X_NEGATIVE {
        f = f.conjugate();
    }
    for _ in 0..tail {
        take(&mut f);
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
