//! The hashes of the scheme, as kyber and drand have them.

use super::suite::{Scalar, Suite, Value};
use alloc::vec::Vec;
use pairwright_field::PrimeField;
use sha2::Digest;
use zeroize::Zeroizing;

/// Bytes of the shortest message: σ is as long, and with fewer bytes it could be guessed.
pub const SHORTEST: usize = 16;
/// Bytes of the longest message: a digest.
pub const LONGEST: usize = 32;

/// A digest that may be secret.
type Mask = Zeroizing<[u8; LONGEST]>;
fn digest<V: Suite>(parts: &[&[u8]]) -> Mask {
    let hash = parts.iter().fold(V::Hash::new(), |hash, part| hash.chain_update(part));
    Zeroizing::new(hash.finalize().into())
}

/// From a value of the pairing to a mask of σ; the first bytes count.
pub fn h2<V: Suite>(value: &Value<V>) -> Mask {
    let bytes = V::value_bytes(value);
    digest::<V>(&[b"IBE-H2", &bytes])
}

/// From σ and the message to the exponent: a digest is hashed behind a counter, little-endian from 1, until the result, of which
/// as many top bits are cleared as r has fewer than 256, is below r as a big-endian integer. How often depends on the values;
/// what was passed over says nothing about what was found.
pub fn h3<V: Suite>(sigma: &[u8], message: &[u8]) -> Scalar<V> {
    let seed = digest::<V>(&[b"IBE-H3", sigma, message]);
    let mut counter = 0u16;
    loop {
        // At most every second draw fails, so the counter never comes round.
        counter = counter.wrapping_add(1);
        let mut draw = digest::<V>(&[&counter.to_le_bytes(), &*seed]);
        draw[0] >>= 256 - Scalar::<V>::BITS;
        if let Ok(r) = Scalar::<V>::read_be(&*draw) {
            return r;
        }
    }
}

/// From σ to a mask of the message; the first bytes count.
pub fn h4<V: Suite>(sigma: &[u8]) -> Mask {
    digest::<V>(&[b"IBE-H4", sigma])
}

/// The identity of a round of drand's unchained beacons on BLS12-381: the digest of its number, big-endian. The other
/// curve's is [`super::Ibe::round`].
pub fn round_identity(round: u64) -> [u8; 32] {
    sha2::Sha256::digest(round.to_be_bytes()).into()
}

/// `bytes` under a mask that is at least as long.
pub(super) fn xor(bytes: &[u8], mask: &Mask) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(bytes.iter().zip(mask.iter()).map(|(b, m)| b ^ m).collect())
}
