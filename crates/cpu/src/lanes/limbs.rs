//! Loads of elements of four or six limbs from memory to lanes: limb `k` of eight elements becomes vector `k`.
//!
//! Every access stays within its element. A masked read of a vector of eight limbs would also wait for the cache line behind
//! a short element, which has not been fetched.

use super::digits::LANES;
use core::arch::x86_64::*;

/// Limb `k` of eight elements in vector `k`; the vectors behind the last limb are zero.
///
/// # Safety
/// The addresses may be read.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn read<const N: usize>(from: [*const [u64; N]; LANES]) -> [__m512i; LANES] {
    const { assert!(N == 4 || N == 6) };
    // SAFETY: an element has four limbs or more.
    let low = |i: usize| unsafe { _mm256_loadu_si256(from[i].cast()) };
    let two = |i, j| _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low(i)), low(j));
    let (v02, v13, v46, v57) = (two(0, 2), two(1, 3), two(4, 6), two(5, 7));
    let mut limbs = [_mm512_setzero_si512(); LANES];
    // The even limbs of elements 0 to 3 in pairs, and of elements 4 to 7; then the odd ones.
    let (a, b) = (_mm512_unpacklo_epi64(v02, v13), _mm512_unpacklo_epi64(v46, v57));
    (limbs[0], limbs[2]) = (_mm512_shuffle_i64x2::<0x88>(a, b), _mm512_shuffle_i64x2::<0xdd>(a, b));
    let (a, b) = (_mm512_unpackhi_epi64(v02, v13), _mm512_unpackhi_epi64(v46, v57));
    (limbs[1], limbs[3]) = (_mm512_shuffle_i64x2::<0x88>(a, b), _mm512_shuffle_i64x2::<0xdd>(a, b));
    if N == 6 {
        // SAFETY: an element has six limbs.
        let high = |i: usize| unsafe { _mm_loadu_si128(from[i].cast::<__m128i>().add(2)) };
        let four = |i| {
            let half = |i| _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(high(i)), high(i + 2));
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(half(i)), half(i + 4))
        };
        let (even, odd) = (four(0), four(1));
        (limbs[4], limbs[5]) = (_mm512_unpacklo_epi64(even, odd), _mm512_unpackhi_epi64(even, odd));
    }
    limbs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::lanes_to_test;

    /// Every limb is loaded to the right lane and vector, from elements at arbitrary addresses.
    fn places<const N: usize>() {
        let words: Vec<u64> = (0..200).map(|i| i * i + 7).collect();
        for first in 0..8 {
            let at = |i: usize| first + (5 * i) % LANES * N;
            let from = core::array::from_fn(|i| words[at(i)..].as_ptr().cast::<[u64; N]>());
            // SAFETY: the tests ask the processor first; the elements lie within the words.
            let limbs: [[u64; LANES]; LANES] = unsafe { read(from).map(|v| core::mem::transmute(v)) };
            for (k, limbs) in limbs.iter().enumerate() {
                let want = core::array::from_fn(|i| if k < N { words[at(i) + k] } else { 0 });
                assert_eq!(*limbs, want, "limb {k} of {N}");
            }
        }
    }

    #[test]
    fn limbs_come_to_their_places() {
        if lanes_to_test() {
            places::<4>();
            places::<6>();
        }
    }
}
