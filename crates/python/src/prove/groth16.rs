//! Groth16 behind the objects of this folder.

use super::{
    About, AllowUnsafe, How, Proved, Proven, Prover, Verifier, Witness, on_board, precomputed, same, written,
};
use crate::work::Watch;
use pairwright::Boards;
use pairwright::curve::Pairing;
use pairwright::device::{Device, Session};
use pairwright::formats::solidity::groth16_calldata;
use pairwright::formats::{
    CurveId, FileBytes, ZkeyFile, read_proof, read_public_of, read_verifying_key, write_proof, write_public,
    write_verifying_key,
};
use pairwright::protocols::groth16::{
    InSubgroup, PreparedVerifyingKey, Proof, ProvingKey, VerifyError, VerifyingKey, prove,
    verify_with_unsafe_key,
};
use pairwright_cli::{Failure, randomness};

const PROTOCOL: &str = "groth16";

/// Fails for a key under which anybody can forge proofs, unless it is asked for.
fn judge<E: Pairing>(
    name: &std::path::Path,
    key: &VerifyingKey<E>,
    allow: AllowUnsafe,
) -> Result<(), Failure> {
    match key.expect_safe() {
        Err(weakness) if !allow.0 => Err(Failure::unsafe_key(name, weakness)),
        _ => Ok(()),
    }
}

struct ProvingSide<E: Pairing> {
    curve: CurveId,
    file: ZkeyFile<E>,
    key: ProvingKey<E>,
    host: Device<E>,
    allow: AllowUnsafe,
}

/// Reads a proving key.
pub(super) fn groth16_prover<E: Boards>(
    file: FileBytes,
    curve: CurveId,
    allow: AllowUnsafe,
) -> Result<Box<dyn Prover>, Failure> {
    let file = ZkeyFile::<E>::read(file)?;
    let key = file.proving_key()?;
    judge(file.file().name().as_path(), &key.vk, allow)?;
    Ok(Box::new(ProvingSide { curve, file, key, host: E::host(), allow }))
}

impl<E: Boards> Prover for ProvingSide<E> {
    fn about(&self) -> About {
        About { protocol: PROTOCOL, curve: self.curve, public: self.key.public }
    }
    fn sizes(&self) -> (usize, usize) {
        (self.key.wires, self.key.domain.size())
    }

    fn prove(&self, witness: &Witness, how: &How<'_>, watch: &Watch<'_>) -> Result<Proved, Failure> {
        let witness = witness.for_key::<E>(self.file.file().name().as_path(), self.curve, self.key.wires)?;
        let mut rng = match how.seed {
            None => randomness::system()?,
            Some(hex) => {
                let vk = written(|out| write_verifying_key(out, &self.key.vk))?;
                randomness::seeded(hex, &vk, witness)?
            }
        };
        let (proof, report) = on_board::<E, _>(how, |device| {
            let mut on = watch.session(device);
            let proof = prove(&mut on, &self.key, witness, &mut rng)?;
            Ok((proof, pairwright_cli::account(&on.finish())?))
        })?;
        let public = witness.get(1..=self.key.public).unwrap_or_default().to_vec();
        // On this computer, whatever made the proof. The key was judged when it was read.
        let mut on = watch.quiet(&self.host);
        verify_with_unsafe_key(&mut on, &self.key.vk, &public, &proof).map_err(|why| match why {
            VerifyError::Device(why) => why.into(),
            _ => Failure::proof_fails(),
        })?;
        let proof = proof.check().map_err(|why| Failure::Internal(why.into()))?;
        Ok(Proved { proof: Box::new(Claim::<E> { curve: self.curve, public, proof }), report })
    }

    fn precompute(&self, most: usize, watch: &Watch<'_>) -> Result<u64, Failure> {
        let ProvingKey { a, b_g1, b_g2, c, h, .. } = &self.key;
        let mut bytes = precomputed(b_g2, most, watch)?;
        for section in [a, b_g1, c, h] {
            bytes += precomputed(section, most, watch)?;
        }
        Ok(bytes)
    }

    fn verifier(&self) -> Result<Box<dyn Verifier>, Failure> {
        let key = self.file.verifying_key()?.check().map_err(Failure::bad)?;
        verifying_side(self.curve, self.file.file().name().as_path(), key, self.allow)
    }

