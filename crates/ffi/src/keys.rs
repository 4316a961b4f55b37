//! Keys and witnesses for C.

use crate::PairwrightStatus;
use crate::groth16::{self, Prover, Verifier, Witness};
use crate::memory::{Out, PairwrightBuffer, array, borrow, free, path, text};
use crate::status::{Failure, guard};
use core::ffi::c_char;
use core::ptr::null_mut;
use pairwright::formats::FileBytes;
use zeroize::Zeroizing;

/// A flag for functions that read keys: accepts a key under which anybody can forge proofs, such as the first key of a
/// ceremony, to which nobody has contributed. Proofs that are accepted under such a key prove nothing.
pub const PAIRWRIGHT_ALLOW_UNSAFE_KEY: u32 = 1;

/// A Groth16 proving key (.zkey).
pub struct PairwrightProvingKey(pub(crate) Box<dyn Prover>);
/// A witness (.wtns). Its values are wiped when it is freed.
pub struct PairwrightWitness(pub(crate) Witness);
/// A Groth16 verification key, made ready for many proofs.
pub struct PairwrightVerifyingKey(pub(crate) Box<dyn Verifier>);

/// Whether the flags allow keys under which anybody can forge proofs.
fn allow_unsafe(flags: u32) -> Result<bool, Failure> {
    match flags {
        0 => Ok(false),
        PAIRWRIGHT_ALLOW_UNSAFE_KEY => Ok(true),
        other => Err(Failure::bad(format!("flags: {other:#x} has bits without a meaning"))),
    }
}

/// Opens a proving key, a .zkey file of snarkjs. The file is mapped and not copied; it must stay as it is until the key is
/// freed. Whether its points are on the curve is not checked: a proof is verified before it is handed out.
///
/// `flags` is 0 or PAIRWRIGHT_ALLOW_UNSAFE_KEY.
///
/// # Safety
/// `path` is null or ends in a zero byte; a pointer can be written to `key`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_proving_key_open(
    path: *const c_char,
    flags: u32,
    key: *mut *mut PairwrightProvingKey,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (out, path) = unsafe { (Out::new(key, null_mut(), "key")?, self::path(path)?) };
        let key = groth16::proving_key(FileBytes::open(path)?, allow_unsafe(flags)?)?;
        out.hand_out(PairwrightProvingKey(key));
        Ok(())
    })
}

/// Reads a proving key from the bytes of a .zkey file, which are copied. For a large key, open its file.
///
/// # Safety
/// There are `length` bytes at `bytes`, which may be null if there are none; a pointer can be written to `key`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_proving_key_from_bytes(
    bytes: *const u8,
    length: usize,
    flags: u32,
    key: *mut *mut PairwrightProvingKey,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (out, bytes) = unsafe { (Out::new(key, null_mut(), "key")?, array(bytes, length, "bytes")?) };
        let file = FileBytes::from_vec("proving key", bytes.to_vec());
        out.hand_out(PairwrightProvingKey(groth16::proving_key(file, allow_unsafe(flags)?)?));
        Ok(())
    })
}

/// The name of a key's curve: "bn128", "bls12381" or "bls12377"; null for a null key. The string is never freed.
///
/// # Safety
/// The key is null or not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_proving_key_curve(key: *const PairwrightProvingKey) -> *const c_char {
    // SAFETY: the promise of this function.
    unsafe { key.as_ref() }.map_or(core::ptr::null(), |key| groth16::name(key.0.curve()).as_ptr())
}

/// Precomputes multiples of the key's points, at most `multiples` of each, and writes the bytes of memory that they take to
/// `bytes`. Later proofs take fewer additions and do not read the key's points again. The precomputation takes as long as ten
/// to twenty proofs. With four multiples, sums over 2^16 points are up to 1.15 times as fast; where they would save nothing, as
/// beyond 2^19 points, none are kept.
///
/// # Safety
/// `key` is null or not freed; `bytes` is null, or a number can be written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_proving_key_precompute(
    key: *const PairwrightProvingKey,
    multiples: usize,
    bytes: *mut u64,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let bytes = (!bytes.is_null()).then(|| unsafe { Out::new(bytes, 0, "bytes") }).transpose()?;
        // SAFETY: the promise of this function.
        let key = unsafe { borrow(key, "key")? };
        if multiples == 0 {
            return Err(Failure::bad("multiples: at least one is needed"));
        }
        let taken = key.0.precompute(multiples)?;
        if let Some(bytes) = bytes {
            bytes.put(taken);
        }
        Ok(())
    })
}

/// Frees a proving key; nothing is done for null.
///
/// # Safety
/// The key is null, or it is not freed yet and used by nobody any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_proving_key_free(key: *mut PairwrightProvingKey) {
    // SAFETY: the promise of this function.
    unsafe { free(key) }
}

/// Opens a witness, a .wtns file of circom. The file is mapped: its bytes are not copied, and its values are read once.
///
/// # Safety
/// `path` is null or ends in a zero byte; a pointer can be written to `witness`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_witness_open(
    path: *const c_char,
    witness: *mut *mut PairwrightWitness,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (out, path) = unsafe { (Out::new(witness, null_mut(), "witness")?, self::path(path)?) };
        out.hand_out(PairwrightWitness(Witness::read(FileBytes::open(path)?)?));
        Ok(())
    })
}

