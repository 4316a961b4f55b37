//! `cargo x cuda`: the tests that need NVIDIA's compiler but no GPU, with the compiler from the Python registry.

use crate::artifacts::Artifacts;
use crate::peers::{Packages, site};
use crate::process::{FULL, Failure, Outcome, root, run as run_command};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The environment variable by which `crates/gpu` finds the compiler.
pub(crate) const FOLDER: &str = "PAIRWRIGHT_CUDA";

#[derive(clap::Args, Default)]
pub(crate) struct Args {
    /// Write the goldens of crates/gpu anew instead of comparing with them
    #[arg(long)]
    bless: bool,
    /// Compile also the kernels whose text has not changed since the goldens were written
    #[arg(long)]
    full: bool,
}

/// The tests of `crates/gpu` that need the compiler.
const TESTS: [&str; 2] = ["nvrtc", "nvrtc_generated"];

/// Builds the tests and runs them, in the folder in which cargo would run them.
pub(crate) fn run(args: &Args) -> Outcome {
    with_compiler(|folder| {
        let built = Artifacts::of_named_tests("pairwright-gpu", &TESTS)?;
        TESTS.iter().try_for_each(|name| {
            let mut test = Command::new(built.test(name)?);
            if args.bless {
                test.env("PAIRWRIGHT_BLESS", "1");
            }
            if args.full {
                test.arg("--include-ignored").env(FULL, "1");
            }
            run_command(test.current_dir(root().join("crates/gpu")).env(FOLDER, folder))
        })
    })
}

/// Installs the compiler if it is missing or outdated, and runs tests with it. If it cannot be installed (a system
/// other than Linux, no access to the registry), this prints a message and is not a failure, because the compiler cannot be
/// distributed with the project.
pub(crate) fn with_compiler(tests: impl FnOnce(&Path) -> Outcome) -> Outcome {
    match compiler() {
        Ok(folder) => tests(&folder),
        Err(failure) => {
            println!("skipped: no NVRTC ({failure}); the kernels of crates/gpu were NOT compiled");
            Ok(())
        }
    }
}

/// The folder of CUDA among the packages that are installed in `interop/cuda`.
fn compiler() -> Outcome<PathBuf> {
    let missing = || Failure("the installed packages hold no folder nvidia/cu13".to_owned());
    site(&Packages::Nvrtc.install()?, "nvidia/cu13").ok_or_else(missing)
}
