//! Trait objects for keys, witnesses and proofs of all curves, which the functions for C call. This module has no `unsafe`.

use crate::PairwrightStatus;
use crate::status::Failure;
use core::any::Any;
use core::ffi::CStr;
use pairwright::cpu;
use pairwright::curve::encoding::{Form, PointError};
use pairwright::curve::{Affine, Curve, Pairing, for_each_curve};
use pairwright::device::{Device, Session};
use pairwright::field::PrimeField;
use pairwright::formats::{
    CurveId, FileBytes, FileKind, FormatError, WtnsFile, ZkeyFile, probe, read_proof, read_public_of,
    read_verifying_key, write_proof, write_public, write_verifying_key,
};
use pairwright::poly::{Buf, KeySection};
use pairwright::protocols::groth16::{
    BytesError, Encoded, InSubgroup, PreparedVerifyingKey, Proof, ProvingKey, VerifyError, VerifyingKey,
    prove, verify_with_unsafe_key,
};
use pairwright::randomness;
use zeroize::Zeroize;

/// Calls a function generic over the pairing with the type of a [`CurveId`].
macro_rules! on_curve {
    (
        curves { $($curve:ident [$pairing:ty] $($about:literal)+;)+ }
        fixtures { $($fixture:tt)* }
        $id:expr, $function:ident $arguments:tt
    ) => {
        match $id {
            $(CurveId::$curve => $function::<$pairing> $arguments,)+
            other => Err(Failure::bad(format!("curve {other} is not supported here"))),
        }
    };
    ($id:expr, $function:ident $arguments:tt) => {
        for_each_curve!(on_curve $id, $function $arguments)
    };
}

macro_rules! names {
    (curves { $($curve:ident [$pairing:ty] $name:literal $($about:literal)+;)+ } fixtures $fixtures:tt) => {
        /// The name of a curve as a string of C.
        pub(crate) fn name(curve: CurveId) -> &'static CStr {
            let bytes = match curve {
                $(CurveId::$curve => concat!($name, "\0"),)+
                _ => "\0",
            };
            CStr::from_bytes_with_nul(bytes.as_bytes()).unwrap_or_default()
        }
    };
}
for_each_curve!(names);

/// The curve with this name or alternative name.
pub(crate) fn curve_named(name: &CStr) -> Result<CurveId, Failure> {
    let named =
        |id: &CurveId| [id.name(), id.other_name()].iter().any(|known| known.as_bytes() == name.to_bytes());
    let unknown = || {
        let known: Vec<_> = CurveId::ALL.iter().map(|id| id.name()).collect();
        Failure::bad(format!("curve: {name:?} is none of {}", known.join(", ")))
    };
    CurveId::ALL.iter().copied().find(named).ok_or_else(unknown)
}

/// Collects the output of `write`.
fn written(write: impl FnOnce(&mut Vec<u8>) -> Result<(), FormatError>) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::new();
    write(&mut out)?;
    Ok(out)
}

/// Fails for a key under which anybody can forge proofs, unless `allow_unsafe` is set.
fn judge<E: Pairing>(name: &str, key: &VerifyingKey<E>, allow_unsafe: bool) -> Result<(), Failure> {
    match key.expect_safe() {
        Err(why) if !allow_unsafe => Err(Failure::new(PairwrightStatus::UnsafeKey, format!("{name}: {why}"))),
        _ => Ok(()),
    }
}

/// A proving key of some curve.
pub(crate) trait Prover: Send + Sync {
    /// Proves, and verifies the proof before returning it.
    fn prove(&self, witness: &Witness) -> Result<Box<dyn Proven>, Failure>;
    /// Precomputes at most `most` multiples of every point of the key's MSMs; returns the memory that they take, in bytes.
    fn precompute(&self, most: usize) -> Result<u64, Failure>;
    /// The key's verifying key, with all points checked.
    fn verifier(&self) -> Result<Box<dyn Verifier>, Failure>;
    fn curve(&self) -> CurveId;
}

