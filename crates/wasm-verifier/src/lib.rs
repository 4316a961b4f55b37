//! Verifies snarkjs' Groth16 proofs over BN254 inside WebAssembly.
//!
//! The host calls `room` for each of the key, the public values and the proof, writes the bytes of the file to the address that `room`
//! returns, and then calls `verify`. [`judge`] is the same function for Rust.

#![deny(unsafe_code)]

#[cfg(target_family = "wasm")]
pub mod exports;

use pairwright::curve::bn254::Bn254;
use pairwright::device::{Session, reference};
use pairwright::formats::{FileBytes, FormatError, read_proof, read_public_of, read_verifying_key};
use pairwright::protocols::groth16::{PreparedVerifyingKey, VerifyError};

/// The verdict on a proof that is accepted.
pub const ACCEPTED: i32 = 0;
/// The verdict on well-formed files with a proof that is not accepted.
pub const REJECTED: i32 = 1;
/// The verdict on a malformed file, or on a key under which anybody can forge proofs.
pub const UNREADABLE: i32 = 2;

/// Verifies a proof, given the bytes of `verification_key.json`, `public.json` and `proof.json`. Returns [`ACCEPTED`],
/// [`REJECTED`] or [`UNREADABLE`].
pub fn judge(key: Vec<u8>, public: Vec<u8>, proof: Vec<u8>) -> i32 {
    match accept(key, public, proof) {
        Ok(()) => ACCEPTED,
        Err(Refusal::Format(why)) if !why.is_rejection() => UNREADABLE,
        Err(Refusal::Verify(VerifyError::UnsafeKey(_) | VerifyError::EmptyKey)) => UNREADABLE,
        Err(_) => REJECTED,
    }
}

enum Refusal {
    Format(FormatError),
    Verify(VerifyError),
}

impl From<FormatError> for Refusal {
    fn from(why: FormatError) -> Self {
        Self::Format(why)
    }
}

impl From<VerifyError> for Refusal {
    fn from(why: VerifyError) -> Self {
        Self::Verify(why)
    }
}

fn accept(key: Vec<u8>, public: Vec<u8>, proof: Vec<u8>) -> Result<(), Refusal> {
    let board = reference::board::<Bn254>();
    let mut on = Session::new(&board);
    let key = read_verifying_key::<Bn254>(FileBytes::from_vec("key", key))?;
    let key = PreparedVerifyingKey::new(&mut on, &key)?;
    let public = read_public_of(FileBytes::from_vec("public values", public), key.public())?;
    let proof = read_proof::<Bn254>(FileBytes::from_vec("proof", proof))?;
    Ok(key.verify(&mut on, &public, &proof)?)
}
