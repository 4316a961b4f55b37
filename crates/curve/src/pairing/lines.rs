//! Line functions of the Miller loop, over any ring standing for Fq2, and the products of an Fq12 element with a
//! line. Straight-line text, no case told apart.
//!
//! The running point `T` is homogeneous, `(X : Y : Z)` = `(X/Z, Y/Z)`. A line is three coefficients, of `1`, `x_P`
//! and `y_P` in the order in which the sparse product takes them; it is defined up to a factor in Fq2, which the
//! final exponentiation removes.

use pairwright_field::{Cubic, NonResidue, Quad, Ring};

/// The coefficients of a line before the first argument is filled in: `constant + along_x·x_P + along_y·y_P`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<R> {
    /// The term free of the first argument.
    pub constant: R,
    /// The factor of `x_P`.
    pub along_x: R,
    /// The factor of `y_P`.
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
pub fn mul_by_01<R: Ring, B: NonResidue<R>>(f: Cubic<R, B>, b0: R, b1: R) -> Cubic<R, B> {
    let v0 = f.c0.clone() * b0.clone();
    let v1 = f.c1.clone() * b1.clone();
    let t12 = (f.c1.clone() + f.c2.clone()) * b1.clone() - v1.clone();
    let t02 = (f.c0.clone() + f.c2) * b0.clone() - v0.clone();
    let t01 = ((f.c0 + f.c1) * (b0 + b1)).minus_both(v0.clone(), v1.clone());
    Cubic::new(v0 + B::mul(t12), t01, t02 + v1)
}

/// `f·(b1·v)` in the cubic extension: 3M.
#[inline(always)]
pub fn mul_by_1<R: Ring, B: NonResidue<R>>(f: Cubic<R, B>, b1: R) -> Cubic<R, B> {
    Cubic::new(B::mul(f.c2 * b1.clone()), f.c0 * b1.clone(), f.c1 * b1)
}

/// `f·(l0 + l1·v + l4·v·w)`, the shape of a line on an M-type twist: 13M.
#[inline(always)]
pub fn mul_by_014<R, B, W>(f: Quad<Cubic<R, B>, W>, l0: R, l1: R, l4: R) -> Quad<Cubic<R, B>, W>
where
    R: Ring,
    B: NonResidue<R>,
{
    if R::MOST_TERMS >= 3 {
        let (Cubic { c0: g0, c1: g1, c2: g2, .. }, Cubic { c0: h0, c1: h1, c2: h2, .. }) = (&f.c0, &f.c1);
        let (r1, r4) = (&B::mul(l1.clone()), &B::mul(l4.clone()));
        let (l0, l1, l4) = (&l0, &l1, &l4);
        return Quad::new(
            Cubic::new(
                R::dot([(g0, l0), (g2, r1), (h1, r4)]),
                R::dot([(g1, l0), (g0, l1), (h2, r4)]),
                R::dot([(g2, l0), (g1, l1), (h0, l4)]),
            ),
            Cubic::new(
                R::dot([(h0, l0), (h2, r1), (g2, r4)]),
                R::dot([(h1, l0), (h0, l1), (g0, l4)]),
                R::dot([(h2, l0), (h1, l1), (g1, l4)]),
            ),
        );
    }
    let a = mul_by_01(f.c0.clone(), l0.clone(), l1.clone());
    let b = mul_by_1(f.c1.clone(), l4.clone());
    let c = mul_by_01(f.c0 + f.c1, l0, l1 + l4);
    Quad::new(a.clone() + b.clone().mul_by_root(), c.minus_both(a, b))
}

/// `f·(l0 + (l3 + l4·v)·w)`, the shape of a line on a D-type twist: 13M.
#[inline(always)]
pub fn mul_by_034<R, B, W>(f: Quad<Cubic<R, B>, W>, l0: R, l3: R, l4: R) -> Quad<Cubic<R, B>, W>
where
    R: Ring,
    B: NonResidue<R>,
{
    if R::MOST_TERMS >= 3 {
        let (Cubic { c0: g0, c1: g1, c2: g2, .. }, Cubic { c0: h0, c1: h1, c2: h2, .. }) = (&f.c0, &f.c1);
        let (r3, r4) = (&B::mul(l3.clone()), &B::mul(l4.clone()));
        let (l0, l3, l4) = (&l0, &l3, &l4);
        return Quad::new(
            Cubic::new(
                R::dot([(g0, l0), (h2, r3), (h1, r4)]),
                R::dot([(g1, l0), (h0, l3), (h2, r4)]),
                R::dot([(g2, l0), (h1, l3), (h0, l4)]),
            ),
            Cubic::new(
                R::dot([(h0, l0), (g0, l3), (g2, r4)]),
                R::dot([(h1, l0), (g1, l3), (g0, l4)]),
                R::dot([(h2, l0), (g2, l3), (g1, l4)]),
            ),
        );
    }
    let a = f.c0.clone().scale(l0.clone());
    let b = mul_by_01(f.c1.clone(), l3.clone(), l4.clone());
    let c = mul_by_01(f.c0 + f.c1, l0 + l3, l4);
    Quad::new(a.clone() + b.clone().mul_by_root(), c.minus_both(a, b))
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
