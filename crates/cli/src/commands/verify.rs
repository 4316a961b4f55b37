//! `pairwright verify`

use crate::args::{Cli, Verify};
use crate::curves::on_curve;
use crate::failure::Failure;
use crate::output;
use pairwright::Boards;
use pairwright::device::Session;
use pairwright::formats::{FileBytes, probe, read_proof, read_public, read_verifying_key};
use pairwright::protocols::groth16::{InSubgroup, PreparedVerifyingKey, Proof};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

#[derive(Serialize)]
struct Done {
    status: &'static str,
    curve: &'static str,
    seconds: f64,
}

/// Verifies one proof.
pub(crate) fn run(cli: &Cli, args: &Verify) -> Result<(), Failure> {
    let vkey = FileBytes::open(&args.vkey)?;
    let curve = probe(&vkey)?.curve()?;
    on_curve!(curve, accept(cli, args, vkey, curve.name()))
}

fn accept<E: Boards>(cli: &Cli, args: &Verify, vkey: FileBytes, curve: &'static str) -> Result<(), Failure> {
    let device = pairwright::device::<E>(&cli.device).map_err(Failure::bad)?;
    let vk = read_verifying_key::<E>(vkey)?;
    let public = public_values::<E>(&args.public)?;
    let proof = proof_points::<E>(&args.proof)?;
    let start = Instant::now();
    let mut on = Session::new(&device);
    PreparedVerifyingKey::new(&mut on, &vk)?.verify(&mut on, &public, &proof)?;
    let done = Done { status: "ok", curve, seconds: start.elapsed().as_secs_f64() };
    output::print(cli.json, &done, |d| format!("OK: the proof is valid ({})", d.curve))
}

/// Reads public values; a value not below the modulus is an alias of another and rejects the proof.
pub(crate) fn public_values<E: Boards>(path: &Path) -> Result<Vec<E::Fr>, Failure> {
    read_public::<E::Fr>(FileBytes::open(path)?).map_err(Failure::of_proof)
}

/// Reads a proof; points that are not what they should be reject it.
pub(crate) fn proof_points<E: Boards>(path: &Path) -> Result<InSubgroup<Proof<E>>, Failure> {
    read_proof::<E>(FileBytes::open(path)?).map_err(Failure::of_proof)
}
