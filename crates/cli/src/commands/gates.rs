//! The parts of `setup`, `prove`, `verify`, `vkey`, `inspect` and `batch-verify` for files of Plonk and fflonk.
//!
//! Both protocols prove tables of gates, so that each command is written once for both. The trait [`Gates`] has the functions in which
//! they differ.

use super::names;
use super::plonkish::{Gates, PreparedOf};
use super::proof_list::{Item, conclude, read_list, sort};
use super::proving::{
    Done as Proved, Phases, blinding, check_witness, print_proved, read_witness, timed_check,
};
use super::setting_up::{Done as Made, of_powers, print_made};
use super::verdict::{Done as Verified, print_verified, public_values};
use crate::args::{BatchVerify, Cli, Inspect, KeyPolicy, Prove, Setup, Verify, Vkey};
use crate::failure::{ArgumentError, Failure};
use crate::keys::warn_of_secrets;
use crate::progress::Progress;
use crate::{files, randomness};
use pairwright::Boards;
use pairwright::curve::Pairing;
use pairwright::device::Session;
use pairwright::formats::{CurveId, FileBytes, PtauFile, R1csFile, Secrets, write_public};
use pairwright::protocols::plonk::{VerifyError, batch_verify, check_proofs, verify_with_unsafe_key};
use pairwright::protocols::plonkish::{Claim, PlonkishKey, Prepared};
use pairwright::protocols::r1cs::ConstraintSource;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Makes a proving key.
pub(super) fn make<E: Boards>(
    of: impl Gates,
    cli: &Cli,
    args: &Setup,
    file: FileBytes,
    curve: CurveId,
) -> Result<(), Failure> {
    let device = args.machines.board::<E>(cli)?;
    let start = Instant::now();
    let system = R1csFile::<E::Fr>::read(file)?;
    let constraints = system.shape().constraints;
    names::warn_of_no_constraints(cli, constraints, &args.r1cs);
    let progress = Progress::new(0, "setup");
    let mut on = Session::new(&device).observed(|event| progress.follow(&event));
    let mut rng = randomness::system()?;
    if args.keep_prepared.is_some() {
        let name = args.protocol.name();
        cli.warnings
            .add(format!("--keep-prepared is for Groth16: a key of {name} is made from the powers alone"));
    }
    let key = match &args.ptau {
        None => of.setup_local(&mut on, &system, &mut rng)?,
        Some(path) => of
            .setup(&mut on, &system, &PtauFile::<E>::open(path)?, &mut rng)
            .map_err(|why| of_powers(path, why))?,
    };
    if let Some(weakness) = of.weakness(&key.vk) {
        cli.warnings.add(format!("{}: {weakness}", args.output.display()));
    }
    // A key of Plonk or fflonk contains no secrets.
    let secrets = if args.unsafe_local { Secrets::OnePlace } else { Secrets::OfPowers };
    files::write(&args.output, |out| of.write_zkey(out, &mut on, &key, secrets))?;
    drop(on);
    drop(progress);
    let done = Made {
        protocol: args.protocol.name(),
        curve: curve.name(),
        constraints,
        gates: Some(key.gates()),
        additions: Some(key.additions.len()),
        domain: key.vk.domain().size(),
        seconds: start.elapsed().as_secs_f64(),
    };
    print_made(cli, args, &done)
}