/// A verifying key of some curve.
pub(crate) trait Verifier: Send + Sync {
    fn proof_from_json(&self, proof: &[u8], public: &[u8]) -> Result<Box<dyn Proven>, Failure>;
    fn proof_from_bytes(&self, proof: &[u8], public: &[u8]) -> Result<Box<dyn Proven>, Failure>;
    fn verify(&self, proof: &dyn Proven) -> Result<(), Failure>;
    /// Accepts all proofs, or returns the reason with the index of the first proof that is not accepted, if a single one is at
    /// fault.
    fn batch_verify(&self, proofs: &[&dyn Proven]) -> Result<(), (Option<usize>, Failure)>;
    fn json(&self) -> Result<Vec<u8>, Failure>;
    fn bytes(&self) -> Vec<u8>;
    fn curve(&self) -> CurveId;
    /// Number of public values.
    fn public(&self) -> usize;
}

/// A proof of some curve, with its public values.
pub(crate) trait Proven: Any + Send + Sync {
    fn json(&self) -> Result<Vec<u8>, Failure>;
    fn public_json(&self) -> Result<Vec<u8>, Failure>;
    fn bytes(&self) -> Vec<u8>;
    fn public_bytes(&self) -> Vec<u8>;
}

/// A witness of some curve.
pub(crate) struct Witness {
    curve: CurveId,
    /// [`Values`] of the curve.
    values: Box<dyn Any + Send + Sync>,
}

/// Values of a witness, wiped when they are dropped.
struct Values<E: Pairing>(Buf<E::Fr>);

impl<E: Pairing> Drop for Values<E> {
    fn drop(&mut self) {
        if let Ok(values) = self.0.host_mut() {
            values.iter_mut().for_each(Zeroize::zeroize);
        }
    }
}

impl Witness {
    pub(crate) fn read(file: FileBytes) -> Result<Self, Failure> {
        let curve = probe_as(&file, FileKind::Wtns)?;
        on_curve!(curve, values(file, curve))
    }
}

fn values<E: Pairing>(file: FileBytes, curve: CurveId) -> Result<Witness, Failure> {
    let values = Values::<E>(WtnsFile::<E::Fr>::read(file)?.witness()?);
    Ok(Witness { curve, values: Box::new(values) })
}

/// The curve of a file, which has to be of the given kind.
fn probe_as(file: &FileBytes, kind: FileKind) -> Result<CurveId, Failure> {
    let found = probe(file)?;
    if found.kind() == kind {
        return Ok(found.curve()?);
    }
    Err(Failure::bad(format!("{}: expected a {kind}, this is a {}", file.name(), found.kind())))
}

struct ProvingSide<E: Pairing> {
    curve: CurveId,
    file: ZkeyFile<E>,
    key: ProvingKey<E>,
    board: Device<E>,
    allow_unsafe: bool,
}

/// Reads a proving key.
pub(crate) fn proving_key(file: FileBytes, allow_unsafe: bool) -> Result<Box<dyn Prover>, Failure> {
    let curve = probe_as(&file, FileKind::Zkey)?;
    on_curve!(curve, proving_side(file, curve, allow_unsafe))
}

fn proving_side<E: Encoded>(
    file: FileBytes,
    curve: CurveId,
    allow_unsafe: bool,
) -> Result<Box<dyn Prover>, Failure> {
    let file = ZkeyFile::<E>::read(file)?;
    let key = file.proving_key()?;
    judge(&file.file().name().to_string(), &key.vk, allow_unsafe)?;
    Ok(Box::new(ProvingSide { curve, file, key, board: cpu::board(), allow_unsafe }))
}

