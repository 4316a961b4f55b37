//! Quadratic and cubic extensions over any ring.

use crate::ct::Choice;
use crate::traits::{Extension, Field, NonResidue, Ring, karatsuba};
use crate::wide::{Wide, WideCubic, WideQuad};
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use rand_core::Rng;
use zeroize::Zeroize;

/// An element `c0 + c1·u` of the quadratic extension with `u² = β`, where `B` is the type of β.
pub struct Quad<R, B> {
    /// Coefficient of 1.
    pub c0: R,
    /// Coefficient of u.
    pub c1: R,
    step: PhantomData<fn() -> B>,
}

/// An element `c0 + c1·v + c2·v²` of the cubic extension with `v³ = β`, where `B` is the type of β.
pub struct Cubic<R, B> {
    /// Coefficient of 1.
    pub c0: R,
    /// Coefficient of v.
    pub c1: R,
    /// Coefficient of v².
    pub c2: R,
    step: PhantomData<fn() -> B>,
}

impl<R, B> Quad<R, B> {
    /// The element `c0 + c1·u`.
    #[inline(always)]
    pub const fn new(c0: R, c1: R) -> Self {
        Self { c0, c1, step: PhantomData }
    }
}

impl<R, B> Cubic<R, B> {
    /// The element `c0 + c1·v + c2·v²`.
    #[inline(always)]
    pub const fn new(c0: R, c1: R, c2: R) -> Self {
        Self { c0, c1, c2, step: PhantomData }
    }
}

impl<R: Ring, B: NonResidue<R>> Quad<R, B> {
    /// The conjugate `c0 - c1·u`.
    #[inline(always)]
    pub fn conjugate(self) -> Self {
        Self::new(self.c0, -self.c1)
    }
    /// The norm to the base ring, `c0² - β·c1²`.
    #[inline(never)]
    pub fn norm(self) -> R {
        self.c0.square() - B::mul(self.c1.square())
    }
    /// `self · s` for `s` in the base.
    #[inline(always)]
    pub fn scale(self, s: R) -> Self {
        Self::new(R::product(&self.c0, &s), R::product(&self.c1, &s))
    }
    /// `u·self` = `β·c1 + c0·u`: the product with the non-residue of the next step, if that step adjoins a root of `u`.
    #[inline(always)]
    pub fn mul_by_root(self) -> Self {
        Self::new(B::mul(self.c1), self.c0)
    }
}

impl<R: Ring, B: NonResidue<R>> Cubic<R, B> {
    /// `self · s` for `s` in the base.
    #[inline(always)]
    pub fn scale(self, s: R) -> Self {
        Self::new(R::product(&self.c0, &s), R::product(&self.c1, &s), R::product(&self.c2, &s))
    }
    /// `v·self` = `β·c2 + c0·v + c1·v²`.
    #[inline(always)]
    pub fn mul_by_root(self) -> Self {
        Self::new(B::mul(self.c2), self.c0, self.c1)
    }
}

// ---- ring ----

impl<R: Ring, B> Add for Quad<R, B> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::new(self.c0 + o.c0, self.c1 + o.c1)
    }
}
impl<R: Ring, B> Sub for Quad<R, B> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self::new(self.c0 - o.c0, self.c1 - o.c1)
    }
}
impl<R: Ring, B> Neg for Quad<R, B> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.c0, -self.c1)
    }
}
impl<R: Ring, B: NonResidue<R>> Mul for Quad<R, B> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self::product(&self, &o)
    }
}
impl<R: Ring, B: NonResidue<R>> Ring for Quad<R, B> {
    const OUT_OF_LINE: bool = R::OUT_OF_LINE;
    const DEFERS_REDUCTION: bool = R::DEFERS_REDUCTION;
    type Wide = WideQuad<R, B>;
    #[inline(always)]
    fn square(self) -> Self {
        R::square_quad::<B>(&self.c0, &self.c1)
    }
    #[inline(always)]
    fn double(self) -> Self {
        Self::new(self.c0.double(), self.c1.double())
    }
    const REDUCES_ONCE: bool = R::REDUCES_ONCE;
    #[inline(always)]
    fn minus_both(self, b: Self, c: Self) -> Self {
        if !R::REDUCES_ONCE {
            return self - b - c;
        }
        Self::new(self.c0.minus_both(b.c0, c.c0), self.c1.minus_both(b.c1, c.c1))
    }
    #[inline(always)]
    fn product(a: &Self, b: &Self) -> Self {
        R::mul_quad::<B>([&a.c0, &a.c1], [&b.c0, &b.c1])
    }
    #[inline(always)]
    fn wide(a: &Self, b: &Self) -> Self::Wide {
        R::wide_quad::<B>([&a.c0, &a.c1], [&b.c0, &b.c1])
    }
    #[inline(always)]
    fn wide_square(a: &Self) -> Self::Wide {
        R::wide_square_quad::<B>(&a.c0, &a.c1)
    }
    #[inline(always)]
    fn times(self, n: u64) -> Self {
        Self::new(self.c0.times(n), self.c1.times(n))
    }
}

