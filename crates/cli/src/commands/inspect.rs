//! Runs `pairwright inspect`, which describes a file.

use super::gates::inspect as judge_gates;
use super::plonkish::{Fflonk, Plonk};
use crate::args::{Cli, Inspect, Protocol};
use crate::curves::on_curve;
use crate::failure::Failure;
use crate::output;
use pairwright::curve::Pairing;
use pairwright::formats::{FileBytes, FileKind, ZkeyFile, inspect_bytes, probe, read_verifying_key};

/// Describes a file. Keys are also checked for weaknesses.
pub(crate) fn run(cli: &Cli, args: &Inspect) -> Result<(), Failure> {
    let file = FileBytes::open(&args.file)?;
    let about = inspect_bytes(&file)?;
    // The other kinds of files contain no keys, and some have no header from which the curve could be read.
    let is_key = matches!(about.kind, FileKind::Zkey | FileKind::VerifyingKey);
    if is_key && let Ok(curve) = probe(&file)?.curve() {
        let proving = about.kind == FileKind::Zkey;
        match Protocol::named(about.protocol.as_deref()) {
            Some(Protocol::Groth16) => on_curve!(curve, judge(cli, args, file, proving))?,
            Some(Protocol::Plonk) => on_curve!(curve, judge_gates(Plonk, cli, args, file, proving))?,
            Some(Protocol::Fflonk) => on_curve!(curve, judge_gates(Fflonk, cli, args, file, proving))?,
            None => {}
        }
    }
    output::print(cli, &about, ToString::to_string)
}

/// Checks a Groth16 key for weaknesses while its file is inspected.
fn judge<E: Pairing>(cli: &Cli, args: &Inspect, file: FileBytes, proving: bool) -> Result<(), Failure> {
    if proving {
        let file = ZkeyFile::<E>::read(file)?;
        return args.keys.judge_proving(cli, &args.file, &file, &file.proving_key()?.vk);
    }
    match read_verifying_key::<E>(file) {
        Ok(key) => args.keys.judge(cli, &args.file, &key),
        Err(why) => args.keys.doubt(cli, why),
    }
}
