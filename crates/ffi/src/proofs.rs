//! Proofs for C.

use crate::PairwrightStatus;
use crate::groth16::Proven;
use crate::keys::{PairwrightProvingKey, PairwrightVerifyingKey, PairwrightWitness};
use crate::memory::{Out, PairwrightBuffer, array, borrow, free};
use crate::status::{Failure, guard};
use core::ptr::null_mut;

/// A Groth16 proof with its public values.
pub struct PairwrightProof(pub(crate) Box<dyn Proven>);

/// Proves that the witness satisfies the circuit of the key, on all cores, with randomness of the operating system. The proof
/// is verified before it is handed out; where the witness does not satisfy the circuit, there is none.
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

/// Hands out bytes that `make` makes of a proof.
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

/// The proof alone as the JSON of snarkjs, byte for byte.
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

/// The public values of a proof as the JSON of snarkjs, byte for byte.
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

/// The proof alone as bytes: three compressed points, 128 bytes on BN254 and 192 on the other curves, as arkworks has them.
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

/// The public values of a proof as bytes: 32 a value, the lowest byte first.
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

/// Frees a proof; null is nothing to free.
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

/// Accepts all of `count` proofs, or says that one is not accepted, and writes the position of the first such proof to
/// `first_bad`; it writes `count` there where no proof is at fault. The equations are added up with random weights: a bad proof
/// passes with probability at most 2^-127. No proofs are accepted.
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
