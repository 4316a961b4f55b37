//! Line functions of the Miller loop, over any ring in the role of Fq2, and products of an Fq12 element with a
//! line. The code is straight-line, without case distinctions. Costs count multiplications (M) and squarings (S) in Fq2.
//!
//! The running point `T` is in homogeneous coordinates, `(X : Y : Z)` = `(X/Z, Y/Z)`. A line has three coefficients, of `1`, `x_P`
//! and `y_P`, in the order in which the sparse product takes them; it is defined up to a factor in Fq2, which the
//! final exponentiation removes.

use pairwright_field::{Cubic, NonResidue, Quad, Ring, Root, Wide, WideCubic};

/// The coefficients of a line `constant + along_x·x_P + along_y·y_P`, where `(x_P, y_P)` is the first argument of the pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<R> {
    /// The constant term.
    pub constant: R,
    /// The coefficient of `x_P`.
    pub along_x: R,
    /// The coefficient of `y_P`.
    pub along_y: R,
}

/// `2·T` and the tangent at `T`: eprint 2010/526, §4, coordinates multiplied by 4 to avoid halving. 2M + 7S in Fq2
/// and one product by `3b'`, which `mul_3b` computes.
#[inline(always)]
pub fn double_step<R: Ring>([x, y, z]: [R; 3], mul_3b: impl Fn(R) -> R) -> ([R; 3], Line<R>) {
    let xx = x.clone().square();
    let yy = y.clone().square();
    let zz = z.clone().square();
    let xy2 = (x + y.clone()).square().minus_both(xx.clone(), yy.clone());
    let yz2 = (y + z).square().minus_both(yy.clone(), zz.clone());
    let e = mul_3b(zz);
    let ee = e.clone().square();
    let e3 = e.clone().double() + e.clone();
    let x3 = R::product(&xy2, &(yy.clone() - e3.clone()));
    let ee4 = ee.double().double();
    let y3 = (yy.clone() + e3).square() - (ee4.clone().double() + ee4);
    let z3 = R::product(&yy, &yz2).double().double();
    let line = Line { constant: e - yy, along_x: xx.clone().double() + xx, along_y: -yz2 };
    ([x3, y3, z3], line)
}

/// `T + Q` for affine `Q` and the line through both: eprint 2010/526, §4. 11M + 2S in Fq2. Not for `T = ±Q`, which
/// a Miller loop over points of prime order never meets.
#[inline(always)]
pub fn add_step<R: Ring>([x, y, z]: [R; 3], [qx, qy]: [R; 2]) -> ([R; 3], Line<R>) {
    let theta = y.clone() - R::product(&qy, &z);
    let lambda = x.clone() - R::product(&qx, &z);
    let c = theta.clone().square();
    let d = lambda.clone().square();
    let e = R::product(&lambda, &d);
    let f = R::product(&z, &c);
    let g = R::product(&x, &d);
    let h = e.clone() + f - g.clone().double();
    let x3 = R::product(&lambda, &h);
    let y3 = R::product(&theta, &(g - h)) - R::product(&e, &y);
    let z3 = R::product(&z, &e);
    let constant = R::product(&theta, &qx) - R::product(&lambda, &qy);
    ([x3, y3, z3], Line { constant, along_x: -theta, along_y: lambda })
}

/// `f·(b0 + b1·v)` in the cubic extension: 5M.
#[inline(always)]
pub fn mul_by_01<R: Ring, B: NonResidue<R>>(f: &Cubic<R, B>, b0: &R, b1: &R) -> WideCubic<R, B> {
    let sum = |x: &R, y: &R| x.clone() + y.clone();
    let mut v0 = R::wide(&f.c0, b0);
    let v1 = R::wide(&f.c1, b1);
    let mut t12 = R::wide(&sum(&f.c1, &f.c2), b1);
    t12.minus(&v1);
    let mut t02 = R::wide(&sum(&f.c0, &f.c2), b0);
    t02.minus(&v0);
    let mut t01 = R::wide(&sum(&f.c0, &f.c1), &sum(b0, b1));
    t01.minus_two(&v0, &v1);
    B::add_wide(&mut v0, &t12);
    t02.plus(&v1);
    WideCubic::new(v0, t01, t02)
}