impl<E: Encoded> Prover for ProvingSide<E> {
    fn prove(&self, witness: &Witness) -> Result<Box<dyn Proven>, Failure> {
        let Some(Values(witness)) = witness.values.downcast_ref::<Values<E>>() else {
            let (key, other) = (self.curve, witness.curve);
            return Err(Failure::bad(format!("the key is for {key}, the witness for {other}")));
        };
        let mut rng = randomness::system()?;
        let proof = prove(&mut Session::new(&self.board), &self.key, witness, &mut rng)?;
        let public = witness.get(1..=self.key.public).unwrap_or_default().to_vec();
        // The safety of the key was checked when it was read.
        verify_with_unsafe_key(&mut Session::new(&self.board), &self.key.vk, &public, &proof).map_err(|why| match why {
            VerifyError::Device(why) => why.into(),
            _ => Failure::bad(
                "the finished proof does not verify: the witness does not satisfy the circuit, or the key is damaged",
            ),
        })?;
        let proof = proof.check().map_err(|why| Failure::internal(&why))?;
        Ok(Box::new(Claim::<E> { public, proof }))
    }

    fn precompute(&self, most: usize) -> Result<u64, Failure> {
        fn multiples<C: Curve>(section: &KeySection<Affine<C>>, most: usize) -> Result<u64, Failure> {
            Ok(cpu::precompute_section(section, most)?.map_or(0, |made| made.bytes))
        }
        let ProvingKey { a, b_g1, b_g2, c, h, .. } = &self.key;
        let of_g1 = [a, b_g1, c, h].into_iter().map(|section| multiples(section, most));
        of_g1.sum::<Result<u64, _>>().and_then(|bytes| Ok(bytes + multiples(b_g2, most)?))
    }

    fn verifier(&self) -> Result<Box<dyn Verifier>, Failure> {
        let key = self.file.verifying_key()?.check().map_err(Failure::bad)?;
        verifying_side(self.curve, "the verifying key of this proving key", key, self.allow_unsafe)
    }

    fn curve(&self) -> CurveId {
        self.curve
    }
}

struct VerifyingSide<E: Pairing> {
    curve: CurveId,
    key: InSubgroup<VerifyingKey<E>>,
    prepared: PreparedVerifyingKey<E>,
    board: Device<E>,
}

/// Reads a verifying key from snarkjs' JSON.
pub(crate) fn verifying_key_from_json(
    file: FileBytes,
    allow_unsafe: bool,
) -> Result<Box<dyn Verifier>, Failure> {
    fn read<E: Encoded>(
        file: FileBytes,
        curve: CurveId,
        allow_unsafe: bool,
    ) -> Result<Box<dyn Verifier>, Failure> {
        let name = file.name().to_string();
        verifying_side::<E>(curve, &name, read_verifying_key(file)?, allow_unsafe)
    }
    let curve = probe_as(&file, FileKind::VerifyingKey)?;
    on_curve!(curve, read(file, curve, allow_unsafe))
}

/// Reads a verifying key from compressed points.
pub(crate) fn verifying_key_from_bytes(
    bytes: &[u8],
    curve: CurveId,
    allow_unsafe: bool,
) -> Result<Box<dyn Verifier>, Failure> {
    fn read<E: Encoded>(
        bytes: &[u8],
        curve: CurveId,
        allow_unsafe: bool,
    ) -> Result<Box<dyn Verifier>, Failure> {
        let key = VerifyingKey::<E>::from_bytes(bytes, Form::Compressed)?;
        verifying_side(curve, "verifying key", key, allow_unsafe)
    }
    on_curve!(curve, read(bytes, curve, allow_unsafe))
}

fn verifying_side<E: Encoded>(
    curve: CurveId,
    name: &str,
    key: InSubgroup<VerifyingKey<E>>,
    allow_unsafe: bool,
) -> Result<Box<dyn Verifier>, Failure> {
    judge(name, &key, allow_unsafe)?;
    let board = cpu::board();
    let prepared = PreparedVerifyingKey::of_unsafe_key(&mut Session::new(&board), &key)?;
    Ok(Box::new(VerifyingSide { curve, key, prepared, board }))
}

