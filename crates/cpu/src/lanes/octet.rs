//! Eight elements of a base field in lanes: [`Octet`], a [`Ring`] on vectors of 52-bit digits.
//!
//! An element in memory is the integer `x 2^(64 N) mod q`. In lanes an integer `v` stands for `v / 2^(52 D)` modulo q,
//! because the generated product divides by that radix.
//!
//! Every value of the type has digits below 2^52 and lies below `BOUND q`; every operation of the ring takes such values
//! and gives one below 2q. The proofs stand beside the operations.

use crate::generated::ifma_255_mulmod::mulmod_255;
use crate::generated::ifma_255_reduce::reduce_255;
use crate::generated::ifma_400_mulmod::mulmod_400;
use crate::generated::ifma_400_reduce::reduce_400;
use crate::lanes::digits::{LANES, transposed};
use core::arch::x86_64::*;
use core::marker::PhantomData;
use core::ops::{Add, Mul, Neg, Sub};
use pairwright_field::limbs::{bits, less_than, neg_inverse, one, shl_mod, sub};
use pairwright_field::{Modulus, NonResidue, Ring};

/// Bits of a digit.
const WIDTH: usize = 52;
const MASK: u64 = (1 << WIDTH) - 1;

/// Eight elements modulo `M::P`: digit `k` of all of them in vector `k`, for 4 limbs as 5 digits and 6 limbs as 8.
///
/// Values are made only by functions that need AVX-512 IFMA themselves, so whoever holds one may use the instructions.
#[repr(transparent)]
pub(crate) struct Octet<M, const N: usize, const D: usize> {
    digits: [__m512i; D],
    of: PhantomData<fn() -> M>,
}

impl<M, const N: usize, const D: usize> Clone for Octet<M, N, D> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<M, const N: usize, const D: usize> Copy for Octet<M, N, D> {}

/// A constant of `D` digits in every lane.
#[repr(C, align(64))]
struct Splat<const D: usize>([[u64; LANES]; D]);

impl<const D: usize> Splat<D> {
    const fn new(digits: [u64; D]) -> Self {
        let mut splat = [[0; LANES]; D];
        let mut k = 0;
        while k < D {
            splat[k] = [digits[k]; LANES];
            k += 1;
        }
        Self(splat)
    }

    #[inline(always)]
    fn vectors(&self) -> &[__m512i; D] {
        // SAFETY: both types are `D` times 64 bytes, and the struct is aligned to 64.
        unsafe { &*(&raw const *self).cast() }
    }
}

/// The digits of `times` multiplied by an integer of `N` limbs; the product must fit `D` digits.
const fn digits<const N: usize, const D: usize>(x: &[u64; N], times: u64) -> [u64; D] {
    let mut out = [0; D];
    let mut carry = 0u128;
    let mut k = 0;
    while k < D {
        let (limb, bit) = (WIDTH * k / 64, WIDTH * k % 64);
        let low = if limb < N { x[limb] >> bit } else { 0 };
        let high = if bit > 64 - WIDTH && limb + 1 < N { x[limb + 1] << (64 - bit) } else { 0 };
        carry += ((low | high) & MASK) as u128 * times as u128;
        out[k] = carry as u64 & MASK;
        carry >>= WIDTH;
        k += 1;
    }
    assert!(carry == 0, "the product fits the digits");
    out
}

/// `floor(2^exponent / q)` by long division; it must fit a word.
const fn quotient<const N: usize>(exponent: usize, q: &[u64; N]) -> u64 {
    let mut rest: [u64; N] = one();
    let mut result = 0;
    let mut i = 0;
    while i < exponent {
        // The top bit of q is clear, so the double of a residue fits.
        let mut k = N;
        while k > 0 {
            k -= 1;
            rest[k] = rest[k] << 1 | if k > 0 { rest[k - 1] >> 63 } else { 0 };
        }
        assert!(result >> 63 == 0, "the quotient fits a word");
        result <<= 1;
        if !less_than(&rest, q) {
            rest = sub(&rest, q);
            result |= 1;
        }
        i += 1;
    }
    result
}

