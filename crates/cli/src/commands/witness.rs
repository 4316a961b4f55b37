//! Runs `pairwright witness`, which computes a witness.

use super::names;
use crate::args::{Cli, EngineName, SignalNames, Witness};
use crate::curves::on_curve;
use crate::failure::Failure;
use crate::files;
use crate::output;
use crate::progress::Progress;
use pairwright::curve::Pairing;
use pairwright::formats::{CurveId, write_wtns};
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
    let calculator = load(cli, &args.wasm, args.engine)?;
    let curve = curve_of(&calculator, &args.wasm)?;
    on_curve!(curve, write(cli, args, curve, &calculator))
}

fn write<E: Pairing>(
    cli: &Cli,
    args: &Witness,
    curve: CurveId,
    calculator: &Calculator,
) -> Result<(), Failure> {
    let names = SignalNames { sym: args.sym.clone(), show_values: false };
    let start = Instant::now();
    let values = compute::<E>(calculator, &args.wasm, &args.input, &names)?;
    let seconds = start.elapsed().as_secs_f64();
    files::write_secret(&args.output, |out| write_wtns(out, &values))?;
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

/// Loads a calculator; says so where it is interpreted although nobody asked for that.
pub(crate) fn load(cli: &Cli, wasm: &Path, engine: EngineName) -> Result<Calculator, Failure> {
    let engine = match engine {
        EngineName::Fastest => Engine::Fastest,
        EngineName::Compiled => Engine::Compiled,
        EngineName::Interpreted => Engine::Interpreted,
    };
    let calculator = Calculator::open_with(wasm, engine, Limits::default())?;
    if let Some(why) = calculator.fallback() {
        cli.warnings.add(format!("{} is interpreted, which is slower: {why}", wasm.display()));
    }
    Ok(calculator)
}

/// The curve that a calculator is for, recognised by its prime.
pub(crate) fn curve_of(calculator: &Calculator, wasm: &Path) -> Result<CurveId, Failure> {
    let prime = calculator.prime();
    CurveId::ALL
        .iter()
        .copied()
        .find(|id| id.scalar_modulus() == prime)
        .ok_or_else(|| crate::failure::ArgumentError::UnknownPrime(wasm.to_owned()).into())
}

/// Runs a calculator on a file of inputs; what the circuit logs goes to standard error.
pub(crate) fn compute<E: Pairing>(
    calculator: &Calculator,
    wasm: &Path,
    input: &Path,
    names: &SignalNames,
) -> Result<Vec<E::Fr>, Failure> {
    let progress = Progress::new(0, "witness");
    let inputs = Inputs::open(input)?;
    let values = calculator
        .witness_with_log::<E::Fr>(&inputs, output::tell)
        .map_err(|e| names::of_inputs(e, names, calculator, wasm, &inputs))?;
    drop(progress);
    Ok(values)
}
