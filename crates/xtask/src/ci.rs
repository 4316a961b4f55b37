//! `cargo x ci`: runs the checks of continuous integration on a fresh clone of the last commit.

use crate::process::{Outcome, at, at_root, output, run as run_command};
use crate::tidy::target_directory;
use std::process::Command;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Keep the compiled code of an earlier run instead of building from nothing
    #[arg(long)]
    warm: bool,
}

/// Clones HEAD into `ci-clone` below the target folder and runs `.ci/run` there.
pub(crate) fn run(args: &Args) -> Outcome {
    let dirty = output(at_root("git").args(["status", "--porcelain"]))?;
    if !dirty.is_empty() {
        eprintln!("note: uncommitted changes are not part of this run");
    }
    let target = target_directory()?;
    let (clone, build) = (target.join("ci-clone"), target.join("ci-target"));
    for folder in [Some(&clone), (!args.warm).then_some(&build)].into_iter().flatten() {
        match std::fs::remove_dir_all(folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(at(folder)(error));
            }
            _ => {}
        }
    }
    run_command(at_root("git").args(["clone", "--quiet", "--no-hardlinks", "."]).arg(&clone))?;
    run_command(Command::new(clone.join(".ci/run")).current_dir(&clone).env("CARGO_TARGET_DIR", &build))
}
