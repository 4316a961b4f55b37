//! The simplified SWU map as straight-line code: RFC 9380, §6.6.2 and appendix F.2.

use super::select;
use pairwright_field::Ring;

/// The curve `y² = x³ + a·x + b` with `a·b ≠ 0`, and the non-square `z` of its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sswu<R> {
    /// The coefficient `a` of the curve equation.
    pub a: R,
    /// The constant term `b` of the curve equation.
    pub b: R,
    /// A non-square that satisfies the criteria of RFC 9380, appendix H.2.
    pub z: R,
}

/// The two candidates for the first coordinate, over a common denominator. Exactly one of them belongs to a point, or both are
/// equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidates<R> {
    /// Numerator of the first candidate.
    pub x1: R,
    /// Numerator of the second candidate, `z·u²·x1`.
    pub x2: R,
    /// Denominator of both.
    pub denominator: R,
    /// Numerator and denominator of `x³ + a·x + b` at the first candidate.
    pub g: [R; 2],
}

impl<R: Ring> Sswu<R> {
    /// The values `z·u²` and `t = z²·u⁴ + z·u²`.
    #[inline(always)]
    pub fn powers(&self, u: R) -> [R; 2] {
        let zu2 = self.z.clone() * u.square();
        [zu2.clone(), zu2.clone().square() + zu2]
    }

    /// The candidates `x1 = b·(t + 1)/(a·d)` and `z·u²·x1`; the caller passes `d = -t`, or `d = z` if `t = 0`.
    #[inline(always)]
    pub fn candidates(&self, zu2: R, t: R, d: R) -> Candidates<R> {
        let Self { a, b, .. } = self.clone();
        let x1 = b.clone() * t + b.clone();
        let denominator = a.clone() * d;
        let dd = denominator.clone().square();
        let ddd = dd.clone() * denominator.clone();
        let g = (x1.clone().square() + a * dd) * x1.clone() + b * ddd.clone();
        Candidates { x2: zu2 * x1.clone(), x1, denominator, g: [g, ddd] }
    }

    /// The numerator of the first coordinate, and the second coordinate up to its sign. They are those of the first candidate
    /// if `is_square` is 1 and `root = √g(x1)`, and those of the second if it is 0 and `root = √(z·g(x1))`.
    #[inline(always)]
    pub fn choose(u: R, zu2: R, c: Candidates<R>, [is_square, root]: [R; 2]) -> [R; 2] {
        let second = zu2 * u * root.clone();
        [select(c.x2, c.x1, is_square.clone()), select(second, root, is_square)]
    }
}
