//! Quadratic and cubic extensions over any ring.

use crate::ct::Choice;
use crate::traits::{Extension, Field, NonResidue, Ring, karatsuba};
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use rand_core::Rng;
use zeroize::Zeroize;

/// `c0 + c1·u` with `u² = β`.
pub struct Quad<R, B> {
    /// Coefficient of 1.
    pub c0: R,
    /// Coefficient of u.
    pub c1: R,
    step: PhantomData<fn() -> B>,
}

/// `c0 + c1·v + c2·v²` with `v³ = β`.
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
    /// `c0 + c1·u`.
    #[inline(always)]
    pub const fn new(c0: R, c1: R) -> Self {
        Self { c0, c1, step: PhantomData }
    }
}

impl<R, B> Cubic<R, B> {
    /// `c0 + c1·v + c2·v²`.
    #[inline(always)]
    pub const fn new(c0: R, c1: R, c2: R) -> Self {
        Self { c0, c1, c2, step: PhantomData }
    }
}

impl<R: Ring, B: NonResidue<R>> Quad<R, B> {
    /// `c0 - c1·u`.
    #[inline(always)]
    pub fn conjugate(self) -> Self {
        Self::new(self.c0, -self.c1)
    }
    /// The norm down to the base, `c0² - β·c1²`.
    #[inline(never)]
    pub fn norm(self) -> R {
        self.c0.square() - B::mul(self.c1.square())
    }
    /// `self · s` for `s` in the base.
    #[inline(always)]
    pub fn scale(self, s: R) -> Self {
        Self::new(R::product(&self.c0, &s), R::product(&self.c1, &s))
    }
    /// `u·self` = `β·c1 + c0·u`: what a tower above multiplies by when it adjoins a root of u.
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
        if R::MOST_TERMS >= 2 {
            return Self::dot([(&self, &o)]);
        }
        if R::LENDS {
            return Self::product(&self, &o);
        }
        let [c0, c1] = R::mul_quad::<B>([self.c0, self.c1], [o.c0, o.c1]);
        Self::new(c0, c1)
    }
}
impl<R: Ring, B: NonResidue<R>> Ring for Quad<R, B> {
    #[inline(always)]
    fn square(self) -> Self {
        let (c0, c1) = B::square_quad(&self.c0, &self.c1);
        Self::new(c0, c1)
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
    const LENDS: bool = R::LENDS;
    #[inline(always)]
    fn product(a: &Self, b: &Self) -> Self {
        if R::MOST_TERMS >= 2 {
            return Self::dot([(a, b)]);
        }
        if !R::LENDS {
            return a.clone() * b.clone();
        }
        let [c0, c1] = karatsuba::<R, B>([&a.c0, &a.c1], [&b.c0, &b.c1]);
        Self::new(c0, c1)
    }
    const MOST_TERMS: usize = if R::MOST_TERMS > 1 { R::MOST_TERMS / 2 } else { 1 };
    #[inline(always)]
    fn dot<const K: usize>(terms: [(&Self, &Self); K]) -> Self {
        Self::new(
            R::dot_norms::<B, K>(terms.map(|(a, b)| [(&a.c0, &b.c0), (&a.c1, &b.c1)])),
            R::dot_pairs(terms.map(|(a, b)| [(&a.c0, &b.c1), (&a.c1, &b.c0)])),
        )
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
    /// Karatsuba for cubic extensions: six products (Devegili et al., eprint 2006/471, §4). Where sums of three products are
    /// cheap, three of those.
    #[inline(always)]
    fn product(a: &Self, b: &Self) -> Self {
        let (Self { c0: a0, c1: a1, c2: a2, .. }, Self { c0: b0, c1: b1, c2: b2, .. }) = (a, b);
        if R::MOST_TERMS >= 3 {
            let (raised1, raised2) = (&B::mul(b1.clone()), &B::mul(b2.clone()));
            return Self::new(
                R::dot([(a0, b0), (a1, raised2), (a2, raised1)]),
                R::dot([(a0, b1), (a1, b0), (a2, raised2)]),
                R::dot([(a0, b2), (a1, b1), (a2, b0)]),
            );
        }
        let sums =
            |x: &R, y: &R, z: &R, w: &R| R::product(&(x.clone() + y.clone()), &(z.clone() + w.clone()));
        let v0 = R::product(a0, b0);
        let v1 = R::product(a1, b1);
        let v2 = R::product(a2, b2);
        let t12 = sums(a1, a2, b1, b2).minus_both(v1.clone(), v2.clone());
        let t01 = sums(a0, a1, b0, b1).minus_both(v0.clone(), v1.clone());
        let t02 = sums(a0, a2, b0, b2).minus_both(v0.clone(), v2.clone());
        Self::new(v0 + B::mul(t12), t01 + B::mul(v2), t02 + v1)
    }
    const LENDS: bool = R::LENDS;
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

// ---- plumbing that derive would bound by B ----

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
