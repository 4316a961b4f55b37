//! `cargo x opencl`: the GPU device on a real OpenCL driver. POCL, from the Python registry, compiles the kernels for the
//! processor: the device's conformance suite, the tests of its host side, proofs, and the demo by the command run there.

use crate::artifacts::Artifacts;
use crate::jobs::{self, Job};
use crate::peers::{Packages, site};
use crate::process::{Failure, Outcome, at, root};
use crate::tidy::target_directory;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The test of `crates/gpu`.
const TEST: &str = "opencl";

/// A curve whose tests wait for `--full`, as `cargo x ptx` runs it always.
const LATER: &str = "bls12_381";

/// POCL's optimisations take most of the time of a run on few elements.
const UNOPTIMISED: &str = "-cl-opt-disable";

#[derive(clap::Args, Default)]
pub(crate) struct Args {
    /// Also BLS12-381, all of it with optimised kernels, sums of thousands of points, and a third curve's proofs
    #[arg(long)]
    full: bool,
}

/// Builds what runs on POCL and runs it. Where POCL cannot be had, or does not know the processor, this says so aloud and is no failure: it
/// is not ours to bring along.
pub(crate) fn run(args: &Args) -> Outcome {
    let driver = match driver() {
        Ok(driver) => driver,
        Err(failure) => {
            println!(
                "skipped: POCL cannot be had ({failure}); the kernels of crates/gpu were NOT run on OpenCL"
            );
            return Ok(());
        }
    };
    let built = Artifacts::of_opencl(TEST)?;
    let (test, command) = (built.test_of("gpu", TEST)?, built.program("pairwright")?);
    let mut jobs = Vec::new();
    let mut runs = |name: [&str; 2], options: &str, tests: &[&str]| -> Outcome {
        let (mut all, mut demo) = (Command::new(&test), Command::new(&command));
        all.args(tests);
        demo.args(["demo", "--device", "opencl"]);
        jobs.push(driver.job(name[0], all, options)?);
        jobs.push(driver.job(name[1], demo, options)?);
        Ok(())
    };
    runs(["tests", "demo"], UNOPTIMISED, if args.full { &[] } else { &["--skip", LATER] })?;
    if args.full {
        runs(["optimised tests", "optimised demo"], "", &["--include-ignored"])?;
    }
    jobs::run(jobs, 1).into_iter().try_for_each(|done| done.outcome)
}

/// POCL, as it is installed.
struct Driver {
    /// The folder of pyopencl, below which the libraries lie.
    home: PathBuf,
    library: PathBuf,
}

impl Driver {
    /// A program that finds the driver, with options for its compiler, and a place for what it has compiled.
    fn job(&self, name: &str, mut command: Command, options: &str) -> Outcome<Job> {
        command.current_dir(root().join("crates/gpu")).envs(self.environment(options)?);
        Ok(Job { stage: "opencl", name: name.to_owned(), command })
    }

    /// Refuses a driver whose compiler does not know this processor. Whatever else may be wrong with it is for the tests to find.
    fn knows_the_processor(&self) -> Outcome {
        let mut probe = Command::new(Packages::Pocl.python()?);
        probe.arg(root().join("interop/opencl/probe.py")).arg(&self.library).envs(self.environment("")?);
        let done = probe.output().map_err(|error| Failure(format!("POCL's probe: {error}")))?;
        match refused(&String::from_utf8_lossy(&done.stderr)) {
            Some(said) if !done.status.success() => {
                Err(Failure(format!("its compiler does not know this processor: {said}")))
            }
            _ => Ok(()),
        }
    }

    /// The variables by which a program finds the driver, with options for its compiler.
    fn environment(&self, options: &str) -> Outcome<[(&'static str, PathBuf); 5]> {
        let cache = target_directory()?.join("opencl");
        std::fs::create_dir_all(&cache).map_err(at(&cache))?;
        Ok([
            ("PAIRWRIGHT_OPENCL", self.library.clone()),
            ("PAIRWRIGHT_OPENCL_OPTIONS", options.into()),
            ("PYOPENCL_HOME", self.home.clone()),
            ("LD_LIBRARY_PATH", self.home.join(".libs")),
            ("POCL_CACHE_DIR", cache),
        ])
    }
}

/// The variables by which a program finds POCL and compiles without optimisations.
///
/// # Errors
/// When POCL cannot be had.
pub(crate) fn environment() -> Outcome<[(&'static str, PathBuf); 5]> {
    driver()?.environment(UNOPTIMISED)
}

/// POCL, installed where it is missing or outdated.
fn driver() -> Outcome<Driver> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(Failure("the pinned packages are for Linux on x86-64".to_owned()));
    }
    let driver = libraries(&Packages::Pocl.install()?)?;
    driver.knows_the_processor()?;
    Ok(driver)
}

/// The line of a compiler's log that says that it does not know the processor.
fn refused(log: &str) -> Option<&str> {
    log.lines().find(|line| line.contains("unknown target CPU"))
}

/// The libraries below the installed `pyopencl`.
fn libraries(venv: &Path) -> Outcome<Driver> {
    let library = |home: &Path| -> Option<PathBuf> {
        let files = std::fs::read_dir(home.join(".libs")).ok()?.flatten();
        let named = |file: &std::fs::DirEntry| file.file_name().to_string_lossy().starts_with("libOpenCL");
        files.into_iter().find(named).map(|file| file.path())
    };
    let driver = |home: PathBuf| library(&home).map(|library| Driver { home, library });
    site(venv, "pyopencl")
        .and_then(driver)
        .ok_or_else(|| Failure("the installed packages hold no libOpenCL".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_the_packages_is_said_to_be_one() {
        let failure = libraries(&root().join("crates")).err().map(|failure| failure.0);
        assert_eq!(failure.as_deref(), Some("the installed packages hold no libOpenCL"));
    }

    #[test]
    fn only_an_unknown_processor_excuses_a_compiler() {
        let log = "error: unknown target CPU 'generic'\nDevice pthread failed to build the program\n";
        assert_eq!(refused(log), Some("error: unknown target CPU 'generic'"));
        assert_eq!(refused("error: expected ';'\nDevice pthread failed to build the program"), None);
        assert_eq!(refused("clGetPlatformIDs failed with -1001"), None);
    }

    #[test]
    fn all_requirements_are_pinned_by_hash() {
        let text = std::fs::read_to_string(root().join("interop/opencl/requirements.txt")).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let (hashes, packages): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with(' '));
        assert!(packages.len() == 2 && packages.iter().all(|line| line.contains("==")), "{text}");
        assert!(hashes.len() >= 2 && hashes.iter().all(|line| line.contains("--hash=sha256:")), "{text}");
    }
}
