//! The demo's key, proof and verdict in the protocols of gates.

/// The demo's steps in a protocol by the name of its modules in the library, with the points and scalars of a proof.
macro_rules! demo_of {
    ($name:ident, $points:literal, $scalars:literal) => {
        pub(super) mod $name {
            use super::super::{KEY, PROOF, PUBLIC, Proved, VERIFICATION_KEY, Verified};
            use crate::failure::Failure;
            use crate::progress::Progress;
            use crate::randomness;
            use pairwright::Boards;
            use pairwright::device::{Device, Session};
            use pairwright::field::{Field, PrimeField};
            use pairwright::formats::$name::{
                ZkeyFile, read_proof, read_verifying_key, write_proof, write_verifying_key, write_zkey,
            };
            use pairwright::formats::{FileBytes, R1csFile, Secrets, read_public, write_atomically};
            use pairwright::poly::Buf;
            use pairwright::protocols::$name::{
                PreparedVerifyingKey, ProofSizes, VerifyError, prove, setup_local,
            };
            use std::path::Path;
            use std::time::Instant;

            /// Writes a key of powers of tau that are drawn here, and its verification key.
            pub(crate) fn make_key<E: Boards>(
                device: &Device<E>,
                system: &R1csFile<E::Fr>,
                to: &Path,
            ) -> Result<(), Failure> {
                let progress = Progress::new(0, "setup");
                let mut on = Session::new(device).observed(|event| progress.follow(&event));
                let key = setup_local(&mut on, system, &mut randomness::system()?)?;
                write_atomically(to.join(KEY), |out| write_zkey(out, &mut on, &key, Secrets::OnePlace))?;
                write_atomically(to.join(VERIFICATION_KEY), |out| write_verifying_key(out, &key.vk))?;
                Ok(())
            }

            /// Writes a proof with the key's file.
            pub(crate) fn make_proof<E: Boards>(
                device: &Device<E>,
                witness: &Buf<E::Fr>,
                to: &Path,
            ) -> Result<Proved, Failure> {
                let zkey = ZkeyFile::<E>::open(to.join(KEY))?;
                let key = zkey.proving_key();
                let sizes = ProofSizes::of(&key);
                let progress = Progress::new(0, "prove");
                let mut on = Session::new(device).observed(|event| progress.follow(&event));
                let proof = prove(&mut on, &key, witness, &mut randomness::system()?)?;
                let operators = on.finish();
                write_atomically(to.join(PROOF), |out| write_proof(out, &proof))?;
                let (points, scalars) = ($points, $scalars);
                let proof_bytes = points * E::Fq::BYTES + scalars * E::Fr::BYTES;
                Ok(Proved { gates: Some(sizes.gates), domain: sizes.domain, proof_bytes, operators })
            }

            /// Verifies the proof from its files, then the same proof for another root.
            pub(crate) fn verify<E: Boards>(from: &Path) -> Result<Verified, Failure> {
                let start = Instant::now();
                let vk = read_verifying_key::<E>(FileBytes::open(from.join(VERIFICATION_KEY))?)?;
                let mut public = read_public::<E::Fr>(FileBytes::open(from.join(PUBLIC))?)?;
                let proof = read_proof::<E>(FileBytes::open(from.join(PROOF))?)?;
                let host = E::host();
                let mut on = Session::new(&host);
                let prepared = PreparedVerifyingKey::new(&mut on, &vk)?;
                prepared.verify(&mut on, &public, &proof)?;
                let seconds = start.elapsed().as_secs_f64();
                if let Some(x) = public.first_mut() {
                    *x += E::Fr::ONE;
                }
                let tampered = prepared.verify(&mut on, &public, &proof);
                Ok(Verified { seconds, tampered_rejected: matches!(tampered, Err(VerifyError::Rejected)) })
            }
        }
    };
}

demo_of!(plonk, 9, 6);
demo_of!(fflonk, 4, 16);
