//! Runs `pairwright batch-verify`, which verifies many proofs together.

use super::gates::batch;
use super::plonkish::{Fflonk, Plonk};
use super::proof_list::{conclude, read_list, sort};
use super::verdict::public_values;
use super::verify::proof_points;
use crate::args::{BatchVerify, Cli, Protocol};
use crate::curves::on_curve;
use crate::failure::{ArgumentError, Failure};
use crate::files;
use crate::progress::Progress;
use crate::randomness;
use pairwright::Boards;
use pairwright::device::Session;
use pairwright::formats::{FileBytes, read_unchecked_proof, read_verifying_key};
use pairwright::protocols::groth16::{PreparedVerifyingKey, VerifyError, check_proofs};
use rayon::prelude::*;
use std::time::Instant;

/// Verifies many proofs together.
pub(crate) fn run(cli: &Cli, args: &BatchVerify) -> Result<(), Failure> {
    let (vkey, curve, protocol) = files::open_of_protocol(&args.vkey)?;
    match protocol {
        Protocol::Groth16 => on_curve!(curve, accept(cli, args, vkey, curve.name())),
        Protocol::Plonk => on_curve!(curve, batch(Plonk, cli, args, vkey, curve)),
        Protocol::Fflonk => on_curve!(curve, batch(Fflonk, cli, args, vkey, curve)),
    }
}

fn accept<E: Boards>(
    cli: &Cli,
    args: &BatchVerify,
    vkey: FileBytes,
    curve: &'static str,
) -> Result<(), Failure> {
    let device = args.machines.board::<E>(cli)?;
    let vk = read_verifying_key::<E>(vkey)?;
    args.keys.judge(cli, &args.vkey, &vk)?;
    let items = read_list(&args.list)?;
    if let Some(item) = items.iter().find(|item| item.key.is_some()) {
        return Err(ArgumentError::OneKey { list: args.list.to_path_buf(), line: item.line }.into());
    }
    let progress = Progress::new(0, "batch-verify");
    let read = items
        .par_iter()
        .map(|item| {
            let public = public_values::<E>(&item.public, vk.public())?;
            let file = FileBytes::open(&item.proof)?;
            Ok((public, read_unchecked_proof::<E>(file).map_err(Failure::of_proof)?))
        })
        .collect::<Vec<Result<_, Failure>>>();
    let (listed, read, mut failed) = sort(items.iter(), read)?;
    let start = Instant::now();
    let mut rng = randomness::system()?;
    let mut on = Session::new(&device);
    let (publics, proofs): (Vec<_>, Vec<_>) = read.into_iter().unzip();
    let checked = match check_proofs(&mut on, &proofs, &mut rng) {
        Ok(checked) => checked.into_iter().map(Ok).collect(),
        // The batch is not accepted: each proof is read again, to find the errors.
        Err(VerifyError::InBatch { .. }) => {
            listed.par_iter().map(|item| proof_points::<E>(&item.proof)).collect::<Vec<_>>()
        }
        Err(other) => return Err(other.into()),
    };
    let checked = publics.into_iter().zip(checked).map(|(public, proof)| Ok((public, proof?))).collect();
    let (listed, batch, refused) = sort(listed.into_iter(), checked)?;
    failed.extend(refused);
    // The key has been checked for weaknesses above.
    let key = PreparedVerifyingKey::of_unsafe_key(&mut on, &vk)?;
    match key.batch_verify(&mut on, &batch, &mut rng) {
        Ok(()) => {}
        // The proofs before this one are valid.
        Err(VerifyError::InBatch { index: first, .. }) => {
            for (item, (public, proof)) in listed.iter().zip(&batch).skip(first) {
                match key.verify(&mut on, public, proof) {
                    Ok(()) => {}
                    Err(VerifyError::Device(why)) => return Err(why.into()),
                    Err(why) => failed.push(item.rejected(&why)),
                }
            }
        }
        Err(other) => return Err(other.into()),
    }
    drop(progress);
    let seconds = start.elapsed().as_secs_f64();
    conclude(cli, curve, items.len(), failed, seconds)
}
