//! Square roots of quotients without a division and without a branch: RFC 9380, appendix F.2.1.1.

use super::select;
use pairwright_field::Ring;
use pairwright_field::limbs::bit_window;

/// Constants of a field of order `1 + 2^c1·c2` with `c2` odd, for a non-square `z`; `c3 = (c2 - 1)/2`.
///
/// With `w` the power `(u·v^(2^(c1+1) - 1))^c3`, `u·v^(2^c1 - 1)·w` is the root of `u/v` up to an element whose order
/// divides `2^c1`. That element is found bit by bit: a power of it is 1 or -1, and one of two factors is chosen by
/// arithmetic. So everything but the exponentiation is straight-line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SqrtRatio<R> {
    /// The two-adicity of the field's order less one.
    pub c1: u32,
    /// The constant `z^c2`.
    pub c6: R,
    /// `z^((c2 + 1)/2)`.
    pub c7: R,
    /// The constant `1/2`.
    pub half: R,
}

impl<R: Ring> SqrtRatio<R> {
    /// What to raise to the power `c3`, and `v^(2^c1 - 1)`.
    pub fn before(&self, u: R, v: R) -> [R; 2] {
        let v_power = (1..self.c1).fold(v.clone(), |acc, _| acc.square() * v.clone());
        [u * v_power.clone().square() * v, v_power]
    }

    /// The candidate for the root and the element of two-power order that says what is wrong with it, from the power
    /// `w` of what [`Self::before`] gave.
    pub fn after(w: R, v_power: R, u: R, v: R) -> [R; 2] {
        let w = w * v_power;
        let root = w.clone() * u;
        [root.clone(), root * (w * v)]
    }

    /// From what [`Self::after`] gave for `u` and `v` that are not zero: 1 if `u/v` is a square and 0 if not, and the
    /// root of `u/v` or else of `z·u/v`.
    pub fn decide(&self, root: R, check: R) -> [R; 2] {
        let is_one = |sign: R| self.half.clone() * sign + self.half.clone();
        let is_square = is_one(square_times(check.clone(), self.c1 - 1));
        let mut root = select(root.clone() * self.c7.clone(), root, is_square.clone());
        let mut check = select(check.clone() * self.c6.clone(), check, is_square.clone());
        let mut c6 = self.c6.clone();
        for i in (2..=self.c1).rev() {
            let right = is_one(square_times(check.clone(), i - 2));
            root = select(root.clone() * c6.clone(), root, right.clone());
            c6 = c6.square();
            check = select(check.clone() * c6.clone(), check, right);
        }
        [is_square, root]
    }
}

/// Computes `x^(2^n)` by `n` squarings.
fn square_times<R: Ring>(x: R, n: u32) -> R {
    (0..n).fold(x, |acc, _| acc.square())
}

/// `x^exponent` for a public exponent, as little-endian limbs: windows of four bits. Time depends on the exponent
/// alone.
///
/// # Panics
/// If the exponent is zero: a ring has no one.
pub fn pow_public<R: Ring>(x: R, exponent: &[u64]) -> R {
    // x, x², …, x¹⁵.
    let mut table = vec![x.clone()];
    for i in 1..15 {
        let next = if i % 2 == 1 { table[i / 2].clone().square() } else { table[i - 1].clone() * x.clone() };
        table.push(next);
    }
    let mut acc: Option<R> = None;
    for window in (0..16 * exponent.len()).rev() {
        acc = acc.map(|a| square_times(a, 4));
        if let Some(entry) = (bit_window(exponent, 4 * window, 4) as usize).checked_sub(1) {
            acc = Some(acc.map_or_else(|| table[entry].clone(), |a| a * table[entry].clone()));
        }
    }
    acc.expect("the exponent is not zero")
}
