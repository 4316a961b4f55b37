//! Runs `pairwright witness`, which computes a witness.

use super::{names, native};
use crate::args::{Cli, EngineName, SignalNames, Witness};
use crate::curves::on_curve;
use crate::failure::Failure;
use crate::files;
use crate::output;
use crate::progress::Progress;
use pairwright::curve::Pairing;
use pairwright::formats::{CurveId, FileBytes, R1csFile, WtnsFile, probe, write_wtns};
use pairwright::protocols::r1cs::check;
use pairwright::witness::{Calculator, Engine, Inputs, Limits};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

#[derive(Serialize)]
struct Done {
    curve: &'static str,
    values: usize,
    seconds: f64,
}

/// Computes a witness and writes it.
pub(crate) fn run(cli: &Cli, args: &Witness) -> Result<(), Failure> {
    if args.engine == EngineName::Native {
        let start = Instant::now();
        let file = of_program(&args.wasm, &args.input)?;
        let curve = probe(&file)?.curve()?;
        return on_curve!(curve, from_program(cli, args, curve, file, start));
    }
    let calculator = load(cli, &args.wasm, args.engine)?;
    let curve = curve_of(&calculator, &args.wasm)?;
    on_curve!(curve, from_module(cli, args, curve, &calculator))
}

fn from_module<E: Pairing>(
    cli: &Cli,
    args: &Witness,
    curve: CurveId,
    calculator: &Calculator,
) -> Result<(), Failure> {
    let names = SignalNames { sym: args.sym.clone(), show_values: false };
    let start = Instant::now();
    let values = compute::<E>(calculator, &args.wasm, &args.input, &names)?;
    let seconds = start.elapsed().as_secs_f64();
    write::<E>(cli, args, curve, &values, seconds)
}

fn from_program<E: Pairing>(
    cli: &Cli,
    args: &Witness,
    curve: CurveId,
    file: FileBytes,
    start: Instant,
) -> Result<(), Failure> {
    let values = WtnsFile::<E::Fr>::read(file)?.witness()?;
    write::<E>(cli, args, curve, &values, start.elapsed().as_secs_f64())
}

/// Checks the witness if constraints are given, and writes it.
fn write<E: Pairing>(
    cli: &Cli,
    args: &Witness,
    curve: CurveId,
    values: &[E::Fr],
    seconds: f64,
) -> Result<(), Failure> {
    if let Some(r1cs) = &args.r1cs {
        let _progress = Progress::new(0, "checking the witness");
        let names = SignalNames { sym: args.sym.clone(), show_values: false };
        let system = R1csFile::<E::Fr>::open(r1cs)?;
        check(&system, values).map_err(|e| names::of_constraint(e, &names, &system, values))?;
    }
    files::write_secret(&args.output, |out| write_wtns(out, values))?;
    let done = Done { curve: curve.name(), values: values.len(), seconds };
    output::print_done(cli, &done, |d| {
        format!(
            "{}: {} values over {} in {}",
            args.output.display(),
            d.values,
            d.curve,
            output::seconds(d.seconds)
        )
    })
}

/// Runs a calculator that is a program, and returns the witness file that it writes.
pub(crate) fn of_program(program: &Path, input: &Path) -> Result<FileBytes, Failure> {
    let _progress = Progress::new(0, "witness");
    native::run(program, input)
}

/// Loads a calculator that is a WebAssembly module; warns if it is interpreted although `--engine interpreted` is not given.
pub(crate) fn load(cli: &Cli, wasm: &Path, engine: EngineName) -> Result<Calculator, Failure> {
    let engine = match engine {
        // `native` does not reach this function: a program is not a module.
        EngineName::Fastest | EngineName::Native => Engine::Fastest,
        EngineName::Compiled => Engine::Compiled,
        EngineName::Baseline => Engine::Baseline,
        EngineName::Interpreted => Engine::Interpreted,
    };
    let calculator = Calculator::open_with(wasm, engine, Limits::default())?;
    if let Some(why) = calculator.fallback() {
        cli.warnings.add(format!("{} is interpreted, which is slower: {why}", wasm.display()));
    }
    Ok(calculator)
}

/// The curve of a calculator, recognised by its prime.
pub(crate) fn curve_of(calculator: &Calculator, wasm: &Path) -> Result<CurveId, Failure> {
    let prime = calculator.prime();
    CurveId::ALL
        .iter()
        .copied()
        .find(|id| id.scalar_modulus() == prime)
        .ok_or_else(|| crate::failure::ArgumentError::UnknownPrime(wasm.to_owned()).into())
}

/// Runs a calculator on a file of inputs; the output of the circuit's `log` goes to standard error.
pub(crate) fn compute<E: Pairing>(
    calculator: &Calculator,
    wasm: &Path,
    input: &Path,
    names: &SignalNames,
) -> Result<Vec<E::Fr>, Failure> {
    let progress = Progress::new(0, "witness");
    let inputs = Inputs::open(input)?;
    let values = calculator
        .witness_with_log::<E::Fr>(&inputs, output::eprint_line)
        .map_err(|e| names::of_inputs(e, names, calculator, wasm, &inputs))?;
    drop(progress);
    Ok(values)
}
