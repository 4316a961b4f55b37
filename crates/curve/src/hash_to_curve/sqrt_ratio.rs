//! Square roots of quotients without a division and without a branch: RFC 9380, appendix F.2.1.1.

use super::square_times;
use pairwright_field::ct::Choice;
use pairwright_field::limbs::bit_window;
use pairwright_field::{Field, Ring};

/// Constants of a field of order `1 + 2^c1·c2` with `c2` odd, for a non-square `z`; `c3 = (c2 - 1)/2`.
///
/// The root is `u·v^(2^c1 - 1)·w`, up to an element of order dividing `2^c1`, where `w` is the power
/// `(u·v^(2^(c1+1) - 1))^c3`; that element is told from `check` and removed by powers of `c6`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SqrtRatio<R> {
    /// The two-adicity of the field's order less one.
    pub c1: u32,
    /// `z^c2`.
    pub c6: R,
    /// `z^((c2 + 1)/2)`.
    pub c7: R,
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
}

impl<F: Field> SqrtRatio<F> {
    /// From what [`Self::after`] gave: whether `u/v` is a square, and the root of `u/v` or else of `z·u/v`. Constant
    /// time.
    pub fn decide(&self, root: F, check: F) -> (Choice, F) {
        let is_square = square_times(check, self.c1 - 1).ct_eq(&F::ONE);
        let mut root = F::select(&(root * self.c7), &root, is_square);
        let mut check = F::select(&(check * self.c6), &check, is_square);
        let mut c6 = self.c6;
        for i in (2..=self.c1).rev() {
            let right = square_times(check, i - 2).ct_eq(&F::ONE);
            root = F::select(&(root * c6), &root, right);
            c6 = c6.square();
            check = F::select(&(check * c6), &check, right);
        }
        (is_square, root)
    }
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
