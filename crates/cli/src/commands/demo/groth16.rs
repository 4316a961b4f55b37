//! The demo's key, proof and verification in Groth16.

use super::{KEY, PROOF, PUBLIC, Proved, VERIFICATION_KEY, Verified};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::randomness;
use pairwright::Boards;
use pairwright::device::{Device, Session};
use pairwright::formats::{
    Contributions, FileBytes, R1csFile, ZkeyFile, read_proof, read_public, read_verifying_key,
    write_atomically, write_private, write_proof, write_verifying_key, write_zkey,
};
use pairwright::poly::Buf;
use pairwright::protocols::groth16::{PreparedVerifyingKey, Proof, VerifyError, prove, setup_local};
use std::path::Path;
use std::time::Instant;

/// Writes a proving key whose secrets are drawn on this computer, and its verification key.
pub(super) fn make_key<E: Boards>(
    device: &Device<E>,
    system: &R1csFile<E::Fr>,
    to: &Path,
) -> Result<(), Failure> {
    let progress = Progress::new(0, "setup");
    let mut on = Session::new(device).observed(|event| progress.follow(&event));
    let key = setup_local(&mut on, system, &mut randomness::system()?)?;
    write_private(to.join(KEY), |out| write_zkey(out, &key, &Contributions::none()))?;
    write_atomically(to.join(VERIFICATION_KEY), |out| write_verifying_key(out, &key.vk))?;
    Ok(())
}

/// Writes a proof with the key's file.
pub(super) fn make_proof<E: Boards>(
    device: &Device<E>,
    witness: &Buf<E::Fr>,
    to: &Path,
) -> Result<Proved, Failure> {
    let key = ZkeyFile::<E>::open(to.join(KEY))?.proving_key()?;
    let progress = Progress::new(0, "prove");
    let mut on = Session::new(device).observed(|event| progress.follow(&event));
    let proof = prove(&mut on, &key, witness, &mut randomness::system()?)?;
    let operators = on.finish();
    write_atomically(to.join(PROOF), |out| write_proof(out, &proof))?;
    let (domain, proof_bytes) = (key.domain.size(), Proof::<E>::compressed_bytes());
    Ok(Proved { gates: None, domain, proof_bytes, operators })
}

/// Verifies the proof from its files, then checks that the same proof is rejected for another root.
pub(super) fn verify<E: Boards>(from: &Path) -> Result<Verified, Failure> {
    let start = Instant::now();
    let vk = read_verifying_key::<E>(FileBytes::open(from.join(VERIFICATION_KEY))?)?;
    let public = read_public::<E::Fr>(FileBytes::open(from.join(PUBLIC))?)?;
    let proof = read_proof::<E>(FileBytes::open(from.join(PROOF))?)?;
    let host = E::host();
    let mut on = Session::new(&host);
    let prepared = PreparedVerifyingKey::new(&mut on, &vk)?;
    let is_rejected = |why: &VerifyError| matches!(why, VerifyError::Rejected);
    Verified::by(start, public, |public| prepared.verify(&mut on, public, &proof), is_rejected)
}
