//! Square roots of quotients without divisions and branches: RFC 9380, appendix F.2.1.1.

use super::select;
use alloc::{vec, vec::Vec};
use pairwright_field::limbs::{bit_window, bits};
use pairwright_field::{Field, NonResidue, Quad, Ring};

/// Constants of a field of order `1 + 2^c1·c2` with `c2` odd, for a non-square `z`; `c3 = (c2 - 1)/2`.
///
/// With `w` the power `(u·v^(2^(c1+1) - 1))^c3`, `u·v^(2^c1 - 1)·w` is the root of `u/v` up to an element whose order
/// divides `2^c1`. That element is found bit by bit: a power of it is 1 or -1, by which one of two factors is selected with
/// arithmetic. So everything except the exponentiation is straight-line code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SqrtRatio<R> {
    /// The two-adicity of the field's order less one.
    pub c1: u32,
    /// The constant `z^c2`.
    pub c6: R,
    /// The constant `z^((c2 + 1)/2)`.
    pub c7: R,
    /// The constant `1/2`.
    pub half: R,
}

impl<R: Ring> SqrtRatio<R> {
    /// The base of the power by `c3`, and `v^(2^c1 - 1)`.
    #[inline(always)]
    pub fn before_power(&self, u: R, v: R) -> [R; 2] {
        let mut v_power = v.clone();
        for _ in 1..self.c1 {
            v_power = v_power.square() * v.clone();
        }
        [u * v_power.clone().square() * v, v_power]
    }

    /// The candidate for the root, and the element of two-power order by which it has to be corrected. `w` is the power of the base
    /// that [`Self::before_power`] returned, `v_power` its second result.
    #[inline(always)]
    pub fn after_power(w: R, v_power: R, u: R, v: R) -> [R; 2] {
        let w = w * v_power;
        let root = w.clone() * u;
        [root.clone(), root * (w * v)]
    }

    /// From the results of [`Self::after_power`] for non-zero `u` and `v`: 1 if `u/v` is a square and 0 if not, and the
    /// root of `u/v`, or of `z·u/v` if `u/v` is not a square.
    #[inline(always)]
    pub fn decide(&self, root: R, check: R) -> [R; 2] {
        let is_square = self.is_one(square_times(check.clone(), self.c1 - 1));
        let mut root = select(root.clone() * self.c7.clone(), root, is_square.clone());
        let mut check = select(check.clone() * self.c6.clone(), check, is_square.clone());
        let mut c6 = self.c6.clone();
        for i in (2..=self.c1).rev() {
            let right = self.is_one(square_times(check.clone(), i - 2));
            root = select(root.clone() * c6.clone(), root, right.clone());
            c6 = c6.square();
            check = select(check.clone() * c6.clone(), check, right);
        }
        [is_square, root]
    }

    /// Converts a sign to a bit: 1 becomes 1, and -1 becomes 0.
    #[inline(always)]
    fn is_one(&self, sign: R) -> R {
        self.half.clone() * sign + self.half.clone()
    }
}

/// Computes `x^(2^n)` by `n` squarings.
#[inline(always)]
fn square_times<R: Ring>(mut x: R, n: u32) -> R {
    for _ in 0..n {
        x = x.square();
    }
    x
}

/// Largest number of bits of a window of [`pow_public`].
const WINDOW: usize = 5;

/// The odd powers `x, x³, …, x³¹`.
#[inline(always)]
fn odd_powers<R: Ring>(x: R) -> Vec<R> {
    let square = x.clone().square();
    let mut odd = vec![x];
    for i in 1..1 << (WINDOW - 1) {
        odd.push(odd[i - 1].clone() * square.clone());
    }
    odd
}

/// The sliding windows of an exponent, most significant first: the number of squarings, then the odd power to multiply by.
struct Windows<'a> {
    exponent: &'a [u64],
    above: usize,
}

impl<'a> Windows<'a> {
    fn new(exponent: &'a [u64]) -> Self {
        Self { exponent, above: bits(exponent) as usize }
    }

    fn next(&mut self) -> Option<(u32, Option<usize>)> {
        if self.above == 0 {
            return None;
        }
        if bit_window(self.exponent, self.above - 1, 1) == 0 {
            self.above -= 1;
            return Some((1, None));
        }
        // The window begins and ends with a one bit.
        let mut length = WINDOW.min(self.above);
        while bit_window(self.exponent, self.above - length, 1) == 0 {
            length -= 1;
        }
        self.above -= length;
        Some((length as u32, Some(bit_window(self.exponent, self.above, length) as usize / 2)))
    }
}

/// `x^exponent` for a public exponent in little-endian limbs, by sliding windows of five bits. Time depends only on the
/// exponent.
///
/// # Panics
/// If the exponent is zero, because [`Ring`] has no constant one.
#[inline(always)]
pub fn pow_public<R: Ring>(x: R, exponent: &[u64]) -> R {
    let odd = odd_powers(x);
    let mut windows = Windows::new(exponent);
    let (_, first) = windows.next().expect("the exponent is not zero");
    let mut power = odd[first.unwrap_or(0)].clone();
    while let Some((squarings, factor)) = windows.next() {
        power = square_times(power, squarings);
        if let Some(factor) = factor {
            power = power * odd[factor].clone();
        }
    }
    power
}

/// [`pow_public`] of several elements with interleaved steps, so that the processor overlaps the latencies of independent products.
///
/// # Panics
/// If the exponent is zero.
#[inline(always)]
pub fn powers_public<F: Field, const K: usize>(x: [F; K], exponent: &[u64]) -> [F; K] {
    let odd = x.map(odd_powers);
    let mut windows = Windows::new(exponent);
    let (_, first) = windows.next().expect("the exponent is not zero");
    let mut power: [F; K] = core::array::from_fn(|i| odd[i][first.unwrap_or(0)]);
    while let Some((squarings, factor)) = windows.next() {
        for _ in 0..squarings {
            power = power.map(F::square);
        }
        if let Some(factor) = factor {
            power = core::array::from_fn(|i| power[i] * odd[i][factor]);
        }
    }
    power
}

/// `x^(k·q + 11·k + 7)` in the quadratic extension of a field of order `q`, for `k` as limbs. It takes one power of half the
/// length, since the q-th power is a conjugate. For `q = 3 mod 4`, `q = 11 mod 16` and `k = (q - 11)/16` that is `(q² - 9)/16`.
#[inline(always)]
pub fn pow_c3_quad<R: Ring, B: NonResidue<R>>(x: Quad<R, B>, k: &[u64]) -> Quad<R, B> {
    let x_k = pow_public(x.clone(), k);
    // 11·k + 7 = 4·(2·k + 1) + 3·(k + 1).
    let (four, three) = ((x_k.clone().square() * x.clone()).square().square(), x_k.clone() * x);
    x_k.conjugate() * four * (three.clone().square() * three)
}
