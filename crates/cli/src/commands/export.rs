//! Writes constraints, witnesses, Groth16 keys and powers of tau as JSON.

use crate::args::{Cli, PowersJson, R1csJson, WtnsJson, ZkeyJson};
use crate::curves::on_curve;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::{files, output};
use pairwright::curve::Pairing;
use pairwright::formats::{
    CurveId, FileBytes, PtauFile, R1csFile, WtnsFile, ZkeyFile, write_ptau_json, write_r1cs_json,
    write_wtns_json, write_zkey_json,
};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

/// The command's result for a file that was written.
#[derive(Serialize)]
struct Done {
    curve: &'static str,
    seconds: f64,
}

/// Writes the constraints of a circuit.
pub(super) fn r1cs(cli: &Cli, args: &R1csJson) -> Result<(), Failure> {
    let (file, curve) = files::open(&args.r1cs)?;
    export(cli, &args.output, curve, || on_curve!(curve, r1cs_on(args, file)))
}

fn r1cs_on<E: Pairing>(args: &R1csJson, file: FileBytes) -> Result<(), Failure> {
    let system = R1csFile::<E::Fr>::read(file)?;
    files::write(&args.output, |out| write_r1cs_json(out, &system))
}

/// Writes the values of a witness.
pub(super) fn wtns(cli: &Cli, args: &WtnsJson) -> Result<(), Failure> {
    let (file, curve) = files::open(&args.witness)?;
    export(cli, &args.output, curve, || on_curve!(curve, wtns_on(args, file)))
}

fn wtns_on<E: Pairing>(args: &WtnsJson, file: FileBytes) -> Result<(), Failure> {
    let wtns = WtnsFile::<E::Fr>::read(file)?;
    files::write_secret(&args.output, |out| write_wtns_json(out, &wtns))
}

/// Writes the contents of a Groth16 key.
pub(super) fn zkey(cli: &Cli, args: &ZkeyJson) -> Result<(), Failure> {
    let (file, curve) = files::open(&args.zkey)?;
    export(cli, &args.output, curve, || on_curve!(curve, zkey_on(args, file)))
}

fn zkey_on<E: Pairing>(args: &ZkeyJson, file: FileBytes) -> Result<(), Failure> {
    let zkey = ZkeyFile::<E>::read(file)?;
    files::write_secret(&args.output, |out| write_zkey_json(out, &zkey))
}

/// Writes powers of tau.
pub(super) fn powers(cli: &Cli, args: &PowersJson) -> Result<(), Failure> {
    let (file, curve) = files::open(&args.ptau)?;
    export(cli, &args.output, curve, || on_curve!(curve, powers_on(args, file)))
}

fn powers_on<E: Pairing>(args: &PowersJson, file: FileBytes) -> Result<(), Failure> {
    let ptau = PtauFile::<E>::read(file)?;
    files::write(&args.output, |out| write_ptau_json(out, &ptau))
}

/// Writes a file and prints the result.
fn export(
    cli: &Cli,
    path: &Path,
    curve: CurveId,
    write: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    let start = Instant::now();
    let progress = Progress::new(0, "export");
    write()?;
    drop(progress);
    let done = Done { curve: curve.name(), seconds: start.elapsed().as_secs_f64() };
    output::print_done(cli, &done, |d| {
        format!("{}: JSON of {}, in {}", path.display(), d.curve, output::seconds(d.seconds))
    })
}