impl<R: Ring, B> Add for Cubic<R, B> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::new(self.c0 + o.c0, self.c1 + o.c1, self.c2 + o.c2)
    }
}
impl<R: Ring, B> Sub for Cubic<R, B> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self::new(self.c0 - o.c0, self.c1 - o.c1, self.c2 - o.c2)
    }
}
impl<R: Ring, B> Neg for Cubic<R, B> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.c0, -self.c1, -self.c2)
    }
}
impl<R: Ring, B: NonResidue<R>> Mul for Cubic<R, B> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self::product(&self, &o)
    }
}
impl<R: Ring, B: NonResidue<R>> Ring for Cubic<R, B> {
    /// Chung–Hasan SQR2: two products and three squarings.
    #[inline(always)]
    fn square(self) -> Self {
        let Self { c0: a0, c1: a1, c2: a2, .. } = self;
        let s0 = a0.clone().square();
        let s1 = (a0.clone() * a1.clone()).double();
        let s2 = (a0 - a1.clone() + a2.clone()).square();
        let s3 = (a1 * a2.clone()).double();
        let s4 = a2.square();
        Self::new(
            s0.clone() + B::mul(s3.clone()),
            s1.clone() + B::mul(s4.clone()),
            (s1 + s2 + s3).minus_both(s0, s4),
        )
    }
    #[inline(always)]
    fn product(a: &Self, b: &Self) -> Self {
        Self::wide(a, b).reduced()
    }
    const OUT_OF_LINE: bool = R::OUT_OF_LINE;
    const DEFERS_REDUCTION: bool = R::DEFERS_REDUCTION;
    type Wide = WideCubic<R, B>;
    #[inline(always)]
    fn wide(a: &Self, b: &Self) -> Self::Wide {
        if R::OUT_OF_LINE { called::wide_cubic(a, b) } else { wide_cubic(a, b) }
    }
    #[inline(always)]
    fn mul_quad<W: NonResidue<Self>>(a: [&Self; 2], b: [&Self; 2]) -> Quad<Self, W> {
        if R::OUT_OF_LINE { called::mul_quad(a, b) } else { karatsuba(a, b).reduced() }
    }
    #[inline(always)]
    fn square_quad<W: NonResidue<Self>>(c0: &Self, c1: &Self) -> Quad<Self, W> {
        if R::OUT_OF_LINE { called::square_quad(c0, c1) } else { W::square_quad(c0, c1) }
    }
    #[inline(always)]
    fn double(self) -> Self {
        Self::new(self.c0.double(), self.c1.double(), self.c2.double())
    }
    const REDUCES_ONCE: bool = R::REDUCES_ONCE;
    #[inline(always)]
    fn minus_both(self, b: Self, c: Self) -> Self {
        if !R::REDUCES_ONCE {
            return self - b - c;
        }
        Self::new(
            self.c0.minus_both(b.c0, c.c0),
            self.c1.minus_both(b.c1, c.c1),
            self.c2.minus_both(b.c2, c.c2),
        )
    }
}