/// The form of an element in memory, times the power of two by which a load shifts it.
///
/// Points are computed on the curve `y² = x³ + 64^t b` that `(x, y) -> (4^t x, 8^t y)` leads to, for `t` below zero such that both
/// factors, times what is between the radices of memory and lanes, are small powers of two: a load shifts
/// instead of multiplying.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Form {
    /// The integer of memory as it is.
    Plain,
    /// A first coordinate.
    X,
    /// A second coordinate.
    Y,
}

impl<M: Modulus<N>, const N: usize, const D: usize> Octet<M, N, D> {
    /// Bits between the radices of memory and of the lanes.
    pub(super) const SPARE: usize = WIDTH * D - 64 * N;
    /// Values lie below so many times q. A load shifts by at most [`Self::shift`] bits, the logarithm of this.
    const BOUND: u64 = 1 << Self::shift(Form::X);
    /// Differences that are not settled lie below so many times q.
    const SPAN: u64 = 3 * Self::BOUND + 1;
    const INVERSE: u64 = neg_inverse(M::P[0]) & MASK;
    const Q: Splat<D> = Splat::new(digits(&M::P, 1));
    /// `2^(52 D) - q`.
    const MINUS_Q: Splat<D> = {
        let mut minus: [u64; D] = digits(&M::P, 1);
        let (mut k, mut carry) = (0, 1);
        while k < D {
            minus[k] = (MASK - minus[k]) + carry;
            carry = minus[k] >> WIDTH;
            minus[k] &= MASK;
            k += 1;
        }
        Splat::new(minus)
    };
    /// `(2 BOUND + 1) q`, with each digit raised by four units of the next: a sum of two digits subtracted from one leaves
    /// it positive.
    const LIFT: Splat<D> = {
        let mut lift: [u64; D] = digits(&M::P, 2 * Self::BOUND + 1);
        let mut k = 0;
        while k < D - 1 {
            lift[k] += 4 << WIDTH;
            lift[k + 1] -= 4;
            k += 1;
        }
        Splat::new(lift)
    };
    /// `floor(2^(52 D) / q)`.
    const QUOTIENT: u64 = {
        // What the proof of `settled` uses.
        let q = bits(&M::P) as usize;
        // The kernels are printed for values of so many bits, and leave out products of digits that vanish for these.
        assert!(q + Self::shift(Form::X) <= if D == 5 { 256 } else { 401 });
        assert!(
            2 * Self::BOUND * (Self::BOUND + 1) <= 1 << (WIDTH * D - q),
            "products of bounded values are below 2q"
        );
        assert!(4 * Self::SPAN <= 1 << (WIDTH * D - q), "a factor times a value below 2q is below 2q");
        assert!(q >= WIDTH * (D - 1) + 12 && q + Self::shift(Form::X) + 2 <= WIDTH * D);
        quotient(WIDTH * D, &M::P)
    };
    /// One, and what takes coordinates back to the form of memory.
    const ONE: Splat<D> = Splat::new(digits(&shl_mod(one::<N>(), WIDTH * D, &M::P), 1));
    const FROM_X: Splat<D> =
        Splat::new(digits(&shl_mod(one::<N>(), WIDTH * D - Self::shift(Form::X), &M::P), 1));
    const FROM_Y: Splat<D> =
        Splat::new(digits(&shl_mod(one::<N>(), WIDTH * D - Self::shift(Form::Y), &M::P), 1));

    /// Bits by which a load shifts.
    const fn shift(form: Form) -> usize {
        let t = Self::SPARE / 3;
        match form {
            Form::Plain => 0,
            Form::X => Self::SPARE - 2 * t,
            Form::Y => Self::SPARE - 3 * t,
        }
    }

    #[inline(always)]
    fn new(digits: [__m512i; D]) -> Self {
        Self { digits, of: PhantomData }
    }

