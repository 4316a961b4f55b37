//! Verifies many Plonk proofs together, under keys of any circuits of one ceremony.

use super::plonk::judge;
use super::proof_list::{Item, conclude, read_list, sort};
use super::verdict::public_values;
use crate::args::{BatchVerify, Cli};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::randomness;
use pairwright::Boards;
use pairwright::device::Session;
use pairwright::formats::plonk::{read_proof, read_verifying_key};
use pairwright::formats::{CurveId, FileBytes};
use pairwright::protocols::plonk::{
    Claim, InSubgroup, PreparedVerifyingKey, Proof, VerifyError, batch_verify,
};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Verifies the proofs of a list, under its first key where a line has no other.
pub(super) fn accept<E: Boards>(
    cli: &Cli,
    args: &BatchVerify,
    vkey: FileBytes,
    curve: CurveId,
) -> Result<(), Failure> {
    let device = args.machines.board::<E>()?;
    let mut on = Session::new(&device);
    let first = prepare::<E>(&mut on, &args.vkey, vkey)?;
    let items = read_list(&args.list)?;
    let mut others: BTreeMap<PathBuf, PreparedVerifyingKey<E>> = BTreeMap::new();
    for path in items.iter().filter_map(|item| item.key.as_ref()) {
        if !others.contains_key(path) {
            others.insert(path.clone(), prepare(&mut on, path, FileBytes::open(path)?)?);
        }
    }
    let key = |item: &Item| item.key.as_ref().and_then(|path| others.get(path)).unwrap_or(&first);
    let progress = Progress::new(0, "batch-verify");
    // In parallel: the points of every proof are checked where they are read.
    type Read<E> = (Vec<<E as pairwright::curve::Pairing>::Fr>, InSubgroup<Proof<E>>);
    let read = |item: &Item| -> Result<Read<E>, Failure> {
        let public = public_values::<E>(&item.public, key(item).key().public)?;
        Ok((public, read_proof::<E>(FileBytes::open(&item.proof)?).map_err(Failure::of_proof)?))
    };
    let read: Vec<_> = items.par_iter().map(read).collect();
    let (listed, batch, mut failed) = sort(&items, read)?;
    let start = Instant::now();
    let claims: Vec<_> = listed
        .iter()
        .zip(&batch)
        .map(|(item, (public, proof))| Claim { key: key(item), public, proof })
        .collect();
    match batch_verify(&mut on, &claims, &mut randomness::system()?) {
        Ok(()) => {}
        Err(VerifyError::InBatch { why, .. }) if matches!(*why, VerifyError::OtherPowers) => {
            return Err((*why).into());
        }
        // All that come before it were found to be good.
        Err(VerifyError::InBatch { index: first, .. }) => {
            for (item, claim) in listed.iter().zip(&claims).skip(first) {
                match claim.key.verify(&mut on, claim.public, claim.proof) {
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
    conclude(cli, curve.name(), items.len(), failed, seconds)
}

/// Reads, judges and prepares a key.
fn prepare<E: Boards>(
    on: &mut Session<'_, E>,
    path: &Path,
    file: FileBytes,
) -> Result<PreparedVerifyingKey<E>, Failure> {
    let vk = read_verifying_key::<E>(file)?;
    judge(path, &vk)?;
    Ok(PreparedVerifyingKey::new(on, &vk)?)
}
