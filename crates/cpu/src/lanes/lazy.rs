//! Eight elements of a base field whose sums are not reduced: [`Lazy`], the ring of formulas with more sums than products.
//!
//! If the modulus leaves spare bits, a sum only adds digits: digits and values may be negative, and only operands of products are
//! made positive and carried. If it does not (BN254), every sum is reduced as in [`Octet`].
//!
//! There is no check at run time. Formulas that use this type must keep values below `2^LAZY_BITS q` in magnitude, and
//! digits below `2^LAZY_TERMS` times 2^52; tests prove this by evaluating the same formulas on bounds instead of
//! elements. Products are below 2q, so this bounds the number of terms between one product and the next. A value
//! that passes through a loop by sums only has to be settled in every iteration.

use super::coordinate::Coordinate;
use super::digits::LANES;
use super::inversion::InLanes;
use super::octet::Octet;
use super::permutation::LanePermutation;
use core::array::from_fn;
use core::ops::{Add, Mul, Neg, Sub};
use pairwright_field::{Extension, Fp, Modulus, NonResidue, Quad, Ring};

/// A prime field whose elements have a form in lanes with sums that are not reduced.
pub(crate) trait InLazyLanes: InLanes + Extension<Prime = Self> {
    /// Eight elements of the field, a lane each.
    type Lazy: Coordinate<Self> + Sums;
}

impl<M: Modulus<4>> InLazyLanes for Fp<M, 4> {
    type Lazy = Lazy<M, 4, 5>;
}
impl<M: Modulus<6>> InLazyLanes for Fp<M, 6> {
    type Lazy = Lazy<M, 6, 8>;
}

/// Values in lanes with sums of many terms and permutations of lanes.
pub(crate) trait Sums: Ring + Copy {
    /// The sum of some values minus the sum of others.
    fn sum<'a, const P: usize, const S: usize>(plus: [&'a Self; P], minus: [&'a Self; S]) -> Self
    where
        Self: 'a;
    /// The same value reduced below 2q, for values that pass through a loop by sums only.
    fn settled(self) -> Self;
    /// Lane `i` of the result is lane `from[i]` of the values, where lanes of `b` are numbered from 8 on, or zero.
    fn pick_of(a: &Self, b: &Self, from: &LanePermutation) -> Self;
}

/// The same part of several values. It is a loop because loops are inlined, unlike the closures of the library's `map`.
#[inline(always)]
fn parts<'a, X, T, const K: usize>(of: [&'a X; K], part: impl Fn(&'a X) -> &'a T) -> [&'a T; K] {
    let Some(first) = of.first() else { return from_fn(|_| unreachable!()) };
    let mut parts = [part(first); K];
    for i in 1..K {
        parts[i] = part(of[i]);
    }
    parts
}

impl<T: Sums, B: NonResidue<T>> Sums for Quad<T, B> {
    #[inline(always)]
    fn sum<'a, const P: usize, const S: usize>(plus: [&'a Self; P], minus: [&'a Self; S]) -> Self
    where
        Self: 'a,
    {
        Self::new(
            T::sum::<P, S>(parts(plus, |x| &x.c0), parts(minus, |x| &x.c0)),
            T::sum::<P, S>(parts(plus, |x| &x.c1), parts(minus, |x| &x.c1)),
        )
    }
    #[inline(always)]
    fn settled(self) -> Self {
        Self::new(self.c0.settled(), self.c1.settled())
    }
    #[inline(always)]
    fn pick_of(a: &Self, b: &Self, from: &LanePermutation) -> Self {
        Self::new(T::pick_of(&a.c0, &b.c0, from), T::pick_of(&a.c1, &b.c1, from))
    }
}

/// Eight elements modulo `M::P`, as lazy sums of digits.
#[repr(transparent)]
pub(crate) struct Lazy<M, const N: usize, const D: usize>(Octet<M, N, D>);

impl<M, const N: usize, const D: usize> Clone for Lazy<M, N, D> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<M, const N: usize, const D: usize> Copy for Lazy<M, N, D> {}

impl<M: Modulus<N>, const N: usize, const D: usize> Sums for Lazy<M, N, D> {
    #[inline(always)]
    fn sum<'a, const P: usize, const S: usize>(plus: [&'a Self; P], minus: [&'a Self; S]) -> Self
    where
        Self: 'a,
    {
        let (plus, minus) = (parts(plus, |x| &x.0), parts(minus, |x| &x.0));
        // SAFETY: a value exists, so the processor has the instructions.
        Self(unsafe {
            if Octet::<M, N, D>::HAS_LAZY {
                Octet::digit_sum(plus, minus)
            } else {
                Octet::sum_of(plus, minus)
            }
        })
    }
    #[inline(always)]
    fn settled(self) -> Self {
        // SAFETY: as above.
        if Octet::<M, N, D>::HAS_LAZY { Self(unsafe { self.0.settled_sum() }) } else { self }
    }
    #[inline(always)]
    fn pick_of(a: &Self, b: &Self, from: &LanePermutation) -> Self {
        // SAFETY: as above.
        Self(unsafe { Octet::picked(&a.0, &b.0, from) })
    }
}

