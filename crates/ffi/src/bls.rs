//! BLS signatures for C, in Ethereum's variant: keys of 48 bytes, signatures of 96 bytes, and proofs of possession.

use crate::PairwrightStatus;
use crate::memory::{Out, array, borrow, copy_out, fixed, free};
use crate::status::{Failure, guard};
use core::ptr::null_mut;
use pairwright::cpu;
use pairwright::curve::bls12_381::Bls12_381;
use pairwright::device::{Device, Session};
use pairwright::protocols::schemes::MinPk;
use pairwright::protocols::schemes::bls::{
    BlsError, PublicKey, Scheme, SecretKey, Signature, VerifyError, aggregate, aggregate_verify,
    fast_aggregate_verify, pop_verify, verify,
};
use std::sync::OnceLock;

/// The number of bytes of a public key.
pub const PAIRWRIGHT_BLS_PUBLIC_KEY_LENGTH: usize = 48;
/// The number of bytes of a signature, and of a proof of possession.
pub const PAIRWRIGHT_BLS_SIGNATURE_LENGTH: usize = 96;

const SCHEME: Scheme = Scheme::ProofOfPossession;

/// A secret key of BLS signatures. It is wiped when it is freed.
pub struct PairwrightBlsSecretKey(SecretKey);

impl From<BlsError> for Failure {
    fn from(why: BlsError) -> Self {
        Self::bad(why)
    }
}
impl From<VerifyError> for Failure {
    fn from(why: VerifyError) -> Self {
        match why {
            VerifyError::Device(why) => why.into(),
            VerifyError::NoSigners => Self::bad(why),
            other => Self::rejected(other),
        }
    }
}

fn board() -> &'static Device<Bls12_381> {
    static BOARD: OnceLock<Device<Bls12_381>> = OnceLock::new();
    BOARD.get_or_init(cpu::board)
}

/// Decodes a signature that is to be verified; invalid bytes are a rejection.
fn signature(bytes: &[u8]) -> Result<Signature<MinPk>, Failure> {
    Signature::from_bytes(bytes).map_err(|why| Failure::rejected(format!("signature: {why}")))
}

fn public_key(i: usize, bytes: &[u8]) -> Result<PublicKey<MinPk>, Failure> {
    PublicKey::from_bytes(bytes).map_err(|why| Failure::bad(format!("public key {i}: {why}")))
}

/// Reads `count` consecutive public keys from the caller's memory.
///
/// # Safety
/// As [`array`], with 48 bytes per key.
unsafe fn public_keys(first: *const u8, count: usize) -> Result<Vec<PublicKey<MinPk>>, Failure> {
    // SAFETY: the promise of this function; arrays of bytes are as aligned as bytes.
    let keys =
        unsafe { array(first.cast::<[u8; PAIRWRIGHT_BLS_PUBLIC_KEY_LENGTH]>(), count, "public_keys") }?;
    keys.iter().enumerate().map(|(i, bytes)| public_key(i, bytes)).collect()
}

/// Makes a secret key from at least 32 secret bytes of high entropy, as KeyGen of the draft does (section 2.3).
///
/// # Safety
/// There are `length` bytes at `seed`; a pointer can be written to `key`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_bls_key_gen(
    seed: *const u8,
    length: usize,
    key: *mut *mut PairwrightBlsSecretKey,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (out, seed) = unsafe { (Out::new(key, null_mut(), "key")?, array(seed, length, "seed")?) };
        out.hand_out(PairwrightBlsSecretKey(SecretKey::key_gen(seed, &[])?));
        Ok(())
    })
}

/// Wipes and frees a secret key; null is nothing to free.
///
/// # Safety
/// The key is null, or it is not freed yet and used by nobody any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_bls_secret_key_free(key: *mut PairwrightBlsSecretKey) {
    // SAFETY: the promise of this function.
    unsafe { free(key) }
}

/// Writes the public key of a secret key: 48 bytes.
///
/// # Safety
/// `key` is null or not freed; 48 bytes can be written to `public_key`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_bls_public_key(
    key: *const PairwrightBlsSecretKey,
    public_key: *mut u8,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let key = unsafe { borrow(key, "key") }?;
        let bytes = key.0.public_key::<MinPk>().to_bytes();
        // SAFETY: the promise of this function.
        unsafe { copy_out::<PAIRWRIGHT_BLS_PUBLIC_KEY_LENGTH>(&bytes, public_key, "public_key") }
    })
}

/// Signs a message: writes 96 bytes.
///
/// # Safety
/// `key` is null or not freed; there are `length` bytes at `message`, which may be null if there are none; 96 bytes can be
/// written to `signature`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_bls_sign(
    key: *const PairwrightBlsSecretKey,
    message: *const u8,
    length: usize,
    signature: *mut u8,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (key, message) = unsafe { (borrow(key, "key")?, array(message, length, "message")?) };
        let bytes = key.0.sign::<MinPk>(SCHEME, message).to_bytes();
        // SAFETY: the promise of this function.
        unsafe { copy_out::<PAIRWRIGHT_BLS_SIGNATURE_LENGTH>(&bytes, signature, "signature") }
    })
}

