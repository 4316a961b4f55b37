//! SHA3-256 (FIPS 202) of many messages of 64 bytes, eight or four at a time, one message per lane. A message takes one permutation.

use pairwright_hash::Digest;

/// The round constants of Keccak-f[1600].
const ROUNDS: [u64; 24] = round_constants();

/// Computes the round constants by the shift register of FIPS 202, algorithm 5: bit `2^j - 1` of round `i` is its output `j + 7i`.
const fn round_constants() -> [u64; 24] {
    let (mut constants, mut register) = ([0; 24], 1u8);
    let mut t = 0;
    while t < 24 * 7 {
        if register & 1 == 1 {
            constants[t / 7] |= 1 << ((1 << (t % 7)) - 1);
        }
        // x^8 + x^6 + x^5 + x^4 + 1; the lowest bit of the register is its output.
        register = if register >> 7 == 1 { register << 1 ^ 0x71 } else { register << 1 };
        t += 1;
    }
    constants
}

/// The rate of SHA3-256 in words.
const RATE: usize = 17;

/// `to[i] ← SHA3-256(from[2i] ‖ from[2i + 1])` for the first nodes, in lanes. Returns the number of nodes computed: all but at most
/// three if the processor has AVX2, otherwise none.
pub(crate) fn nodes(from: &[Digest], to: &mut [Digest]) -> usize {
    let mut done = 0;
    if !crate::isa::vectors() {
        return 0;
    }
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has the feature.
        done = unsafe { eight::nodes(from, to) };
    }
    if is_x86_feature_detected!("avx2") {
        // SAFETY: as above.
        done += unsafe { four::nodes(&from[2 * done..], &mut to[done..]) };
    }
    done
}

/// The end of step θ, which adds to each column a value from its neighbours. This macro and the following ones are unrolled, so that
/// the state stays in registers.
macro_rules! columns {
    ($s:ident, $c:ident, $turned:ident, $($left:literal $x:literal $right:literal),+) => {$(
        let (left, right) = ($c[$left], $turned[$right]);
        $s[$x] = xor3($s[$x], left, right);
        $s[$x + 5] = xor3($s[$x + 5], left, right);
        $s[$x + 10] = xor3($s[$x + 10], left, right);
        $s[$x + 15] = xor3($s[$x + 15], left, right);
        $s[$x + 20] = xor3($s[$x + 20], left, right);
    )+};
}

/// Moves every word, rotated, to the position of the next word along a cycle.
macro_rules! walk {
    ($s:ident, $last:ident, $($place:literal $turn:literal),+) => {
        $(($last, $s[$place]) = ($s[$place], rotate::<$turn>($last));)+
    };
}

/// Step χ, row by row.
macro_rules! rows {
    ($s:ident, $($a:literal $b:literal $c:literal $d:literal $e:literal),+) => {$(
        let (a, b) = ($s[$a], $s[$b]);
        $s[$a] = chi(a, b, $s[$c]);
        $s[$b] = chi(b, $s[$c], $s[$d]);
        $s[$c] = chi($s[$c], $s[$d], $s[$e]);
        $s[$d] = chi($s[$d], $s[$e], a);
        $s[$e] = chi($s[$e], a, b);
    )+};
}

/// The permutation on vectors of some width, and the loop over nodes. The operations of the vector, `load` and `store` have to be in
/// scope.
macro_rules! permutation {
    ($feature:literal, $vector:ty, $lanes:literal) => {
        /// The permutation Keccak-f[1600] on every lane.
        #[inline]
        #[target_feature(enable = $feature)]
        fn permute(s: &mut [$vector; 25]) {
            for constant in super::ROUNDS {
                let mut c = [broadcast(0); 5];
                for x in 0..5 {
                    c[x] = xor3(xor3(s[x], s[x + 5], s[x + 10]), s[x + 15], s[x + 20]);
                }
                let mut turned = c;
                for x in 0..5 {
                    turned[x] = rotate::<1>(c[x]);
                }
                columns!(s, c, turned, 4 0 1, 0 1 2, 1 2 3, 2 3 4, 3 4 0);
                // Steps ρ and π along the one cycle of π.
                let mut last = s[1];
                walk!(
                    s, last, 10 1, 7 3, 11 6, 17 10, 18 15, 3 21, 5 28, 16 36, 8 45, 21 55, 24 2, 4 14,
                    15 27, 23 41, 19 56, 13 8, 12 25, 2 43, 20 62, 14 18, 22 39, 9 61, 6 20, 1 44
                );
                let _ = last;
                rows!(s, 0 1 2 3 4, 5 6 7 8 9, 10 11 12 13 14, 15 16 17 18 19, 20 21 22 23 24);
                s[0] = xor(s[0], broadcast(constant));
            }
        }

        /// Computes the first nodes and returns their number, a multiple of the width.
        #[target_feature(enable = $feature)]
        pub(super) fn nodes(from: &[Digest], to: &mut [Digest]) -> usize {
            let pairs = from.as_chunks::<{ 2 * $lanes }>().0;
            let to = to.as_chunks_mut::<$lanes>().0;
            for (from, to) in pairs.iter().zip(to.iter_mut()) {
                let mut s = [broadcast(0); 25];
                s[..8].copy_from_slice(&load(from));
                // Padding: the bits 01 of SHA-3, then 10*1 up to the rate.
                s[8] = broadcast(0x06);
                s[super::RATE - 1] = broadcast(1 << 63);
                permute(&mut s);
                store(to, [s[0], s[1], s[2], s[3]]);
            }
            $lanes * pairs.len().min(to.len())
        }
    };
}

