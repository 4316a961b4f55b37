//! Functions on integers as vectors of 64-bit limbs, least significant first: carries, comparison, and the constants of
//! Montgomery arithmetic, which are computed from the modulus at compile time.

use alloc::vec;
use alloc::vec::Vec;

/// `a + b + carry`; `carry` becomes the carry out.
#[inline(always)]
pub const fn adc(a: u64, b: u64, carry: &mut u64) -> u64 {
    let t = a as u128 + b as u128 + *carry as u128;
    *carry = (t >> 64) as u64;
    t as u64
}

/// `a - b - borrow`; `borrow` (0 or 1) becomes the borrow out.
#[inline(always)]
pub const fn sbb(a: u64, b: u64, borrow: &mut u64) -> u64 {
    let t = (a as u128).wrapping_sub(b as u128).wrapping_sub(*borrow as u128);
    *borrow = (t >> 64) as u64 & 1;
    t as u64
}

/// `a + b·c + carry`; `carry` becomes the high limb.
#[inline(always)]
pub const fn mac(a: u64, b: u64, c: u64, carry: &mut u64) -> u64 {
    let t = a as u128 + b as u128 * c as u128 + *carry as u128;
    *carry = (t >> 64) as u64;
    t as u64
}

/// `a < b`.
pub const fn less_than(a: &[u64], b: &[u64]) -> bool {
    let mut borrow = 0;
    let mut i = 0;
    while i < a.len() {
        sbb(a[i], b[i], &mut borrow);
        i += 1;
    }
    borrow == 1
}

/// `-p^-1 mod 2^64` for odd `p`, by Newton iteration.
pub const fn neg_inverse(p: u64) -> u64 {
    assert!(p & 1 == 1, "a Montgomery modulus is odd");
    let mut x = 1u64;
    let mut i = 0;
    while i < 6 {
        x = x.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(x)));
        i += 1;
    }
    x.wrapping_neg()
}

/// `x·2^e mod p` for `x < p`, by `e` modular doublings; needs the top bit of `p` clear.
pub const fn shl_mod<const N: usize>(mut x: [u64; N], e: usize, p: &[u64; N]) -> [u64; N] {
    assert!(p[N - 1] >> 63 == 0, "one spare bit is needed");
    assert!(less_than(&x, p), "not below the modulus");
    let mut i = 0;
    while i < e {
        let mut carry = 0;
        let mut d = [0u64; N];
        let mut j = 0;
        while j < N {
            d[j] = adc(x[j], x[j], &mut carry);
            j += 1;
        }
        x = if less_than(&d, p) { d } else { sub(&d, p) };
        i += 1;
    }
    x
}

/// The integer one as `N` limbs.
pub const fn one<const N: usize>() -> [u64; N] {
    let mut out = [0; N];
    out[0] = 1;
    out
}

/// `a - b` modulo `2^(64 N)`.
pub const fn sub<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let mut out = [0u64; N];
    let mut borrow = 0;
    let mut j = 0;
    while j < N {
        out[j] = sbb(a[j], b[j], &mut borrow);
        j += 1;
    }
    out
}

/// `a >> s` for `s` below `64 N`.
pub const fn shr<const N: usize>(a: &[u64; N], s: u32) -> [u64; N] {
    let (words, bits) = ((s / 64) as usize, s % 64);
    let mut out = [0u64; N];
    let mut j = 0;
    while j + words < N {
        let low = a[j + words] >> bits;
        let high = if bits > 0 && j + words + 1 < N { a[j + words + 1] << (64 - bits) } else { 0 };
        out[j] = low | high;
        j += 1;
    }
    out
}

/// Number of significant bits; 0 for zero.
pub const fn bits(a: &[u64]) -> u32 {
    let mut i = a.len();
    while i > 0 {
        i -= 1;
        if a[i] != 0 {
            return 64 * i as u32 + 64 - a[i].leading_zeros();
        }
    }
    0
}

/// The largest `s` with `2^s | p - 1`, for odd `p > 1`.
pub const fn two_adicity(p: &[u64]) -> u32 {
    if p[0] != 1 {
        return (p[0] - 1).trailing_zeros();
    }
    let mut i = 1;
    while p[i] == 0 {
        i += 1;
    }
    64 * i as u32 + p[i].trailing_zeros()
}

/// Bits `at .. at + width` of `a`, for a `width` of at most 63; bits beyond the top limb are zero.
#[inline(always)]
pub fn bit_window(a: &[u64], at: usize, width: usize) -> u64 {
    debug_assert!(width < 64);
    let (word, shift) = (at / 64, at % 64);
    let Some(&low) = a.get(word) else { return 0 };
    let mut v = low >> shift;
    if shift + width > 64
        && let Some(&high) = a.get(word + 1)
    {
        v |= high << (64 - shift);
    }
    v & ((1 << width) - 1)
}

/// The width-w non-adjacent form of an integer (little-endian limbs), least significant digit first, for a width of 2 to 7.
/// Digits are zero or odd and below `2^(w-1)` in magnitude; of any `w` consecutive digits at most one is non-zero. Time
/// depends on the integer.
pub fn wnaf_vartime(k: &[u64], width: usize) -> Vec<i8> {
    debug_assert!((2..=7).contains(&width), "digits fit in an i8");
    let length = bits(k) as usize;
    let mut digits = vec![0i8; length + 1];
    let (mut at, mut carry) = (0, 0);
    while at <= length {
        if bit_window(k, at, 1) == carry {
            // The bit plus the carry is even: the digit is zero, and the carry does not change.
            at += 1;
            continue;
        }
        let window = bit_window(k, at, width) + carry;
        carry = window >> (width - 1);
        digits[at] = (window as i64 - ((carry as i64) << width)) as i8;
        at += width;
    }
    digits
}
