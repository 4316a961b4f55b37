//! Point formulas for `y² = x³ + b` (a = 0), over any [`Ring`].
//!
//! The formulas are straight-line code without special cases, so the same code runs on values, on symbols and on counters. Their
//! names are those of the Explicit-Formulas Database; the complete formulas are those of Renes, Costello and Batina (RCB,
//! eprint 2015/1060). For the incomplete formulas, the callers in this crate handle infinity, equal and opposite points.
//!
//! Costs count multiplications (M) and squarings (S).

use pairwright_field::{Ring, Wide};

/// Doubling in Jacobian coordinates, `dbl-2009-l`: 2M + 5S. `(X : Y : Z)` represents `(X/Z², Y/Z³)`.
#[inline(always)]
pub fn jacobian_double<R: Ring>([x, y, z]: [R; 3]) -> [R; 3] {
    let a = x.clone().square();
    let b = y.clone().square();
    let c = b.clone().square();
    let d = ((x + b).square() - a.clone() - c.clone()).double();
    let e = a.clone().double() + a;
    let f = e.clone().square();
    let x3 = f - d.clone().double();
    let y3 = e * (d - x3.clone()) - c.double().double().double();
    let z3 = (y * z).double();
    [x3, y3, z3]
}

/// Addition in Jacobian coordinates, `add-2007-bl`: 11M + 5S. Also returns `H` and `r`, both zero exactly when the points are
/// equal (`H` alone when they are opposite).
#[inline(always)]
pub fn jacobian_add<R: Ring>([x1, y1, z1]: [R; 3], [x2, y2, z2]: [R; 3]) -> ([R; 3], R, R) {
    let z1z1 = z1.clone().square();
    let z2z2 = z2.clone().square();
    let u1 = x1 * z2z2.clone();
    let u2 = x2 * z1z1.clone();
    let s1 = y1 * z2.clone() * z2z2.clone();
    let s2 = y2 * z1.clone() * z1z1.clone();
    let h = u2 - u1.clone();
    let i = h.clone().double().square();
    let j = h.clone() * i.clone();
    let r = (s2 - s1.clone()).double();
    let v = u1 * i;
    let x3 = r.clone().square() - j.clone() - v.clone().double();
    let y3 = r.clone() * (v - x3.clone()) - (s1 * j).double();
    let z3 = ((z1 + z2).square() - z1z1 - z2z2) * h.clone();
    ([x3, y3, z3], h, r)
}

/// Mixed addition of a Jacobian and an affine point, `madd-2007-bl`: 7M + 4S. Also returns `H` and `r` as [`jacobian_add`] does.
#[inline]
pub fn jacobian_add_mixed<R: Ring>([x1, y1, z1]: [R; 3], [x2, y2]: [R; 2]) -> ([R; 3], R, R) {
    let z1z1 = z1.clone().square();
    let u2 = x2 * z1z1.clone();
    let s2 = y2 * z1.clone() * z1z1.clone();
    let h = u2 - x1.clone();
    let hh = h.clone().square();
    let i = hh.clone().double().double();
    let j = h.clone() * i.clone();
    let r = (s2 - y1.clone()).double();
    let v = x1 * i;
    let x3 = r.clone().square() - j.clone() - v.clone().double();
    let y3 = r.clone() * (v - x3.clone()) - (y1 * j).double();
    let z3 = (z1 + h.clone()).square() - z1z1 - hh;
    ([x3, y3, z3], h, r)
}

/// Doubling in XYZZ coordinates, `dbl-2008-s-1`: 6M + 3S. `(X, Y, ZZ, ZZZ)` represents `(X/ZZ, Y/ZZZ)` with `ZZ³ = ZZZ²`.
#[inline]
pub fn xyzz_double<R: Ring>([x, y, zz, zzz]: [R; 4]) -> [R; 4] {
    let [x3, y3, v, w] = xyzz_double_affine([x, y]);
    [x3, y3, v * zz, w * zzz]
}

/// Doubling of an affine point into XYZZ, `mdbl-2008-s-1`: 4M + 3S.
#[inline]
pub fn xyzz_double_affine<R: Ring>([x, y]: [R; 2]) -> [R; 4] {
    let u = y.clone().double();
    let v = u.clone().square();
    let w = u * v.clone();
    let s = x.clone() * v.clone();
    let m = tangent_rise(x);
    let x3 = m.clone().square() - s.clone().double();
    let y3 = m * (s - x3.clone()) - w.clone() * y;
    [x3, y3, v, w]
}

/// Addition in XYZZ coordinates, `add-2008-s`: 12M + 2S. Also returns `P` and `R`, both zero exactly when the points are equal.
#[inline]
pub fn xyzz_add<R: Ring>([x1, y1, zz1, zzz1]: [R; 4], [x2, y2, zz2, zzz2]: [R; 4]) -> ([R; 4], R, R) {
    let u1 = x1 * zz2.clone();
    let u2 = x2 * zz1.clone();
    let s1 = y1 * zzz2.clone();
    let s2 = y2 * zzz1.clone();
    let p = u2 - u1.clone();
    let r = s2 - s1.clone();
    let pp = p.clone().square();
    let ppp = p.clone() * pp.clone();
    let q = u1 * pp.clone();
    let x3 = r.clone().square() - ppp.clone() - q.clone().double();
    let y3 = r.clone() * (q - x3.clone()) - s1 * ppp.clone();
    ([x3, y3, zz1 * zz2 * pp, zzz1 * zzz2 * ppp], p, r)
}