impl<E: Encoded> VerifyingSide<E> {
    /// Downcasts a proof, which has to be on this key's curve.
    fn claim<'a>(&self, proof: &'a dyn Proven) -> Result<&'a Claim<E>, Failure> {
        let other = || Failure::bad(format!("the key is for {}, the proof is not", self.curve));
        (proof as &dyn Any).downcast_ref().ok_or_else(other)
    }
}

impl<E: Encoded> Verifier for VerifyingSide<E> {
    fn proof_from_json(&self, proof: &[u8], public: &[u8]) -> Result<Box<dyn Proven>, Failure> {
        let public =
            read_public_of(FileBytes::from_vec("public values", public.to_vec()), self.prepared.public())?;
        let proof = read_proof(FileBytes::from_vec("proof", proof.to_vec()))?;
        Ok(Box::new(Claim::<E> { public, proof }))
    }

    fn proof_from_bytes(&self, proof: &[u8], public: &[u8]) -> Result<Box<dyn Proven>, Failure> {
        let (values, []) = (public.chunks_exact(E::Fr::BYTES), public.chunks_exact(E::Fr::BYTES).remainder())
        else {
            return Err(Failure::bad(format!(
                "public values: {} bytes, {} a value",
                public.len(),
                E::Fr::BYTES
            )));
        };
        let value = |(i, bytes)| {
            E::Fr::read_le(bytes).map_err(|why| Failure::bad(format!("public values: value {i}: {why}")))
        };
        let public = values.enumerate().map(value).collect::<Result<_, _>>()?;
        let proof = Proof::<E>::from_bytes(proof, Form::Compressed).map_err(|why| match why {
            BytesError::BadPoint(_)
            | BytesError::Point {
                why: PointError::NotOnCurve { .. } | PointError::NotInSubgroup { .. },
                ..
            } => Failure::rejected(format!("proof: {why}")),
            other => Failure::bad(format!("proof: {other}")),
        })?;
        Ok(Box::new(Claim { public, proof }))
    }

    fn verify(&self, proof: &dyn Proven) -> Result<(), Failure> {
        let claim = self.claim(proof)?;
        Ok(self.prepared.verify(&mut Session::new(&self.board), &claim.public, &claim.proof)?)
    }

    fn batch_verify(&self, proofs: &[&dyn Proven]) -> Result<(), (Option<usize>, Failure)> {
        let one = |(i, proof): (usize, &&dyn Proven)| {
            let claim = self.claim(*proof).map_err(|why| (Some(i), why))?;
            Ok((claim.public.clone(), claim.proof))
        };
        let batch = proofs.iter().enumerate().map(one).collect::<Result<Vec<_>, _>>()?;
        let mut rng = randomness::system().map_err(|why| (None, why.into()))?;
        let verdict = self.prepared.batch_verify(&mut Session::new(&self.board), &batch, &mut rng);
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
    fn bytes(&self) -> Vec<u8> {
        self.key.to_bytes(Form::Compressed)
    }
    fn curve(&self) -> CurveId {
        self.curve
    }
    fn public(&self) -> usize {
        self.prepared.public()
    }
}

struct Claim<E: Pairing> {
    public: Vec<E::Fr>,
    proof: InSubgroup<Proof<E>>,
}

impl<E: Encoded> Proven for Claim<E> {
    fn json(&self) -> Result<Vec<u8>, Failure> {
        written(|out| write_proof(out, &self.proof))
    }
    fn public_json(&self) -> Result<Vec<u8>, Failure> {
        written(|out| write_public(out, &self.public))
    }
    fn bytes(&self) -> Vec<u8> {
        self.proof.to_bytes(Form::Compressed)
    }
    fn public_bytes(&self) -> Vec<u8> {
        let mut out = vec![0; self.public.len() * E::Fr::BYTES];
        out.chunks_exact_mut(E::Fr::BYTES).zip(&self.public).for_each(|(to, x)| x.write_le(to));
        out
    }
}