/// Reads a witness from the bytes of a .wtns file. The copy that is made of them is wiped before the function returns.
///
/// # Safety
/// There are `length` bytes at `bytes`, which may be null if there are none; a pointer can be written to `witness`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_witness_from_bytes(
    bytes: *const u8,
    length: usize,
    witness: *mut *mut PairwrightWitness,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (out, bytes) =
            unsafe { (Out::new(witness, null_mut(), "witness")?, array(bytes, length, "bytes")?) };
        let file = FileBytes::from_secret("witness", Zeroizing::new(bytes.to_vec()));
        out.hand_out(PairwrightWitness(Witness::read(file)?));
        Ok(())
    })
}

/// Wipes and frees a witness; nothing is done for null.
///
/// # Safety
/// The witness is null, or it is not freed yet and used by nobody any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_witness_free(witness: *mut PairwrightWitness) {
    // SAFETY: the promise of this function.
    unsafe { free(witness) }
}

/// Writes a handle of the verification key that a proving key contains. Every point of it is checked.
///
/// # Safety
/// `key` is null or not freed; a pointer can be written to `verifying`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_verifying_key_of(
    key: *const PairwrightProvingKey,
    verifying: *mut *mut PairwrightVerifyingKey,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (out, key) = unsafe { (Out::new(verifying, null_mut(), "verifying")?, borrow(key, "key")?) };
        out.hand_out(PairwrightVerifyingKey(key.0.verifier()?));
        Ok(())
    })
}

/// Opens a verification key, the JSON file of snarkjs. Every point of it is checked.
///
/// `flags` is 0 or PAIRWRIGHT_ALLOW_UNSAFE_KEY.
///
/// # Safety
/// `path` is null or ends in a zero byte; a pointer can be written to `key`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_verifying_key_open(
    path: *const c_char,
    flags: u32,
    key: *mut *mut PairwrightVerifyingKey,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (out, path) = unsafe { (Out::new(key, null_mut(), "key")?, self::path(path)?) };
        let key = groth16::verifying_key_from_json(FileBytes::open(path)?, allow_unsafe(flags)?)?;
        out.hand_out(PairwrightVerifyingKey(key));
        Ok(())
    })
}

/// Reads a verification key from snarkjs' JSON, as pairwright_verifying_key_open does.
///
/// # Safety
/// There are `length` bytes at `json`, which may be null if there are none; a pointer can be written to `key`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_verifying_key_from_json(
    json: *const u8,
    length: usize,
    flags: u32,
    key: *mut *mut PairwrightVerifyingKey,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (out, json) = unsafe { (Out::new(key, null_mut(), "key")?, array(json, length, "json")?) };
        let file = FileBytes::from_vec("verification key", json.to_vec());
        out.hand_out(PairwrightVerifyingKey(groth16::verifying_key_from_json(file, allow_unsafe(flags)?)?));
        Ok(())
    })
}

/// Reads a verification key from the bytes of pairwright_verifying_key_bytes. They do not name their curve: `curve` is
/// "bn128", "bls12381" or "bls12377".
///
/// # Safety
/// `curve` is null or ends in a zero byte; there are `length` bytes at `bytes`, which may be null if there are none; a pointer
/// can be written to `key`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_verifying_key_from_bytes(
    curve: *const c_char,
    bytes: *const u8,
    length: usize,
    flags: u32,
    key: *mut *mut PairwrightVerifyingKey,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (out, curve, bytes) = unsafe {
            (Out::new(key, null_mut(), "key")?, text(curve, "curve")?, array(bytes, length, "bytes")?)
        };
        let curve = groth16::curve_named(curve)?;
        let key = groth16::verifying_key_from_bytes(bytes, curve, allow_unsafe(flags)?)?;
        out.hand_out(PairwrightVerifyingKey(key));
        Ok(())
    })
}

/// Writes a verification key as the JSON of snarkjs to a new buffer.
///
/// # Safety
/// `key` is null or not freed; a pointer can be written to `json`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_verifying_key_json(
    key: *const PairwrightVerifyingKey,
    json: *mut *mut PairwrightBuffer,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (out, key) = unsafe { (Out::new(json, null_mut(), "json")?, borrow(key, "key")?) };
        out.hand_out(PairwrightBuffer::new(key.0.json()?));
        Ok(())
    })
}

/// Writes a verification key as bytes to a new buffer: compressed points in arkworks' format.
///
/// # Safety
/// `key` is null or not freed; a pointer can be written to `bytes`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_verifying_key_bytes(
    key: *const PairwrightVerifyingKey,
    bytes: *mut *mut PairwrightBuffer,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (out, key) = unsafe { (Out::new(bytes, null_mut(), "bytes")?, borrow(key, "key")?) };
        out.hand_out(PairwrightBuffer::new(key.0.bytes()));
        Ok(())
    })
}

/// The name of a key's curve, as pairwright_proving_key_curve gives it; null for a null key.
///
/// # Safety
/// The key is null or not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_verifying_key_curve(key: *const PairwrightVerifyingKey) -> *const c_char {
    // SAFETY: the promise of this function.
    unsafe { key.as_ref() }.map_or(core::ptr::null(), |key| groth16::name(key.0.curve()).as_ptr())
}

/// The number of public values that proofs under a key have; 0 for a null key.
///
/// # Safety
/// The key is null or not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_verifying_key_public(key: *const PairwrightVerifyingKey) -> usize {
    // SAFETY: the promise of this function.
    unsafe { key.as_ref() }.map_or(0, |key| key.0.public())
}

/// Frees a verification key; nothing is done for null.
///
/// # Safety
/// The key is null, or it is not freed yet and used by nobody any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_verifying_key_free(key: *mut PairwrightVerifyingKey) {
    // SAFETY: the promise of this function.
    unsafe { free(key) }
}
