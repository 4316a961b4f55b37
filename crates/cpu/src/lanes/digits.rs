//! Eight elements of a field of at most 255 bits as five vectors of 52-bit digits.
//!
//! An element in memory is four limbs, `x 2^256 mod q`. In lanes it has the same value in other digits. The generated product
//! divides by 2^260, so the product with a factor in the form `w 2^260 mod q` is again in the form of memory. Values in lanes may
//! exceed q; each function states its bounds.

use super::constants::{MASK, WIDTH, digits, quotient};
use core::arch::x86_64::*;
use pairwright_field::PrimeField;
use pairwright_field::limbs::neg_inverse;

pub(super) use super::constants::LANES;
pub(super) use crate::generated::ifma_255_mulmod::mulmod_255 as product;
use crate::generated::ifma_255_reduce::reduce_255;

/// Number of digits of an element in lanes.
pub(super) const DIGITS: usize = 5;
/// Number of limbs of an element in memory.
pub(super) const LIMBS: usize = 4;

/// Eight elements: digit `k` of all of them in vector `k`.
pub(super) type FiveDigits = [__m512i; DIGITS];

/// The constants of a modulus q that the functions need, repeated in every lane.
#[derive(Clone, Copy)]
pub(super) struct ModulusInLanes {
    /// The modulus q in each lane.
    pub(super) q: FiveDigits,
    /// The constant `-1/q mod 2^52`.
    pub(super) inverse: __m512i,
    /// The multiple 2q in each lane.
    twice: FiveDigits,
    /// The constant `floor(2^260 / q)`.
    quotient: __m512i,
}

/// The first four limbs of an integer.
fn four(limbs: &[u64]) -> [u64; LIMBS] {
    core::array::from_fn(|k| limbs[k])
}

/// The digits of `w 2^260 mod q`.
pub(super) fn factor_digits<F: PrimeField>(w: F) -> [u64; DIGITS] {
    // The form of memory has the factor 2^256, so 2^4 is missing.
    let shifted = w.double().double().double().double().to_montgomery();
    digits(&four(shifted.as_ref()), 1)
}

impl ModulusInLanes {
    /// The constants of a field whose modulus has 253 to 255 bits.
    #[target_feature(enable = "avx512f")]
    pub(super) fn new<F: PrimeField>() -> Self {
        let q = four(F::MODULUS.as_ref());
        Self {
            q: broadcast(&digits(&q, 1)),
            inverse: _mm512_set1_epi64((neg_inverse(q[0]) & MASK) as i64),
            twice: broadcast(&digits(&q, 2)),
            quotient: _mm512_set1_epi64(quotient(WIDTH * DIGITS, &q) as i64),
        }
    }
}

/// The same element in every lane.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn broadcast(digits: &[u64; DIGITS]) -> FiveDigits {
    let mut x = zero();
    for k in 0..DIGITS {
        x[k] = _mm512_set1_epi64(digits[k] as i64);
    }
    x
}

/// The element zero in every lane.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn zero() -> FiveDigits {
    [_mm512_setzero_si512(); DIGITS]
}

/// Indices for a permutation of two vectors that brings limbs of the same significance together. The permutation is its own
/// inverse up to an exchange of halves.
#[inline]
#[target_feature(enable = "avx512f")]
fn patterns() -> (__m512i, __m512i) {
    (_mm512_setr_epi64(0, 4, 8, 12, 1, 5, 9, 13), _mm512_setr_epi64(2, 6, 10, 14, 3, 7, 11, 15))
}

