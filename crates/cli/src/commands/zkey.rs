//! Runs `pairwright zkey`; this file holds the subcommands on the contributions to a Groth16 key.

use super::bellman;
use super::ceremony::print_contributed;
use super::export;
use super::powersoftau::ContributionInfo;
use super::solidity;
use crate::args::{
    Bellman, Cli, ExportKey, ImportKey, KeyOfCircuit, KeyOfFirst, VerifyFrom, VerifyKey, Zkey,
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
    Contributor, FileBytes, PtauFile, R1csFile, VerifiedKey, VerifyKeyError, ZkeyFile, contribute_to_key,
    to_hex, verify_key, verify_key_from_first, write_zkey,
};
use rand_core::CryptoRng;
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

/// Runs a subcommand on a key.
pub(crate) fn run(cli: &Cli, what: &Zkey) -> Result<(), Failure> {
    match what {
        Zkey::Contribute(args) => contribute(cli, &args.zkey, &args.output, &args.by.contributor()?),
        Zkey::Beacon(args) => contribute(cli, &args.zkey, &args.output, &args.by.contributor()?),
        Zkey::Verify(VerifyKey { from: None, circuit: Some(args) }) => {
            let (file, curve) = files::open(&args.zkey)?;
            on_curve!(curve, verify(cli, args, file, curve.name()))
        }
        Zkey::Verify(VerifyKey { from: Some(VerifyFrom::Init(args)), .. }) => {
            let (file, curve) = files::open(&args.zkey)?;
            on_curve!(curve, verify_from_first(cli, args, file, curve.name()))
        }
        Zkey::Export { what: ExportKey::Bellman(args) } => bellman::export(cli, args),
        Zkey::Bellman { what: Bellman::Contribute(args) } => bellman::answer(cli, args),
        Zkey::Import { what: ImportKey::Bellman(args) } => bellman::import(cli, args),
        Zkey::Export { what: ExportKey::Json(args) } => export::zkey(cli, args),
        Zkey::Export { what: ExportKey::Solidityverifier(args) } => solidity::write_contract(cli, args),
        Zkey::Export { what: ExportKey::Soliditycalldata(args) } => solidity::print_calldata(cli, args),
        // Reading the command line has replaced these commands by their short forms.
        Zkey::New(_) | Zkey::Verify(_) | Zkey::Export { what: ExportKey::Verificationkey(_) } => {
            Err(Failure::without_short_form())
        }
    }
}

/// Writes the key of a file with one more contribution.
fn contribute(cli: &Cli, from: &Path, to: &Path, by: &Contributor) -> Result<(), Failure> {
    let (file, curve) = files::open(from)?;
    on_curve!(curve, add(cli, to, file, curve.name(), by))
}

/// Writes a key with one more contribution.
fn add<E: Boards>(
    cli: &Cli,
    path: &Path,
    file: FileBytes,
    curve: &'static str,
    by: &Contributor,
) -> Result<(), Failure> {
    let start = Instant::now();
    let zkey = ZkeyFile::<E>::read(file)?;
    let device = E::host();
    let progress = Progress::new(0, "contribute");
    let mut on = Session::new(&device).observed(|event| progress.follow(&event));
    let mut rng = randomness::system()?;
    let (key, contributions, made) = contribute_to_key(&mut on, &zkey, by, &mut rng)?;
    files::write_secret(path, |out| write_zkey(out, &key, &contributions))?;
    drop(on);
    drop(progress);
    print_contributed(cli, path, curve, (contributions.count as usize, &made), start)
}

/// The command's result for a key that has been verified.
#[derive(Serialize)]
struct Verified {
    curve: &'static str,
    circuit_hash: String,
    contributions: Vec<ContributionInfo>,
    seconds: f64,
}

/// Verifies a key against its circuit and lists the contributions.
fn verify<E: Boards>(
    cli: &Cli,
    args: &KeyOfCircuit,
    file: FileBytes,
    curve: &'static str,
) -> Result<(), Failure> {
    let system = R1csFile::<E::Fr>::open(&args.r1cs)?;
    follow::<E>(cli, (&args.r1cs, &args.ptau, &args.zkey), file, curve, |on, ptau, zkey, rng| {
        verify_key(on, &system, ptau, zkey, rng)
    })
}

/// Verifies a key against the first one of its ceremony and lists the contributions.
fn verify_from_first<E: Boards>(
    cli: &Cli,
    args: &KeyOfFirst,
    file: FileBytes,
    curve: &'static str,
) -> Result<(), Failure> {
    let first = ZkeyFile::<E>::open(&args.first)?;
    follow::<E>(cli, (&args.first, &args.ptau, &args.zkey), file, curve, |on, ptau, zkey, rng| {
        verify_key_from_first(on, &first, ptau, zkey, rng)
    })
}

/// Verifies a key against the beginning of its ceremony, and lists the contributions.
fn follow<E: Boards>(
    cli: &Cli,
    (from, powers, path): (&Path, &Path, &Path),
    file: FileBytes,
    curve: &'static str,
    verify: impl FnOnce(
        &mut Session<'_, E>,
        &PtauFile<E>,
        &ZkeyFile<E>,
        &mut dyn CryptoRng,
    ) -> Result<VerifiedKey, VerifyKeyError>,
) -> Result<(), Failure> {
    let start = Instant::now();
    let zkey = ZkeyFile::<E>::read(file)?;
    let ptau = PtauFile::<E>::open(powers)?;
    let device = E::host();
    let progress = Progress::new(0, "verify");
    let mut on = Session::new(&device).observed(|event| progress.follow(&event));
    let verified = verify(&mut on, &ptau, &zkey, &mut randomness::system()?)?;
    drop(on);
    drop(progress);
    let done = Verified {
        curve,
        circuit_hash: to_hex(&verified.circuit_hash),
        contributions: verified.contributions.into_iter().map(ContributionInfo::of_key).collect(),
        seconds: start.elapsed().as_secs_f64(),
    };
    output::print_done(cli, &done, |d| {
        let mut text = format!(
            "{}: a key of {} on {}, verified in {}\ncircuit: {}",
            path.display(),
            from.display(),
            d.curve,
            output::seconds(d.seconds),
            d.circuit_hash
        );
        ContributionInfo::list(&d.contributions, &mut text);
        text
    })
}
