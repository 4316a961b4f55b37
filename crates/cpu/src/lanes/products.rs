//! Products of eight elements in lanes, and sums of two of them that are reduced once.

use super::octet::{Octet, carried};
use crate::generated::ifma_255_mulmod::mulmod_255;
use crate::generated::ifma_400_mulmod::mulmod_400;
use core::arch::x86_64::*;
use pairwright_field::Modulus;

impl<M: Modulus<N>, const N: usize, const D: usize> Octet<M, N, D> {
    /// The product: `(a b + m q) / 2^(52 D)` with `m < 2^(52 D)`, which the assertion at `QUOTIENT` brings below 2q.
    ///
    /// It is to stand in its callers, in every unit that has one: with five digits a call costs a tenth of an MSM. The kernel of
    /// eight digits is too long for that, and its sums and operands would not fit the registers among others.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn product<const LAZY: bool>(a: &Self, b: &Self) -> Self {
        let mut c = [_mm512_setzero_si512(); D];
        let q = const { &Self::Q }.vectors();
        let inverse = _mm512_set1_epi64(const { Self::INVERSE } as i64);
        let (a, b) = (&a.operand::<LAZY>(), &b.operand::<LAZY>());
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

    /// The sums `a0 b0 + w b1` and `a0 b1 + a1 b0`, each reduced once: the product in a quadratic extension if w is the
    /// product of a1 by the square of the adjoined root. Four products and two reductions, where three products by
    /// Karatsuba's formula would come with three reductions and more sums.
    ///
    /// Rows by the digits of b; a column gets six products of 52 bits a row, so it stays below 2^58. The bound is that of
    /// [`Self::product`], for two products.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn two_sums<const LAZY: bool>(a: [&Self; 2], w: &Self, b: [&Self; 2]) -> [Self; 2] {
        let q = const { &Self::Q }.vectors();
        let inverse = _mm512_set1_epi64(const { Self::INVERSE } as i64);
        let zero = _mm512_setzero_si512();
        let (a0, a1, w) = (&a[0].operand::<LAZY>(), &a[1].operand::<LAZY>(), &w.operand::<LAZY>());
        let (b0, b1) = (&b[0].operand::<LAZY>(), &b[1].operand::<LAZY>());
        let (mut s, mut t) = ([zero; D], [zero; D]);
        for i in 0..D {
            let (x, y) = (b0[i], b1[i]);
            for k in 0..D {
                s[k] = _mm512_madd52lo_epu64(s[k], a0[k], x);
                t[k] = _mm512_madd52lo_epu64(t[k], a0[k], y);
                s[k] = _mm512_madd52lo_epu64(s[k], w[k], y);
                t[k] = _mm512_madd52lo_epu64(t[k], a1[k], x);
            }
            let (m, n) =
                (_mm512_madd52lo_epu64(zero, s[0], inverse), _mm512_madd52lo_epu64(zero, t[0], inverse));
            for k in 0..D {
                s[k] = _mm512_madd52lo_epu64(s[k], q[k], m);
                t[k] = _mm512_madd52lo_epu64(t[k], q[k], n);
            }
            // The lowest digits are zero now: what they carry goes to the next ones, which take their places.
            let (mut up, mut vp) = ([zero; D], [zero; D]);
            for k in 0..D {
                let (mut u, mut v) = if k + 1 < D { (s[k + 1], t[k + 1]) } else { (zero, zero) };
                if k == 0 {
                    u = _mm512_add_epi64(u, _mm512_srli_epi64::<52>(s[0]));
                    v = _mm512_add_epi64(v, _mm512_srli_epi64::<52>(t[0]));
                }
                u = _mm512_madd52hi_epu64(u, a0[k], x);
                v = _mm512_madd52hi_epu64(v, a0[k], y);
                u = _mm512_madd52hi_epu64(u, w[k], y);
                v = _mm512_madd52hi_epu64(v, a1[k], x);
                up[k] = _mm512_madd52hi_epu64(u, q[k], m);
                vp[k] = _mm512_madd52hi_epu64(v, q[k], n);
            }
            (s, t) = (up, vp);
        }
        [Self::new(carried(s)), Self::new(carried(t))]
    }

    /// The sum `a0 b0 + a1 b1` of values below 2q, reduced once. The bound is that of [`Self::product`], for two products.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn sum_of_products(a: [&Self; 2], b: [&Self; 2]) -> Self {
        let q = const { &Self::Q }.vectors();
        let inverse = _mm512_set1_epi64(const { Self::INVERSE } as i64);
        let zero = _mm512_setzero_si512();
        let (a0, a1) = (&a[0].digits, &a[1].digits);
        let mut s = [zero; D];
        for i in 0..D {
            let (x, y) = (b[0].digits[i], b[1].digits[i]);
            for k in 0..D {
                s[k] = _mm512_madd52lo_epu64(s[k], a0[k], x);
                s[k] = _mm512_madd52lo_epu64(s[k], a1[k], y);
            }
            let m = _mm512_madd52lo_epu64(zero, s[0], inverse);
            for k in 0..D {
                s[k] = _mm512_madd52lo_epu64(s[k], q[k], m);
            }
            // As in `two_sums`.
            let mut next = [zero; D];
            for k in 0..D {
                let mut u = if k + 1 < D { s[k + 1] } else { zero };
                if k == 0 {
                    u = _mm512_add_epi64(u, _mm512_srli_epi64::<52>(s[0]));
                }
                u = _mm512_madd52hi_epu64(u, a0[k], x);
                u = _mm512_madd52hi_epu64(u, a1[k], y);
                next[k] = _mm512_madd52hi_epu64(u, q[k], m);
            }
            s = next;
        }
        Self::new(carried(s))
    }
}
