//! Keys, witnesses and proofs of all protocols and curves behind objects.

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

/// What a key is for.
#[derive(Clone, Copy)]
pub(crate) struct About {
    pub(crate) protocol: &'static str,
    pub(crate) curve: CurveId,
    /// Number of public values.
    pub(crate) public: usize,
}

/// How a proof is to be made.
pub(crate) struct How<'a> {
    /// The device in every slot that is not named.
    pub(crate) device: &'a str,
    /// Slots with the devices in them.
    pub(crate) slots: &'a [(String, String)],
    /// A secret seed in hexadecimal, for a proof that can be made again.
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

/// A proof and the account of the session that made it.
pub(crate) struct Proved {
    pub(crate) proof: Box<dyn Proven>,
    pub(crate) report: serde_json::Value,
}

/// A proving key.
pub(crate) trait Prover: Send + Sync {
    fn about(&self) -> About;
    /// Number of wires of the circuit, and the size of the domain.
    fn sizes(&self) -> (usize, usize);
    /// Proves, and verifies the proof on this computer before it is given away.
    fn prove(&self, witness: &Witness, how: &How<'_>, watch: &Watch<'_>) -> Result<Proved, Failure>;
    /// Keeps at most `most` multiples of every point that proofs on this computer sum; gives the bytes that they take.
    fn precompute(&self, most: usize, watch: &Watch<'_>) -> Result<u64, Failure>;
    /// The verifying key in it, with all its points checked.
    fn verifier(&self) -> Result<Box<dyn Verifier>, Failure>;
    /// Checks every element; gives their number.
    fn check(&self, watch: &Watch<'_>) -> Result<usize, Failure>;
}

/// A verifying key, ready for many proofs.
pub(crate) trait Verifier: Send + Sync {
    fn about(&self) -> About;
    /// Reads a proof and its public values from the JSON of snarkjs.
    fn proof(&self, proof: FileBytes, public: FileBytes) -> Result<Box<dyn Proven>, Failure>;
    fn verify(&self, proof: &dyn Proven, watch: &Watch<'_>) -> Result<(), Failure>;
    /// Accepts all, or gives the position of the first that is not accepted where one is at fault.
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

/// Keeps multiples of the points of a section; gives the bytes that they take.
fn precomputed<C: Curve>(
    section: &KeySection<Affine<C>>,
    most: usize,
    watch: &Watch<'_>,
) -> Result<u64, Failure> {
    watch.go_on();
    Ok(precompute_section(section, most)?.map_or(0, |made| made.bytes))
}

/// A proof as one of a protocol and a curve.
fn same<T: 'static>(key: About, proof: &dyn Proven) -> Result<&T, Failure> {
    let (other, about) = (proof.about(), key);
    (proof as &dyn Any).downcast_ref().ok_or_else(|| {
        usage(format!(
            "the key is for {} on {}, the proof for {} on {}",
            about.protocol, about.curve, other.protocol, other.curve
        ))
    })
}

/// A witness of some curve.
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

    /// The values as those of a curve.
    pub(crate) fn values<E: Pairing>(&self) -> Option<&Buf<E::Fr>> {
        Some(&self.values.downcast_ref::<Values<E>>()?.0)
    }

    /// The values for a key, which has a name, a curve and so many wires.
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

/// The curve of a file of a kind.
pub(crate) fn curve_of(file: &FileBytes, kind: FileKind) -> Result<CurveId, Failure> {
    let found = probe(file)?;
    if found.kind() == kind {
        return Ok(found.curve()?);
    }
    Err(usage(format!("{}: expected a {kind}, this is a {}", file.name(), found.kind())))
}

/// Whether keys are taken under which anybody can forge proofs.
#[derive(Clone, Copy)]
pub(crate) struct AllowUnsafe(pub(crate) bool);

/// Reads a proving key, by the protocol that it says.
pub(crate) fn proving_key(file: FileBytes, allow: AllowUnsafe) -> Result<Box<dyn Prover>, Failure> {
    let curve = curve_of(&file, FileKind::Zkey)?;
    match probe(&file)?.protocol() {
        Some("plonk") => on_curve!(curve, plonk_prover(file, curve, allow)),
        Some("fflonk") => on_curve!(curve, fflonk_prover(file, curve, allow)),
        _ => on_curve!(curve, groth16_prover(file, curve, allow)),
    }
}

/// Reads a verifying key from snarkjs' JSON, by the protocol that it says.
pub(crate) fn verifying_key(file: FileBytes, allow: AllowUnsafe) -> Result<Box<dyn Verifier>, Failure> {
    let curve = curve_of(&file, FileKind::VerifyingKey)?;
    match probe(&file)?.protocol() {
        Some("plonk") => on_curve!(curve, plonk_verifier(file, curve, allow)),
        Some("fflonk") => on_curve!(curve, fflonk_verifier(file, curve, allow)),
        _ => on_curve!(curve, groth16_verifier(file, curve, allow)),
    }
}

use sides::{fflonk_prover, fflonk_verifier, groth16_prover, groth16_verifier, plonk_prover, plonk_verifier};

/// What `write` writes.
fn written(write: impl FnOnce(&mut Vec<u8>) -> Result<(), FormatError>) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::new();
    write(&mut out)?;
    Ok(out)
}

/// Boards by their curve, the device in all slots and the devices in single ones.
type Made = BTreeMap<(&'static str, String, BTreeMap<Slot, String>), Box<dyn Any + Send + Sync>>;

/// The boards that proofs were made on. Keys leave copies with the machines of these boards, and find them there again.
static MADE: Mutex<Made> = Mutex::new(BTreeMap::new());

/// Works on the board that is asked for: the one of earlier proofs, if there was one. A board on which something fails is
/// not used again.
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
