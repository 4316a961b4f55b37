//! `cargo x opencl`: the GPU device on a real OpenCL driver whose device is the processor: POCL, or Intel's where POCL does not
//! know the processor, both from the Python registry. The driver's compiler translates the kernels, and the device's conformance
//! suite, the tests of its host side, proofs, and the demo by the command run on it.

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

/// Optimisations of kernels take most of the time of a run on few elements.
const UNOPTIMISED: &str = "-cl-opt-disable";

#[derive(clap::Args, Default)]
pub(crate) struct Args {
    /// Also BLS12-381, all of it with optimised kernels, sums of thousands of points, a third curve's proofs, and both drivers
    #[arg(long)]
    full: bool,
}

/// Builds what runs on the driver and runs it, with `--full` on each driver there is. Where there is none this says so aloud and is no
/// failure: they are not ours to bring along.
pub(crate) fn run(args: &Args) -> Outcome {
    let mut drivers = Vec::new();
    for source in &SOURCES {
        match Driver::installed(source) {
            Ok(driver) => drivers.push(driver),
            Err(failure) => println!("no {}: {failure}", source.name),
        }
        if !drivers.is_empty() && !args.full {
            break;
        }
    }
    if drivers.is_empty() {
        println!("skipped: the kernels of crates/gpu were NOT run on OpenCL");
        return Ok(());
    }
    let built = Artifacts::of_opencl(TEST)?;
    let (test, command) = (built.test_of("gpu", TEST)?, built.program("pairwright")?);
    let mut jobs = Vec::new();
    for driver in &drivers {
        let mut runs = |name: [&str; 2], options: &str, tests: &[&str]| {
            let (mut all, mut demo) = (Command::new(&test), Command::new(&command));
            all.args(tests);
            demo.args(["demo", "--device", "opencl"]);
            jobs.push(driver.job(name[0], all, options));
            jobs.push(driver.job(name[1], demo, options));
        };
        runs(["tests", "demo"], UNOPTIMISED, if args.full { &[] } else { &["--skip", LATER] });
        if args.full {
            runs(["optimised tests", "optimised demo"], "", &["--include-ignored"]);
        }
    }
    jobs::run(jobs, 1).into_iter().try_for_each(|done| done.outcome)
}

/// The variables by which a program finds a driver and compiles without optimisations.
///
/// # Errors
/// When none can be had.
pub(crate) fn environment() -> Outcome<Vec<(&'static str, PathBuf)>> {
    let mut failures = Vec::new();
    for source in &SOURCES {
        match Driver::installed(source) {
            Ok(driver) => return Ok(driver.environment(UNOPTIMISED)),
            Err(failure) => failures.push(format!("no {}: {failure}", source.name)),
        }
    }
    Err(Failure(failures.join("; ")))
}

/// A driver that can be installed.
struct Source {
    name: &'static str,
    packages: Packages,
    /// The library that finds the driver, and the variables of the driver, by the folder of the environment.
    found: fn(&Path) -> Outcome<(PathBuf, Variables)>,
}

/// Variables of a process, and paths or words.
type Variables = Vec<(&'static str, PathBuf)>;

/// POCL is asked for first, a tenth of the other's size.
const SOURCES: [Source; 2] = [
    Source { name: "POCL", packages: Packages::Pocl, found: pocl },
    Source { name: "Intel's OpenCL", packages: Packages::IntelOpenCl, found: intel },
];

/// A driver, as it is installed.
struct Driver {
    source: &'static Source,
    /// The library that finds the driver.
    library: PathBuf,
    /// What the driver itself needs to be told.
    variables: Variables,
}

impl Driver {
    /// The driver of a source, installed where it is missing or outdated, if its compiler knows this processor.
    fn installed(source: &'static Source) -> Outcome<Self> {
        if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            return Err(Failure("the pinned packages are for Linux on x86-64".to_owned()));
        }
        let (library, variables) = (source.found)(&source.packages.install()?)?;
        let driver = Self { source, library, variables };
        driver.knows_the_processor()?;
        Ok(driver)
    }

    /// A program that finds the driver, with options for its compiler.
    fn job(&self, name: &str, mut command: Command, options: &str) -> Job {
        command.current_dir(root().join("crates/gpu")).envs(self.environment(options));
        Job { stage: "opencl", name: format!("{name} on {}", self.source.name), command }
    }

    /// Refuses a driver whose compiler does not know this processor. Whatever else may be wrong with it is for the tests to find.
    fn knows_the_processor(&self) -> Outcome {
        let mut probe = Command::new(self.source.packages.python()?);
        probe.arg(root().join("interop/opencl/probe.py")).arg(&self.library).envs(self.environment(""));
        let done = probe.output().map_err(|error| Failure(format!("the probe: {error}")))?;
        match refused(&String::from_utf8_lossy(&done.stderr)) {
            Some(said) if !done.status.success() => {
                Err(Failure(format!("its compiler does not know this processor: {said}")))
            }
            _ => Ok(()),
        }
    }

    /// The variables by which a program finds the driver, with options for its compiler.
    fn environment(&self, options: &str) -> Vec<(&'static str, PathBuf)> {
        let ours =
            [("PAIRWRIGHT_OPENCL", self.library.clone()), ("PAIRWRIGHT_OPENCL_OPTIONS", options.into())];
        self.variables.iter().cloned().chain(ours).collect()
    }
}

/// POCL lies below `pyopencl`.
fn pocl(venv: &Path) -> Outcome<(PathBuf, Variables)> {
    let home = site(venv, "pyopencl").ok_or_else(|| incomplete(venv))?;
    let libraries = home.join(".libs");
    let named = |file: &std::fs::DirEntry| file.file_name().to_string_lossy().starts_with("libOpenCL");
    let mut files = std::fs::read_dir(&libraries).into_iter().flatten().flatten();
    let Some(library) = files.find(named) else { return Err(incomplete(&libraries)) };
    let cache = target_directory()?.join("opencl");
    std::fs::create_dir_all(&cache).map_err(at(&cache))?;
    let variables = vec![("PYOPENCL_HOME", home), ("LD_LIBRARY_PATH", libraries), ("POCL_CACHE_DIR", cache)];
    Ok((library.path(), variables))
}

/// Intel's libraries lie side by side.
fn intel(venv: &Path) -> Outcome<(PathBuf, Variables)> {
    let libraries = venv.join("lib");
    let (library, driver) = (libraries.join("libOpenCL.so.1"), libraries.join("libintelocl.so"));
    if !(library.is_file() && driver.is_file()) {
        return Err(incomplete(&libraries));
    }
    Ok((library, vec![("OCL_ICD_FILENAMES", driver), ("LD_LIBRARY_PATH", libraries)]))
}

fn incomplete(libraries: &Path) -> Failure {
    Failure(format!("the installed packages lack a library in {}", libraries.display()))
}

/// The line of a compiler's log that says that it does not know the processor.
fn refused(log: &str) -> Option<&str> {
    log.lines().find(|line| line.contains("unknown target CPU"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_the_packages_is_said_to_be_one() {
        for source in &SOURCES {
            let failure = (source.found)(&root().join("crates")).err().map(|failure| failure.0);
            assert!(failure.is_some_and(|text| text.starts_with("the installed packages lack a library")));
        }
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
