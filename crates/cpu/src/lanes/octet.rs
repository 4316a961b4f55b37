//! Eight elements of a base field in lanes: [`Octet`], a [`Ring`] on vectors of 52-bit digits.
//!
//! An element in memory is the integer `x 2^(64 N) mod q`. In lanes an integer `v` represents `v / 2^(52 D)` modulo q,
//! because the generated product divides by that radix.
//!
//! Every value of the type has digits below 2^52 and is below `BOUND q`; every operation of the ring takes such values
//! and returns a value below 2q. The bounds are in [`super::bounds`], their proofs there and at the operations. Values in
//! [`super::lazy`] are sums of digits within wider bounds; the operations that take them say so.

use crate::generated::ifma_255_reduce::reduce_255;
use crate::generated::ifma_400_reduce::reduce_400;
use crate::lanes::constants::{MASK, WIDTH};
use crate::lanes::digits::{LANES, transposed};
use crate::lanes::form::{LaneForm, form};
use crate::lanes::limbs;
use crate::lanes::permutation::LanePermutation;
use core::arch::x86_64::*;
use core::marker::PhantomData;
use core::ops::{Add, Mul, Neg, Sub};
use pairwright_field::{Modulus, NonResidue, Quad, Ring};

/// Eight elements modulo `M::P`: digit `k` of all of them in vector `k`, for 4 limbs as 5 digits and 6 limbs as 8.
///
/// Values are made only by functions that need AVX-512 IFMA themselves, so whoever holds one may use the instructions.
#[repr(transparent)]
pub(crate) struct Octet<M, const N: usize, const D: usize> {
    pub(super) digits: [__m512i; D],
    of: PhantomData<fn() -> M>,
}

impl<M, const N: usize, const D: usize> Clone for Octet<M, N, D> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<M, const N: usize, const D: usize> Copy for Octet<M, N, D> {}

impl<M: Modulus<N>, const N: usize, const D: usize> Octet<M, N, D> {
    #[inline(always)]
    pub(super) fn new(digits: [__m512i; D]) -> Self {
        Self { digits, of: PhantomData }
    }

