//! Making, reading, writing and verifying proofs from C.

use crate::PairwrightStatus;
use crate::groth16::Proven;
use crate::keys::{PairwrightProvingKey, PairwrightVerifyingKey, PairwrightWitness};
use crate::memory::{Out, PairwrightBuffer, array, borrow, free};
use crate::status::{Failure, guard};
use core::ptr::null_mut;

/// A Groth16 proof with its public values.
pub struct PairwrightProof(pub(crate) Box<dyn Proven>);

/// Proves that the witness satisfies the circuit of the key, on all cores, with randomness from the operating system. The proof
/// is verified before it is handed out; if the witness does not satisfy the circuit, no proof is handed out.
///
/// # Safety
/// `key` and `witness` are null or not freed; a pointer can be written to `proof`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_prove(
    key: *const PairwrightProvingKey,
    witness: *const PairwrightWitness,
    proof: *mut *mut PairwrightProof,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (out, key, witness) = unsafe {
            (Out::new(proof, null_mut(), "proof")?, borrow(key, "key")?, borrow(witness, "witness")?)
        };
        out.hand_out(PairwrightProof(key.0.prove(&witness.0)?));
        Ok(())
    })
}

/// Reads a proof and its public values from the JSON of snarkjs, for a key. A proof with a point that is not on its curve or
/// not in its subgroup is rejected here.
///
/// # Safety
/// `key` is null or not freed; there are `proof_length` bytes at `proof` and `public_length` bytes at `public_values`, which may
/// be null if there are none; a pointer can be written to `read`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_proof_from_json(
    key: *const PairwrightVerifyingKey,
    proof: *const u8,
    proof_length: usize,
    public_values: *const u8,
    public_length: usize,
    read: *mut *mut PairwrightProof,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (out, key, proof, public) = unsafe {
            let out = Out::new(read, null_mut(), "read")?;
            let public = array(public_values, public_length, "public_values")?;
            (out, borrow(key, "key")?, array(proof, proof_length, "proof")?, public)
        };
        out.hand_out(PairwrightProof(key.0.proof_from_json(proof, public)?));
        Ok(())
    })
}

/// Reads a proof and its public values from the bytes of pairwright_proof_bytes and pairwright_proof_public_bytes, for a key.
/// A proof with a point that is not on its curve or not in its subgroup is rejected here.
///
/// # Safety
/// As pairwright_proof_from_json.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_proof_from_bytes(
    key: *const PairwrightVerifyingKey,
    proof: *const u8,
    proof_length: usize,
    public_values: *const u8,
    public_length: usize,
    read: *mut *mut PairwrightProof,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (out, key, proof, public) = unsafe {
            let out = Out::new(read, null_mut(), "read")?;
            let public = array(public_values, public_length, "public_values")?;
            (out, borrow(key, "key")?, array(proof, proof_length, "proof")?, public)
        };
        out.hand_out(PairwrightProof(key.0.proof_from_bytes(proof, public)?));
        Ok(())
    })
}

/// Hands out a buffer with the bytes that `make` computes from a proof.
///
/// # Safety
/// `proof` is null or not freed; a pointer can be written to `place`.
unsafe fn part(
    proof: *const PairwrightProof,
    place: *mut *mut PairwrightBuffer,
    make: impl FnOnce(&dyn Proven) -> Result<Vec<u8>, Failure>,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (out, proof) = unsafe { (Out::new(place, null_mut(), "buffer")?, borrow(proof, "proof")?) };
        out.hand_out(PairwrightBuffer::new(make(proof.0.as_ref())?));
        Ok(())
    })
}

/// Writes the proof without its public values to a new buffer, as JSON with the same bytes as snarkjs.
///
/// # Safety
/// `proof` is null or not freed; a pointer can be written to `json`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_proof_json(
    proof: *const PairwrightProof,
    json: *mut *mut PairwrightBuffer,
) -> PairwrightStatus {
    // SAFETY: the promise of this function.
    unsafe { part(proof, json, |proof| proof.json()) }
}

/// Writes the public values of a proof to a new buffer, as JSON with the same bytes as snarkjs.
///
/// # Safety
/// `proof` is null or not freed; a pointer can be written to `json`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_proof_public_json(
    proof: *const PairwrightProof,
    json: *mut *mut PairwrightBuffer,
) -> PairwrightStatus {
    // SAFETY: the promise of this function.
    unsafe { part(proof, json, |proof| proof.public_json()) }
}

/// Writes the proof without its public values to a new buffer, as bytes: three compressed points in arkworks' format, 128 bytes
/// on BN254 and 192 bytes on the other curves.
///
/// # Safety
/// `proof` is null or not freed; a pointer can be written to `bytes`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_proof_bytes(
    proof: *const PairwrightProof,
    bytes: *mut *mut PairwrightBuffer,
) -> PairwrightStatus {
    // SAFETY: the promise of this function.
    unsafe { part(proof, bytes, |proof| Ok(proof.bytes())) }
}

/// Writes the public values of a proof to a new buffer, as bytes: 32 bytes for each value, little-endian.
///
/// # Safety
/// `proof` is null or not freed; a pointer can be written to `bytes`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_proof_public_bytes(
    proof: *const PairwrightProof,
    bytes: *mut *mut PairwrightBuffer,
) -> PairwrightStatus {
    // SAFETY: the promise of this function.
    unsafe { part(proof, bytes, |proof| Ok(proof.public_bytes())) }
}

/// Frees a proof; nothing is done for null.
///
/// # Safety
/// The proof is null, or it is not freed yet and used by nobody any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_proof_free(proof: *mut PairwrightProof) {
    // SAFETY: the promise of this function.
    unsafe { free(proof) }
}

/// Accepts a proof for its public values: PAIRWRIGHT_STATUS_OK, or PAIRWRIGHT_STATUS_REJECTED.
///
/// # Safety
/// `key` and `proof` are null or not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_verify(
    key: *const PairwrightVerifyingKey,
    proof: *const PairwrightProof,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let (key, proof) = unsafe { (borrow(key, "key")?, borrow(proof, "proof")?) };
        key.0.verify(proof.0.as_ref())
    })
}

/// Accepts `count` proofs together, or rejects them and writes the index of the first proof that is not accepted to
/// `first_bad`; it writes `count` there if no proof is at fault. The verification equations are added with random
/// weights: a bad proof is accepted with probability at most 2^-127. An empty list is accepted.
///
/// # Safety
/// `key` is null or not freed, and so are the `count` proofs in the list `proofs`, which may be null if there are none;
/// `first_bad` is null, or a number can be written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_batch_verify(
    key: *const PairwrightVerifyingKey,
    proofs: *const *const PairwrightProof,
    count: usize,
    first_bad: *mut usize,
) -> PairwrightStatus {
    guard(|| {
        // SAFETY: the promise of this function.
        let first_bad = (!first_bad.is_null()).then(|| unsafe { Out::new(first_bad, count, "first_bad") });
        let first_bad = first_bad.transpose()?;
        // SAFETY: the promise of this function.
        let (key, list) = unsafe { (borrow(key, "key")?, array(proofs, count, "proofs")?) };
        let proof = |(i, proof): (usize, &*const PairwrightProof)| {
            // SAFETY: the promise of this function.
            unsafe { borrow(*proof, &format!("proofs[{i}]")) }.map(|proof| proof.0.as_ref())
        };
        let batch = list.iter().enumerate().map(proof).collect::<Result<Vec<_>, _>>()?;
        key.0.batch_verify(&batch).map_err(|(index, failure)| {
            if let (Some(out), Some(index)) = (first_bad, index) {
                out.put(index);
            }
            failure
        })
    })
}
