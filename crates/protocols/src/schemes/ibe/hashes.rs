//! The hashes of the scheme, as kyber and drand have them.

use alloc::vec::Vec;
use pairwright_curve::bls12_381::{Fq12, Fr};
use pairwright_curve::encoding::gt_to_bytes_be;
use pairwright_field::PrimeField;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// Bytes of the shortest message: σ is as long, and with fewer bytes it could be guessed.
pub const SHORTEST: usize = 16;
/// Bytes of the longest message: a digest.
pub const LONGEST: usize = 32;

/// A digest that may be secret.
type Mask = Zeroizing<[u8; LONGEST]>;

fn digest(hash: Sha256) -> Mask {
    Zeroizing::new(hash.finalize().into())
}

/// From a value of the pairing to a mask of σ; the first bytes count.
pub fn h2(value: &Fq12) -> Mask {
    let bytes = Zeroizing::new(gt_to_bytes_be(value));
    digest(Sha256::new().chain_update(b"IBE-H2").chain_update(bytes.as_slice()))
}

/// From σ and the message to the exponent: a digest is hashed behind a counter, little-endian from 1, until the
/// result, its top bit cleared, is below r as a big-endian integer. How often depends on the values; what was passed
/// over says nothing about what was found.
pub fn h3(sigma: &[u8], message: &[u8]) -> Fr {
    let seed = digest(Sha256::new().chain_update(b"IBE-H3").chain_update(sigma).chain_update(message));
    let mut counter = 0u16;
    loop {
        // One draw in ten fails, so the counter never comes round.
        counter = counter.wrapping_add(1);
        let mut draw =
            digest(Sha256::new().chain_update(counter.to_le_bytes()).chain_update(seed.as_slice()));
        draw[0] >>= 1;
        if let Ok(r) = Fr::read_be(&*draw) {
            return r;
        }
    }
}

/// From σ to a mask of the message; the first bytes count.
pub fn h4(sigma: &[u8]) -> Mask {
    digest(Sha256::new().chain_update(b"IBE-H4").chain_update(sigma))
}

/// The identity of a round of drand's unchained beacons: the digest of its number, big-endian.
pub fn round_identity(round: u64) -> [u8; 32] {
    Sha256::digest(round.to_be_bytes()).into()
}

/// `bytes` under a mask that is at least as long.
pub(super) fn xor(bytes: &[u8], mask: &Mask) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(bytes.iter().zip(mask.iter()).map(|(b, m)| b ^ m).collect())
}