    /// The element one in every lane.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn one() -> Self {
        Self::new(*const { &Self::ONE }.vectors())
    }

    /// Loads eight elements, each from an address of `N` limbs below q, and returns a mask of the lanes whose element is not zero.
    ///
    /// # Safety
    /// The addresses may be read.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) unsafe fn load<const FORM: u8>(from: [*const [u64; N]; LANES]) -> (Self, u8) {
        // SAFETY: the caller's promise.
        let limbs = unsafe { limbs::read(from) };
        let mut any = limbs[0];
        for k in 1..N {
            any = _mm512_or_si512(any, limbs[k]);
        }
        let shift = Self::shift(form::<FORM>());
        let mask = _mm512_set1_epi64(MASK as i64);
        let mut x = [_mm512_setzero_si512(); D];
        for k in 0..D {
            // Digit k begins at bit `at` of the element, unless that is negative.
            let Some(at) = (WIDTH * k).checked_sub(shift) else {
                x[k] = _mm512_and_si512(shifted_up(limbs[0], shift), mask);
                continue;
            };
            let (limb, bit) = (at / 64, at % 64);
            if limb < N {
                x[k] = shifted_down(limbs[limb], bit);
            }
            if bit > 64 - WIDTH && limb + 1 < N {
                x[k] = _mm512_or_si512(x[k], shifted_up(limbs[limb + 1], 64 - bit));
            }
            x[k] = _mm512_and_si512(x[k], mask);
        }
        let x = if FORM == LaneForm::Value as u8 {
            Self::product::<false>(&Self::new(x), &Self::new(*const { &Self::TO_VALUE }.vectors()))
        } else {
            Self::new(x)
        };
        (x, _mm512_test_epi64_mask(any, any))
    }

    /// Stores eight elements, reduced below q, as `N` limbs to each address.
    ///
    /// # Safety
    /// The addresses may be written.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) unsafe fn store<const FORM: u8>(&self, to: [*mut [u64; N]; LANES]) {
        let factor = match form::<FORM>() {
            LaneForm::Plain => const { &Self::ONE },
            LaneForm::X => const { &Self::FROM_X },
            LaneForm::Y => const { &Self::FROM_Y },
            LaneForm::Value => const { &Self::FROM_VALUE },
        };
        let d = (*self * Self::new(*factor.vectors())).reduced();
        let mut limbs = [_mm512_setzero_si512(); LANES];
        for k in 0..D {
            let (limb, bit) = (WIDTH * k / 64, WIDTH * k % 64);
            if limb < N {
                limbs[limb] = _mm512_or_si512(limbs[limb], shifted_up(d[k], bit));
            }
            if bit > 64 - WIDTH && limb + 1 < N {
                limbs[limb + 1] = _mm512_or_si512(limbs[limb + 1], shifted_down(d[k], 64 - bit));
            }
        }
        let rows = transposed(limbs);
        for i in 0..LANES {
            // SAFETY: the mask allows the limbs of the element alone.
            unsafe { _mm512_mask_storeu_epi64(to[i].cast(), (1 << N) - 1, rows[i]) };
        }
    }

    /// The digits of the residue below q, for a value below 2q.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn reduced(&self) -> [__m512i; D] {
        let mut c = [_mm512_setzero_si512(); D];
        let (a, q) = (&self.digits, const { &Self::Q }.vectors());
        if D == 5 {
            let (Some(c), Some(a), Some(q)) = (c.first_chunk_mut(), a.first_chunk(), q.first_chunk()) else {
                unreachable!()
            };
            reduce_255(c, a, q);
        } else {
            let (Some(c), Some(a), Some(q)) = (c.first_chunk_mut(), a.first_chunk(), q.first_chunk()) else {
                unreachable!()
            };
            reduce_400(c, a, q);
        }
        c
    }

    /// Selects `b` in the lanes of a mask and `a` in the others.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn blend(lanes: u8, a: &Self, b: &Self) -> Self {
        let mut x = a.digits;
        for k in 0..D {
            x[k] = _mm512_mask_blend_epi64(lanes, x[k], b.digits[k]);
        }
        Self::new(x)
    }

    /// Negates a second coordinate, as it is loaded, in the lanes of a mask.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn negated_y(&self, lanes: u8) -> Self {
        let above = const { &Self::ABOVE_Y }.vectors();
        let mut x = self.digits;
        for k in 0..D {
            x[k] = _mm512_mask_sub_epi64(x[k], lanes, above[k], x[k]);
        }
        Self::new(carried(x))
    }

    /// A mask of the lanes that may hold zero: all lanes that do, and others with a probability of `DIFFERENCE_BOUND / 2^52`.
    ///
    /// The lowest digit of a value `k q` times `-1/q` is `-k mod 2^52`, for `k` from 0 to `DIFFERENCE_BOUND - 1`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn maybe_zero(&self) -> u8 {
        let bound = _mm512_set1_epi64(Self::DIFFERENCE_BOUND as i64);
        let inverse = _mm512_set1_epi64(Self::INVERSE as i64);
        let k =
            _mm512_add_epi64(_mm512_madd52lo_epu64(_mm512_setzero_si512(), self.digits[0], inverse), bound);
        _mm512_cmple_epu64_mask(_mm512_and_si512(k, _mm512_set1_epi64(MASK as i64)), bound)
    }

    /// Masks of the lanes whose canonical integer is odd, and of those that hold zero.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn odd_and_zero(&self) -> (u8, u8) {
        let integer = (*self * Self::new(*const { &Self::INTEGER }.vectors())).reduced();
        let mut any = integer[0];
        for k in 1..D {
            any = _mm512_or_si512(any, integer[k]);
        }
        (_mm512_test_epi64_mask(integer[0], _mm512_set1_epi64(1)), !_mm512_test_epi64_mask(any, any))
    }

    /// Reduces a value below half of `2^(52 D)`, with digits below 2^56, to below 2q.
    ///
    /// The estimate `t = floor(top floor(2^(52 D) / q) / 2^52)` of the quotient is not too large, and too small by less than 2:
    /// by less than 1 for its own rounding; by at most 17 units of the top digit, `17 / 2^12` of q, for the lower digits; and by
    /// less than 1/2 for the rounding of the factor. Then the residue is `x + t (2^(52 D) - q)` modulo `2^(52 D)`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn settled(mut x: [__m512i; D]) -> Self {
        let minus = const { &Self::MINUS_Q }.vectors();
        let factor = _mm512_set1_epi64(const { Self::QUOTIENT } as i64);
        let t = _mm512_madd52hi_epu64(_mm512_setzero_si512(), x[D - 1], factor);
        for k in 0..D {
            x[k] = _mm512_madd52lo_epu64(x[k], minus[k], t);
            if k > 0 {
                x[k] = _mm512_madd52hi_epu64(x[k], minus[k - 1], t);
            }
        }
        Self::new(carried(x))
    }

    /// The difference `a - b`, which is only reduced below `DIFFERENCE_BOUND q`: for [`Self::maybe_zero`], for a sum with another such
    /// difference, and for products with values below 2q, which are then below 2q as well.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn factor(a: &Self, b: &Self) -> Self {
        let lift = (const { &Self::LIFTS })[2].vectors();
        let mut x = a.digits;
        for k in 0..D {
            x[k] = _mm512_sub_epi64(_mm512_add_epi64(x[k], lift[k]), b.digits[k]);
        }
        Self::new(carried(x))
    }

    /// Permutes the lanes: lane `i` of the result is lane `i ^ mask`, for a mask of 1, 2 or 4.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn exchanged(&self, mask: usize) -> Self {
        let from =
            _mm512_xor_si512(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), _mm512_set1_epi64(mask as i64));
        let mut x = self.digits;
        for k in 0..D {
            x[k] = _mm512_permutexvar_epi64(from, x[k]);
        }
        Self::new(x)
    }

    /// The sum of some values minus the sum of others.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn sum_of<const P: usize, const S: usize>(plus: [&Self; P], minus: [&Self; S]) -> Self {
        const { Self::check_sum(P, S) }
        let mut x = if S == 0 { [_mm512_setzero_si512(); D] } else { *(const { &Self::LIFTS })[S].vectors() };
        for k in 0..D {
            for term in plus {
                x[k] = _mm512_add_epi64(x[k], term.digits[k]);
            }
            for term in minus {
                x[k] = _mm512_sub_epi64(x[k], term.digits[k]);
            }
        }
        Self::settled(x)
    }

    /// The sum of some values minus the sum of others, digit by digit without carries. Digits and values may be negative, see
    /// [`super::lazy`].
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn digit_sum<const P: usize, const S: usize>(plus: [&Self; P], minus: [&Self; S]) -> Self {
        let mut x = if P > 0 { plus[0].digits } else { [_mm512_setzero_si512(); D] };
        for k in 0..D {
            for term in plus.iter().skip(1) {
                x[k] = _mm512_add_epi64(x[k], term.digits[k]);
            }
            for term in minus {
                x[k] = _mm512_sub_epi64(x[k], term.digits[k]);
            }
        }
        Self::new(x)
    }

    /// The product with a small integer, digit by digit without carries.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn digit_multiple(&self, n: u64) -> Self {
        let mut x = [_mm512_setzero_si512(); D];
        for bit in 0..4 {
            if n >> bit & 1 == 1 {
                for k in 0..D {
                    x[k] = _mm512_add_epi64(x[k], shifted_up(self.digits[k], bit));
                }
            }
        }
        Self::new(x)
    }

    /// The digits of an operand of a product. If the value may be a lazy sum, it is made positive and carried.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn operand<const LAZY: bool>(&self) -> [__m512i; D] {
        if !LAZY {
            return self.digits;
        }
        let raise = const { &Self::RAISE }.vectors();
        let mut x = self.digits;
        for k in 0..D {
            x[k] = _mm512_add_epi64(x[k], raise[k]);
        }
        carried(x)
    }

    /// Reduces a lazy sum to below 2q.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn settled_sum(&self) -> Self {
        // The digits are carried first, because the estimate of the quotient needs them below 2^56.
        Self::settled(self.operand::<true>())
    }

    /// The product with a small integer, reduced below 2q.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn multiple(&self, n: u64) -> Self {
        Self::settled(self.digit_multiple(n).digits)
    }

    /// Lane `i` of the result is lane `from[i]` of the values, where lanes of `b` are numbered from 8 on, or zero.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn picked(a: &Self, b: &Self, from: &LanePermutation) -> Self {
        // SAFETY: the array is aligned to 64 bytes and as long.
        let index = unsafe { _mm512_load_si512(from.index().as_ptr().cast()) };
        let mut x = a.digits;
        for k in 0..D {
            x[k] = _mm512_maskz_permutex2var_epi64(from.taken(), a.digits[k], index, b.digits[k]);
        }
        Self::new(x)
    }
}