    /// One in every lane.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn one() -> Self {
        Self::new(*const { &Self::ONE }.vectors())
    }

    /// Eight elements from memory, each an address of `N` limbs below q, and the lanes whose element is not zero.
    ///
    /// # Safety
    /// The addresses may be read.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) unsafe fn load<const FORM: u8>(from: [*const [u64; N]; LANES]) -> (Self, u8) {
        let mut rows = [_mm512_setzero_si512(); LANES];
        for i in 0..LANES {
            // SAFETY: the mask allows the limbs of the element alone.
            rows[i] = unsafe { _mm512_maskz_loadu_epi64((1 << N) - 1, from[i].cast()) };
        }
        let limbs = transposed(rows);
        let mut any = limbs[0];
        for k in 1..N {
            any = _mm512_or_si512(any, limbs[k]);
        }
        let form = if FORM == Form::X as u8 {
            Form::X
        } else if FORM == Form::Y as u8 {
            Form::Y
        } else {
            Form::Plain
        };
        let shift = Self::shift(form);
        let mask = _mm512_set1_epi64(MASK as i64);
        let mut x = [_mm512_setzero_si512(); D];
        for k in 0..D {
            // Digit k begins at this bit of the element, or before it.
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
        (Self::new(x), _mm512_test_epi64_mask(any, any))
    }

    /// Eight elements to memory, below q: the addresses get `N` limbs each.
    ///
    /// # Safety
    /// The addresses may be written.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) unsafe fn store<const FORM: u8>(&self, to: [*mut [u64; N]; LANES]) {
        let factor = if FORM == Form::X as u8 {
            const { &Self::FROM_X }
        } else if FORM == Form::Y as u8 {
            const { &Self::FROM_Y }
        } else {
            const { &Self::ONE }
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

    /// The second operand in the lanes of a mask, the first in the others.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn blend(lanes: u8, a: &Self, b: &Self) -> Self {
        let mut x = a.digits;
        for k in 0..D {
            x[k] = _mm512_mask_blend_epi64(lanes, x[k], b.digits[k]);
        }
        Self::new(x)
    }

    /// The lanes that may hold zero: all that do, and others with a probability of `SPAN / 2^52`.
    ///
    /// Of a value `k q` the lowest digit times `-1/q` is `-k mod 2^52`, for `k` from 0 to `SPAN - 1`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn maybe_zero(&self) -> u8 {
        let bound = _mm512_set1_epi64(Self::SPAN as i64);
        let inverse = _mm512_set1_epi64(Self::INVERSE as i64);
        let k =
            _mm512_add_epi64(_mm512_madd52lo_epu64(_mm512_setzero_si512(), self.digits[0], inverse), bound);
        _mm512_cmple_epu64_mask(_mm512_and_si512(k, _mm512_set1_epi64(MASK as i64)), bound)
    }

    /// The value of digits below 2^56, brought below 2q, for values below `2 SPAN q`.
    ///
    /// The estimate `t = floor(top floor(2^(52 D) / q) / 2^52)` of the quotient is not too large, and too small by less than 2:
    /// by less than 1 for its own rounding; the digits below the top one are worth at most 17 of its units, `17 / 2^12`
    /// of q; and the rounding of the factor costs at most `2 SPAN q / 2^(52 D)`, at most 1/2 by the assertion at
    /// `QUOTIENT`. Then `x + t (2^(52 D) - q)` is the residue above the digits' end.
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

    /// The difference `a - b` below `SPAN q`, for [`Self::maybe_zero`], for a sum with another one, and for products with
    /// values below 2q: these products are below 2q as well.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn factor(a: &Self, b: &Self) -> Self {
        let lift = const { &Self::LIFT }.vectors();
        let mut x = a.digits;
        for k in 0..D {
            x[k] = _mm512_sub_epi64(_mm512_add_epi64(x[k], lift[k]), b.digits[k]);
        }
        Self::new(carried(x))
    }

    /// The elements in another order: lane `i` takes that of lane `i ^ mask`, for a mask of 1, 2 or 4.
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

    /// The difference `a - b - c`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn minus_both(a: &Self, b: &Self, c: &Self) -> Self {
        let lift = const { &Self::LIFT }.vectors();
        let mut x = a.digits;
        for k in 0..D {
            let less = _mm512_sub_epi64(lift[k], c.digits[k]);
            x[k] = _mm512_sub_epi64(_mm512_add_epi64(x[k], less), b.digits[k]);
        }
        Self::settled(x)
    }

    /// The difference `a - b`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn minus(a: &Self, b: &Self) -> Self {
        let lift = const { &Self::LIFT }.vectors();
        let mut x = a.digits;
        for k in 0..D {
            x[k] = _mm512_sub_epi64(_mm512_add_epi64(x[k], lift[k]), b.digits[k]);
        }
        Self::settled(x)
    }

    /// The sum `a + b`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn plus(a: &Self, b: &Self) -> Self {
        let mut x = a.digits;
        for k in 0..D {
            x[k] = _mm512_add_epi64(x[k], b.digits[k]);
        }
        Self::settled(x)
    }

    /// The negative `-a`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn negated(a: &Self) -> Self {
        let mut x = *const { &Self::LIFT }.vectors();
        for k in 0..D {
            x[k] = _mm512_sub_epi64(x[k], a.digits[k]);
        }
        Self::settled(x)
    }

    /// The product: `(a b + m q) / 2^(52 D)` with `m < 2^(52 D)`, which the assertion at `QUOTIENT` brings below 2q.
    ///
    /// Out of line: its sums and operands fill the registers, and inlined among others it would spill them.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn product(a: &Self, b: &Self) -> Self {
        let mut c = [_mm512_setzero_si512(); D];
        let q = const { &Self::Q }.vectors();
        let inverse = _mm512_set1_epi64(const { Self::INVERSE } as i64);
        let (a, b) = (&a.digits, &b.digits);
        if D == 5 {
            let (Some(c), Some(a)) = (c.first_chunk_mut(), a.first_chunk()) else { unreachable!() };
            let (Some(b), Some(q)) = (b.first_chunk(), q.first_chunk()) else { unreachable!() };
            mulmod_255(c, a, b, q, inverse);
        } else {
            let (Some(c), Some(a)) = (c.first_chunk_mut(), a.first_chunk()) else { unreachable!() };
            let (Some(b), Some(q)) = (b.first_chunk(), q.first_chunk()) else { unreachable!() };
            mulmod_400(c, a, b, q, inverse);
        }
        Self::new(c)
    }
}

