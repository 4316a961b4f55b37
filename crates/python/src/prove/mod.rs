//! Trait objects for keys, witnesses and proofs of all protocols and curves.

mod sides;

use core::any::Any;
use pairwright::cpu::precompute_section;
use pairwright::curve::{Affine, Curve, Pairing};
use pairwright::device::Device;
use pairwright::formats::{CurveId, FileBytes, FileKind, FormatError, WtnsFile, probe};
use pairwright::poly::{Buf, KeySection};
use pairwright::{BoardPlan, Boards, Slot};
use pairwright_cli::{Failure, on_curve};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use zeroize::Zeroize;

use crate::failure::usage;
use crate::work::Watch;

/// The protocol, curve and number of public values of a key or proof.
#[derive(Clone, Copy)]
pub(crate) struct About {
    pub(crate) protocol: &'static str,
    pub(crate) curve: CurveId,
    /// Number of public values.
    pub(crate) public: usize,
}

/// The options for making a proof.
pub(crate) struct How<'a> {
    /// Name of the device in every slot that is not in `slots`.
    pub(crate) device: &'a str,
    /// Pairs of a slot and the device in it.
    pub(crate) slots: &'a [(String, String)],
    /// A secret seed in hexadecimal, for a reproducible proof.
    pub(crate) seed: Option<&'a str>,
}

impl How<'_> {
    fn plan(&self) -> Result<BoardPlan, Failure> {
        let mut plan = BoardPlan::new(self.device);
        for (slot, device) in self.slots {
            plan.slots.insert(slot.parse().map_err(Failure::bad)?, device.clone());
        }
        Ok(plan)
    }
}

/// A proof with the report of the session that made it.
pub(crate) struct Proved {
    pub(crate) proof: Box<dyn Proven>,
    pub(crate) report: serde_json::Value,
}