/// Carries digits, so that they are below 2^52; the carry out of the top digit is dropped.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn carried<const D: usize>(mut x: [__m512i; D]) -> [__m512i; D] {
    let mask = _mm512_set1_epi64(MASK as i64);
    for k in 0..D {
        if k + 1 < D {
            x[k + 1] = _mm512_add_epi64(x[k + 1], _mm512_srli_epi64::<52>(x[k]));
        }
        x[k] = _mm512_and_si512(x[k], mask);
    }
    x
}

/// Shifts every lane left by a number of bits, which is a constant once the surrounding loop is unrolled.
#[inline]
#[target_feature(enable = "avx512f")]
fn shifted_up(x: __m512i, bits: usize) -> __m512i {
    _mm512_sllv_epi64(x, _mm512_set1_epi64(bits as i64))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn shifted_down(x: __m512i, bits: usize) -> __m512i {
    _mm512_srlv_epi64(x, _mm512_set1_epi64(bits as i64))
}

impl<M: Modulus<N>, const N: usize, const D: usize> Add for Octet<M, N, D> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        // SAFETY: a value exists, so the processor has the instructions.
        unsafe { Self::sum_of([&self, &o], []) }
    }
}
impl<M: Modulus<N>, const N: usize, const D: usize> Sub for Octet<M, N, D> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self::sum_of([&self], [&o]) }
    }
}
impl<M: Modulus<N>, const N: usize, const D: usize> Neg for Octet<M, N, D> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: as above.
        unsafe { Self::sum_of([], [&self]) }
    }
}
impl<M: Modulus<N>, const N: usize, const D: usize> Mul for Octet<M, N, D> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self::product::<false>(&self, &o) }
    }
}
impl<M: Modulus<N>, const N: usize, const D: usize> Ring for Octet<M, N, D> {
    type Wide = Self;
    #[inline(always)]
    fn square(self) -> Self {
        // SAFETY: as above.
        unsafe { self.squared::<false>() }
    }
    #[inline(always)]
    fn mul_quad<B: NonResidue<Self>>(a: [&Self; 2], b: [&Self; 2]) -> Quad<Self, B> {
        // SAFETY: as above.
        let [c0, c1] = unsafe { Self::quadratic_product::<false, Self, B>(a, b) };
        Quad::new(c0, c1)
    }
    const REDUCES_ONCE: bool = true;
    #[inline(always)]
    fn minus_both(self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self::sum_of([&self], [&b, &c]) }
    }
    #[inline(always)]
    fn times(self, n: u64) -> Self {
        if n == 1 {
            return self;
        }
        if n <= Self::MOST_TERMS {
            // SAFETY: a value exists, so the processor has the instructions.
            return unsafe { self.multiple(n) };
        }
        let half = self.times(n / 2).double();
        if n % 2 == 1 { half + self } else { half }
    }
}
