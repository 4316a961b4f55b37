//! Runs `pairwright powersoftau`, which works on the powers of a ceremony.

use super::ceremony::Written;
use super::{exchange, export};
use crate::args::{
    Challenge, Cli, ExportPowers, ImportPowers, NewPowers, Powers, Prepare, PreparePowers, TruncatePowers,
    VerifyPowers,
};
use crate::curves::on_curve;
use crate::failure::Failure;
use crate::files;
use crate::output;
use crate::progress::Progress;
use crate::randomness;
use pairwright::Boards;
use pairwright::device::Session;
use pairwright::formats::{
    Beacon, Contributor, FileBytes, FormatError, KeyContribution, PowersContribution, PtauFile,
    contribute_to_powers, new_powers, preparation_work, prepare_ptau, to_hex, truncate_ptau,
    verification_work, verify_powers,
};
use pairwright::protocols::groth16::PowersOfTau;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Runs a subcommand on powers of tau.
pub(crate) fn run(cli: &Cli, what: &Powers) -> Result<(), Failure> {
    match what {
        Powers::New(args) => on_curve!(args.curve, begin(cli, args)),
        Powers::Contribute(args) => contribute(cli, &args.ptau, &args.output, &args.by.contributor()?),
        Powers::Beacon(args) => contribute(cli, &args.ptau, &args.output, &args.by.contributor()?),
        Powers::Verify(args) => {
            let (file, curve) = files::open(&args.ptau)?;
            on_curve!(curve, verify(cli, args, file, curve.name()))
        }
        Powers::Prepare { what: Prepare::Phase2(args) } => {
            let (file, curve) = files::open(&args.ptau)?;
            on_curve!(curve, prepare(cli, args, file, curve.name(), PtauFile::read))
        }
        Powers::Convert(args) => {
            let (file, curve) = files::open(&args.ptau)?;
            on_curve!(curve, prepare(cli, args, file, curve.name(), PtauFile::read_powers))
        }
        Powers::Export { what: ExportPowers::Challenge(args) } => exchange::challenge(cli, args),
        Powers::Export { what: ExportPowers::Json(args) } => export::powers(cli, args),
        Powers::Challenge { what: Challenge::Contribute(args) } => exchange::answer(cli, args),
        Powers::Import { what: ImportPowers::Response(args) } => exchange::import(cli, args),
        Powers::Truncate(args) => {
            let (file, curve) = files::open(&args.ptau)?;
            on_curve!(curve, truncate(cli, args, file, curve.name()))
        }
    }
}

/// Writes the powers that a ceremony begins with.
fn begin<E: Boards>(cli: &Cli, args: &NewPowers) -> Result<(), Failure> {
    let start = Instant::now();
    let progress = Progress::new(0, "new powers");
    let next = files::write(&args.output, |out| new_powers::<E>(out, args.power))?;
    drop(progress);
    let done = Written {
        curve: args.curve.name(),
        power: args.power,
        hash: None,
        next_challenge: to_hex(&next),
        seconds: start.elapsed().as_secs_f64(),
    };
    output::print_done(cli, &done, |d| {
        format!(
            "{}: powers of tau on {} of 2^{}, without a contribution",
            args.output.display(),
            d.curve,
            d.power
        )
    })
}

/// Writes the powers of a file with one more contribution.
fn contribute(cli: &Cli, from: &Path, to: &Path, by: &Contributor) -> Result<(), Failure> {
    let (file, curve) = files::open(from)?;
    on_curve!(curve, add(cli, to, file, curve.name(), by))
}

/// Writes powers with one more contribution.
fn add<E: Boards>(
    cli: &Cli,
    output: &Path,
    file: FileBytes,
    curve: &'static str,
    by: &Contributor,
) -> Result<(), Failure> {
    let start = Instant::now();
    let ptau = PtauFile::<E>::read(file)?;
    let power = ptau.power();
    let mut rng = randomness::system()?;
    let mut spool = files::spool(output)?;
    let device = E::host();
    let progress = Progress::new(0, "contribute");
    let mut on = Session::new(&device).observed(|event| progress.follow(&event));
    let made =
        files::write(output, |out| contribute_to_powers(&mut on, out, &mut spool, &ptau, by, &mut rng))?;
    drop(on);
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
            "{}: contributed to powers of tau on {} of 2^{}, in {}\ncontribution hash: {}",
            output.display(),
            d.curve,
            d.power,
            output::seconds(d.seconds),
            d.hash.as_deref().unwrap_or_default()
        )
    })
}

/// The command's result for powers that have been verified.
#[derive(Serialize)]
struct Verified {
    curve: &'static str,
    power: u32,
    prepared: bool,
    contributions: Vec<ContributionInfo>,
    seconds: f64,
}

/// A contribution, as the command's result describes it.
#[derive(Serialize)]
pub(super) struct ContributionInfo {
    name: String,
    /// The hash of the contribution, which its contributor can compare.
    hash: String,
    /// The hash that the next contribution begins with; keys have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_challenge: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beacon: Option<BeaconInfo>,
}