/// Vectors of eight words, by AVX-512.
mod eight {
    use super::super::digits::transposed;
    use core::arch::x86_64::*;
    use pairwright_hash::Digest;

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn broadcast(x: u64) -> __m512i {
        _mm512_set1_epi64(x as i64)
    }
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn xor(a: __m512i, b: __m512i) -> __m512i {
        _mm512_xor_si512(a, b)
    }
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn xor3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        _mm512_ternarylogic_epi64::<0x96>(a, b, c)
    }
    /// `a ⊕ (¬b ∧ c)`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn chi(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        _mm512_ternarylogic_epi64::<0xd2>(a, b, c)
    }
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn rotate<const BITS: i32>(x: __m512i) -> __m512i {
        _mm512_rol_epi64::<BITS>(x)
    }
    /// The words of eight messages.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load(from: &[Digest; 16]) -> [__m512i; 8] {
        let at = from.as_ptr().cast::<__m512i>();
        // SAFETY: sixteen digests are the 512 bytes of eight vectors; the loads need no alignment.
        transposed(core::array::from_fn(|i| unsafe { _mm512_loadu_si512(at.add(i)) }))
    }
    /// The digests, from their words.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn store(to: &mut [Digest; 8], [a, b, c, d]: [__m512i; 4]) {
        let none = _mm512_setzero_si512();
        for (to, digest) in to.iter_mut().zip(transposed([a, b, c, d, none, none, none, none])) {
            // SAFETY: a digest is the 32 bytes of a vector; the store needs no alignment.
            unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), _mm512_castsi512_si256(digest)) };
        }
    }

    permutation!("avx512f", __m512i, 8);
}

/// Vectors of four words, by AVX2.
mod four {
    use core::arch::x86_64::*;
    use pairwright_hash::Digest;

    #[inline]
    #[target_feature(enable = "avx2")]
    fn broadcast(x: u64) -> __m256i {
        _mm256_set1_epi64x(x as i64)
    }
    #[inline]
    #[target_feature(enable = "avx2")]
    fn xor(a: __m256i, b: __m256i) -> __m256i {
        _mm256_xor_si256(a, b)
    }
    #[inline]
    #[target_feature(enable = "avx2")]
    fn xor3(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        xor(xor(a, b), c)
    }
    /// `a ⊕ (¬b ∧ c)`.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn chi(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        xor(a, _mm256_andnot_si256(b, c))
    }
    #[inline]
    #[target_feature(enable = "avx2")]
    fn rotate<const BITS: i32>(x: __m256i) -> __m256i {
        let (left, right) = (_mm_cvtsi32_si128(BITS), _mm_cvtsi32_si128(64 - BITS));
        _mm256_or_si256(_mm256_sll_epi64(x, left), _mm256_srl_epi64(x, right))
    }
    /// The transpose of a 4×4 matrix whose rows are the vectors.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn transposed([a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
        let (p, q) = (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
        let (r, s) = (_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
        let (low, high) = (_mm256_permute2x128_si256::<0x20>(p, r), _mm256_permute2x128_si256::<0x31>(p, r));
        [low, _mm256_permute2x128_si256::<0x20>(q, s), high, _mm256_permute2x128_si256::<0x31>(q, s)]
    }
    /// The words of four messages.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(from: &[Digest; 8]) -> [__m256i; 8] {
        let at = from.as_ptr().cast::<__m256i>();
        // SAFETY: a digest is the 32 bytes of a vector; the loads need no alignment.
        let digest = |i: usize| unsafe { _mm256_loadu_si256(at.add(i)) };
        let [a, b, c, d] = transposed([digest(0), digest(2), digest(4), digest(6)]);
        let [e, f, g, h] = transposed([digest(1), digest(3), digest(5), digest(7)]);
        [a, b, c, d, e, f, g, h]
    }
    /// The digests, from their words.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn store(to: &mut [Digest; 4], words: [__m256i; 4]) {
        for (to, digest) in to.iter_mut().zip(transposed(words)) {
            // SAFETY: as above.
            unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), digest) };
        }
    }

    permutation!("avx2", __m256i, 4);
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_hash::{Compress, Sha3};

    /// Compares every width with one message at a time; the numbers of nodes are not multiples of the widths.
    #[test]
    fn nodes_are_those_of_sha3() {
        let leaves: Vec<Digest> = (0..94u8).map(|i| Sha3::leaf(&[i])).collect();
        let want: Vec<Digest> = leaves.as_chunks().0.iter().map(|[a, b]| Sha3.compress(a, b)).collect();
        for n in [0, 3, 4, 7, 8, 12, 23, 47] {
            let mut got = vec![[0; 32]; n];
            let done = nodes(&leaves[..2 * n], &mut got);
            assert_eq!(got[..done], want[..done]);
            if crate::isa::vectors() && is_x86_feature_detected!("avx2") {
                assert_eq!(done, n / 4 * 4);
                let mut got = vec![[0; 32]; n];
                // SAFETY: the processor has the feature.
                let done = unsafe { four::nodes(&leaves[..2 * n], &mut got) };
                assert_eq!((done, &got[..done]), (n / 4 * 4, &want[..done]));
            } else {
                println!("SKIPPED: this processor has no AVX2");
            }
        }
    }
}