/// Loads eight elements from memory, multiplied by `2^SHIFT` for a shift of 0 or 4 (the result is then below 16q).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load<const SHIFT: u32>(from: &[[u64; LIMBS]; LANES]) -> FiveDigits {
    const { assert!(SHIFT == 0 || SHIFT == 4) };
    let (a, b) = patterns();
    let at = from.as_ptr().cast::<__m512i>();
    // SAFETY: eight elements of four limbs are the 256 bytes of four vectors; the loads need no alignment.
    let [z0, z1, z2, z3] = unsafe {
        [
            _mm512_loadu_si512(at),
            _mm512_loadu_si512(at.add(1)),
            _mm512_loadu_si512(at.add(2)),
            _mm512_loadu_si512(at.add(3)),
        ]
    };
    let (low, high) = (_mm512_permutex2var_epi64(z0, a, z1), _mm512_permutex2var_epi64(z2, a, z3));
    let (l0, l1) = (_mm512_shuffle_i64x2::<0x44>(low, high), _mm512_shuffle_i64x2::<0xee>(low, high));
    let (low, high) = (_mm512_permutex2var_epi64(z0, b, z1), _mm512_permutex2var_epi64(z2, b, z3));
    let (l2, l3) = (_mm512_shuffle_i64x2::<0x44>(low, high), _mm512_shuffle_i64x2::<0xee>(low, high));
    let mask = _mm512_set1_epi64(MASK as i64);
    let join = |low: __m512i, high: __m512i| _mm512_and_si512(_mm512_or_si512(low, high), mask);
    if SHIFT == 0 {
        [
            _mm512_and_si512(l0, mask),
            join(_mm512_srli_epi64::<52>(l0), _mm512_slli_epi64::<12>(l1)),
            join(_mm512_srli_epi64::<40>(l1), _mm512_slli_epi64::<24>(l2)),
            join(_mm512_srli_epi64::<28>(l2), _mm512_slli_epi64::<36>(l3)),
            _mm512_srli_epi64::<16>(l3),
        ]
    } else {
        [
            _mm512_and_si512(_mm512_slli_epi64::<4>(l0), mask),
            join(_mm512_srli_epi64::<48>(l0), _mm512_slli_epi64::<16>(l1)),
            join(_mm512_srli_epi64::<36>(l1), _mm512_slli_epi64::<28>(l2)),
            join(_mm512_srli_epi64::<24>(l2), _mm512_slli_epi64::<40>(l3)),
            _mm512_srli_epi64::<12>(l3),
        ]
    }
}

/// The limbs of eight elements, limb `k` of all of them in vector `k`; digits must be below 2^52.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn joined(d: &FiveDigits) -> [__m512i; LIMBS] {
    [
        _mm512_or_si512(d[0], _mm512_slli_epi64::<52>(d[1])),
        _mm512_or_si512(_mm512_srli_epi64::<12>(d[1]), _mm512_slli_epi64::<40>(d[2])),
        _mm512_or_si512(_mm512_srli_epi64::<24>(d[2]), _mm512_slli_epi64::<28>(d[3])),
        _mm512_or_si512(_mm512_srli_epi64::<36>(d[3]), _mm512_slli_epi64::<16>(d[4])),
    ]
}

/// Stores eight elements, which must be below q, to memory.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store(to: &mut [[u64; LIMBS]; LANES], d: &FiveDigits) {
    let ((a, b), [l0, l1, l2, l3]) = (patterns(), joined(d));
    let (t0, t1) = (_mm512_shuffle_i64x2::<0x44>(l0, l1), _mm512_shuffle_i64x2::<0xee>(l0, l1));
    let (s0, s1) = (_mm512_shuffle_i64x2::<0x44>(l2, l3), _mm512_shuffle_i64x2::<0xee>(l2, l3));
    let at = to.as_mut_ptr().cast::<__m512i>();
    // SAFETY: eight elements of four limbs are the 256 bytes of four vectors; the stores need no alignment.
    unsafe {
        _mm512_storeu_si512(at, _mm512_permutex2var_epi64(t0, a, s0));
        _mm512_storeu_si512(at.add(1), _mm512_permutex2var_epi64(t0, b, s0));
        _mm512_storeu_si512(at.add(2), _mm512_permutex2var_epi64(t1, a, s1));
        _mm512_storeu_si512(at.add(3), _mm512_permutex2var_epi64(t1, b, s1));
    }
}

/// Carries digits after sums and differences, so that they are below 2^52; the value must be in `0..2^260`.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn carried(mut x: FiveDigits) -> FiveDigits {
    let mask = _mm512_set1_epi64(MASK as i64);
    for k in 0..DIGITS - 1 {
        x[k + 1] = _mm512_add_epi64(x[k + 1], _mm512_srai_epi64::<52>(x[k]));
        x[k] = _mm512_and_si512(x[k], mask);
    }
    x
}

/// `a + b`, with carried digits.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn sum(a: &FiveDigits, b: &FiveDigits) -> FiveDigits {
    let mut x = *a;
    for k in 0..DIGITS {
        x[k] = _mm512_add_epi64(x[k], b[k]);
    }
    carried(x)
}

/// `a - b + lift`. Digits are below 2^52, except for the top digit, which has the sign.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn difference(a: &FiveDigits, b: &FiveDigits, lift: &FiveDigits) -> FiveDigits {
    let mut x = *a;
    for k in 0..DIGITS {
        x[k] = _mm512_sub_epi64(_mm512_add_epi64(x[k], lift[k]), b[k]);
    }
    carried(x)
}