    fn check(&self, watch: &Watch<'_>) -> Result<usize, Failure> {
        let mut on = watch.session(&self.host);
        Ok(self.file.check(&mut on, &mut randomness::system()?)?.elements())
    }
}

struct VerifyingSide<E: Pairing> {
    curve: CurveId,
    key: InSubgroup<VerifyingKey<E>>,
    prepared: PreparedVerifyingKey<E>,
    host: Device<E>,
}

/// Reads a verifying key from snarkjs' JSON.
pub(super) fn groth16_verifier<E: Boards>(
    file: FileBytes,
    curve: CurveId,
    allow: AllowUnsafe,
) -> Result<Box<dyn Verifier>, Failure> {
    let name = file.name().clone();
    verifying_side::<E>(curve, name.as_path(), read_verifying_key(file)?, allow)
}

fn verifying_side<E: Boards>(
    curve: CurveId,
    name: &std::path::Path,
    key: InSubgroup<VerifyingKey<E>>,
    allow: AllowUnsafe,
) -> Result<Box<dyn Verifier>, Failure> {
    judge(name, &key, allow)?;
    let host = E::host();
    let prepared = PreparedVerifyingKey::of_unsafe_key(&mut Session::new(&host), &key)?;
    Ok(Box::new(VerifyingSide { curve, key, prepared, host }))
}

impl<E: Boards> Verifier for VerifyingSide<E> {
    fn about(&self) -> About {
        About { protocol: PROTOCOL, curve: self.curve, public: self.prepared.public() }
    }

    fn proof(&self, proof: FileBytes, public: FileBytes) -> Result<Box<dyn Proven>, Failure> {
        let public = read_public_of(public, self.prepared.public()).map_err(Failure::of_proof)?;
        let proof = read_proof(proof).map_err(Failure::of_proof)?;
        Ok(Box::new(Claim::<E> { curve: self.curve, public, proof }))
    }

    fn verify(&self, proof: &dyn Proven, watch: &Watch<'_>) -> Result<(), Failure> {
        let claim = same::<Claim<E>>(self.about(), proof)?;
        Ok(self.prepared.verify(&mut watch.quiet(&self.host), &claim.public, &claim.proof)?)
    }

    fn verify_many(&self, proofs: &[&dyn Proven], watch: &Watch<'_>) -> Result<(), (Option<usize>, Failure)> {
        let one = |(i, proof): (usize, &&dyn Proven)| {
            let claim = same::<Claim<E>>(self.about(), *proof).map_err(|why| (Some(i), why))?;
            Ok((claim.public.clone(), claim.proof))
        };
        let batch = proofs.iter().enumerate().map(one).collect::<Result<Vec<_>, _>>()?;
        let mut rng = randomness::system().map_err(|why| (None, why))?;
        let verdict = self.prepared.batch_verify(&mut watch.quiet(&self.host), &batch, &mut rng);
        verdict.map_err(|why| match why {
            VerifyError::InBatch { index, why } if matches!(*why, VerifyError::Device(_)) => {
                (Some(index), (*why).into())
            }
            VerifyError::InBatch { index, .. } => (Some(index), why.into()),
            other => (None, other.into()),
        })
    }

    fn json(&self) -> Result<Vec<u8>, Failure> {
        written(|out| write_verifying_key(out, &self.key))
    }
}

struct Claim<E: Pairing> {
    curve: CurveId,
    public: Vec<E::Fr>,
    proof: InSubgroup<Proof<E>>,
}

impl<E: Pairing> Proven for Claim<E> {
    fn about(&self) -> About {
        About { protocol: PROTOCOL, curve: self.curve, public: self.public.len() }
    }
    fn json(&self) -> Result<Vec<u8>, Failure> {
        written(|out| write_proof(out, &self.proof))
    }
    fn public_json(&self) -> Result<Vec<u8>, Failure> {
        written(|out| write_public(out, &self.public))
    }
    fn calldata(&self) -> Result<String, Failure> {
        groth16_calldata::<E>(&self.proof, &self.public).map_err(Failure::bad)
    }
}
