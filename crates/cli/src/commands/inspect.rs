//! Runs `pairwright inspect`, which says what a file is.

use super::gates::fflonk::{proving as fflonk_proving, verifying as fflonk_verifying};
use super::gates::plonk::{proving as plonk_proving, verifying as plonk_verifying};
use crate::args::{Cli, Inspect, Protocol};
use crate::curves::on_curve;
use crate::failure::Failure;
use crate::output;
use pairwright::curve::Pairing;
use pairwright::formats::{
    FileBytes, FileKind, FormatError, ZkeyFile, inspect_bytes, probe, read_verifying_key,
};

/// Says what a file is. Keys are judged too.
pub(crate) fn run(cli: &Cli, args: &Inspect) -> Result<(), Failure> {
    let file = FileBytes::open(&args.file)?;
    let about = inspect_bytes(&file)?;
    // Files without a header have no keys that could be judged, and nothing to be known by at first sight.
    let is_key = matches!(about.kind, FileKind::Zkey | FileKind::VerifyingKey);
    if is_key && let Ok(curve) = probe(&file)?.curve() {
        match (Protocol::named(about.protocol.as_deref()), about.kind) {
            (Some(Protocol::Groth16), FileKind::Zkey) => on_curve!(curve, proving(cli, args, file))?,
            (Some(Protocol::Groth16), FileKind::VerifyingKey) => {
                on_curve!(curve, verifying(cli, args, file))?
            }
            (Some(Protocol::Plonk), FileKind::Zkey) => on_curve!(curve, plonk_proving(cli, args, file))?,
            (Some(Protocol::Plonk), FileKind::VerifyingKey) => {
                on_curve!(curve, plonk_verifying(cli, args, file))?
            }
            (Some(Protocol::Fflonk), FileKind::Zkey) => on_curve!(curve, fflonk_proving(cli, args, file))?,
            (Some(Protocol::Fflonk), FileKind::VerifyingKey) => {
                on_curve!(curve, fflonk_verifying(cli, args, file))?
            }
            _ => {}
        }
    }
    output::print(cli, &about, ToString::to_string)
}

fn proving<E: Pairing>(cli: &Cli, args: &Inspect, file: FileBytes) -> Result<(), Failure> {
    let file = ZkeyFile::<E>::read(file)?;
    args.keys.judge_proving(cli, &args.file, &file, &file.proving_key()?.vk)
}

fn verifying<E: Pairing>(cli: &Cli, args: &Inspect, file: FileBytes) -> Result<(), Failure> {
    match read_verifying_key::<E>(file) {
        Ok(key) => args.keys.judge(cli, &args.file, &key),
        Err(why @ FormatError::Infinity { .. }) if !args.keys.allow_unsafe_key => Err(why.into()),
        // Whether points are what they should be is not asked here, and is worth a word.
        Err(why) => {
            cli.warnings.add(why.to_string());
            Ok(())
        }
    }
}