/// Karatsuba for cubic extensions: six products (Devegili et al., eprint 2006/471, §4).
#[inline(always)]
fn wide_cubic<R: Ring, B: NonResidue<R>>(a: &Cubic<R, B>, b: &Cubic<R, B>) -> WideCubic<R, B> {
    let (Cubic { c0: a0, c1: a1, c2: a2, .. }, Cubic { c0: b0, c1: b1, c2: b2, .. }) = (a, b);
    let sums = |x: &R, y: &R, z: &R, w: &R| R::wide(&(x.clone() + y.clone()), &(z.clone() + w.clone()));
    let mut v0 = R::wide(a0, b0);
    let v1 = R::wide(a1, b1);
    let v2 = R::wide(a2, b2);
    let mut t12 = sums(a1, a2, b1, b2);
    t12.minus_two(&v1, &v2);
    let mut t01 = sums(a0, a1, b0, b1);
    t01.minus_two(&v0, &v1);
    let mut t02 = sums(a0, a2, b0, b2);
    t02.minus_two(&v0, &v2);
    B::add_wide(&mut v0, &t12);
    B::add_wide(&mut t01, &v2);
    t02.plus(&v1);
    WideCubic::new(v0, t01, t02)
}

/// Functions that are not inlined, for rings with [`Ring::OUT_OF_LINE`].
mod called {
    use super::{Cubic, NonResidue, Quad, Ring, Wide, WideCubic, karatsuba};

    #[inline(never)]
    pub(super) fn wide_cubic<R: Ring, B: NonResidue<R>>(a: &Cubic<R, B>, b: &Cubic<R, B>) -> WideCubic<R, B> {
        super::wide_cubic(a, b)
    }
    #[inline(never)]
    pub(super) fn mul_quad<R: Ring, B: NonResidue<R>>(a: [&R; 2], b: [&R; 2]) -> Quad<R, B> {
        karatsuba(a, b).reduced()
    }
    #[inline(never)]
    pub(super) fn square_quad<R: Ring, B: NonResidue<R>>(c0: &R, c1: &R) -> Quad<R, B> {
        B::square_quad(c0, c1)
    }
}

// ---- field ----

impl<F: Field, B: NonResidue<F>> Field for Quad<F, B> {
    const ZERO: Self = Self::new(F::ZERO, F::ZERO);
    const ONE: Self = Self::new(F::ONE, F::ZERO);

    #[inline(never)]
    fn invert(&self) -> Option<Self> {
        let t = self.norm().invert()?;
        Some(Self::new(self.c0 * t, -(self.c1 * t)))
    }
    #[inline(always)]
    fn select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self::new(F::select(&a.c0, &b.c0, choice), F::select(&a.c1, &b.c1, choice))
    }
    #[inline(always)]
    fn ct_eq(&self, o: &Self) -> Choice {
        self.c0.ct_eq(&o.c0) & self.c1.ct_eq(&o.c1)
    }
    fn random<R: Rng + ?Sized>(rng: &mut R) -> Self {
        let c0 = F::random(rng);
        Self::new(c0, F::random(rng))
    }
}

impl<F: Field, B: NonResidue<F>> Field for Cubic<F, B> {
    const ZERO: Self = Self::new(F::ZERO, F::ZERO, F::ZERO);
    const ONE: Self = Self::new(F::ONE, F::ZERO, F::ZERO);

    #[inline(never)]
    fn invert(&self) -> Option<Self> {
        // Cofactors of multiplication by self: Guide to Pairing-Based Cryptography, algorithm 5.23.
        let t0 = self.c0.square() - B::mul(self.c1 * self.c2);
        let t1 = B::mul(self.c2.square()) - self.c0 * self.c1;
        let t2 = self.c1.square() - self.c0 * self.c2;
        let norm = self.c0 * t0 + B::mul(self.c2 * t1 + self.c1 * t2);
        let d = norm.invert()?;
        Some(Self::new(t0 * d, t1 * d, t2 * d))
    }
    #[inline(always)]
    fn select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self::new(
            F::select(&a.c0, &b.c0, choice),
            F::select(&a.c1, &b.c1, choice),
            F::select(&a.c2, &b.c2, choice),
        )
    }
    #[inline(always)]
    fn ct_eq(&self, o: &Self) -> Choice {
        self.c0.ct_eq(&o.c0) & self.c1.ct_eq(&o.c1) & self.c2.ct_eq(&o.c2)
    }
    fn random<R: Rng + ?Sized>(rng: &mut R) -> Self {
        let (c0, c1) = (F::random(rng), F::random(rng));
        Self::new(c0, c1, F::random(rng))
    }
}