/// Digits below 2^52 again; what is above the last one is dropped.
#[inline]
#[target_feature(enable = "avx512f")]
fn carried<const D: usize>(mut x: [__m512i; D]) -> [__m512i; D] {
    let mask = _mm512_set1_epi64(MASK as i64);
    for k in 0..D {
        if k + 1 < D {
            x[k + 1] = _mm512_add_epi64(x[k + 1], _mm512_srli_epi64::<52>(x[k]));
        }
        x[k] = _mm512_and_si512(x[k], mask);
    }
    x
}

/// Shifts every lane up, by a number of bits that is known when the loop around is unrolled.
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
        unsafe { Self::plus(&self, &o) }
    }
}
impl<M: Modulus<N>, const N: usize, const D: usize> Sub for Octet<M, N, D> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self::minus(&self, &o) }
    }
}
impl<M: Modulus<N>, const N: usize, const D: usize> Neg for Octet<M, N, D> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: as above.
        unsafe { Self::negated(&self) }
    }
}
impl<M: Modulus<N>, const N: usize, const D: usize> Mul for Octet<M, N, D> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self::product(&self, &o) }
    }
}
impl<M: Modulus<N>, const N: usize, const D: usize> Ring for Octet<M, N, D> {
    #[inline(always)]
    fn mul_quad<B: NonResidue<Self>>([a0, a1]: [Self; 2], [b0, b1]: [Self; 2]) -> [Self; 2] {
        let (v0, v1) = (a0 * b0, a1 * b1);
        let v2 = (a0 + a1) * (b0 + b1);
        // SAFETY: as above.
        [v0 + B::mul(v1), unsafe { Self::minus_both(&v2, &v0, &v1) }]
    }
}
