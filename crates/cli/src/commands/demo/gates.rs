//! The demo's key, proof and verification in Plonk and fflonk.

use super::{KEY, PROOF, PUBLIC, Proved, VERIFICATION_KEY, Verified};
use crate::commands::plonkish::Gates;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::randomness;
use pairwright::Boards;
use pairwright::device::{Device, Session};
use pairwright::formats::{FileBytes, R1csFile, Secrets, read_public, write_atomically};
use pairwright::poly::Buf;
use pairwright::protocols::plonkish::{PlonkishKey, Prepared, VerifyError};
use std::path::Path;
use std::time::Instant;

/// Writes a proving key from powers of tau that are drawn on this computer, and its verification key.
pub(super) fn make_key<E: Boards>(
    of: impl Gates,
    device: &Device<E>,
    system: &R1csFile<E::Fr>,
    to: &Path,
) -> Result<(), Failure> {
    let progress = Progress::new(0, "setup");
    let mut on = Session::new(device).observed(|event| progress.follow(&event));
    let key = of.setup_local(&mut on, system, &mut randomness::system()?)?;
    write_atomically(to.join(KEY), |out| of.write_zkey(out, &mut on, &key, Secrets::OnePlace))?;
    write_atomically(to.join(VERIFICATION_KEY), |out| of.write_key(out, &key.vk))?;
    Ok(())
}

/// Writes a proof with the key's file.
pub(super) fn make_proof<E: Boards>(
    of: impl Gates,
    device: &Device<E>,
    witness: &Buf<E::Fr>,
    to: &Path,
) -> Result<Proved, Failure> {
    let zkey = of.zkey::<E>(FileBytes::open(to.join(KEY))?)?;
    let key = zkey.proving_key();
    let progress = Progress::new(0, "prove");
    let mut on = Session::new(device).observed(|event| progress.follow(&event));
    let proof = of.prove(&mut on, &key, witness, &mut randomness::system()?)?;
    let operators = on.finish();
    write_atomically(to.join(PROOF), |out| of.write_proof(out, &proof))?;
    let (domain, proof_bytes) = (key.vk.domain().size(), of.proof_bytes::<E>());
    Ok(Proved { gates: Some(key.gates()), domain, proof_bytes, operators })
}

/// Verifies the proof from its files, then checks that the same proof is rejected for another root.
pub(super) fn verify<E: Boards>(of: impl Gates, from: &Path) -> Result<Verified, Failure> {
    let start = Instant::now();
    let vk = of.read_key::<E>(FileBytes::open(from.join(VERIFICATION_KEY))?)?;
    let public = read_public::<E::Fr>(FileBytes::open(from.join(PUBLIC))?)?;
    let proof = of.read_proof::<E>(FileBytes::open(from.join(PROOF))?)?;
    let host = E::host();
    let mut on = Session::new(&host);
    let prepared = Prepared::new(&mut on, &vk)?;
    let is_rejected = |why: &VerifyError| matches!(why, VerifyError::Rejected);
    Verified::by(start, public, |public| prepared.verify(&mut on, public, &proof), is_rejected)
}