impl<M: Modulus<N>, const N: usize, const D: usize> Add for Lazy<M, N, D> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::sum([&self, &o], [])
    }
}
impl<M: Modulus<N>, const N: usize, const D: usize> Sub for Lazy<M, N, D> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self::sum([&self], [&o])
    }
}
impl<M: Modulus<N>, const N: usize, const D: usize> Neg for Lazy<M, N, D> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::sum([], [&self])
    }
}
impl<M: Modulus<N>, const N: usize, const D: usize> Mul for Lazy<M, N, D> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            if Octet::<M, N, D>::HAS_LAZY {
                Octet::product::<true>(&self.0, &o.0)
            } else {
                Octet::product::<false>(&self.0, &o.0)
            }
        })
    }
}
impl<M: Modulus<N>, const N: usize, const D: usize> Ring for Lazy<M, N, D> {
    type Wide = Self;
    #[inline(always)]
    fn square(self) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            if Octet::<M, N, D>::HAS_LAZY { self.0.squared::<true>() } else { self.0.squared::<false>() }
        })
    }
    #[inline(always)]
    fn mul_quad<B: NonResidue<Self>>(a: [&Self; 2], b: [&Self; 2]) -> Quad<Self, B> {
        let (a, b) = (a.map(|x| &x.0), b.map(|x| &x.0));
        // SAFETY: as above.
        let [c0, c1] = unsafe {
            if Octet::<M, N, D>::HAS_LAZY {
                Octet::quadratic_product::<true, Self, B>(a, b)
            } else {
                Octet::quadratic_product::<false, Self, B>(a, b)
            }
        };
        Quad::new(Self(c0), Self(c1))
    }
    const REDUCES_ONCE: bool = true;
    #[inline(always)]
    fn minus_both(self, b: Self, c: Self) -> Self {
        Self::sum([&self], [&b, &c])
    }
    #[inline(always)]
    fn times(self, n: u64) -> Self {
        if n == 1 {
            self
        } else if Octet::<M, N, D>::HAS_LAZY {
            // SAFETY: as above.
            Self(unsafe { self.0.digit_multiple(n) })
        } else {
            Self(self.0.times(n))
        }
    }
}

// SAFETY: the value is an `Octet`, which is made by functions with the features.
unsafe impl<M: Modulus<N>, const N: usize, const D: usize> Coordinate<Fp<M, N>> for Lazy<M, N, D> {
    const LOG_RADIX_RATIO: usize = Octet::<M, N, D>::LOG_RADIX_RATIO;
    #[inline(always)]
    unsafe fn one() -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { Octet::one() })
    }
    #[inline(always)]
    unsafe fn load<const FORM: u8>(from: [*const Fp<M, N>; LANES]) -> (Self, u8) {
        // SAFETY: the caller's promise.
        let (x, nonzero) = unsafe { <Octet<M, N, D> as Coordinate<Fp<M, N>>>::load::<FORM>(from) };
        (Self(x), nonzero)
    }
    #[inline(always)]
    unsafe fn store<const FORM: u8>(&self, to: [*mut Fp<M, N>; LANES]) {
        // SAFETY: the caller's promise.
        unsafe { Coordinate::store::<FORM>(&self.settled().0, to) }
    }
    #[inline(always)]
    fn blend(lanes: u8, a: &Self, b: &Self) -> Self {
        // SAFETY: a value exists, so the processor has the instructions.
        Self(unsafe { Octet::blend(lanes, &a.0, &b.0) })
    }
    #[inline(always)]
    fn factor(a: &Self, b: &Self) -> Self {
        *a - *b
    }
    #[inline(always)]
    fn exchanged(&self, mask: usize) -> Self {
        // SAFETY: as above.
        Self(unsafe { self.0.exchanged(mask) })
    }
    #[inline(always)]
    fn maybe_zero(&self) -> u8 {
        Coordinate::<Fp<M, N>>::maybe_zero(&self.settled().0)
    }
    #[inline(always)]
    fn sign_and_zero(&self) -> (u8, u8) {
        Coordinate::<Fp<M, N>>::sign_and_zero(&self.settled().0)
    }
}

/// Bounds in place of elements, to prove that formulas stay within the limits of lazy sums.
#[cfg(test)]
pub(super) mod bounds {
    use super::super::bounds::{LAZY_BITS, LAZY_TERMS};
    use super::*;

