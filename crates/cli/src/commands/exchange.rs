//! Runs the commands of `pairwright powersoftau` on challenges and responses.

use super::ceremony::{Written, nameless};
use crate::args::{AnswerChallenge, Cli, ExportChallenge, ImportResponse};
use crate::curves::on_curve;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::{files, output, randomness};
use pairwright::Boards;
use pairwright::device::Session;
use pairwright::formats::{
    Contributor, FileBytes, Imported, PowersRecord, PtauFile, answer_challenge, import_response,
    power_of_challenge, read_response, to_hex, write_challenge,
};
use pairwright::protocols::groth16::PowersOfTau;
use serde::Serialize;
use std::time::Instant;

/// The command's result for a challenge or a response that was written.
#[derive(Serialize)]
struct Exchanged {
    curve: &'static str,
    power: u32,
    hash: String,
    seconds: f64,
}

/// Number of points in all lists of a ceremony's powers.
fn points(power: u32) -> u64 {
    5 << power
}

/// Writes the challenge of powers.
pub(super) fn challenge(cli: &Cli, args: &ExportChallenge) -> Result<(), Failure> {
    let (file, curve) = files::open(&args.ptau)?;
    on_curve!(curve, challenge_on(cli, args, file, curve.name()))
}

fn challenge_on<E: Boards>(
    cli: &Cli,
    args: &ExportChallenge,
    file: FileBytes,
    curve: &'static str,
) -> Result<(), Failure> {
    let start = Instant::now();
    let ptau = PtauFile::<E>::read(file)?;
    let power = ptau.power();
    let progress = Progress::new(points(power), "challenge");
    let hash = files::write(&args.output, |out| write_challenge(out, &ptau, &mut |n| progress.add(n)))?;
    drop(progress);
    let done = Exchanged { curve, power, hash: to_hex(&hash), seconds: start.elapsed().as_secs_f64() };
    output::print_done(cli, &done, |d| {
        let path = args.output.display();
        format!("{path}: challenge of a ceremony of 2^{} on {}\nchallenge: {}", d.power, d.curve, d.hash)
    })
}

/// Answers a challenge.
pub(super) fn answer(cli: &Cli, args: &AnswerChallenge) -> Result<(), Failure> {
    let by = nameless(&args.entropy)?;
    let file = FileBytes::open(&args.challenge)?;
    on_curve!(args.curve, answer_on(cli, args, file, &by))
}

fn answer_on<E: Boards>(
    cli: &Cli,
    args: &AnswerChallenge,
    file: FileBytes,
    by: &Contributor,
) -> Result<(), Failure> {
    let start = Instant::now();
    let power = power_of_challenge::<E>(&file)?;
    let mut rng = randomness::system()?;
    let device = E::host();
    let progress = Progress::new(0, "contribute");
    let mut on = Session::new(&device).observed(|event| progress.follow(&event));
    let hash = files::write(&args.output, |out| answer_challenge(&mut on, out, &file, by, &mut rng))?;
    drop(on);
    drop(progress);
    let (curve, seconds) = (args.curve.name(), start.elapsed().as_secs_f64());
    let done = Exchanged { curve, power, hash: to_hex(&hash), seconds };
    output::print_done(cli, &done, |d| {
        format!(
            "{}: contribution to a ceremony of 2^{} on {}, in {}\ncontribution: {}",
            args.output.display(),
            d.power,
            d.curve,
            output::seconds(d.seconds),
            d.hash
        )
    })
}

/// Writes the powers with the contribution of a response.
pub(super) fn import(cli: &Cli, args: &ImportResponse) -> Result<(), Failure> {
    let (file, curve) = files::open(&args.ptau)?;
    on_curve!(curve, import_on(cli, args, file, curve.name()))
}

fn import_on<E: Boards>(
    cli: &Cli,
    args: &ImportResponse,
    file: FileBytes,
    curve: &'static str,
) -> Result<(), Failure> {
    let start = Instant::now();
    let ptau = PowersRecord::<E>::read(file)?;
    let response = FileBytes::open(&args.response)?;
    let what = if args.nopoints { Imported::Record } else { Imported::Powers };
    let device = E::host();
    let mut on = Session::new(&device);
    let mut rng = randomness::system()?;
    let power = ptau.power();
    let response = read_response(&mut on, &ptau, &response, what, &args.name, &mut rng)?;
    let progress = Progress::new(points(power), "import");
    let made =
        files::write(&args.output, |out| import_response(out, &ptau, response, &mut |n| progress.add(n)))?;
    drop(progress);
    let done = Written {
        curve,
        power,
        hash: Some(to_hex(&made.hash)),
        next_challenge: to_hex(&made.next_challenge),
        seconds: start.elapsed().as_secs_f64(),
    };
    output::print_done(cli, &done, |d| {
        format!(
            "{}: {} on {} of 2^{} with the contribution\ncontribution: {}",
            args.output.display(),
            if args.nopoints { "the record alone of powers of tau" } else { "powers of tau" },
            d.curve,
            d.power,
            d.hash.as_deref().unwrap_or_default()
        )
    })
}