impl<F: Extension, B: NonResidue<F>> Extension for Quad<F, B> {
    type Prime = F::Prime;
    const DEGREE: usize = 2 * F::DEGREE;
    fn coord(&self, i: usize) -> F::Prime {
        if i < F::DEGREE { self.c0.coord(i) } else { self.c1.coord(i - F::DEGREE) }
    }
    fn try_from_fn<E>(mut coord: impl FnMut(usize) -> Result<F::Prime, E>) -> Result<Self, E> {
        let low = F::try_from_fn(&mut coord)?;
        Ok(Self::new(low, F::try_from_fn(|i| coord(i + F::DEGREE))?))
    }
    fn from_prime(x: F::Prime) -> Self {
        Self::new(F::from_prime(x), F::ZERO)
    }
}

impl<F: Extension, B: NonResidue<F>> Extension for Cubic<F, B> {
    type Prime = F::Prime;
    const DEGREE: usize = 3 * F::DEGREE;
    fn coord(&self, i: usize) -> F::Prime {
        let (k, j) = (i / F::DEGREE, i % F::DEGREE);
        match k {
            0 => self.c0.coord(j),
            1 => self.c1.coord(j),
            _ => self.c2.coord(j),
        }
    }
    fn try_from_fn<E>(mut coord: impl FnMut(usize) -> Result<F::Prime, E>) -> Result<Self, E> {
        let low = F::try_from_fn(&mut coord)?;
        let mid = F::try_from_fn(|i| coord(i + F::DEGREE))?;
        Ok(Self::new(low, mid, F::try_from_fn(|i| coord(i + 2 * F::DEGREE))?))
    }
    fn from_prime(x: F::Prime) -> Self {
        Self::new(F::from_prime(x), F::ZERO, F::ZERO)
    }
}

// ---- implementations by hand, because derive would require the traits of B too ----

macro_rules! plumbing {
    ($name:ident { $($c:ident),+ }) => {
        impl<R: Clone, B> Clone for $name<R, B> {
            #[inline(always)]
            fn clone(&self) -> Self {
                Self::new($(self.$c.clone()),+)
            }
        }
        impl<R: Copy, B> Copy for $name<R, B> {}
        impl<R: PartialEq, B> PartialEq for $name<R, B> {
            fn eq(&self, o: &Self) -> bool {
                $(self.$c == o.$c)&&+
            }
        }
        impl<R: Eq, B> Eq for $name<R, B> {}
        impl<R: Default, B> Default for $name<R, B> {
            fn default() -> Self {
                Self::new($({ let $c = R::default(); $c }),+)
            }
        }
        impl<R: fmt::Debug, B> fmt::Debug for $name<R, B> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($name))$(.field(&self.$c))+.finish()
            }
        }
        impl<R: Zeroize, B> Zeroize for $name<R, B> {
            fn zeroize(&mut self) {
                $(self.$c.zeroize();)+
            }
        }
        impl<R: Ring, B> AddAssign for $name<R, B> {
            #[inline(always)]
            fn add_assign(&mut self, o: Self) {
                *self = self.clone() + o;
            }
        }
        impl<R: Ring, B> SubAssign for $name<R, B> {
            #[inline(always)]
            fn sub_assign(&mut self, o: Self) {
                *self = self.clone() - o;
            }
        }
        impl<R: Ring, B: NonResidue<R>> MulAssign for $name<R, B> {
            #[inline(always)]
            fn mul_assign(&mut self, o: Self) {
                *self = self.clone() * o;
            }
        }
    };
}
plumbing!(Quad { c0, c1 });
plumbing!(Cubic { c0, c1, c2 });