    /// A bound of the magnitude of a value, as a multiple of q, and of its digits, as a multiple of 2^52.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Bound {
        value: u64,
        terms: u64,
    }

    impl Bound {
        /// The bound of an element loaded from memory.
        pub(crate) const LOADED: Self = Self::PRODUCT;
        /// The bound of a product.
        const PRODUCT: Self = Self { value: 2, terms: 1 };

        fn operand(self) {
            assert!(self.value < 1 << LAZY_BITS && self.terms < 1 << LAZY_TERMS, "{self:?} as an operand");
        }
    }

    impl Sums for Bound {
        fn sum<'a, const P: usize, const S: usize>(plus: [&'a Self; P], minus: [&'a Self; S]) -> Self
        where
            Self: 'a,
        {
            plus.iter().chain(&minus).fold(Self { value: 0, terms: 0 }, |sum, x| Self {
                value: sum.value + x.value,
                terms: sum.terms + x.terms,
            })
        }
        fn settled(self) -> Self {
            self.operand();
            Self::PRODUCT
        }
        fn pick_of(a: &Self, b: &Self, _: &LanePermutation) -> Self {
            Self { value: a.value.max(b.value), terms: a.terms.max(b.terms) }
        }
    }
    impl Add for Bound {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            Self::sum([&self, &o], [])
        }
    }
    impl Sub for Bound {
        type Output = Self;
        fn sub(self, o: Self) -> Self {
            Self::sum([&self], [&o])
        }
    }
    impl Neg for Bound {
        type Output = Self;
        fn neg(self) -> Self {
            self
        }
    }
    impl Mul for Bound {
        type Output = Self;
        fn mul(self, o: Self) -> Self {
            self.operand();
            o.operand();
            Self::PRODUCT
        }
    }
    impl Ring for Bound {
        type Wide = Self;
        fn mul_quad<B: NonResidue<Self>>(a: [&Self; 2], b: [&Self; 2]) -> Quad<Self, B> {
            for operand in [*a[0], *a[1], B::mul(*a[1]), *b[0], *b[1]] {
                operand.operand();
            }
            Quad::new(Self::PRODUCT, Self::PRODUCT)
        }
        fn times(self, n: u64) -> Self {
            Self { value: n * self.value, terms: n * self.terms }
        }
    }

    /// A sum that exceeds the bounds is refused as an operand.
    #[test]
    #[should_panic(expected = "as an operand")]
    fn too_many_terms() {
        let sum = (0..6).fold(Bound::LOADED, |sum, _| sum.times(4));
        let _ = sum * Bound::LOADED;
    }
}

#[cfg(test)]
mod tests {
    use super::super::form::LaneForm;
    use super::*;
    use crate::isa::lanes_to_test;
    use pairwright_curve::{bls12_377, bls12_381, bn254};
    use pairwright_field::PrimeField;
    use pairwright_testkit::conformance::Values;

    const VALUE: u8 = LaneForm::Value as u8;

    fn eight<F: InLazyLanes>(x: &[F; LANES]) -> F::Lazy {
        // SAFETY: the tests ask the processor first; the addresses are those of values.
        unsafe { Coordinate::<F>::load::<VALUE>(x.each_ref().map(core::ptr::from_ref)).0 }
    }

    fn values<F: InLazyLanes>(x: F::Lazy) -> [F; LANES] {
        let mut out = [F::ZERO; LANES];
        // SAFETY: the addresses are those of eight values.
        unsafe { x.store::<VALUE>(out.each_mut().map(core::ptr::from_mut)) };
        out
    }

    /// Sums of many terms, of both signs, alone and as operands of products.
    fn sums<F: InLazyLanes + PrimeField>() {
        if !lanes_to_test() {
            return;
        }
        let mut draw = Values::<F>::new(21);
        let edges = [F::ZERO, F::ONE, -F::ONE, -F::from(2)];
        for round in 0..8 {
            let mut row = || -> [F; LANES] {
                from_fn(|i| if i < round / 2 { edges[i % 4] } else { draw.take_buf(1)[0] })
            };
            let (a, b, c) = (row(), row(), row());
            let (x, y, z) = (eight(&a), eight(&b), eight(&c));
            let on = |f: &dyn Fn(F, F, F) -> F| -> [F; LANES] { from_fn(|i| f(a[i], b[i], c[i])) };
            assert_eq!(values::<F>(x), a);
            assert_eq!(values::<F>(-x), on(&|a, _, _| -a));
            assert_eq!(values::<F>(x - y - z), on(&|a, b, c| a - b - c));
            assert_eq!(values::<F>(x.minus_both(y, z)), on(&|a, b, c| a - b - c));
            assert_eq!(
                values::<F>(-(x + y).times(9) - z.times(12)),
                on(&|a, b, c| -(a + b).times(9) - c.times(12))
            );
            assert_eq!(values::<F>((x - y).settled()), on(&|a, b, _| a - b));
            let (u, v) = (-(x + y) - z, x - y.double());
            assert_eq!(values::<F>(u * v), on(&|a, b, c| (-(a + b) - c) * (a - b.double())));
            assert_eq!(values::<F>(u * v - v * v), {
                on(&|a, b, c| (-(a + b) - c) * (a - b.double()) - (a - b.double()).square())
            });
            assert_eq!(values::<F>(F::Lazy::sum([&x, &y, &x], [&z, &z])), on(&|a, b, c| a + b + a - c - c));
            let permutation = LanePermutation::new(&[3, -1, 8, 15, 0, 0]);
            let from = [a[3], F::ZERO, b[0], b[7], a[0], a[0], F::ZERO, F::ZERO];
            assert_eq!(values::<F>(F::Lazy::pick_of(&x, &y, &permutation)), from);
        }
    }

    #[test]
    fn sums_of_digits() {
        sums::<bn254::Fq>();
        sums::<bls12_381::Fq>();
        sums::<bls12_377::Fq>();
    }
}
