//! The trait of eight field elements in lanes, on which computations with points are written.

use super::digits::LANES;
use super::octet::Octet;
use pairwright_field::{Fp, Modulus, NonResidue, Quad, Ring};

/// Eight elements of a field in lanes, as coordinates of points.
///
/// # Safety
/// The functions marked unsafe need AVX-512 IFMA; a value of the type must not exist where the processor lacks it.
pub(crate) unsafe trait Coordinate<F>: Ring + Copy + Send {
    /// Base-2 logarithm of the ratio of the radices of lanes and memory.
    const LOG_RADIX_RATIO: usize;
    /// The element one in every lane.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA.
    unsafe fn one() -> Self;
    /// Loads eight elements from memory, and returns a mask of the lanes whose element is not zero.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA, and the addresses may be read.
    unsafe fn load<const FORM: u8>(from: [*const F; LANES]) -> (Self, u8);
    /// Stores eight elements to memory.
    ///
    /// # Safety
    /// The addresses may be written.
    unsafe fn store<const FORM: u8>(&self, to: [*mut F; LANES]);
    /// Selects `b` in the lanes of a mask and `a` in the others.
    fn blend(lanes: u8, a: &Self, b: &Self) -> Self;
    /// Negates a second coordinate, as returned by [`Self::load`], in the lanes of a mask.
    #[inline(always)]
    fn negated_y(&self, lanes: u8) -> Self {
        Self::blend(lanes, self, &-*self)
    }
    /// The difference `a - b` within wider bounds, as a factor of a product with the result of a ring operation, and for
    /// [`Self::maybe_zero`].
    fn factor(a: &Self, b: &Self) -> Self;
    /// Permutes the lanes: lane `i` of the result is lane `i ^ mask`, for a mask of 1, 2 or 4.
    fn exchanged(&self, mask: usize) -> Self;
    /// A mask of lanes that includes all lanes which hold zero, and possibly others.
    fn maybe_zero(&self) -> u8;
    /// Masks of the lanes whose `sgn0` is 1 (RFC 9380, §4.1), and of those that hold zero.
    fn sign_and_zero(&self) -> (u8, u8);
    /// A mask of the lanes whose `sgn0` is 1.
    #[inline(always)]
    fn sign(&self) -> u8 {
        self.sign_and_zero().0
    }
    /// A mask of the lanes that hold zero.
    #[inline(always)]
    fn zero(&self) -> u8 {
        self.sign_and_zero().1
    }
}

// SAFETY: an `Octet` is made by functions with the features, and `Fp<M, N>` is transparent over its `N` limbs.
unsafe impl<M: Modulus<N>, const N: usize, const D: usize> Coordinate<Fp<M, N>> for Octet<M, N, D> {
    const LOG_RADIX_RATIO: usize = Self::LOG_RADIX_RATIO;
    #[inline(always)]
    unsafe fn one() -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self::one() }
    }
    #[inline(always)]
    unsafe fn load<const FORM: u8>(from: [*const Fp<M, N>; LANES]) -> (Self, u8) {
        // SAFETY: the caller's promise.
        unsafe { Self::load::<FORM>(from.map(<*const _>::cast)) }
    }
    #[inline(always)]
    unsafe fn store<const FORM: u8>(&self, to: [*mut Fp<M, N>; LANES]) {
        // SAFETY: the caller's promise; what is written is below the modulus.
        unsafe { self.store::<FORM>(to.map(<*mut _>::cast)) }
    }
    #[inline(always)]
    fn blend(lanes: u8, a: &Self, b: &Self) -> Self {
        // SAFETY: a value exists, so the processor has the instructions.
        unsafe { Self::blend(lanes, a, b) }
    }
    #[inline(always)]
    fn negated_y(&self, lanes: u8) -> Self {
        // SAFETY: as above.
        unsafe { self.negated_y(lanes) }
    }
    #[inline(always)]
    fn factor(a: &Self, b: &Self) -> Self {
        // SAFETY: as above.
        unsafe { Self::factor(a, b) }
    }
    #[inline(always)]
    fn exchanged(&self, mask: usize) -> Self {
        // SAFETY: as above.
        unsafe { self.exchanged(mask) }
    }
    #[inline(always)]
    fn maybe_zero(&self) -> u8 {
        // SAFETY: as above.
        unsafe { self.maybe_zero() }
    }
    #[inline(always)]
    fn sign_and_zero(&self) -> (u8, u8) {
        // SAFETY: as above.
        unsafe { self.odd_and_zero() }
    }
}

// SAFETY: both coefficients are values in lanes.
unsafe impl<F, T: Coordinate<F>, B> Coordinate<Quad<F, B>> for Quad<T, B>
where
    B: NonResidue<T>,
{
    const LOG_RADIX_RATIO: usize = T::LOG_RADIX_RATIO;
    #[inline(always)]
    unsafe fn one() -> Self {
        // SAFETY: the caller's promise.
        let one = unsafe { T::one() };
        let zero = one + -one;
        Self::new(one, zero)
    }
    #[inline(always)]
    unsafe fn load<const FORM: u8>(from: [*const Quad<F, B>; LANES]) -> (Self, u8) {
        // SAFETY: the caller's promise; only addresses of fields are formed.
        let ((c0, m0), (c1, m1)) = unsafe {
            (
                T::load::<FORM>(from.map(|p| &raw const (*p).c0)),
                T::load::<FORM>(from.map(|p| &raw const (*p).c1)),
            )
        };
        (Self::new(c0, c1), m0 | m1)
    }
    #[inline(always)]
    unsafe fn store<const FORM: u8>(&self, to: [*mut Quad<F, B>; LANES]) {
        // SAFETY: as above.
        unsafe {
            self.c0.store::<FORM>(to.map(|p| &raw mut (*p).c0));
            self.c1.store::<FORM>(to.map(|p| &raw mut (*p).c1));
        }
    }
    #[inline(always)]
    fn blend(lanes: u8, a: &Self, b: &Self) -> Self {
        Self::new(T::blend(lanes, &a.c0, &b.c0), T::blend(lanes, &a.c1, &b.c1))
    }
    #[inline(always)]
    fn negated_y(&self, lanes: u8) -> Self {
        Self::new(self.c0.negated_y(lanes), self.c1.negated_y(lanes))
    }
    #[inline(always)]
    fn factor(a: &Self, b: &Self) -> Self {
        Self::new(T::factor(&a.c0, &b.c0), T::factor(&a.c1, &b.c1))
    }
    #[inline(always)]
    fn exchanged(&self, mask: usize) -> Self {
        Self::new(self.c0.exchanged(mask), self.c1.exchanged(mask))
    }
    #[inline(always)]
    fn maybe_zero(&self) -> u8 {
        self.c0.maybe_zero() & self.c1.maybe_zero()
    }
    #[inline(always)]
    fn sign_and_zero(&self) -> (u8, u8) {
        let ((sign0, zero0), (sign1, zero1)) = (self.c0.sign_and_zero(), self.c1.sign_and_zero());
        (sign0 | zero0 & sign1, zero0 & zero1)
    }
}
