//! Runs `pairwright powersoftau`, which works on the powers of a ceremony.

use crate::args::{Cli, Powers, PreparePowers};
use crate::curves::on_curve;
use crate::failure::Failure;
use crate::files;
use crate::output;
use crate::progress::Progress;
use pairwright::curve::Pairing;
use pairwright::formats::{FileBytes, PtauFile, preparation_work, prepare_ptau, probe};
use pairwright::protocols::groth16::PowersOfTau;
use serde::Serialize;
use std::time::Instant;

#[derive(Serialize)]
struct Done {
    curve: &'static str,
    power: u32,
    seconds: f64,
}

/// Does what is asked of powers of tau.
pub(crate) fn run(cli: &Cli, what: &Powers) -> Result<(), Failure> {
    let Powers::Prepare(args) = what;
    let file = FileBytes::open(&args.ptau)?;
    let curve = probe(&file)?.curve()?;
    on_curve!(curve, prepare(cli, args, file, curve.name()))
}

/// Writes the powers with their Lagrange points.
fn prepare<E: Pairing>(
    cli: &Cli,
    args: &PreparePowers,
    file: FileBytes,
    curve: &'static str,
) -> Result<(), Failure> {
    let start = Instant::now();
    let ptau = PtauFile::<E>::read(file)?;
    let power = ptau.power();
    let progress = Progress::new(preparation_work(power), "prepare");
    files::write(&args.output, |out| prepare_ptau(out, &ptau, &mut |products| progress.add(products)))?;
    drop(progress);
    let done = Done { curve, power, seconds: start.elapsed().as_secs_f64() };
    output::print_done(cli, &done, |d| {
        format!(
            "{}: prepared powers of tau on {} of 2^{}, in {}",
            args.output.display(),
            d.curve,
            d.power,
            output::seconds(d.seconds)
        )
    })
}
