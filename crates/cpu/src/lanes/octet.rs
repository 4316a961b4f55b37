//! Eight elements of a base field in lanes: [`Octet`], a [`Ring`] on vectors of 52-bit digits.
//!
//! An element in memory is the integer `x 2^(64 N) mod q`. In lanes an integer `v` stands for `v / 2^(52 D)` modulo q,
//! because the generated product divides by that radix.
//!
//! Every value of the type has digits below 2^52 and lies below `BOUND q`; every operation of the ring takes such values
//! and gives one below 2q. The proofs stand beside the operations. Values in [`super::lazy`] are sums of digits within wider
//! bounds; the operations for them say so.

use crate::generated::ifma_255_reduce::reduce_255;
use crate::generated::ifma_400_reduce::reduce_400;
use crate::lanes::constants::{MASK, Splat, WIDTH, digits, quotient};
use crate::lanes::digits::{LANES, transposed};
use crate::lanes::form::{Form, form};
use crate::lanes::limbs;
use crate::lanes::places::Places;
use core::arch::x86_64::*;
use core::marker::PhantomData;
use core::ops::{Add, Mul, Neg, Sub};
use pairwright_field::limbs::{bits, neg_inverse, one, shl_mod};
use pairwright_field::{Modulus, NonResidue, Quad, Ring};