/// A proving key.
pub(crate) trait Prover: Send + Sync {
    fn about(&self) -> About;
    /// Number of wires of the circuit, and the domain size in points.
    fn sizes(&self) -> (usize, usize);
    /// Proves, and verifies the proof on this computer before returning it.
    fn prove(&self, witness: &Witness, how: &How<'_>, watch: &Watch<'_>) -> Result<Proved, Failure>;
    /// Precomputes at most `most` multiples of every point of the key's MSMs on this computer; returns the memory that they
    /// take, in bytes.
    fn precompute(&self, most: usize, watch: &Watch<'_>) -> Result<u64, Failure>;
    /// The key's verifying key, with all points checked.
    fn verifier(&self) -> Result<Box<dyn Verifier>, Failure>;
    /// Checks every element; returns their number.
    fn check(&self, watch: &Watch<'_>) -> Result<usize, Failure>;
}

/// A verifying key, prepared for many proofs.
pub(crate) trait Verifier: Send + Sync {
    fn about(&self) -> About;
    /// Reads a proof and its public values from the JSON of snarkjs.
    fn proof(&self, proof: FileBytes, public: FileBytes) -> Result<Box<dyn Proven>, Failure>;
    fn verify(&self, proof: &dyn Proven, watch: &Watch<'_>) -> Result<(), Failure>;
    /// Accepts all proofs, or returns the reason with the index of the first proof that is not accepted, if a single one is at
    /// fault.
    fn verify_many(&self, proofs: &[&dyn Proven], watch: &Watch<'_>) -> Result<(), (Option<usize>, Failure)>;
    fn json(&self) -> Result<Vec<u8>, Failure>;
}

/// A proof with its public values.
pub(crate) trait Proven: Any + Send + Sync {
    fn about(&self) -> About;
    fn json(&self) -> Result<Vec<u8>, Failure>;
    fn public_json(&self) -> Result<Vec<u8>, Failure>;
    /// The arguments of a call of the Solidity contract.
    fn calldata(&self) -> Result<String, Failure>;
}

/// Precomputes multiples of the points of a section; returns the memory that they take, in bytes.
fn precomputed<C: Curve>(
    section: &KeySection<Affine<C>>,
    most: usize,
    watch: &Watch<'_>,
) -> Result<u64, Failure> {
    watch.go_on();
    Ok(precompute_section(section, most)?.map_or(0, |made| made.bytes))
}

/// Downcasts a proof to the protocol and curve of a key.
fn same<T: 'static>(key: About, proof: &dyn Proven) -> Result<&T, Failure> {
    let (other, about) = (proof.about(), key);
    (proof as &dyn Any).downcast_ref().ok_or_else(|| {
        usage(format!(
            "the key is for {} on {}, the proof for {} on {}",
            about.protocol, about.curve, other.protocol, other.curve
        ))
    })
}

/// A witness on any curve.
pub(crate) struct Witness {
    pub(crate) curve: CurveId,
    pub(crate) len: usize,
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
    pub(crate) fn new<E: Pairing>(curve: CurveId, values: Buf<E::Fr>) -> Self {
        Self { curve, len: values.len(), values: Box::new(Values::<E>(values)) }
    }

    pub(crate) fn read(file: FileBytes) -> Result<Self, Failure> {
        fn of<E: Pairing>(file: FileBytes, curve: CurveId) -> Result<Witness, Failure> {
            Ok(Witness::new::<E>(curve, WtnsFile::<E::Fr>::read(file)?.witness()?))
        }
        let curve = curve_of(&file, FileKind::Wtns)?;
        on_curve!(curve, of(file, curve))
    }

    /// The values, downcast to those of the pairing `E`.
    pub(crate) fn values<E: Pairing>(&self) -> Option<&Buf<E::Fr>> {
        Some(&self.values.downcast_ref::<Values<E>>()?.0)
    }

    /// The values for a key with this name, curve and number of wires; an error if they do not match.
    fn for_key<E: Pairing>(&self, key: &Path, curve: CurveId, wires: usize) -> Result<&Buf<E::Fr>, Failure> {
        let other = || Failure::other_curve((key, curve.name()), (Path::new("witness"), self.curve.name()));
        let values = self.values::<E>().ok_or_else(other)?;
        if values.len() != wires {
            let (has, key) = (values.len(), key.display());
            return Err(usage(format!(
                "the witness has {has} values, the circuit of {key} has {wires} wires"
            )));
        }
        Ok(values)
    }
}

/// The curve of a file, which has to be of the given kind.
pub(crate) fn curve_of(file: &FileBytes, kind: FileKind) -> Result<CurveId, Failure> {
    let found = probe(file)?;
    if found.kind() == kind {
        return Ok(found.curve()?);
    }
    Err(usage(format!("{}: expected a {kind}, this is a {}", file.name(), found.kind())))
}

/// Whether keys under which anybody can forge proofs are accepted.
#[derive(Clone, Copy)]
pub(crate) struct AllowUnsafe(pub(crate) bool);

/// Reads a proving key of the protocol that the file states.
pub(crate) fn proving_key(file: FileBytes, allow: AllowUnsafe) -> Result<Box<dyn Prover>, Failure> {
    let curve = curve_of(&file, FileKind::Zkey)?;
    match probe(&file)?.protocol() {
        Some("plonk") => on_curve!(curve, plonk_prover(file, curve, allow)),
        Some("fflonk") => on_curve!(curve, fflonk_prover(file, curve, allow)),
        _ => on_curve!(curve, groth16_prover(file, curve, allow)),
    }
}

/// Reads a verifying key from snarkjs' JSON, of the protocol that it states.
pub(crate) fn verifying_key(file: FileBytes, allow: AllowUnsafe) -> Result<Box<dyn Verifier>, Failure> {
    let curve = curve_of(&file, FileKind::VerifyingKey)?;
    match probe(&file)?.protocol() {
        Some("plonk") => on_curve!(curve, plonk_verifier(file, curve, allow)),
        Some("fflonk") => on_curve!(curve, fflonk_verifier(file, curve, allow)),
        _ => on_curve!(curve, groth16_verifier(file, curve, allow)),
    }
}

use sides::{fflonk_prover, fflonk_verifier, groth16_prover, groth16_verifier, plonk_prover, plonk_verifier};

/// Collects the output of `write`.
fn written(write: impl FnOnce(&mut Vec<u8>) -> Result<(), FormatError>) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::new();
    write(&mut out)?;
    Ok(out)
}

/// Boards by curve, by the device in all slots, and by the devices in single slots.
type Made = BTreeMap<(&'static str, String, BTreeMap<Slot, String>), Box<dyn Any + Send + Sync>>;

/// The boards that earlier proofs were made on. The machines of these boards cache data of keys, which later proofs find there
/// again.
static MADE: Mutex<Made> = Mutex::new(BTreeMap::new());

/// Runs work on the requested board, which is that of earlier proofs if there was one. A board on which something fails is not
/// used again.
fn on_board<E: Boards, T>(
    how: &How<'_>,
    work: impl FnOnce(&Device<E>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let plan = how.plan()?;
    let name = (E::NAME, plan.device.clone(), plan.slots.clone());
    let made = || MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let found = made().get(&name).and_then(|board| board.downcast_ref::<Device<E>>().cloned());
    let board = match found {
        Some(board) => board,
        None => {
            let board = plan.build::<E>().map_err(Failure::bad)?;
            made().insert(name.clone(), Box::new(board.clone()));
            board
        }
    };
    work(&board).inspect_err(|_| drop(made().remove(&name)))
}
