//! Integers as 52-bit digits, repeated in every lane and computed at compile time.

use core::arch::x86_64::__m512i;
use pairwright_field::limbs::{less_than, sub};

/// Number of 64-bit lanes of a vector.
pub(super) const LANES: usize = 8;
/// Number of bits of a digit.
pub(super) const WIDTH: usize = 52;
/// The greatest digit.
pub(super) const MASK: u64 = (1 << WIDTH) - 1;

/// A constant of `D` digits, repeated in every lane.
#[repr(C, align(64))]
pub(super) struct Splat<const D: usize>([[u64; LANES]; D]);

impl<const D: usize> Splat<D> {
    /// The constant with these digits, lowest first.
    pub(super) const fn new(digits: [u64; D]) -> Self {
        let mut splat = [[0; LANES]; D];
        let mut k = 0;
        while k < D {
            splat[k] = [digits[k]; LANES];
            k += 1;
        }
        Self(splat)
    }

    /// The constant as one vector per digit.
    #[inline(always)]
    pub(super) fn vectors(&self) -> &[__m512i; D] {
        // SAFETY: both types are `D` times 64 bytes, and the struct is aligned to 64.
        unsafe { &*(&raw const *self).cast() }
    }
}

/// The digits of `times` multiplied by an integer of `N` limbs; the product must fit `D` digits.
pub(super) const fn digits<const N: usize, const D: usize>(x: &[u64; N], times: u64) -> [u64; D] {
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

/// `floor(2^exponent / q)` by long division, for an exponent of no fewer bits than q has; it must fit a word.
pub(super) const fn quotient<const N: usize>(exponent: usize, q: &[u64; N]) -> u64 {
    // The power of two that q's top bit stands for is the first that may not be below q.
    let mut top = N - 1;
    while q[top] == 0 {
        top -= 1;
    }
    let bits = 64 * (top + 1) - q[top].leading_zeros() as usize;
    let mut rest = [0; N];
    rest[(bits - 1) / 64] = 1 << ((bits - 1) % 64);
    let mut result = 0;
    let mut i = bits - 1;
    while i < exponent {
        // The top bit of q is clear, so twice a residue fits.
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
