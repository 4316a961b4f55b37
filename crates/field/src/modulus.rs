//! A prime modulus as data.

use crate::limbs;
use core::fmt::Debug;

/// Names an odd prime of `64 N` bits or fewer, top bit of the top limb clear; everything else is computed.
pub trait Modulus<const N: usize>:
    Copy + Eq + Ord + core::hash::Hash + Debug + Send + Sync + 'static
{
    /// Name as used in messages, e.g. `"BLS12-381 Fr"`.
    const NAME: &'static str;
    /// The prime, little-endian limbs.
    const P: [u64; N];
    /// The smallest quadratic non-residue modulo the prime.
    const NON_RESIDUE: u64;

    /// `-P^-1 mod 2^64`.
    const INV: u64 = limbs::neg_inverse(Self::P[0]);
    /// `2^(64 N) mod P`: one in Montgomery form.
    const R: [u64; N] = limbs::shl_mod(limbs::one(), 64 * N, &Self::P);
    /// `2^(2·64 N) mod P`: multiplies a value into Montgomery form.
    const R2: [u64; N] = limbs::shl_mod(Self::R, 64 * N, &Self::P);
    /// `2^(3·64 N) mod P`: multiplies the inverse of a Montgomery form back into one.
    const R3: [u64; N] = limbs::shl_mod(Self::R2, 64 * N, &Self::P);
    /// Bits of the prime.
    const BITS: u32 = limbs::bits(&Self::P);
    /// The largest `s` with `2^s | P - 1`.
    const TWO_ADICITY: u32 = limbs::two_adicity(&Self::P);
}