/// A beacon, as the command's result describes it.
#[derive(Serialize)]
struct BeaconInfo {
    value: String,
    log_hashes: u8,
}

impl From<Beacon> for BeaconInfo {
    fn from(beacon: Beacon) -> Self {
        Self { value: to_hex(beacon.value()), log_hashes: beacon.log_hashes() }
    }
}

impl ContributionInfo {
    fn of_powers(made: PowersContribution) -> Self {
        let next_challenge = Some(to_hex(&made.next_challenge));
        Self {
            name: made.name,
            hash: to_hex(&made.hash),
            next_challenge,
            beacon: made.beacon.map(Into::into),
        }
    }

    pub(super) fn of_key(made: KeyContribution) -> Self {
        Self {
            name: made.name,
            hash: to_hex(&made.hash),
            next_challenge: None,
            beacon: made.beacon.map(Into::into),
        }
    }

    /// Appends a line for each contribution.
    pub(super) fn list(all: &[Self], text: &mut String) {
        for (number, made) in (1..).zip(all) {
            let name = if made.name.is_empty() { "without a name" } else { &made.name };
            let kind = if made.beacon.is_some() { "beacon" } else { "contribution" };
            text.push_str(&format!("\n{kind} {number}, {name}: {}", made.hash));
        }
    }
}

/// Verifies powers and lists the contributions.
fn verify<E: Boards>(
    cli: &Cli,
    args: &VerifyPowers,
    file: FileBytes,
    curve: &'static str,
) -> Result<(), Failure> {
    let start = Instant::now();
    let ptau = PtauFile::<E>::read(file)?;
    let device = E::host();
    let mut rng = randomness::system()?;
    let progress = Progress::new(verification_work(&ptau), "verify");
    let verified =
        verify_powers(&mut Session::new(&device), &ptau, &mut rng, &mut |points| progress.add(points))?;
    drop(progress);
    let done = Verified {
        curve,
        power: ptau.power(),
        prepared: verified.prepared,
        contributions: verified.contributions.into_iter().map(ContributionInfo::of_powers).collect(),
        seconds: start.elapsed().as_secs_f64(),
    };
    output::print_done(cli, &done, |d| {
        let mut text = format!(
            "{}: powers of tau on {} of 2^{}{}, verified in {}",
            args.ptau.display(),
            d.curve,
            d.power,
            if d.prepared { ", prepared for phase 2" } else { "" },
            output::seconds(d.seconds)
        );
        ContributionInfo::list(&d.contributions, &mut text);
        text
    })
}

/// The command's result for powers that were prepared.
#[derive(Serialize)]
struct Prepared {
    curve: &'static str,
    power: u32,
    seconds: f64,
}

/// Writes the powers with their Lagrange points.
fn prepare<E: Boards>(
    cli: &Cli,
    args: &PreparePowers,
    file: FileBytes,
    curve: &'static str,
    read: fn(FileBytes) -> Result<PtauFile<E>, FormatError>,
) -> Result<(), Failure> {
    let start = Instant::now();
    let ptau = read(file)?;
    write_prepared(&ptau, &args.output)?;
    let done = Prepared { curve, power: ptau.power(), seconds: start.elapsed().as_secs_f64() };
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

/// Writes powers with their Lagrange points to a file.
pub(super) fn write_prepared<E: Boards>(ptau: &PtauFile<E>, path: &Path) -> Result<(), Failure> {
    let progress = Progress::new(preparation_work(ptau.power()), "prepare");
    let device = E::host();
    let on = &mut Session::new(&device);
    files::write(path, |out| prepare_ptau(on, out, ptau, &mut |products| progress.add(products)))
}

/// The command's result for powers that were cut down.
#[derive(Serialize)]
struct Truncated {
    curve: &'static str,
    files: Vec<PathBuf>,
    seconds: f64,
}

/// Writes the first powers to new files, whose names are derived from the input's.
fn truncate<E: Boards>(
    cli: &Cli,
    args: &TruncatePowers,
    file: FileBytes,
    curve: &'static str,
) -> Result<(), Failure> {
    let start = Instant::now();
    let ptau = PtauFile::<E>::read(file)?;
    let powers = args.power.map_or_else(|| (1..ptau.power()).collect(), |power| vec![power]);
    let name = |power| {
        let mut name = args.ptau.with_extension("").into_os_string();
        name.push(format!("_{power:02}.ptau"));
        PathBuf::from(name)
    };
    let mut written = Vec::new();
    for power in powers {
        let path = name(power);
        files::write(&path, |out| truncate_ptau(out, &ptau, power))?;
        written.push(path);
    }
    let done = Truncated { curve, files: written, seconds: start.elapsed().as_secs_f64() };
    output::print_done(cli, &done, |d| {
        let names: Vec<_> = d.files.iter().map(|path| path.display().to_string()).collect();
        let ceremony = ptau.ceremony_power();
        format!("{}: the first powers of tau of a ceremony of 2^{ceremony} on {}", names.join(", "), d.curve)
    })
}
