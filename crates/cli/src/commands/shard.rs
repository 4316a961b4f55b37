//! Runs `pairwright shard`, which prepares a key for proofs with little memory.

use crate::args::{Cli, Protocol, Shard};
use crate::curves::on_curve;
use crate::failure::{ArgumentError, Failure};
use crate::files;
use crate::output;
use crate::progress::Progress;
use pairwright::Boards;
use pairwright::formats::{FileBytes, ZkeyFile};
use pairwright::scale::{KeySizes, Manifest, ScaleError, Sizes, shard};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

/// The command's result for a sharded key.
#[derive(Serialize)]
struct Done {
    curve: String,
    domain: usize,
    blocks: usize,
    /// Bytes of the sharded key's files.
    bytes: u64,
    seconds: f64,
}

/// Writes the sharded key.
pub(crate) fn run(cli: &Cli, args: &Shard) -> Result<(), Failure> {
    let (file, curve, protocol) = files::open_of_protocol(&args.zkey)?;
    match protocol {
        Protocol::Groth16 => on_curve!(curve, make(cli, args, file)),
        other => Err(ArgumentError::OnlyGroth16 { option: "shard", protocol: other.name() }.into()),
    }
}

fn make<E: Boards>(cli: &Cli, args: &Shard, file: FileBytes) -> Result<(), Failure> {
    let start = Instant::now();
    let key = ZkeyFile::<E>::read(file)?;
    args.keys.judge_proving(cli, &args.zkey, &key, &key.verifying_key()?)?;
    let blocks = match (args.blocks, args.memory) {
        (Some(0), _) => return Err(ArgumentError::NoBlocks.into()),
        (Some(blocks), _) => blocks,
        (None, memory) => {
            let memory = memory.map_or(u64::MAX, |memory| memory.0);
            Sizes::for_memory(memory, &KeySizes::of(&key), rayon::current_num_threads())?.blocks
        }
    };
    let manifest = with_progress(&key, blocks, &args.output)?;
    let regions = manifest.coefficients.iter().chain(&manifest.h);
    let done = Done {
        bytes: regions.map(|region| region.length).sum(),
        domain: 1 << manifest.sizes.log_domain,
        blocks: manifest.layout.blocks(),
        curve: manifest.sizes.curve,
        seconds: start.elapsed().as_secs_f64(),
    };
    output::print_done(cli, &done, |d| {
        format!(
            "{}: sharded key on {}, domain {} in {} blocks, {} beside the key, in {}",
            args.output.display(),
            d.curve,
            d.domain,
            d.blocks,
            output::bytes(d.bytes),
            output::seconds(d.seconds)
        )
    })
}

/// Makes a sharded key, with a progress bar.
pub(super) fn with_progress<E: Boards>(
    key: &ZkeyFile<E>,
    blocks: usize,
    directory: &Path,
) -> Result<Manifest, ScaleError> {
    let progress = Progress::new(key.file().len() as u64, "shard");
    shard(key, blocks, directory, &mut |bytes| progress.add(bytes))
}
