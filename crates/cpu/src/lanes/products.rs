//! Products of eight elements in lanes.

use super::octet::Octet;
use crate::generated::ifma_255_mulmod::mulmod_255;
use crate::generated::ifma_400_mulmod::mulmod_400;
use core::arch::x86_64::*;
use pairwright_field::Modulus;

impl<M: Modulus<N>, const N: usize, const D: usize> Octet<M, N, D> {
    /// The product: `(a b + m q) / 2^(52 D)` with `m < 2^(52 D)`, which the assertion at `QUOTIENT` brings below 2q.
    ///
    /// It is meant to be inlined, in every codegen unit: with five digits, calls cost a tenth of an MSM. The kernel of
    /// eight digits is too long for that; inlined, its sums and operands would not fit the registers.
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
}