/// Proves, verifies the proof, then writes it.
pub(super) fn prove_on<E: Boards>(
    of: impl Gates,
    cli: &Cli,
    args: &Prove,
    file: FileBytes,
    curve: CurveId,
) -> Result<(), Failure> {
    let device = args.options.machines.board::<E>(cli)?;
    let start = Instant::now();
    let zkey = of.zkey::<E>(file)?;
    let vk = zkey.verifying_key()?;
    args.options.keys.judge_gates(cli, &args.zkey, of.weakness(&vk))?;
    warn_of_secrets(cli, &args.zkey, zkey.secrets());
    let key = zkey.proving_key();
    let open = start.elapsed().as_secs_f64();
    let check_time = args
        .options
        .check
        .then(|| {
            timed_check(cli, || Ok(zkey.check(&mut Session::new(&E::host()), &mut randomness::system()?)?))
        })
        .transpose()?;

    let start = Instant::now();
    let witness = read_witness::<E>(cli, args, curve, zkey.wires(), zkey.file())?;
    check_witness(args, &witness)?;
    let mut rng = blinding(args, &witness, |out| of.write_key(out, &vk))?;
    let witness_time = start.elapsed().as_secs_f64();

    let start = Instant::now();
    let progress = Progress::new(0, "prove");
    let mut on = Session::new(&device).observed(|event| progress.follow(&event));
    let proof = of.prove(&mut on, &key, &witness, &mut rng)?;
    let report = on.finish();
    drop(progress);
    let prove_time = start.elapsed().as_secs_f64();

    let start = Instant::now();
    let public = &witness[1..=vk.public()];
    // The proof is verified on this computer, whichever machine made it: that machine might repeat its fault in a check.
    // The key has been checked for weaknesses above.
    let host = E::host();
    verify_with_unsafe_key(&mut Session::new(&host), &vk, public, &proof).map_err(|e| match e {
        VerifyError::Device(d) => d.into(),
        _ => Failure::from(ArgumentError::ProofFails),
    })?;
    let verify_time = start.elapsed().as_secs_f64();

    files::write(&args.output, |out| of.write_proof(out, &proof))?;
    files::write(&args.public, |out| write_public(out, public))?;
    let done = Proved {
        curve: curve.name(),
        wires: zkey.wires(),
        public: vk.public(),
        domain: vk.domain().size(),
        seconds: Phases {
            open,
            check: check_time,
            witness: witness_time,
            prove: prove_time,
            verify: verify_time,
        },
        plan: None,
    };
    print_proved(cli, args, &done, Some(&report))
}

/// Verifies one proof.
pub(super) fn verify_on<E: Boards>(
    of: impl Gates,
    cli: &Cli,
    args: &Verify,
    vkey: FileBytes,
    curve: CurveId,
) -> Result<(), Failure> {
    let device = args.on.machines.board::<E>(cli)?;
    let vk = of.read_key::<E>(vkey)?;
    args.keys.judge_gates(cli, &args.vkey, of.weakness(&vk))?;
    let public = public_values::<E>(&args.public, vk.public())?;
    let proof = of.read_proof::<E>(FileBytes::open(&args.proof)?).map_err(Failure::of_proof)?;
    let start = Instant::now();
    let mut on = Session::new(&device);
    // The key has been checked for weaknesses above.
    Prepared::of_unsafe_key(&mut on, &vk).verify(&mut on, &public, &proof)?;
    let seconds = start.elapsed().as_secs_f64();
    print_verified(cli, &Verified { curve: curve.name(), seconds }, args.on.requested_report(&on.finish()))
}

/// Writes the verification key that a proving key contains, and returns its number of public values.
pub(super) fn extract<E: Pairing>(
    of: impl Gates,
    cli: &Cli,
    args: &Vkey,
    file: FileBytes,
) -> Result<usize, Failure> {
    let zkey = of.zkey::<E>(file)?;
    let vk = zkey.verifying_key()?;
    args.keys.judge_gates(cli, &args.zkey, of.weakness(&vk))?;
    warn_of_secrets(cli, &args.zkey, zkey.secrets());
    files::write(&args.output, |out| of.write_key(out, &vk))?;
    Ok(vk.public())
}

/// Checks a key for weaknesses while a file is inspected.
pub(super) fn inspect<E: Pairing>(
    of: impl Gates,
    cli: &Cli,
    args: &Inspect,
    file: FileBytes,
    proving: bool,
) -> Result<(), Failure> {
    if proving {
        let zkey = of.zkey::<E>(file)?;
        args.keys.judge_gates(cli, &args.file, of.weakness(&zkey.proving_key().vk))?;
        warn_of_secrets(cli, &args.file, zkey.secrets());
        return Ok(());
    }
    match of.read_key::<E>(file) {
        Ok(key) => args.keys.judge_gates(cli, &args.file, of.weakness(&key)),
        Err(why) => args.keys.doubt(cli, why),
    }
}

