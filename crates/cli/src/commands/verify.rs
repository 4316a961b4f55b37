//! Runs `pairwright verify`, which verifies one proof.

use crate::args::{Cli, Verify};
use crate::curves::on_curve;
use crate::failure::Failure;
use crate::output;
use crate::report::OperatorReport;
use pairwright::Boards;
use pairwright::device::Session;
use pairwright::formats::{FileBytes, probe, read_proof, read_public_of, read_verifying_key};
use pairwright::protocols::groth16::{InSubgroup, PreparedVerifyingKey, Proof};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

#[derive(Serialize)]
struct Done<'a> {
    curve: &'static str,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<OperatorReport<'a>>,
}

/// Verifies one proof.
pub(crate) fn run(cli: &Cli, args: &Verify) -> Result<(), Failure> {
    let vkey = FileBytes::open(&args.vkey)?;
    let curve = probe(&vkey)?.curve()?;
    on_curve!(curve, accept(cli, args, vkey, curve.name()))
}

fn accept<E: Boards>(cli: &Cli, args: &Verify, vkey: FileBytes, curve: &'static str) -> Result<(), Failure> {
    let device = args.machines.board::<E>()?;
    let vk = read_verifying_key::<E>(vkey)?;
    args.keys.judge(cli, &args.vkey, &vk)?;
    let public = public_values::<E>(&args.public, vk.ic.len())?;
    let proof = proof_points::<E>(&args.proof)?;
    let start = Instant::now();
    let mut on = Session::new(&device);
    // The key was judged above.
    PreparedVerifyingKey::of_unsafe_key(&mut on, &vk)?.verify(&mut on, &public, &proof)?;
    let seconds = start.elapsed().as_secs_f64();
    let report = on.finish();
    let report = OperatorReport::asked(args.report.as_deref(), &report)?;
    let done = Done { curve, seconds, report };
    output::print_done(cli, &done, |d| {
        let line = format!("OK: the proof is valid ({})", d.curve);
        OperatorReport::under(line, d.report.as_ref())
    })
}

/// Reads public values for a key that has about so many; a value not below the modulus is an alias of another and rejects
/// the proof.
pub(crate) fn public_values<E: Boards>(path: &Path, count: usize) -> Result<Vec<E::Fr>, Failure> {
    read_public_of::<E::Fr>(FileBytes::open(path)?, count).map_err(Failure::of_proof)
}

/// Reads a proof; points that are not what they should be reject it.
pub(crate) fn proof_points<E: Boards>(path: &Path) -> Result<InSubgroup<Proof<E>>, Failure> {
    read_proof::<E>(FileBytes::open(path)?).map_err(Failure::of_proof)
}