/// Mixed addition of an XYZZ and an affine point, `madd-2008-s`: 8M + 2S. Also returns `P` and `R` as [`xyzz_add`] does.
#[inline]
pub fn xyzz_add_mixed<R: Ring>([x1, y1, zz1, zzz1]: [R; 4], [x2, y2]: [R; 2]) -> ([R; 4], R, R) {
    let p = x2 * zz1.clone() - x1.clone();
    let r = y2 * zzz1.clone() - y1.clone();
    let pp = p.clone().square();
    let ppp = p.clone() * pp.clone();
    let q = x1 * pp.clone();
    let x3 = r.clone().square() - ppp.clone() - q.clone().double();
    let y3 = r.clone() * (q - x3.clone()) - y1 * ppp.clone();
    ([x3, y3, zz1 * pp, zzz1 * ppp], p, r)
}

/// The numerator `3x²` of the slope `3x² / 2y` of the tangent at an affine point: 1S.
#[inline(always)]
pub fn tangent_rise<R: Ring>(x: R) -> R {
    let xx = x.square();
    xx.clone().double() + xx
}

/// The sum of two affine points, given the slope of the line through them, or of the tangent for equal points: 1M + 1S.
#[inline(always)]
pub fn affine_on_line<R: Ring>([x1, y1]: [R; 2], x2: R, slope: R) -> [R; 2] {
    let x3 = slope.clone().square() - x1.clone() - x2;
    let y3 = slope * (x1 - x3.clone()) - y1;
    [x3, y3]
}

/// Complete addition in homogeneous coordinates `(X : Y : Z)` = `(X/Z, Y/Z)`, RCB algorithm 7: 12M + 2 products
/// by `3b`, which `mul_3b` computes. Valid for every pair of points of odd order, equal, opposite or infinite.
#[inline(always)]
pub fn complete_add<R: Ring>([x1, y1, z1]: [R; 3], [x2, y2, z2]: [R; 3], mul_3b: impl Fn(R) -> R) -> [R; 3] {
    let t0 = x1.clone() * x2.clone();
    let t1 = y1.clone() * y2.clone();
    let t2 = z1.clone() * z2.clone();
    let t3 = (x1.clone() + y1.clone()) * (x2.clone() + y2.clone()) - (t0.clone() + t1.clone());
    let t4 = (y1 + z1.clone()) * (y2 + z2.clone()) - (t1.clone() + t2.clone());
    let xz = (x1 + z1) * (x2 + z2) - (t0.clone() + t2.clone());
    complete_tail(t0, t1, mul_3b(t2), t3, t4, mul_3b(xz))
}

/// Complete mixed addition, RCB algorithm 8: 11M + 2 products by `3b`. The affine operand is not infinity.
#[inline]
pub fn complete_add_mixed<R: Ring>(
    [x1, y1, z1]: [R; 3],
    [x2, y2]: [R; 2],
    mul_3b: impl Fn(R) -> R,
) -> [R; 3] {
    let t0 = x1.clone() * x2.clone();
    let t1 = y1.clone() * y2.clone();
    let t3 = (x2.clone() + y2.clone()) * (x1.clone() + y1.clone()) - (t0.clone() + t1.clone());
    let t4 = y2 * z1.clone() + y1;
    let xz = x2 * z1.clone() + x1;
    complete_tail(t0, t1, mul_3b(z1), t3, t4, mul_3b(xz))
}

/// The common second half of RCB algorithms 7 and 8, 6M on `X1X2, Y1Y2, 3b·Z1Z2, X1Y2+X2Y1, Y1Z2+Y2Z1,
/// 3b·(X1Z2+X2Z1)`.
#[inline(always)]
fn complete_tail<R: Ring>(xx: R, yy: R, bzz: R, xy: R, yz: R, bxz: R) -> [R; 3] {
    let xx3 = xx.clone().double() + xx;
    let plus = yy.clone() + bzz.clone();
    let minus = yy - bzz;
    let x3 = difference_of_products([xy.clone(), minus.clone()], [yz.clone(), bxz.clone()]);
    let y3 = sum_of_products([minus, plus.clone()], [bxz, xx3.clone()]);
    let z3 = sum_of_products([plus, yz], [xx3, xy]);
    [x3, y3, z3]
}

/// `a·b + c·d`, with one reduction if the ring defers reductions.
#[inline(always)]
fn sum_of_products<R: Ring>([a, b]: [R; 2], [c, d]: [R; 2]) -> R {
    let mut sum = R::wide(&a, &b);
    sum.plus(&R::wide(&c, &d));
    sum.reduced()
}

/// `a·b - c·d`, with one reduction if the ring defers reductions.
#[inline(always)]
fn difference_of_products<R: Ring>([a, b]: [R; 2], [c, d]: [R; 2]) -> R {
    let mut difference = R::wide(&a, &b);
    difference.minus(&R::wide(&c, &d));
    difference.reduced()
}

