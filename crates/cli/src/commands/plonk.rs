//! What `setup`, `prove`, `verify`, `vkey` and `inspect` do with files of Plonk.

use super::names;
use super::proving::{Done as Proved, Phases, read_witness, say_proved, timed_check};
use super::setting_up::{Done as Made, of_powers, say_made};
use super::verdict::{Done as Verified, public_values, say_verified};
use crate::args::{Cli, Inspect, Prove, Setup, Verify, Vkey};
use crate::failure::{ArgumentError, Failure};
use crate::files;
use crate::progress::{Progress, planned_units, units};
use crate::randomness;
use crate::report::OperatorReport;
use pairwright::Boards;
use pairwright::curve::Pairing;
use pairwright::device::Session;
use pairwright::formats::plonk::{
    ZkeyFile, read_proof, read_verifying_key, write_proof, write_verifying_key, write_zkey,
};
use pairwright::formats::{CurveId, FileBytes, FormatError, PtauFile, R1csFile, write_public};
use pairwright::protocols::plonk::{
    PreparedVerifyingKey, ProofSizes, VerifyError, VerifyingKey, prove, setup, setup_local, verify as accept,
};
use pairwright::protocols::r1cs::{ConstraintSource, check};
use std::path::Path;
use std::time::Instant;

/// Makes a proving key.
pub(super) fn make<E: Boards>(
    cli: &Cli,
    args: &Setup,
    file: FileBytes,
    curve: CurveId,
) -> Result<(), Failure> {
    let device = args.machines.board::<E>()?;
    let start = Instant::now();
    let system = R1csFile::<E::Fr>::read(file)?;
    let constraints = system.shape().constraints;
    names::warn_of_no_constraints(cli, constraints, &args.r1cs);
    // Two MSMs of the check, eight commitments, and eight transforms of four times the size; the gates are not counted yet.
    let rows = constraints.next_power_of_two();
    let progress = Progress::new(10 * units("msm_g1", rows) + 9 * units("ntt", 4 * rows), "setup");
    let mut on = Session::new(&device).observed(|event| progress.follow(&event));
    let mut rng = randomness::system()?;
    let key = match &args.ptau {
        None => setup_local(&mut on, &system, &mut rng)?,
        Some(path) => setup(&mut on, &system, &PtauFile::<E>::open(path)?, &mut rng)
            .map_err(|why| of_powers(path, why))?,
    };
    // Nothing in the key is a secret.
    files::write(&args.output, |out| write_zkey(out, &mut on, &key))?;
    drop(on);
    drop(progress);
    let sizes = ProofSizes::of(&key);
    let done = Made {
        protocol: args.protocol.name(),
        curve: curve.name(),
        constraints,
        gates: Some(sizes.gates),
        additions: Some(sizes.additions),
        domain: sizes.domain,
        seconds: start.elapsed().as_secs_f64(),
    };
    say_made(cli, args, &done)
}

/// Refuses a key for which anybody can forge proofs.
pub(crate) fn judge<E: Pairing>(path: &Path, key: &VerifyingKey<E>) -> Result<(), Failure> {
    let Some(weakness) = key.weakness() else { return Ok(()) };
    Err(ArgumentError::WorthlessKey { path: path.to_owned(), weakness }.into())
}