/// `f·(b1·v)` in the cubic extension: 3M.
#[inline(always)]
pub fn mul_by_1<R: Ring, B: NonResidue<R>>(f: &Cubic<R, B>, b1: &R) -> WideCubic<R, B> {
    WideCubic::new(B::mul_wide(&R::wide(&f.c2, b1)), R::wide(&f.c0, b1), R::wide(&f.c1, b1))
}

/// `f·b0` in the cubic extension: 3M.
#[inline(always)]
fn scale<R: Ring, B: NonResidue<R>>(f: &Cubic<R, B>, b0: &R) -> WideCubic<R, B> {
    WideCubic::new(R::wide(&f.c0, b0), R::wide(&f.c1, b0), R::wide(&f.c2, b0))
}

/// `a + b·w² + (c - a - b)·w`, reduced: the last step of Karatsuba's formula, from its three products.
#[inline(always)]
fn joined<R, B, W>(a: WideCubic<R, B>, b: WideCubic<R, B>, mut c: WideCubic<R, B>) -> Quad<Cubic<R, B>, W>
where
    R: Ring,
    B: NonResidue<R>,
{
    let mut low = a.clone();
    Root::add_wide(&mut low, &b);
    c.minus_two(&a, &b);
    Quad::new(low.reduced(), c.reduced())
}

/// `f·(l0 + l1·v + l4·v·w)`, the shape of a line on an M-type twist: 13M.
#[inline(always)]
pub fn mul_by_014<R, B, W>(f: Quad<Cubic<R, B>, W>, l0: R, l1: R, l4: R) -> Quad<Cubic<R, B>, W>
where
    R: Ring,
    B: NonResidue<R>,
{
    let a = mul_by_01(&f.c0, &l0, &l1);
    let b = mul_by_1(&f.c1, &l4);
    let c = mul_by_01(&(f.c0 + f.c1), &l0, &(l1 + l4));
    joined(a, b, c)
}

/// `f·(l0 + (l3 + l4·v)·w)`, the shape of a line on a D-type twist: 13M.
#[inline(always)]
pub fn mul_by_034<R, B, W>(f: Quad<Cubic<R, B>, W>, l0: R, l3: R, l4: R) -> Quad<Cubic<R, B>, W>
where
    R: Ring,
    B: NonResidue<R>,
{
    let a = scale(&f.c0, &l0);
    let b = mul_by_01(&f.c1, &l3, &l4);
    let c = mul_by_01(&(f.c0 + f.c1), &(l0 + l3), &l4);
    joined(a, b, c)
}

/// The product of two lines: the coefficient of 1, and `d0, d1`. The coefficient of `w` is `d0 + d1·v` on a D-type twist and
/// `(d0 + d1·v)·v` on an M-type twist.
pub type TwoLines<R, B> = (Cubic<R, B>, [R; 2]);

/// `a0·b1 + a1·b0` from `v0 = a0·b0` and `v1 = a1·b1`: 1M.
#[inline(always)]
fn crossed<R: Ring>([a0, a1]: [&R; 2], [b0, b1]: [&R; 2], v0: &R::Wide, v1: &R::Wide) -> R {
    let mut t = R::wide(&(a0.clone() + a1.clone()), &(b0.clone() + b1.clone()));
    t.minus_two(v0, v1);
    t.reduced()
}

/// `(l0 + l1·v + l4·v·w)(m0 + m1·v + m4·v·w)`, the product of two lines on an M-type twist: 6M.
#[inline(always)]
pub fn two_of_014<R: Ring, B: NonResidue<R>>([l0, l1, l4]: &[R; 3], [m0, m1, m4]: &[R; 3]) -> TwoLines<R, B> {
    let (mut v0, v1, v4) = (R::wide(l0, m0), R::wide(l1, m1), R::wide(l4, m4));
    let c1 = crossed([l0, l1], [m0, m1], &v0, &v1);
    let of_w = [crossed([l0, l4], [m0, m4], &v0, &v4), crossed([l1, l4], [m1, m4], &v1, &v4)];
    B::add_wide(&mut v0, &v4);
    (Cubic::new(v0.reduced(), c1, v1.reduced()), of_w)
}

