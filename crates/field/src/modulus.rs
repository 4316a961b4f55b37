//! [`Modulus`]: a prime and the constants of its Montgomery arithmetic, as associated constants of a type.

use crate::limbs;
use core::fmt::Debug;

/// An odd prime of at most `64 N - 1` bits (the top bit of the top limb is clear). Implementations give the name, the prime and a
/// non-residue; the other constants are computed from the prime at compile time.
pub trait Modulus<const N: usize>:
    Copy + Eq + Ord + core::hash::Hash + Debug + Send + Sync + 'static
{
    /// Name as used in messages, e.g. `"BLS12-381 Fr"`.
    const NAME: &'static str;
    /// The prime as little-endian limbs.
    const P: [u64; N];
    /// The smallest quadratic non-residue modulo the prime.
    const NON_RESIDUE: u64;

    /// `-P^-1 mod 2^64`.
    const INV: u64 = limbs::neg_inverse(Self::P[0]);
    /// `2^(64 N) mod P`, which is one in Montgomery form.
    const R: [u64; N] = limbs::shl_mod(limbs::one(), 64 * N, &Self::P);
    /// `2^(2·64 N) mod P`; the Montgomery product with it converts a canonical value to Montgomery form.
    const R2: [u64; N] = limbs::shl_mod(Self::R, 64 * N, &Self::P);
    /// `2^(3·64 N) mod P`; the Montgomery product with it converts the inverse of a Montgomery form to Montgomery form.
    const R3: [u64; N] = limbs::shl_mod(Self::R2, 64 * N, &Self::P);
    /// Number of bits of the prime.
    const BITS: u32 = limbs::bits(&Self::P);
    /// The largest `s` with `2^s | P - 1`.
    const TWO_ADICITY: u32 = limbs::two_adicity(&Self::P);
}
