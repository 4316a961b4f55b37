//! Isogenies between curves, evaluated without a division: RFC 9380, §6.6.3 and appendix E.

use alloc::vec;
use pairwright_field::Ring;

/// An isogeny of odd degree by the formulas of Vélu, followed by a change of coordinates:
/// `(x, y) → (N(x)/(s·h(x))², y·M(x)/(s·h(x))³)`.
///
/// `N`, `M` and `h` are monic; a polynomial is the list of its coefficients, lowest first, without the leading coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isogeny<'a, R> {
    /// The factor `s` of the change of coordinates.
    pub scale: R,
    /// The polynomial `h`, whose roots are the first coordinates of the points of the kernel.
    pub kernel: &'a [R],
    /// The polynomial `N` of the first coordinate.
    pub x: &'a [R],
    /// The polynomial `M` of the second coordinate.
    pub y: &'a [R],
}

impl<R: Ring> Isogeny<'_, R> {
    /// The image of the point `(numerator/denominator, y)` in homogeneous coordinates. Points of the kernel are mapped to
    /// infinity, `(0 : Y : 0)`.
    #[inline(always)]
    pub fn map(&self, [numerator, denominator, y]: [R; 3]) -> [R; 3] {
        // With the polynomials made homogeneous, x = N/(d·(s·h)²) and y = y·M/(s·h)³.
        let mut powers = vec![denominator.clone()];
        for i in 1..self.y.len() {
            powers.push(powers[i - 1].clone() * denominator.clone());
        }
        let h = self.scale.clone() * homogeneous(self.kernel, &numerator, &powers);
        let n = homogeneous(self.x, &numerator, &powers);
        let m = homogeneous(self.y, &numerator, &powers);
        [n * h.clone(), y * m * denominator.clone(), h.clone().square() * h * denominator]
    }
}

/// `Σ c_i·n^i·d^(degree - i)` for a monic polynomial; `powers` is `d, d², …`.
#[inline(always)]
fn homogeneous<R: Ring>(coefficients: &[R], n: &R, powers: &[R]) -> R {
    let mut sum: Option<R> = None;
    // This is a loop because it is inlined, unlike the closures of `Iterator::fold`.
    for (c, power) in coefficients.iter().rev().zip(powers) {
        let term = c.clone() * power.clone();
        sum = Some(
            match sum {
                Some(sum) => sum * n.clone(),
                None => n.clone(),
            } + term,
        );
    }
    sum.expect("a polynomial has a coefficient below the leading one")
}
