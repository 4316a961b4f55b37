//! Runs `pairwright verify`, which verifies one proof.

use super::gates::verify_on;
use super::plonkish::{Fflonk, Plonk};
use super::verdict::{Done, print_verified, public_values};
use crate::args::{Cli, Protocol, Verify};
use crate::curves::on_curve;
use crate::failure::Failure;
use crate::files;
use pairwright::Boards;
use pairwright::device::Session;
use pairwright::formats::{FileBytes, read_proof, read_verifying_key};
use pairwright::protocols::groth16::{InSubgroup, PreparedVerifyingKey, Proof};
use std::path::Path;
use std::time::Instant;

/// Verifies one proof, by the protocol of the key.
pub(crate) fn run(cli: &Cli, args: &Verify) -> Result<(), Failure> {
    let (vkey, curve, protocol) = files::open_of_protocol(&args.vkey)?;
    match args.protocol.unwrap_or(protocol) {
        Protocol::Groth16 => on_curve!(curve, accept(cli, args, vkey, curve.name())),
        Protocol::Plonk => on_curve!(curve, verify_on(Plonk, cli, args, vkey, curve)),
        Protocol::Fflonk => on_curve!(curve, verify_on(Fflonk, cli, args, vkey, curve)),
    }
}

fn accept<E: Boards>(cli: &Cli, args: &Verify, vkey: FileBytes, curve: &'static str) -> Result<(), Failure> {
    let device = args.on.machines.board::<E>(cli)?;
    let vk = read_verifying_key::<E>(vkey)?;
    args.keys.judge(cli, &args.vkey, &vk)?;
    let public = public_values::<E>(&args.public, vk.public())?;
    let proof = proof_points::<E>(&args.proof)?;
    let start = Instant::now();
    let mut on = Session::new(&device);
    // The key has been checked for weaknesses above.
    PreparedVerifyingKey::of_unsafe_key(&mut on, &vk)?.verify(&mut on, &public, &proof)?;
    let seconds = start.elapsed().as_secs_f64();
    print_verified(cli, &Done { curve, seconds }, args.on.requested_report(&on.finish()))
}

/// Reads a proof; one with invalid points is rejected.
pub(crate) fn proof_points<E: Boards>(path: &Path) -> Result<InSubgroup<Proof<E>>, Failure> {
    read_proof::<E>(FileBytes::open(path)?).map_err(Failure::of_proof)
}