/// Accepts a signature of a message under a public key.
///
/// # Safety
/// There are 48 bytes at `public_key`, `length` at `message`, which may be null if there are none, and 96 at `signature`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_bls_verify(
    public_key: *const u8,
    message: *const u8,
    length: usize,
    signature: *const u8,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (keys, message, signed) = unsafe {
            let signed = fixed::<PAIRWRIGHT_BLS_SIGNATURE_LENGTH>(signature, "signature")?;
            (public_keys(public_key, 1)?, array(message, length, "message")?, self::signature(signed)?)
        };
        keys.iter().try_for_each(|key| Ok(verify(&mut Session::new(board()), SCHEME, key, message, &signed)?))
    })
}

/// Proves to know a secret key: writes 96 bytes, which pairwright_bls_verify_possession accepts.
///
/// # Safety
/// `key` is null or not freed; 96 bytes can be written to `proof`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_bls_prove_possession(
    key: *const PairwrightBlsSecretKey,
    proof: *mut u8,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let key = unsafe { borrow(key, "key") }?;
        let bytes = key.0.pop_prove::<MinPk>().to_bytes();
        // SAFETY: the promise of this function.
        unsafe { copy_out::<PAIRWRIGHT_BLS_SIGNATURE_LENGTH>(&bytes, proof, "proof") }
    })
}

/// Accepts the proof that the holder of a public key knows its secret key. Ask for it before a key is used in an aggregate.
///
/// # Safety
/// There are 48 bytes at `public_key` and 96 at `proof`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_bls_verify_possession(
    public_key: *const u8,
    proof: *const u8,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (keys, proof) = unsafe {
            let proof = fixed::<PAIRWRIGHT_BLS_SIGNATURE_LENGTH>(proof, "proof")?;
            (public_keys(public_key, 1)?, signature(proof)?)
        };
        keys.iter().try_for_each(|key| Ok(pop_verify(&mut Session::new(board()), key, &proof)?))
    })
}

/// Adds up `count` signatures, of 96 bytes each and one after another, to one.
///
/// # Safety
/// There are 96 bytes for each of `count` signatures at `signatures`; 96 bytes can be written to `sum`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_bls_aggregate(
    signatures: *const u8,
    count: usize,
    sum: *mut u8,
) -> PairwrightStatus {
    guard(|| {
        let first = signatures.cast::<[u8; PAIRWRIGHT_BLS_SIGNATURE_LENGTH]>();
        // SAFETY: the promise of this function; arrays of bytes are as aligned as bytes.
        let list = unsafe { array(first, count, "signatures") }?;
        let read = |(i, bytes): (usize, &[u8; PAIRWRIGHT_BLS_SIGNATURE_LENGTH])| {
            Signature::<MinPk>::from_bytes(bytes).map_err(|why| Failure::bad(format!("signature {i}: {why}")))
        };
        let list = list.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
        let bytes = aggregate(&list)?.to_bytes();
        // SAFETY: the promise of this function.
        unsafe { copy_out::<PAIRWRIGHT_BLS_SIGNATURE_LENGTH>(&bytes, sum, "sum") }
    })
}

/// Accepts a sum of signatures, each of its own message under its own key.
///
/// # Safety
/// There are 48 bytes for each of `count` keys at `public_keys`, `count` messages in the list `messages` with their numbers of
/// bytes in the list `lengths`, and 96 bytes at `signature`. A message may be null if it has no bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_bls_aggregate_verify(
    public_keys: *const u8,
    messages: *const *const u8,
    lengths: *const usize,
    count: usize,
    signature: *const u8,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (keys, messages, lengths, signed) = unsafe {
            let signed = fixed::<PAIRWRIGHT_BLS_SIGNATURE_LENGTH>(signature, "signature")?;
            let lengths = array(lengths, count, "lengths")?;
            let messages = array(messages, count, "messages")?;
            (self::public_keys(public_keys, count)?, messages, lengths, self::signature(signed)?)
        };
        let message = |(i, (first, length)): (usize, (&*const u8, &usize))| {
            // SAFETY: the promise of this function.
            unsafe { array(*first, *length, &format!("messages[{i}]")) }
        };
        let messages =
            messages.iter().zip(lengths).enumerate().map(message).collect::<Result<Vec<_>, _>>()?;
        let pairs: Vec<_> = keys.into_iter().zip(messages).collect();
        Ok(aggregate_verify(&mut Session::new(board()), SCHEME, &pairs, &signed)?)
    })
}

/// Accepts a sum of signatures of one message under `count` keys. It is safe only if every key came with a proof of possession
/// that was accepted.
///
/// # Safety
/// There are 48 bytes for each of `count` keys at `public_keys`, `length` bytes at `message`, which may be null if there are
/// none, and 96 bytes at `signature`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_bls_fast_aggregate_verify(
    public_keys: *const u8,
    count: usize,
    message: *const u8,
    length: usize,
    signature: *const u8,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (keys, message, signed) = unsafe {
            let signed = fixed::<PAIRWRIGHT_BLS_SIGNATURE_LENGTH>(signature, "signature")?;
            (
                self::public_keys(public_keys, count)?,
                array(message, length, "message")?,
                self::signature(signed)?,
            )
        };
        Ok(fast_aggregate_verify(&mut Session::new(board()), &keys, message, &signed)?)
    })
}
