//! Hashing of messages to field elements: RFC 9380, §4.1 and §5.

use alloc::vec;
use alloc::vec::Vec;
use pairwright_field::ct::Choice;
use pairwright_field::{Extension, PrimeField};
use sha2::Sha256;
use sha2::digest::core_api::BlockSizeUser;
use sha2::digest::{Digest, Output};
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};
use zeroize::Zeroizing;

/// The type of functions like [`expand_message_xmd`]: they take a message and a domain separation tag and fill a buffer with
/// bytes.
pub type Expand = fn(&[u8], &[u8], &mut [u8]);

/// Security level in bits, the `k` of RFC 9380.
const SECURITY: usize = 128;

/// A hash function with a known block length, as `expand_message_xmd` needs it: a Merkle–Damgård hash or a sponge.
pub trait BlockHash: Digest + BlockSizeUser {}
impl<D: Digest + BlockSizeUser> BlockHash for D {}

/// The prefix with which a tag that is too long is hashed.
const OVERSIZE: &[u8] = b"H2C-OVERSIZE-DST-";

/// `expand_message_xmd` with SHA-256 (RFC 9380, §5.3.1): fills `out` with bytes that look uniform. Tags beyond 255
/// bytes are hashed first (§5.3.3).
///
/// # Panics
/// If `out` is longer than 8160 bytes (255 digests), which is an error of the caller, not of the input.
pub fn expand_message_xmd(message: &[u8], dst: &[u8], out: &mut [u8]) {
    expand_message_xmd_by::<Sha256>(message, dst, out);
}

/// `expand_message_xmd` with the hash `D` (RFC 9380, §5.3.1), see [`expand_message_xmd`].
///
/// # Panics
/// If `out` is longer than 255 digests, or than 65535 bytes.
pub fn expand_message_xmd_by<D: BlockHash>(message: &[u8], dst: &[u8], out: &mut [u8]) {
    let digest = <D as Digest>::output_size();
    assert!(
        out.len() <= 255 * digest && out.len() <= usize::from(u16::MAX),
        "the counter of blocks is one byte"
    );
    let hashed: Output<D>;
    let dst = if dst.len() > 255 {
        hashed = D::new().chain_update(OVERSIZE).chain_update(dst).finalize();
        &hashed
    } else {
        dst
    };
    // Neither of the two lengths is truncated.
    let finish = |hash: D| hash.chain_update(dst).chain_update([dst.len() as u8]).finalize();
    let b0 = finish(
        D::new()
            .chain_update(vec![0; D::block_size()])
            .chain_update(message)
            .chain_update((out.len() as u16).to_be_bytes())
            .chain_update([0]),
    );
    let mut block = Output::<D>::default();
    for (chunk, counter) in out.chunks_mut(digest).zip(1..=u8::MAX) {
        // The block before the first one is zero.
        block.iter_mut().zip(&b0).for_each(|(b, first)| *b ^= first);
        block = finish(D::new().chain_update(&block).chain_update([counter]));
        chunk.copy_from_slice(&block[..chunk.len()]);
    }
}

/// `expand_message_xof` with SHAKE-256 (RFC 9380, §5.3.2): fills `out` with bytes that look uniform. Tags beyond 255 bytes are
/// hashed to 32 first (§5.3.3).
///
/// # Panics
/// If `out` is longer than 65535 bytes, which is an error of the caller, not of the input.
pub fn expand_message_xof(message: &[u8], dst: &[u8], out: &mut [u8]) {
    assert!(out.len() <= usize::from(u16::MAX), "the length is two bytes");
    let mut hashed = [0; SECURITY / 4];
    let dst = if dst.len() > 255 {
        Shake256::default().chain(OVERSIZE).chain(dst).finalize_xof().read(&mut hashed);
        &hashed
    } else {
        dst
    };
    let mut hash = Shake256::default();
    // Neither of the two lengths is truncated: they are at most 65535 and 255.
    for part in [message, &(out.len() as u16).to_be_bytes(), dst, &[dst.len() as u8]] {
        Update::update(&mut hash, part);
    }
    hash.finalize_xof().read(out);
}

/// `hash_to_field` (RFC 9380, §5.2) with [`expand_message_xmd`]: `N` elements whose distance from uniform is below 2^-128.
pub fn hash_to_field<F: Extension, const N: usize>(message: &[u8], dst: &[u8]) -> [F; N] {
    hash_to_field_by(expand_message_xmd, message, dst)
}

/// `hash_to_field` (RFC 9380, §5.2) with a given function that expands the message.
pub fn hash_to_field_by<F: Extension, const N: usize>(expand: Expand, message: &[u8], dst: &[u8]) -> [F; N] {
    let length = (F::Prime::BITS as usize + SECURITY).div_ceil(8);
    let mut bytes = vec![0; N * F::DEGREE * length];
    expand(message, dst, &mut bytes);
    let coords: Vec<F::Prime> = bytes.chunks(length).map(reduce_be).collect();
    core::array::from_fn(|i| F::from_coords(&coords[i * F::DEGREE..(i + 1) * F::DEGREE]))
}

/// Reduces a big-endian integer of any length modulo the prime. Time depends only on the length.
pub fn reduce_be<F: PrimeField>(bytes: &[u8]) -> F {
    let limbs: Zeroizing<Vec<u64>> = Zeroizing::new(
        bytes.rchunks(8).map(|c| c.iter().fold(0, |limb, b| limb << 8 | u64::from(*b))).collect(),
    );
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