/// `a + b` digit by digit, without carries.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn open_sum(a: &FiveDigits, b: &FiveDigits) -> FiveDigits {
    let mut x = *a;
    for k in 0..DIGITS {
        x[k] = _mm512_add_epi64(x[k], b[k]);
    }
    x
}

/// `a - b + 2q` digit by digit, without carries, for `b` below 2q; digits may be negative.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn open_difference(a: &FiveDigits, b: &FiveDigits, k: &ModulusInLanes) -> FiveDigits {
    let mut x = *a;
    for i in 0..DIGITS {
        x[i] = _mm512_sub_epi64(_mm512_add_epi64(x[i], k.twice[i]), b[i]);
    }
    x
}

/// `a - b + q`, for `b` below q.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn minus1(a: &FiveDigits, b: &FiveDigits, k: &ModulusInLanes) -> FiveDigits {
    difference(a, b, &k.q)
}

/// `16 x` for `x` below 2^256, which converts the form of memory to that of lanes.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn sixteen_times(x: &FiveDigits) -> FiveDigits {
    let mask = _mm512_set1_epi64(MASK as i64);
    let mut y = *x;
    for k in 0..DIGITS {
        y[k] = _mm512_and_si512(_mm512_slli_epi64::<4>(x[k]), mask);
        if k > 0 {
            y[k] = _mm512_or_si512(y[k], _mm512_srli_epi64::<48>(x[k - 1]));
        }
    }
    y
}

/// `a b / 2^260` modulo q, below `b + q`, for any `a` of five digits and `b` below 2q.
///
/// The generated function is declared for values below 2q, but its code computes `(a b + m q) / 2^260` for all
/// digits: no sum of its columns comes near 64 bits, and nothing is truncated above the digits. With `a < 2^260`
/// and `m < 2^260` the quotient is below `b + q`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn times(a: &FiveDigits, b: &FiveDigits, k: &ModulusInLanes) -> FiveDigits {
    let mut c = zero();
    product(&mut c, a, b, &k.q, k.inverse);
    c
}

/// `a w / 2^260` modulo q for two pairs, below 2q as in [`times`], as digits below 2^57 that are not carried; each `w` is the same
/// number in all lanes.
///
/// The rows are the digits of `w`: each of at most five rows adds four half products and a carry to a column. The instructions of
/// the two products are interleaved.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn two_products(
    a: [&FiveDigits; 2],
    w: [&[u64; DIGITS]; 2],
    k: &ModulusInLanes,
) -> [FiveDigits; 2] {
    let none = _mm512_setzero_si512();
    let mut sums = [[none; DIGITS + 1]; 2];
    for i in 0..DIGITS {
        let w = [_mm512_set1_epi64(w[0][i] as i64), _mm512_set1_epi64(w[1][i] as i64)];
        for j in 0..DIGITS {
            for p in 0..2 {
                sums[p][j] = _mm512_madd52lo_epu64(sums[p][j], a[p][j], w[p]);
            }
        }
        let mut m = [none; 2];
        for p in 0..2 {
            m[p] = _mm512_madd52lo_epu64(none, sums[p][0], k.inverse);
        }
        for j in 0..DIGITS {
            for p in 0..2 {
                sums[p][j + 1] = _mm512_madd52hi_epu64(sums[p][j + 1], a[p][j], w[p]);
            }
        }
        // The low half of `q[0] m` would clear the lowest 52 bits of column 0. It is not computed: the carry to the next column is
        // column 0 divided by 2^52, rounded up.
        for s in &mut sums {
            let above = _mm512_add_epi64(s[0], _mm512_set1_epi64(MASK as i64));
            s[1] = _mm512_add_epi64(s[1], _mm512_srli_epi64::<52>(above));
        }
        for j in 1..DIGITS {
            for p in 0..2 {
                sums[p][j] = _mm512_madd52lo_epu64(sums[p][j], k.q[j], m[p]);
            }
        }
        for j in 0..DIGITS {
            for p in 0..2 {
                sums[p][j + 1] = _mm512_madd52hi_epu64(sums[p][j + 1], k.q[j], m[p]);
            }
        }
        for s in &mut sums {
            // The columns move down by one.
            for j in 0..DIGITS {
                s[j] = s[j + 1];
            }
            s[DIGITS] = none;
        }
    }
    let mut x = [zero(); 2];
    for p in 0..2 {
        for j in 0..DIGITS {
            x[p][j] = sums[p][j];
        }
    }
    x
}