/// Complete doubling, RCB algorithm 9: 6M + 2S + 1 product by `3b`.
#[inline(always)]
pub fn complete_double<R: Ring>([x, y, z]: [R; 3], mul_3b: impl Fn(R) -> R) -> [R; 3] {
    let yy = y.clone().square();
    let yy8 = yy.clone().double().double().double();
    let yz = y.clone() * z.clone();
    let bzz = mul_3b(z.square());
    let z3 = yz * yy8.clone();
    let sum = yy.clone() + bzz.clone();
    let diff = yy - (bzz.clone().double() + bzz.clone());
    let y3 = sum_of_products([bzz, yy8], [diff.clone(), sum]);
    let x3 = (diff * (x * y)).double();
    [x3, y3, z3]
}

/// Addition in extended twisted Edwards coordinates, `add-2008-hwcd-3`: 8M and a product by `2d`, which `mul_2d` computes.
/// `(X : Y : Z : T)` represents `(X/Z, Y/Z)` with `T = XY/Z`, on `-x² + y² = 1 + d·x²y²`. The formula is complete if -1 is a
/// square and `d` is not.
#[inline]
pub fn edwards_add<R: Ring>(
    [x1, y1, z1, t1]: [R; 4],
    [x2, y2, z2, t2]: [R; 4],
    mul_2d: impl Fn(R) -> R,
) -> [R; 4] {
    let a = (y1.clone() - x1.clone()) * (y2.clone() - x2.clone());
    let b = (y1 + x1) * (y2 + x2);
    let c = mul_2d(t1 * t2);
    edwards_tail(a, b, c, (z1 * z2).double())
}

/// Doubling in extended twisted Edwards coordinates with a = -1, `dbl-2008-hwcd`: 4M + 4S. Complete.
#[inline]
pub fn edwards_double<R: Ring>([x, y, z]: [R; 3]) -> [R; 4] {
    let a = x.clone().square();
    let b = y.clone().square();
    let c = z.square().double();
    let e = (x + y).square() - a.clone() - b.clone();
    let g = b.clone() - a.clone();
    let f = g.clone() - c;
    let h = -(a + b);
    [e.clone() * f.clone(), g.clone() * h.clone(), f * g, e * h]
}

/// Mixed addition of an extended twisted Edwards point and an affine triple `(x, y, u)` with `u = 2d·xy`: `madd-2008-hwcd-3`
/// without its product by `2d`, 7M. It is the mixed point addition of \[AIE\], Fig. 1, and complete under the conditions of
/// [`edwards_add`].
#[inline]
pub fn edwards_add_mixed<R: Ring>([x1, y1, z1, t1]: [R; 4], [x2, y2, u2]: [R; 3]) -> [R; 4] {
    let a = (y1.clone() - x1.clone()) * (y2.clone() - x2.clone());
    let b = (y1 + x1) * (y2 + x2);
    edwards_tail(a, b, t1 * u2, z1.double())
}

/// The common second half of the additions on twisted Edwards curves: 4M.
#[inline(always)]
fn edwards_tail<R: Ring>(a: R, b: R, c: R, d: R) -> [R; 4] {
    let (e, h) = (b.clone() - a.clone(), b + a);
    let (f, g) = (d.clone() - c.clone(), d + c);
    [e.clone() * f.clone(), g.clone() * h.clone(), f * g, e * h]
}

/// Maps a point of `Y² = X³ + b` to extended twisted Edwards coordinates without an inversion: 4M and a product by the constant
/// that makes a = -1. Takes `(X - α, Y)` for the curve's point `(α, 0)` of order two, and `1/s = √(3α²)`. The result has `Z = 0`
/// exactly if the affine map `x = c·(X - α)/Y`, `y = (X - α - 1/s)/(X - α + 1/s)` divides by zero.
#[inline]
pub fn edwards_from_weierstrass<R: Ring>(
    [n, y]: [R; 2],
    s_inverse: R,
    mul_stretch: impl Fn(R) -> R,
) -> [R; 4] {
    let minus = n.clone() - s_inverse.clone();
    let plus = n.clone() + s_inverse;
    let cn = mul_stretch(n);
    [cn.clone() * plus.clone(), minus.clone() * y.clone(), plus * y, cn * minus]
}

/// The inverse of [`edwards_from_weierstrass`], to homogeneous coordinates `(X - α : Y : Z)`: 3M and 2 products by the same
/// constants. The neutral element is mapped to infinity, `(0 : Y : 0)`; of the other points only `(0, -1)`, which corresponds to
/// `(α, 0)`, has no image.
#[inline]
pub fn edwards_to_weierstrass<R: Ring>(
    [x, y, z]: [R; 3],
    mul_s_inverse: impl Fn(R) -> R,
    mul_stretch: impl Fn(R) -> R,
) -> [R; 3] {
    let sum = mul_s_inverse(z.clone() + y.clone());
    let difference = z.clone() - y;
    [sum.clone() * x.clone(), mul_stretch(sum * z), difference * x]
}
