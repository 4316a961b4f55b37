//! The parts of proving that all protocols share: reading or computing the witness, the randomness, and the command's result.

use super::{names, witness};
use crate::args::{Cli, EngineName, Prove};
use crate::failure::{ArgumentError, Failure};
use crate::output;
use crate::progress::Progress;
use crate::randomness;
use crate::report::print_done_with_report;
use pairwright::Boards;
use pairwright::device::Report;
use pairwright::field::PrimeField;
use pairwright::formats::{CheckReport, CurveId, FileBytes, FormatError, R1csFile, WtnsFile};
use pairwright::poly::Buf;
use pairwright::protocols::r1cs::check;
use pairwright::randomness::ChaCha20Rng;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Instant;

#[derive(Serialize)]
pub(super) struct Done {
    pub(super) curve: &'static str,
    pub(super) wires: usize,
    pub(super) public: usize,
    pub(super) domain: usize,
    pub(super) seconds: Phases,
    /// The figures of the plan of a proof with `--memory`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) plan: Option<OfPlan>,
}

/// The figures of a finished plan.
#[derive(Serialize)]
pub(super) struct OfPlan {
    /// Number of blocks of the domain.
    pub(super) blocks: usize,
    pub(super) tasks: usize,
    /// Number of tasks that had been done before this run.
    pub(super) resumed: usize,
    /// Bytes of the files that tasks wrote.
    pub(super) file_bytes: u64,
    /// Wall-clock seconds of all tasks of each operation.
    pub(super) seconds: BTreeMap<&'static str, f64>,
}

/// Wall-clock seconds of each phase.
#[derive(Serialize)]
pub(super) struct Phases {
    pub(super) open: f64,
    /// The time of `--check`, if it was asked for.
    pub(super) check: Option<f64>,
    pub(super) witness: f64,
    pub(super) prove: f64,
    pub(super) verify: f64,
}

/// Prints the result of a proof; a proof with `--memory` has no report on its operators.
pub(super) fn print_proved(
    cli: &Cli,
    args: &Prove,
    done: &Done,
    account: Option<&Report>,
) -> Result<(), Failure> {
    print_done_with_report(cli, done, args.options.report.as_deref().zip(account), |d| {
        format!(
            "{}: proof on {} in {} (witness {}, verified in {}); public values in {}",
            args.output.display(),
            d.curve,
            output::seconds(d.seconds.prove),
            output::seconds(d.seconds.witness),
            output::seconds(d.seconds.verify),
            args.public.display()
        )
    })
}

/// Runs the check of a key that `--check` asks for, and returns its time in seconds.
pub(super) fn timed_check(
    cli: &Cli,
    check: impl FnOnce() -> Result<CheckReport, Failure>,
) -> Result<f64, Failure> {
    let progress = Progress::new(0, "checking the key");
    let start = Instant::now();
    let report = check()?;
    drop(progress);
    let seconds = start.elapsed().as_secs_f64();
    if !cli.json && !output::is_quiet() {
        output::eprint_line(&format!(
            "key checked: {} elements in {}",
            report.elements(),
            output::seconds(seconds)
        ));
    }
    Ok(seconds)
}

/// The witness for a key with this many wires, from a file or from the circuit's calculator.
pub(super) fn read_witness<E: Boards>(
    cli: &Cli,
    args: &Prove,
    curve: CurveId,
    wires: usize,
    key: &FileBytes,
) -> Result<Buf<E::Fr>, Failure> {
    if let (Some(program), Some(input), Some(EngineName::Native)) = (&args.wasm, &args.input, args.engine) {
        return read_wtns::<E>(witness::of_program(program, input)?, wires, key);
    }
    if let (Some(wasm), Some(input)) = (&args.wasm, &args.input) {
        let calculator = witness::load(cli, wasm, args.engine.unwrap_or_default())?;
        let found = witness::curve_of(&calculator, wasm)?;
        if found != curve {
            let (left, right) = (args.zkey.to_path_buf(), wasm.to_path_buf());
            let (left_curve, right_curve) = (curve.name(), found.name());
            return Err(ArgumentError::Curves { left, left_curve, right, right_curve }.into());
        }
        return Ok(Buf::from(witness::compute::<E>(&calculator, wasm, input, &args.options.names)?));
    }
    let path = args.witness.as_ref().ok_or(ArgumentError::NoWitness)?;
    read_wtns::<E>(FileBytes::open(path)?, wires, key)
}

/// Checks a witness against the circuit, if `--r1cs` asks for it.
pub(super) fn check_witness<F: PrimeField>(args: &Prove, witness: &[F]) -> Result<(), Failure> {
    let Some(r1cs) = &args.options.r1cs else { return Ok(()) };
    let _progress = Progress::new(0, "checking the witness");
    let system = R1csFile::<F>::open(r1cs)?;
    check(&system, witness).map_err(|e| names::of_constraint(e, &args.options.names, &system, witness))
}

/// The randomness of a proof: the system's, or that of `--seed` for this witness and the verifying key that `write_key` writes.
pub(super) fn blinding<F: PrimeField>(
    args: &Prove,
    witness: &[F],
    write_key: impl FnOnce(&mut Vec<u8>) -> Result<(), FormatError>,
) -> Result<ChaCha20Rng, Failure> {
    let Some(hex) = &args.options.seed else { return randomness::system() };
    let mut key = Vec::new();
    write_key(&mut key)?;
    randomness::seeded(hex, &key, witness)
}

/// The values of a witness file for the circuit of a key.
fn read_wtns<E: Boards>(file: FileBytes, wires: usize, key: &FileBytes) -> Result<Buf<E::Fr>, Failure> {
    let wtns = WtnsFile::<E::Fr>::read(file)?;
    wtns.expect_wires(wires, key)?;
    Ok(wtns.witness()?)
}