/// Proves, verifies the proof, then writes it.
pub(crate) fn prove_on<E: Boards>(
    cli: &Cli,
    args: &Prove,
    file: FileBytes,
    curve: CurveId,
) -> Result<(), Failure> {
    let device = args.options.machines.board::<E>()?;
    let start = Instant::now();
    let zkey = ZkeyFile::<E>::read(file)?;
    let vk = zkey.verifying_key()?;
    judge(&args.zkey, &vk)?;
    let key = zkey.proving_key();
    let open = start.elapsed().as_secs_f64();
    let check_time = args
        .options
        .check
        .then(|| timed_check(cli, || Ok(zkey.check(&mut randomness::system()?)?)))
        .transpose()?;

    let start = Instant::now();
    let witness = read_witness::<E>(cli, args, curve, zkey.wires(), zkey.file())?;
    if let Some(r1cs) = &args.options.r1cs {
        let _progress = Progress::new(0, "checking the witness");
        let system = R1csFile::<E::Fr>::open(r1cs)?;
        check(&system, &witness)
            .map_err(|e| names::of_constraint(e, &args.options.names, &system, &witness))?;
    }
    let mut rng = match &args.options.seed {
        None => randomness::system()?,
        Some(hex) => {
            let mut bytes = Vec::new();
            write_verifying_key(&mut bytes, &vk)?;
            randomness::seeded(hex, &bytes, &witness)?
        }
    };
    let witness_time = start.elapsed().as_secs_f64();

    let start = Instant::now();
    let progress = Progress::new(planned_units(&ProofSizes::of(&key).plan()), "prove");
    let mut on = Session::new(&device).observed(|event| progress.follow(&event));
    let proof = prove(&mut on, &key, &witness, &mut rng)?;
    let report = on.finish();
    drop(progress);
    let prove_time = start.elapsed().as_secs_f64();

    let start = Instant::now();
    let public = &witness[1..=vk.public];
    // On this computer, whatever made the proof: a machine's own check might repeat its fault.
    accept(&mut Session::new(&E::host()), &vk, public, &proof).map_err(|e| match e {
        VerifyError::Device(d) => d.into(),
        _ => Failure::from(ArgumentError::ProofFails),
    })?;
    let verify_time = start.elapsed().as_secs_f64();

    files::write(&args.output, |out| write_proof(out, &proof))?;
    files::write(&args.public, |out| write_public(out, public))?;
    let done = Proved {
        curve: curve.name(),
        wires: zkey.wires(),
        public: vk.public,
        domain: vk.domain.size(),
        seconds: Phases {
            open,
            check: check_time,
            witness: witness_time,
            prove: prove_time,
            verify: verify_time,
        },
        report: OperatorReport::asked(args.options.report.as_deref(), &report)?,
    };
    say_proved(cli, args, &done)
}

/// Verifies one proof.
pub(crate) fn verify_on<E: Boards>(
    cli: &Cli,
    args: &Verify,
    vkey: FileBytes,
    curve: CurveId,
) -> Result<(), Failure> {
    let device = args.machines.board::<E>()?;
    let vk = read_verifying_key::<E>(vkey)?;
    judge(&args.vkey, &vk)?;
    let public = public_values::<E>(&args.public, vk.public)?;
    let proof = read_proof::<E>(FileBytes::open(&args.proof)?).map_err(Failure::of_proof)?;
    let start = Instant::now();
    let mut on = Session::new(&device);
    PreparedVerifyingKey::new(&mut on, &vk)?.verify(&mut on, &public, &proof)?;
    let seconds = start.elapsed().as_secs_f64();
    let report = on.finish();
    let report = OperatorReport::asked(args.report.as_deref(), &report)?;
    say_verified(cli, &Verified { curve: curve.name(), seconds, report })
}

/// Writes the verification key that a proving key holds; gives its number of public values.
pub(crate) fn extract<E: Pairing>(args: &Vkey, file: FileBytes) -> Result<usize, Failure> {
    let vk = ZkeyFile::<E>::read(file)?.verifying_key()?;
    judge(&args.zkey, &vk)?;
    files::write(&args.output, |out| write_verifying_key(out, &vk))?;
    Ok(vk.public)
}

/// Judges a proving key on its way past.
pub(crate) fn proving<E: Pairing>(args: &Inspect, file: FileBytes) -> Result<(), Failure> {
    judge(&args.file, &ZkeyFile::<E>::read(file)?.proving_key().vk)
}

/// Judges a verification key on its way past.
pub(crate) fn verifying<E: Pairing>(cli: &Cli, args: &Inspect, file: FileBytes) -> Result<(), Failure> {
    match read_verifying_key::<E>(file) {
        Ok(key) => judge(&args.file, &key),
        Err(why @ FormatError::Infinity { .. }) => Err(why.into()),
        // Whether points are what they should be is not asked here, and is worth a word.
        Err(why) => {
            cli.warnings.add(why.to_string());
            Ok(())
        }
    }
}
