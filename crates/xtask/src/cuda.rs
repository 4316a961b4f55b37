//! `cargo x cuda`: the tests that need NVIDIA's compiler and no GPU, with the compiler from the Python registry.

use crate::artifacts::Artifacts;
use crate::interop::{copy, same_bytes};
use crate::process::{Failure, Outcome, require, root, run as run_command};
use crate::tidy::target_directory;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The environment variable by which `crates/gpu` finds the compiler.
pub(crate) const FOLDER: &str = "PAIRWRIGHT_CUDA";

#[derive(clap::Args, Default)]
pub(crate) struct Args {
    /// Write the goldens of crates/gpu anew instead of comparing with them
    #[arg(long)]
    bless: bool,
}

/// The tests of `crates/gpu` that need the compiler.
const TESTS: [&str; 2] = ["nvrtc", "nvrtc_generated"];

/// Builds the tests and runs them, in the folder in which cargo would run them.
pub(crate) fn run(args: &Args) -> Outcome {
    with_compiler(|folder| {
        let built = Artifacts::of_named_tests("pairwright-gpu", &TESTS)?;
        TESTS.iter().try_for_each(|name| {
            let binary = built.test(name).ok_or_else(|| Failure(format!("cargo built no test `{name}`")))?;
            let mut test = Command::new(binary);
            if args.bless {
                test.env("PAIRWRIGHT_BLESS", "1");
            }
            run_command(test.current_dir(root().join("crates/gpu")).env(FOLDER, folder))
        })
    })
}

/// Installs the compiler where it is missing or outdated and runs tests with it. Where it cannot be had (another
/// system than Linux, no way to the registry) this says so aloud and is no failure: the compiler is not ours to bring
/// along.
pub(crate) fn with_compiler(tests: impl FnOnce(&Path) -> Outcome) -> Outcome {
    match compiler() {
        Ok(folder) => tests(&folder),
        Err(failure) => {
            println!("skipped: no NVRTC ({failure}); the kernels of crates/gpu were NOT compiled");
            Ok(())
        }
    }
}

/// The CUDA folder of what is installed in `interop/cuda`.
fn compiler() -> Outcome<PathBuf> {
    cuda_folder(&environment("cuda", "installing NVRTC")?)
}

/// A virtual environment `.venv` in a folder of `interop`, made anew when the folder's requirements change, with the
/// libraries that they name and not what these depend on.
pub(crate) fn environment(folder: &str, reason: &str) -> Outcome<PathBuf> {
    // Two chores that need one may run side by side: one installs it.
    let lock = target_directory()?.join(format!("{folder}.lock"));
    let failure = |error| Failure(format!("{}: {error}", lock.display()));
    let held = std::fs::File::create(&lock).map_err(failure)?;
    held.lock().map_err(failure)?;
    let place = root().join("interop").join(folder);
    let (venv, requirements) = (place.join(".venv"), place.join("requirements.txt"));
    let stamp = venv.join("installed-requirements.txt");
    if !same_bytes(&requirements, &stamp) {
        if !cfg!(target_os = "linux") {
            return Err(Failure("the pinned packages are for Linux".to_owned()));
        }
        require("python3", reason)?;
        run_command(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&venv))?;
        let mut pip = Command::new(venv.join("bin/python"));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "-r"]);
        run_command(pip.arg(&requirements))?;
        copy(&requirements, &stamp)?;
    }
    Ok(venv)
}

/// The folder of the packages: `lib/python3.x/site-packages/nvidia/cu13`, for whichever `x`.
fn cuda_folder(venv: &Path) -> Outcome<PathBuf> {
    let pythons = std::fs::read_dir(venv.join("lib")).into_iter().flatten().flatten();
    let found =
        pythons.map(|python| python.path().join("site-packages/nvidia/cu13")).find(|path| path.is_dir());
    found.ok_or_else(|| Failure("the installed packages hold no folder nvidia/cu13".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_the_packages_is_said_to_be_one() {
        let failure = cuda_folder(&root().join("crates")).unwrap_err().0;
        assert!(failure.contains("nvidia/cu13"), "{failure}");
    }

    #[test]
    fn all_requirements_are_pinned() {
        let text = std::fs::read_to_string(root().join("interop/cuda/requirements.txt")).unwrap();
        let packages: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(packages.len() >= 2 && packages.iter().all(|line| line.contains("==")), "{text}");
    }
}
