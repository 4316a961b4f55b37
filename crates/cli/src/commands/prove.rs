//! Runs `pairwright prove`, which makes a proof and verifies it.

use super::{names, witness};
use crate::args::{Cli, EngineName, Prove};
use crate::curves::on_curve;
use crate::failure::{ArgumentError, Failure};
use crate::files;
use crate::progress::{Progress, planned_units};
use crate::report::OperatorReport;
use crate::{output, randomness};
use pairwright::Boards;
use pairwright::device::Session;
use pairwright::formats::{
    CurveId, FileBytes, R1csFile, WtnsFile, ZkeyFile, probe, write_proof, write_public, write_verifying_key,
};
use pairwright::poly::Buf;
use pairwright::protocols::groth16::{ProofSizes, VerifyError, prove, verify_with_unsafe_key};
use pairwright::protocols::r1cs::check;
use serde::Serialize;
use std::time::Instant;

#[derive(Serialize)]
struct Done<'a> {
    curve: &'static str,
    wires: usize,
    public: usize,
    domain: usize,
    seconds: Phases,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<OperatorReport<'a>>,
}

/// Wall-clock seconds of each phase.
#[derive(Serialize)]
struct Phases {
    open: f64,
    /// The time of `--check`, where it was asked for.
    check: Option<f64>,
    witness: f64,
    prove: f64,
    verify: f64,
}

/// Proves, verifies the proof, then writes it.
pub(crate) fn run(cli: &Cli, args: &Prove) -> Result<(), Failure> {
    let file = FileBytes::open(&args.zkey)?;
    let curve = probe(&file)?.curve()?;
    on_curve!(curve, prove_on(cli, args, file, curve))
}

fn prove_on<E: Boards>(cli: &Cli, args: &Prove, file: FileBytes, curve: CurveId) -> Result<(), Failure> {
    let device = args.machines.board::<E>()?;
    let start = Instant::now();
    let zkey = ZkeyFile::<E>::read(file)?;
    let key = zkey.proving_key()?;
    args.keys.judge_proving(cli, &args.zkey, &zkey, &key.vk)?;
    let open = start.elapsed().as_secs_f64();
    let check_time = args.check.then(|| check_key(cli, &zkey)).transpose()?;

    let start = Instant::now();
    let witness = read_witness::<E>(cli, args, curve, &zkey)?;
    if let Some(r1cs) = &args.r1cs {
        let _progress = Progress::new(0, "checking the witness");
        let system = R1csFile::<E::Fr>::open(r1cs)?;
        check(&system, &witness).map_err(|e| names::of_constraint(e, &args.names, &system, &witness))?;
    }
    let mut rng = match &args.seed {
        None => randomness::system()?,
        Some(hex) => {
            let mut vk = Vec::new();
            write_verifying_key(&mut vk, &key.vk)?;
            randomness::seeded(hex, &vk, &witness)?
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
    let public = &witness[1..=key.public];
    // On this computer, whatever made the proof: a machine's own check might repeat its fault.
    // The key was judged above.
    verify_with_unsafe_key(&mut Session::new(&E::host()), &key.vk, public, &proof).map_err(|e| match e {
        VerifyError::Device(d) => d.into(),
        _ => Failure::from(ArgumentError::ProofFails),
    })?;
    let verify_time = start.elapsed().as_secs_f64();

    files::write(&args.output, |out| write_proof(out, &proof))?;
    files::write(&args.public, |out| write_public(out, public))?;
    let report = OperatorReport::asked(args.report.as_deref(), &report)?;
    let done = Done {
        curve: curve.name(),
        wires: key.wires,
        public: key.public,
        domain: key.domain.size(),
        seconds: Phases {
            open,
            check: check_time,
            witness: witness_time,
            prove: prove_time,
            verify: verify_time,
        },
        report,
    };
    output::print_done(cli, &done, |d| {
        let line = format!(
            "{}: proof on {} in {} (witness {}, verified in {}); public values in {}",
            args.output.display(),
            d.curve,
            output::seconds(d.seconds.prove),
            output::seconds(d.seconds.witness),
            output::seconds(d.seconds.verify),
            args.public.display()
        );
        OperatorReport::under(line, d.report.as_ref())
    })
}

/// Checks every point of a key; says what that cost, in seconds.
fn check_key<E: Boards>(cli: &Cli, zkey: &ZkeyFile<E>) -> Result<f64, Failure> {
    let progress = Progress::new(0, "checking the key");
    let start = Instant::now();
    let report = zkey.check(&mut randomness::system()?)?;
    drop(progress);
    let seconds = start.elapsed().as_secs_f64();
    if !cli.json && output::talks() {
        output::tell(&format!("key checked: {} elements in {}", report.elements(), output::seconds(seconds)));
    }
    Ok(seconds)
}

/// The witness, from a file or from the circuit's calculator.
fn read_witness<E: Boards>(
    cli: &Cli,
    args: &Prove,
    curve: CurveId,
    zkey: &ZkeyFile<E>,
) -> Result<Buf<E::Fr>, Failure> {
    if let (Some(program), Some(input), Some(EngineName::Native)) = (&args.wasm, &args.input, args.engine) {
        return read_wtns(witness::of_program(program, input)?, zkey);
    }
    if let (Some(wasm), Some(input)) = (&args.wasm, &args.input) {
        let calculator = witness::load(cli, wasm, args.engine.unwrap_or_default())?;
        let found = witness::curve_of(&calculator, wasm)?;
        if found != curve {
            let (left, right) = (args.zkey.clone(), wasm.clone());
            let (left_curve, right_curve) = (curve.name(), found.name());
            return Err(ArgumentError::Curves { left, left_curve, right, right_curve }.into());
        }
        return Ok(Buf::from(witness::compute::<E>(&calculator, wasm, input, &args.names)?));
    }
    let path = args.witness.as_ref().ok_or(ArgumentError::NoWitness)?;
    read_wtns(FileBytes::open(path)?, zkey)
}

/// The values of a witness file for the circuit of a key.
fn read_wtns<E: Boards>(file: FileBytes, zkey: &ZkeyFile<E>) -> Result<Buf<E::Fr>, Failure> {
    let wtns = WtnsFile::<E::Fr>::read(file)?;
    wtns.expect_wires(zkey.wires(), zkey.file())?;
    Ok(wtns.witness()?)
}
