//! Runs the commands of `pairwright zkey` on parameters in bellman's form.

use super::ceremony::{nameless, print_contributed};
use crate::args::{AnswerBellman, Cli, ExportBellman, ImportBellman};
use crate::curves::on_curve;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::{files, output, randomness};
use pairwright::Boards;
use pairwright::device::Session;
use pairwright::formats::{
    Contributor, FileBytes, MpcParameters, ZkeyFile, contribute_to_mpc_parameters, import_mpc_parameters,
    to_hex, write_imported_zkey, write_mpc_parameters, written_mpc_work,
};
use serde::Serialize;
use std::time::Instant;

/// The command's result for parameters that were written.
#[derive(Serialize)]
struct Exported {
    curve: &'static str,
    contributions: u32,
    seconds: f64,
}

/// The command's result for a key that was written.
#[derive(Serialize)]
struct WrittenKey {
    curve: &'static str,
    contributions: u32,
    /// The hashes of the contributions that the key did not have before.
    hashes: Vec<String>,
    seconds: f64,
}

/// Writes the parameters of a key.
pub(super) fn export(cli: &Cli, args: &ExportBellman) -> Result<(), Failure> {
    let (file, curve) = files::open(&args.zkey)?;
    on_curve!(curve, export_on(cli, args, file, curve.name()))
}

fn export_on<E: Boards>(
    cli: &Cli,
    args: &ExportBellman,
    file: FileBytes,
    curve: &'static str,
) -> Result<(), Failure> {
    let start = Instant::now();
    let zkey = ZkeyFile::<E>::read(file)?;
    let mut rng = randomness::system()?;
    let device = E::host();
    let mut on = Session::new(&device);
    let progress = Progress::new(written_mpc_work(&zkey), "export");
    files::write(&args.output, |out| {
        write_mpc_parameters(&mut on, out, &zkey, &mut rng, &mut |products| progress.add(products))
    })?;
    drop(progress);
    let contributions = zkey.contributions()?.count;
    let done = Exported { curve, contributions, seconds: start.elapsed().as_secs_f64() };
    output::print_done(cli, &done, |d| {
        let path = args.output.display();
        format!("{path}: parameters of a key on {} with {} contributions", d.curve, d.contributions)
    })
}

/// Contributes to parameters.
pub(super) fn answer(cli: &Cli, args: &AnswerBellman) -> Result<(), Failure> {
    let by = nameless(&args.entropy)?;
    let file = FileBytes::open(&args.challenge)?;
    on_curve!(args.curve, answer_on(cli, args, file, &by))
}

fn answer_on<E: Boards>(
    cli: &Cli,
    args: &AnswerBellman,
    file: FileBytes,
    by: &Contributor,
) -> Result<(), Failure> {
    let start = Instant::now();
    let parameters = MpcParameters::<E>::read(file)?;
    let mut rng = randomness::system()?;
    let device = E::host();
    let progress = Progress::new(0, "contribute");
    let mut on = Session::new(&device).observed(|event| progress.follow(&event));
    let made = files::write(&args.output, |out| {
        contribute_to_mpc_parameters(&mut on, out, &parameters, by, &mut rng)
    })?;
    drop(on);
    drop(progress);
    let contributions = parameters.contributions().saturating_add(1);
    print_contributed(cli, &args.output, args.curve.name(), (contributions, &made), start)
}

/// Writes a key with the contributions of a response.
pub(super) fn import(cli: &Cli, args: &ImportBellman) -> Result<(), Failure> {
    let (file, curve) = files::open(&args.zkey)?;
    on_curve!(curve, import_on(cli, args, file, curve.name()))
}

fn import_on<E: Boards>(
    cli: &Cli,
    args: &ImportBellman,
    file: FileBytes,
    curve: &'static str,
) -> Result<(), Failure> {
    let start = Instant::now();
    let zkey = ZkeyFile::<E>::read(file)?;
    let response = MpcParameters::<E>::open(&args.response)?;
    let mut rng = randomness::system()?;
    let device = E::host();
    let mut on = Session::new(&device);
    let progress = Progress::new(written_mpc_work(&zkey), "import");
    let new = import_mpc_parameters(&mut on, &zkey, &response, &args.name, &mut rng, &mut |products| {
        progress.add(products);
    })?;
    files::write_secret(&args.output, |out| write_imported_zkey(out, &new.key, &new.contributions))?;
    drop(progress);
    let done = WrittenKey {
        curve,
        contributions: new.contributions.count,
        hashes: new.made.iter().map(|made| to_hex(&made.hash)).collect(),
        seconds: start.elapsed().as_secs_f64(),
    };
    output::print_done(cli, &done, |d| {
        let mut text = format!("{}: a key on {} with what was contributed", args.output.display(), d.curve);
        let first = (d.contributions as usize).saturating_sub(d.hashes.len());
        for (number, hash) in (first.saturating_add(1)..).zip(&d.hashes) {
            text.push_str(&format!("\ncontribution {number}: {hash}"));
        }
        text
    })
}
