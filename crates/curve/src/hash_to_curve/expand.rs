//! From bytes to field elements: RFC 9380, §4.1 and §5.

use alloc::vec;
use alloc::vec::Vec;
use pairwright_field::ct::Choice;
use pairwright_field::{Extension, PrimeField};
use sha2::{Digest, Sha256};

/// Bytes of a block of SHA-256.
const BLOCK: usize = 64;
/// Bytes of a digest.
const DIGEST: usize = 32;
/// Security level in bits, the `k` of RFC 9380.
const SECURITY: usize = 128;

/// `expand_message_xmd` with SHA-256 (RFC 9380, §5.3.1): fills `out` with bytes that look uniform. Tags beyond 255
/// bytes are hashed first (§5.3.3).
///
/// # Panics
/// If `out` is longer than 8160 bytes, 255 digests: a programming error, not an input error.
pub fn expand_message_xmd(message: &[u8], dst: &[u8], out: &mut [u8]) {
    assert!(out.len() <= 255 * DIGEST, "the counter of blocks is one byte");
    let hashed: [u8; DIGEST];
    let dst = if dst.len() > 255 {
        hashed = Sha256::new().chain_update(b"H2C-OVERSIZE-DST-").chain_update(dst).finalize().into();
        &hashed
    } else {
        dst
    };
    // Both lengths are in range: at most 8160 and 255.
    let finish = |hash: Sha256| hash.chain_update(dst).chain_update([dst.len() as u8]).finalize();
    let b0 = finish(
        Sha256::new()
            .chain_update([0; BLOCK])
            .chain_update(message)
            .chain_update((out.len() as u16).to_be_bytes())
            .chain_update([0]),
    );
    let mut block = [0u8; DIGEST];
    for (chunk, counter) in out.chunks_mut(DIGEST).zip(1u8..) {
        // The block before is zero for the first one.
        block.iter_mut().zip(&b0).for_each(|(b, first)| *b ^= first);
        block = finish(Sha256::new().chain_update(block).chain_update([counter])).into();
        chunk.copy_from_slice(&block[..chunk.len()]);
    }
}

/// `hash_to_field` (RFC 9380, §5.2): `N` elements whose distance from uniform is below 2^-128.
pub fn hash_to_field<F: Extension, const N: usize>(message: &[u8], dst: &[u8]) -> [F; N] {
    let length = (F::Prime::BITS as usize + SECURITY).div_ceil(8);
    let mut bytes = vec![0; N * F::DEGREE * length];
    expand_message_xmd(message, dst, &mut bytes);
    let coords: Vec<F::Prime> = bytes.chunks(length).map(from_bytes_be_reduced).collect();
    core::array::from_fn(|i| F::from_coords(&coords[i * F::DEGREE..(i + 1) * F::DEGREE]))
}

/// A big-endian integer of any length modulo the prime.
fn from_bytes_be_reduced<F: PrimeField>(bytes: &[u8]) -> F {
    let limbs: Vec<u64> =
        bytes.rchunks(8).map(|c| c.iter().fold(0, |limb, b| limb << 8 | u64::from(*b))).collect();
    F::from_limbs_reduced(&limbs)
}

/// `sgn0` (RFC 9380, §4.1): whether the first coordinate that is not zero is odd. Constant time.
pub fn sgn0<F: Extension>(x: &F) -> Choice {
    let (mut sign, mut zero) = (Choice::from_bit(0), Choice::from_bit(1));
    for i in 0..F::DEGREE {
        let limbs = x.coord(i).to_limbs();
        let limbs = limbs.as_ref();
        sign = sign | (zero & Choice::from_bit(limbs[0] & 1));
        zero = zero & Choice::is_zero(limbs.iter().fold(0, |acc, l| acc | l));
    }
    sign
}