/// Values of sums of digits stay below so many bits times q, positive or negative.
pub(super) const LAZY_BITS: usize = 15;
/// Their digits stay below so many bits times 2^52, positive or negative.
pub(super) const LAZY_TERMS: usize = 10;
/// Most values that one sum subtracts.
const MOST_MINUS: usize = 5;

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
    /// Bits between the radices of memory and of the lanes.
    pub(super) const SPARE: usize = WIDTH * D - 64 * N;
    /// Values lie below so many times q. A load shifts by at most [`Self::shift`] bits, the logarithm of this.
    const BOUND: u64 = 1 << Self::shift(Form::X);
    /// Differences that are not settled lie below so many times q.
    const SPAN: u64 = 3 * Self::BOUND + 1;
    /// Products of two operands, of which one may be a difference that is not settled, lie below so many times q².
    pub(super) const MOST_PRODUCT: u64 =
        if 2 * Self::SPAN > Self::BOUND * Self::BOUND { 2 * Self::SPAN } else { Self::BOUND * Self::BOUND };
    pub(super) const INVERSE: u64 = neg_inverse(M::P[0]) & MASK;
    pub(super) const Q: Splat<D> = Splat::new(digits(&M::P, 1));
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
    /// Entry `n` is `(n BOUND + 1) q`, with each digit raised by `n + 2` units of the next: `n` digits subtracted from one
    /// leave it positive.
    const LIFTS: [Splat<D>; MOST_MINUS + 1] = {
        let mut lifts = [const { Splat::new([0; D]) }; MOST_MINUS + 1];
        let mut n = 1;
        while n <= MOST_MINUS {
            let mut lift: [u64; D] = digits(&M::P, n as u64 * Self::BOUND + 1);
            let mut k = 0;
            while k < D - 1 {
                lift[k] += (n as u64 + 2) << WIDTH;
                lift[k + 1] -= n as u64 + 2;
                k += 1;
            }
            lifts[n] = Splat::new(lift);
            n += 1;
        }
        lifts
    };
    /// The multiple of q that second coordinates lie below when they are loaded, with each digit raised by a unit of the next.
    const ABOVE_Y: Splat<D> = {
        let mut above: [u64; D] = digits(&M::P, 1 << Self::shift(Form::Y));
        let mut k = 0;
        while k < D - 1 {
            above[k] += 1 << WIDTH;
            above[k + 1] -= 1;
            k += 1;
        }
        assert!(Self::shift(Form::Y) < Self::shift(Form::X), "the multiple itself is within the bound");
        Splat::new(above)
    };
    /// Whether products of two values below `2^(LAZY_BITS + 1) q`, twice, are below 2q, so that sums of digits can be operands.
    pub(super) const HAS_LAZY: bool = 2 * (LAZY_BITS + 1) < WIDTH * D - bits(&M::P) as usize;
    /// `2^LAZY_BITS q`, with each digit raised by `2^LAZY_TERMS` units of the next: what makes sums of digits positive; no use
    /// without [`Self::HAS_LAZY`].
    const RAISE: Splat<D> = {
        let mut raise: [u64; D] =
            if Self::HAS_LAZY { digits(&M::P, 1 << LAZY_BITS) } else { [1 << LAZY_TERMS; D] };
        let mut k = 0;
        while k < D - 1 {
            raise[k] += 1 << (WIDTH + LAZY_TERMS);
            raise[k + 1] -= 1 << LAZY_TERMS;
            k += 1;
        }
        Splat::new(raise)
    };
    /// A sum is settled if its terms, each below `BOUND q`, are not more: what the rounding of [`Self::QUOTIENT`] costs a
    /// value below `x q` is `x q / 2^(52 D)`, which must be below 1/2.
    const MOST_TERMS: u64 = (Self::QUOTIENT / 2 - 1) / Self::BOUND;
    /// `floor(2^(52 D) / q)`.
    const QUOTIENT: u64 = {
        // What the proof of `settled` uses.
        let q = bits(&M::P) as usize;
        // The kernels are printed for values of 256 and 401 bits, for which they leave out no product of digits: operands may
        // have all bits of theirs.
        assert!(q + Self::shift(Form::X) <= if D == 5 { 256 } else { 401 });
        assert!(
            2 * Self::BOUND * (Self::BOUND + 1) <= 1 << (WIDTH * D - q),
            "products of bounded values are below 2q"
        );
        assert!(
            4 * Self::SPAN <= 1 << (WIDTH * D - q),
            "a factor times a value below 2q, twice, is below 2q"
        );
        assert!(q >= WIDTH * (D - 1) + 12);
        quotient(WIDTH * D, &M::P)
    };
    /// One, and what takes coordinates back to the form of memory.
    const ONE: Splat<D> = Splat::new(digits(&shl_mod(one::<N>(), WIDTH * D, &M::P), 1));
    const FROM_X: Splat<D> =
        Splat::new(digits(&shl_mod(one::<N>(), WIDTH * D - Self::shift(Form::X), &M::P), 1));
    const FROM_Y: Splat<D> =
        Splat::new(digits(&shl_mod(one::<N>(), WIDTH * D - Self::shift(Form::Y), &M::P), 1));
    const FROM_VALUE: Splat<D> = Splat::new(digits(&shl_mod(one::<N>(), 64 * N, &M::P), 1));
    /// The integer one, by which a product gives the integer that an element is.
    const INTEGER: Splat<D> = {
        let mut one = [0; D];
        one[0] = 1;
        Splat::new(one)
    };
    /// What takes an element from the form of memory to that of the lanes.
    const TO_VALUE: Splat<D> = Splat::new(digits(&shl_mod(one::<N>(), WIDTH * D + Self::SPARE, &M::P), 1));

    /// Bits by which a load shifts.
    const fn shift(form: Form) -> usize {
        let t = Self::SPARE / 3;
        match form {
            Form::Plain | Form::Value => 0,
            Form::X => Self::SPARE - 2 * t,
            Form::Y => Self::SPARE - 3 * t,
        }
    }

    #[inline(always)]
    pub(super) fn new(digits: [__m512i; D]) -> Self {
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
        let x = if FORM == Form::Value as u8 {
            Self::product::<false>(&Self::new(x), &Self::new(*const { &Self::TO_VALUE }.vectors()))
        } else {
            Self::new(x)
        };
        (x, _mm512_test_epi64_mask(any, any))
    }

    /// Eight elements to memory, below q: the addresses get `N` limbs each.
    ///
    /// # Safety
    /// The addresses may be written.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) unsafe fn store<const FORM: u8>(&self, to: [*mut [u64; N]; LANES]) {
        let factor = match form::<FORM>() {
            Form::Plain => const { &Self::ONE },
            Form::X => const { &Self::FROM_X },
            Form::Y => const { &Self::FROM_Y },
            Form::Value => const { &Self::FROM_VALUE },
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

    /// A second coordinate as it is loaded, negated in the lanes of a mask.
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

    /// The lanes that hold an odd integer below q, and those that hold zero.
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

    /// The value of digits below 2^56, brought below 2q, for values below half of `2^(52 D)`.
    ///
    /// The estimate `t = floor(top floor(2^(52 D) / q) / 2^52)` of the quotient is not too large, and too small by less than 2:
    /// by less than 1 for its own rounding; the digits below the top one are worth at most 17 of its units, `17 / 2^12`
    /// of q; and the rounding of the factor costs less than 1/2. Then `x + t (2^(52 D) - q)` is the residue above the
    /// digits' end.
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
        let lift = (const { &Self::LIFTS })[2].vectors();
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

    /// The sum of some values less that of others.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn sum_of<const P: usize, const S: usize>(plus: [&Self; P], minus: [&Self; S]) -> Self {
        const {
            assert!(S <= MOST_MINUS && P + S + 3 <= 16, "digits stay below 2^56");
            assert!((P + S) as u64 <= Self::MOST_TERMS, "the sum can be settled");
        }
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

    /// The sum of some values less that of others, digit by digit: digits and values may be negative, see
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

    /// The product by a small integer, digit by digit.
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

    /// The digits of an operand of a product: raised to be positive and carried if the value may be a sum of digits.
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

    /// A sum of digits, brought below 2q.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn settled_sum(&self) -> Self {
        // Carried first: the estimate of the quotient wants the digits below 2^56.
        Self::settled(self.operand::<true>())
    }

    /// The product by a small integer, as a sum of shifted digits.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn multiple(&self, n: u64) -> Self {
        Self::settled(self.digit_multiple(n).digits)
    }

    /// Lane `i` of the result is lane `places[i]` of the values, those of `b` counted from 8 on, or zero.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn picked(a: &Self, b: &Self, places: &Places) -> Self {
        // SAFETY: the array is aligned to 64 bytes and as long.
        let index = unsafe { _mm512_load_si512(places.index().as_ptr().cast()) };
        let mut x = a.digits;
        for k in 0..D {
            x[k] = _mm512_maskz_permutex2var_epi64(places.taken(), a.digits[k], index, b.digits[k]);
        }
        Self::new(x)
    }
}

/// Digits below 2^52 again; what is above the last one is dropped.
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
