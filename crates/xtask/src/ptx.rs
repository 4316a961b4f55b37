//! `cargo x ptx`: tests of the GPU device without a GPU. NVRTC, from the Python registry, compiles the kernels to PTX, and a library
//! with the functions of CUDA's driver interprets them and detects faults. The device's conformance suite, the tests of
//! its host side, and a whole proof by the command run on it unchanged.

use crate::artifacts::Artifacts;
use crate::cuda::{FOLDER, with_compiler};
use crate::jobs::{self, Job};
use crate::process::{Outcome, at, root};
use crate::tidy::target_directory;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The tests of `crates/gpu` that run on the replacement of the driver.
const TESTS: [&str; 4] = ["conformance", "msm", "interpreted", "planted"];

/// The test of the command that makes a whole report on small sizes.
const REPORT: &str = "gpu_report";

/// A curve whose tests run only with `--full`: its kernels are those of BLS12-381 with other constants, and compiling them takes as
/// long again. `cargo x opencl` always runs this curve, and runs BLS12-381 only with `--full`.
const LATER: &str = "bls12_377";

/// Number of programs that run at a time. The interpreter executes one call after the other, so each program uses one core.
const AT_ONCE: usize = 2;

/// The number of the interpreter's device with the most memory.
const BLACKWELL: &str = "4";

/// The number of a device with little memory.
const LITTLE_TURING: &str = "7";

/// The library that replaces the driver.
const LIBRARY: &str = "pairwright_ptx_driver";

#[derive(clap::Args, Default)]
pub(crate) struct Args {
    /// Also BLS12-377, the whole suite on every kind of device, the sweep over shapes, a whole report, and the demo by the command
    #[arg(long)]
    full: bool,
}

/// Builds the tests that run on the interpreter, and runs them.
pub(crate) fn run(args: &Args) -> Outcome {
    with_compiler(|compiler| {
        let built = Artifacts::of_ptx(&TESTS)?;
        let place = stand_in(&built)?;
        let mut jobs = Vec::new();
        for name in TESTS {
            let mut command = Command::new(built.test_of("gpu", name)?);
            match args.full {
                true => command.arg("--include-ignored"),
                false => command.args(["--skip", LATER]),
            };
            on_stand_in(&mut command, &place, compiler).current_dir(root().join("crates/gpu"));
            jobs.push(Job { stage: "ptx", name: name.to_owned(), command });
        }
        // With all kernels compiled a whole report takes more than half a minute, and the compiler a minute and a half.
        if args.full {
            let mut command = Command::new(built.test_of("cli", REPORT)?);
            on_stand_in(&mut command, &place, compiler).current_dir(root().join("crates/cli"));
            jobs.push(Job { stage: "ptx", name: REPORT.to_owned(), command });
        }
        let program = built.program("pairwright")?;
        let mut by_command = |name: &str, arguments: &[&str]| {
            let mut command = Command::new(&program);
            on_stand_in(command.args(arguments), &place, compiler).current_dir(&place);
            jobs.push(Job { stage: "ptx", name: name.to_owned(), command });
        };
        let mut report = |name: &str, number: &str, sections: &str, most: &str, seconds: &str| {
            let [file, markdown, tuning] = ["json", "md", "toml"].map(|kind| format!("{name}.{kind}"));
            // An existing report would be continued.
            let _ = std::fs::remove_file(place.join(&file));
            let mut arguments = vec!["gpu", "--gpu", number, "report", "--most", most, "--seconds", seconds];
            arguments.extend([
                "--out",
                &file,
                "--markdown",
                &markdown,
                "--tuning",
                &tuning,
                "--only",
                sections,
            ]);
            by_command(name, &arguments);
        };
        report("operators", BLACKWELL, "operators", "12", "480");
        // The other parts of the report on small sizes; parts for which the time does not suffice are left out.
        report("report", LITTLE_TURING, "conformance,rates,tuning,figures", "3", "45");
        // The circuit of the demo takes minutes in an interpreter; the tests prove smaller ones.
        if args.full {
            report("msm", BLACKWELL, "msm", "12", "480");
            report("products", LITTLE_TURING, "products,figures", "3", "480");
            by_command("demo", &["demo", "--device", "gpu"]);
        }
        jobs::run(jobs, AT_ONCE).into_iter().try_for_each(|done| done.outcome)
    })
}

/// Makes a folder in which the library has the name of the driver, and returns its path.
fn stand_in(built: &Artifacts) -> Outcome<PathBuf> {
    let library = built.shared_library(LIBRARY)?;
    let place = target_directory()?.join("ptx");
    std::fs::create_dir_all(&place).map_err(at(&place))?;
    // The library is replaced by renaming, so that a running program keeps the one that it opened.
    let new = place.join(format!("libcuda.so.{}", std::process::id()));
    std::fs::copy(library, &new)
        .and_then(|_| std::fs::rename(&new, place.join("libcuda.so")))
        .map_err(at(&place))?;
    Ok(place)
}

/// Sets the environment of a program such that it finds the library in place of the driver, compiles to PTX, and caches its kernels
/// next to the library.
fn on_stand_in<'a>(command: &'a mut Command, place: &Path, compiler: &Path) -> &'a mut Command {
    command
        .env(FOLDER, compiler)
        .env("PAIRWRIGHT_CUDA_FORM", "ptx")
        .env("LD_LIBRARY_PATH", place)
        .env("XDG_CACHE_HOME", place.join("cache"))
}
