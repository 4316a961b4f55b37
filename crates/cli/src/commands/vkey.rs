//! Runs `pairwright vkey`, which extracts the verification key.

use super::gates::extract as of_gates;
use super::plonkish::{Fflonk, Plonk};
use crate::args::{Cli, Protocol, Vkey};
use crate::curves::on_curve;
use crate::failure::Failure;
use crate::files;
use crate::output;
use pairwright::curve::Pairing;
use pairwright::formats::{FileBytes, ZkeyFile, write_verifying_key};
use serde::Serialize;

#[derive(Serialize)]
struct Done {
    curve: &'static str,
    public: usize,
}

/// Writes the verification key that a proving key contains.
pub(crate) fn run(cli: &Cli, args: &Vkey) -> Result<(), Failure> {
    let (file, curve, protocol) = files::open_of_protocol(&args.zkey)?;
    let public = match protocol {
        Protocol::Groth16 => on_curve!(curve, extract(cli, args, file))?,
        Protocol::Plonk => on_curve!(curve, of_gates(Plonk, cli, args, file))?,
        Protocol::Fflonk => on_curve!(curve, of_gates(Fflonk, cli, args, file))?,
    };
    let done = Done { curve: curve.name(), public };
    output::print_done(cli, &done, |d| {
        format!("{}: verification key on {}, {} public values", args.output.display(), d.curve, d.public)
    })
}

/// Writes the verification key that a Groth16 key contains, and returns its number of public values.
fn extract<E: Pairing>(cli: &Cli, args: &Vkey, file: FileBytes) -> Result<usize, Failure> {
    let zkey = ZkeyFile::<E>::read(file)?;
    let vk = zkey.verifying_key()?;
    args.keys.judge_proving(cli, &args.zkey, &zkey, &vk)?;
    files::write(&args.output, |out| write_verifying_key(out, &vk))?;
    Ok(vk.public())
}