/// `(l0 + (l3 + l4·v)·w)(m0 + (m3 + m4·v)·w)`, the product of two lines on a D-type twist: 6M.
#[inline(always)]
pub fn two_of_034<R: Ring, B: NonResidue<R>>([l0, l3, l4]: &[R; 3], [m0, m3, m4]: &[R; 3]) -> TwoLines<R, B> {
    let (mut v0, v3, v4) = (R::wide(l0, m0), R::wide(l3, m3), R::wide(l4, m4));
    let c2 = crossed([l3, l4], [m3, m4], &v3, &v4);
    let of_w = [crossed([l0, l3], [m0, m3], &v0, &v3), crossed([l0, l4], [m0, m4], &v0, &v4)];
    B::add_wide(&mut v0, &v4);
    (Cubic::new(v0.reduced(), v3.reduced(), c2), of_w)
}

/// `f` times the product of two lines; `raised` says that the coefficient of `w` has the factor `v` (M-type twist). 17M, which with
/// the 6M of the product is 3M less than multiplying by two lines one after the other.
#[inline(always)]
pub fn mul_by_two<R, B, W>(
    f: &Quad<Cubic<R, B>, W>,
    (low, [d0, d1]): &TwoLines<R, B>,
    raised: bool,
) -> Quad<Cubic<R, B>, W>
where
    R: Ring,
    B: NonResidue<R>,
{
    let a = Cubic::wide(&f.c0, low);
    let b = mul_by_01(&f.c1, d0, d1);
    let sum = |x: &R, y: &R| x.clone() + y.clone();
    let (b, both) = if raised {
        (Root::mul_wide(&b), Cubic::new(low.c0.clone(), sum(&low.c1, d0), sum(&low.c2, d1)))
    } else {
        (b, Cubic::new(sum(&low.c0, d0), sum(&low.c1, d1), low.c2.clone()))
    };
    let c = Cubic::wide(&(f.c0.clone() + f.c1.clone()), &both);
    joined(a, b, c)
}

/// [`mul_by_014`] for a line divided by its constant term, `l0 = 1`: 9M.
#[inline(always)]
pub fn mul_by_014_monic<R, B, W>(f: Quad<Cubic<R, B>, W>, l1: R, l4: R) -> Quad<Cubic<R, B>, W>
where
    R: Ring,
    B: NonResidue<R>,
{
    // f + v·(l1 + l4·w)·f.
    let a = f.c0.clone().scale(l1.clone());
    let b = f.c1.clone().scale(l4.clone());
    let c = (f.c0.clone() + f.c1.clone()).scale(l1 + l4);
    let cross = c.minus_both(a.clone(), b.clone()).mul_by_root();
    Quad::new(f.c0 + (a + b.mul_by_root()).mul_by_root(), f.c1 + cross)
}

/// [`mul_by_034`] for a line divided by its constant term, `l4 = 1`: 9M.
#[inline(always)]
pub fn mul_by_034_monic<R, B, W>(f: Quad<Cubic<R, B>, W>, l0: R, l3: R) -> Quad<Cubic<R, B>, W>
where
    R: Ring,
    B: NonResidue<R>,
{
    // (l0 + l3·w)·f + v·w·f.
    let a = f.c0.clone().scale(l0.clone());
    let b = f.c1.clone().scale(l3.clone());
    let c = (f.c0.clone() + f.c1.clone()).scale(l0 + l3);
    let cross = c.minus_both(a.clone(), b.clone());
    Quad::new(a + (b + f.c1.mul_by_root()).mul_by_root(), cross + f.c0.mul_by_root())
}