/// Verifies the proofs of a list, under the command's key where a line names no other.
pub(super) fn batch<E: Boards>(
    of: impl Gates,
    cli: &Cli,
    args: &BatchVerify,
    vkey: FileBytes,
    curve: CurveId,
) -> Result<(), Failure> {
    let device = args.machines.board::<E>(cli)?;
    let mut on = Session::new(&device);
    let first = prepare(of, cli, args.keys, &mut on, &args.vkey, vkey)?;
    let items = read_list(&args.list)?;
    let mut others: BTreeMap<PathBuf, Prepared<E, _>> = BTreeMap::new();
    for path in items.iter().filter_map(|item| item.key.as_ref()) {
        if !others.contains_key(path) {
            let file = FileBytes::open(path)?;
            others.insert(path.clone(), prepare(of, cli, args.keys, &mut on, path, file)?);
        }
    }
    let key = |item: &Item| item.key.as_ref().and_then(|path| others.get(path)).unwrap_or(&first);
    let progress = Progress::new(0, "batch-verify");
    let read = |item: &Item| {
        let public = public_values::<E>(&item.public, key(item).public())?;
        let file = FileBytes::open(&item.proof)?;
        Ok((public, of.read_unchecked_proof::<E>(file).map_err(Failure::of_proof)?))
    };
    let read: Vec<Result<_, Failure>> = items.par_iter().map(read).collect();
    let (listed, read, mut failed) = sort(items.iter(), read)?;
    let start = Instant::now();
    let mut rng = randomness::system()?;
    let (publics, proofs): (Vec<_>, Vec<_>) = read.into_iter().unzip();
    let checked = match check_proofs(&mut on, &proofs, &mut rng) {
        Ok(checked) => checked.into_iter().map(Ok).collect(),
        // The batch is not accepted: each proof is read again, to find the errors.
        Err(VerifyError::InBatch { .. }) => {
            let again =
                |item: &&Item| of.read_proof::<E>(FileBytes::open(&item.proof)?).map_err(Failure::of_proof);
            listed.par_iter().map(again).collect::<Vec<_>>()
        }
        Err(other) => return Err(other.into()),
    };
    let checked = publics.into_iter().zip(checked).map(|(public, proof)| Ok((public, proof?))).collect();
    let (listed, batch, refused) = sort(listed.into_iter(), checked)?;
    failed.extend(refused);
    let claims: Vec<_> = listed
        .iter()
        .zip(&batch)
        .map(|(item, (public, proof))| Claim { key: key(item), public, proof })
        .collect();
    match batch_verify(&mut on, &claims, &mut rng) {
        Ok(()) => {}
        Err(VerifyError::InBatch { why, .. }) if matches!(*why, VerifyError::OtherPowers) => {
            return Err((*why).into());
        }
        // The proofs before this one are valid.
        Err(VerifyError::InBatch { index: first, .. }) => {
            for (item, claim) in listed.iter().zip(&claims).skip(first) {
                match claim.key.verify(&mut on, claim.public, claim.proof) {
                    Ok(()) => {}
                    Err(VerifyError::Device(why)) => return Err(why.into()),
                    Err(why) => failed.push(item.rejected(&why)),
                }
            }
        }
        Err(other) => return Err(other.into()),
    }
    drop(progress);
    let seconds = start.elapsed().as_secs_f64();
    conclude(cli, curve.name(), items.len(), failed, seconds)
}

/// Reads a key, checks it for weaknesses and prepares it.
fn prepare<E: Boards, G: Gates>(
    of: G,
    cli: &Cli,
    policy: KeyPolicy,
    on: &mut Session<'_, E>,
    path: &Path,
    file: FileBytes,
) -> Result<PreparedOf<G, E>, Failure> {
    let vk = of.read_key::<E>(file)?;
    policy.judge_gates(cli, path, of.weakness(&vk))?;
    Ok(Prepared::of_unsafe_key(on, &vk))
}