/// The residue below 2q, for any value of five digits below `31/32 · 2^260`.
///
/// The estimate `top floor(2^260 / q) / 2^52` of the quotient from the top digit is too small by less than 2: by less
/// than 31/32 for the rounding of the factor, by less than 2^-44 for the omitted digits, and by less than 1 for the rounding
/// of the estimate.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn below_twice(x: &FiveDigits, k: &ModulusInLanes) -> FiveDigits {
    let none = _mm512_setzero_si512();
    let times = _mm512_madd52hi_epu64(none, x[DIGITS - 1], k.quotient);
    let mut r = *x;
    for i in 0..DIGITS {
        r[i] = _mm512_sub_epi64(r[i], _mm512_madd52lo_epu64(none, k.q[i], times));
        if i > 0 {
            r[i] = _mm512_sub_epi64(r[i], _mm512_madd52hi_epu64(none, k.q[i - 1], times));
        }
    }
    carried(r)
}

/// The residue below q, for any value that [`below_twice`] takes.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn canonical(x: &FiveDigits, k: &ModulusInLanes) -> FiveDigits {
    reduced(&below_twice(x, k), k)
}

/// The residue below q, for a value below 2q.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn reduced(x: &FiveDigits, k: &ModulusInLanes) -> FiveDigits {
    let mut c = zero();
    reduce_255(&mut c, x, &k.q);
    c
}

/// The transpose of an 8×8 matrix whose rows are the vectors.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn transposed(v: [__m512i; 8]) -> [__m512i; 8] {
    let (p0, p1) = (_mm512_unpacklo_epi64(v[0], v[1]), _mm512_unpackhi_epi64(v[0], v[1]));
    let (p2, p3) = (_mm512_unpacklo_epi64(v[2], v[3]), _mm512_unpackhi_epi64(v[2], v[3]));
    let (p4, p5) = (_mm512_unpacklo_epi64(v[4], v[5]), _mm512_unpackhi_epi64(v[4], v[5]));
    let (p6, p7) = (_mm512_unpacklo_epi64(v[6], v[7]), _mm512_unpackhi_epi64(v[6], v[7]));
    // p0 holds rows 0 and 1 at columns 0, 2, 4, 6; p1 at columns 1, 3, 5, 7; and so on.
    let (e0, e4) = pairs(p0, p2, p4, p6);
    let (e1, e5) = pairs(p1, p3, p5, p7);
    [e0.0, e1.0, e0.1, e1.1, e4.0, e5.0, e4.1, e5.1]
}

/// Columns (0, 2) and (4, 6) of four vectors of pairs of rows.
#[inline]
#[target_feature(enable = "avx512f")]
fn pairs(a: __m512i, b: __m512i, c: __m512i, d: __m512i) -> ((__m512i, __m512i), (__m512i, __m512i)) {
    let (ab, cd) = (_mm512_shuffle_i64x2::<0x44>(a, b), _mm512_shuffle_i64x2::<0x44>(c, d));
    let low = (_mm512_shuffle_i64x2::<0x88>(ab, cd), _mm512_shuffle_i64x2::<0xdd>(ab, cd));
    let (ab, cd) = (_mm512_shuffle_i64x2::<0xee>(a, b), _mm512_shuffle_i64x2::<0xee>(c, d));
    (low, (_mm512_shuffle_i64x2::<0x88>(ab, cd), _mm512_shuffle_i64x2::<0xdd>(ab, cd)))
}

/// Element `j` of vector `i` becomes element `i` of vector `j`.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn transpose(x: &mut [FiveDigits; LANES]) {
    for k in 0..DIGITS {
        let t = transposed([x[0][k], x[1][k], x[2][k], x[3][k], x[4][k], x[5][k], x[6][k], x[7][k]]);
        for i in 0..LANES {
            x[i][k] = t[i];
        }
    }
}

/// Splits sixteen consecutive elements into those at even and at odd positions.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn even_odd(a: &FiveDigits, b: &FiveDigits) -> (FiveDigits, FiveDigits) {
    let even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    let odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
    let mut parts = (zero(), zero());
    for k in 0..DIGITS {
        parts.0[k] = _mm512_permutex2var_epi64(a[k], even, b[k]);
        parts.1[k] = _mm512_permutex2var_epi64(a[k], odd, b[k]);
    }
    parts
}

/// Sixteen consecutive elements from those at even and at odd positions, the inverse of [`even_odd`].
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn interleaved(even: &FiveDigits, odd: &FiveDigits) -> (FiveDigits, FiveDigits) {
    let low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    let high = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    let mut parts = (zero(), zero());
    for k in 0..DIGITS {
        parts.0[k] = _mm512_permutex2var_epi64(even[k], low, odd[k]);
        parts.1[k] = _mm512_permutex2var_epi64(even[k], high, odd[k]);
    }
    parts
}
