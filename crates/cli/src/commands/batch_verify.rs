//! Runs `pairwright batch-verify`, which verifies many proofs under one key.

use super::verify::{proof_points, public_values};
use crate::args::{BatchVerify, Cli};
use crate::curves::on_curve;
use crate::failure::{ArgumentError, Failure};
use crate::progress::Progress;
use crate::{output, randomness};
use pairwright::Boards;
use pairwright::device::Session;
use pairwright::formats::{FileBytes, probe, read_verifying_key};
use pairwright::protocols::groth16::{PreparedVerifyingKey, VerifyError};
use rayon::prelude::*;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Serialize)]
struct Done {
    status: &'static str,
    curve: &'static str,
    proofs: usize,
    seconds: f64,
}

/// Verifies many proofs together.
pub(crate) fn run(cli: &Cli, args: &BatchVerify) -> Result<(), Failure> {
    let vkey = FileBytes::open(&args.vkey)?;
    let curve = probe(&vkey)?.curve()?;
    on_curve!(curve, accept(cli, args, vkey, curve.name()))
}

fn accept<E: Boards>(
    cli: &Cli,
    args: &BatchVerify,
    vkey: FileBytes,
    curve: &'static str,
) -> Result<(), Failure> {
    let device = args.machines.board::<E>(cli)?;
    let vk = read_verifying_key::<E>(vkey)?;
    let files = read_list(&args.list)?;
    let progress = Progress::new(0, "batch-verify");
    // In parallel: the points of every proof are checked where they are read.
    let batch: Vec<_> = files
        .par_iter()
        .map(|(public, proof)| Ok((public_values::<E>(public)?, proof_points::<E>(proof)?)))
        .collect::<Vec<_>>();
    // The first file that is wrong is named, whichever was found first.
    let batch = batch.into_iter().collect::<Result<Vec<_>, Failure>>()?;
    let start = Instant::now();
    let mut rng = randomness::system()?;
    let mut on = Session::new(&device);
    let key = PreparedVerifyingKey::new(&mut on, &vk)?;
    let verdict = key.batch_verify(&mut on, &batch, &mut rng);
    drop(progress);
    verdict.map_err(|e| match e {
        // The position means nothing to a reader of files.
        VerifyError::InBatch { index, why } => match files.get(index) {
            Some((_, proof)) => Failure::Rejected(format!("{}: {why}", proof.display()).into()),
            None => (*why).into(),
        },
        other => other.into(),
    })?;
    let seconds = start.elapsed().as_secs_f64();
    let done = Done { status: "ok", curve, proofs: batch.len(), seconds };
    output::print(cli.json, &done, |d| {
        format!("OK: {} proofs are valid ({}), {}", d.proofs, d.curve, output::seconds(d.seconds))
    })
}

/// Pairs of public values and proof, paths relative to the list's directory.
fn read_list(list: &Path) -> Result<Vec<(PathBuf, PathBuf)>, Failure> {
    let text = fs::read_to_string(list).map_err(|why| Failure::File { path: list.to_owned(), why })?;
    let base = list.parent().unwrap_or(Path::new(""));
    let mut pairs = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("");
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [] => {}
            [public, proof] => pairs.push((base.join(public), base.join(proof))),
            _ => return Err(ArgumentError::ListLine { list: list.to_owned(), line: i + 1 }.into()),
        }
    }
    Ok(pairs)
}
