//! Runs `pairwright witness`, which computes a witness.

use crate::args::{Cli, Witness};
use crate::curves::on_curve;
use crate::failure::Failure;
use crate::files;
use crate::output;
use crate::progress::Progress;
use pairwright::curve::Pairing;
use pairwright::formats::{CurveId, write_wtns};
use pairwright::witness::{Calculator, Inputs};
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
    let calculator = load(&args.wasm)?;
    let curve = curve_of(&calculator, &args.wasm)?;
    on_curve!(curve, write(cli, args, curve, &calculator))
}

fn write<E: Pairing>(
    cli: &Cli,
    args: &Witness,
    curve: CurveId,
    calculator: &Calculator,
) -> Result<(), Failure> {
    let start = Instant::now();
    let values = compute::<E>(calculator, &args.input)?;
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

/// Loads a calculator.
pub(crate) fn load(wasm: &Path) -> Result<Calculator, Failure> {
    Ok(Calculator::open(wasm)?)
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
pub(crate) fn compute<E: Pairing>(calculator: &Calculator, input: &Path) -> Result<Vec<E::Fr>, Failure> {
    let progress = Progress::new(0, "witness");
    let inputs = Inputs::open(input)?;
    let values = calculator.witness_with_log::<E::Fr>(&inputs, output::tell)?;
    drop(progress);
    Ok(values)
}
