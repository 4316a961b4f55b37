//! The hashes of the scheme, the same as in kyber and drand.

use super::suite::{Scalar, Suite, Value};
use alloc::vec::Vec;
use pairwright_field::PrimeField;
use sha2::Digest;
use zeroize::Zeroizing;

/// Number of bytes of the shortest message. σ has the same length, and a shorter σ could be guessed.
pub const SHORTEST: usize = 16;
/// Number of bytes of the longest message, which is that of a digest.
pub const LONGEST: usize = 32;

/// A digest of 32 bytes that may be secret; wiped when dropped.
type Mask = Zeroizing<[u8; LONGEST]>;
fn digest<V: Suite>(parts: &[&[u8]]) -> Mask {
    let hash = parts.iter().fold(V::Hash::new(), |hash, part| hash.chain_update(part));
    Zeroizing::new(hash.finalize().into())
}

/// H2: hashes a value of the pairing to a mask for σ, of which as many bytes are used as σ has.
pub fn h2<V: Suite>(value: &Value<V>) -> Mask {
    let bytes = V::value_bytes(value);
    digest::<V>(&[b"IBE-H2", &bytes])
}

/// H3: hashes σ and the message to the exponent. Their digest is hashed together with a counter, two bytes, little-endian from 1. The
/// result is a big-endian integer, with as many top bits cleared as r has fewer than 256; the counter is increased until it is below
/// r. The number of attempts depends on the values, but rejected results reveal nothing about the accepted one.
pub fn h3<V: Suite>(sigma: &[u8], message: &[u8]) -> Scalar<V> {
    let seed = digest::<V>(&[b"IBE-H3", sigma, message]);
    let mut counter = 0u16;
    loop {
        // An attempt fails with probability at most one half, so the counter never wraps in practice.
        counter = counter.wrapping_add(1);
        let mut draw = digest::<V>(&[&counter.to_le_bytes(), &*seed]);
        draw[0] >>= 256 - Scalar::<V>::BITS;
        if let Ok(r) = Scalar::<V>::read_be(&*draw) {
            return r;
        }
    }
}

/// H4: hashes σ to a mask for the message, of which as many bytes are used as the message has.
pub fn h4<V: Suite>(sigma: &[u8]) -> Mask {
    digest::<V>(&[b"IBE-H4", sigma])
}

/// The identity of a round of drand's unchained beacons on BLS12-381: the SHA-256 digest of its number in eight bytes, big-endian. For
/// other curves see [`super::Ibe::round`].
pub fn round_identity(round: u64) -> [u8; 32] {
    sha2::Sha256::digest(round.to_be_bytes()).into()
}

/// Exclusive or of `bytes` with a mask that is at least as long.
pub(super) fn xor(bytes: &[u8], mask: &Mask) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(bytes.iter().zip(mask.iter()).map(|(b, m)| b ^ m).collect())
}
