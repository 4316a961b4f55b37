//! `cargo x python`: tests of the Python package with the module of the development build, against other projects' libraries.
//!
//! The package is assembled below the target folder from its Python source and the built library, which gets the name
//! that Python imports. Building an optimised wheel would take ten minutes.

use crate::artifacts::Artifacts;
use crate::peers::{Packages, copy};
use crate::process::{FULL, Failure, Outcome, at, root, run as run_command, run_within};
use crate::tidy::target_directory;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Time limit of the tests, which take a minute on two cores.
const LIMIT: Duration = Duration::from_secs(15 * 60);
/// Time limit of the tests with proofs of full size.
const LIMIT_FULL: Duration = Duration::from_secs(90 * 60);
/// The library that cargo builds, and the module's name in the package.
const LIBRARY: [&str; 2] = ["pairwright_python", "_native.abi3.so"];

#[derive(clap::Args, Default)]
pub(crate) struct Args {
    /// Only the tests whose names contain this text; without types and stubs
    filter: Option<String>,
    /// Also proofs of 2^20 and 2^18 rows by processes of limited memory
    #[arg(long)]
    full: bool,
}

/// Runs the tests with the module that the build has made.
pub(crate) fn run(args: &Args) -> Outcome {
    let (built, filter) = (Artifacts::of_python()?, args.filter.as_deref());
    let (source, place) = (root().join("crates/python"), target_directory()?.join("python"));
    let python = Packages::Tests.python()?;
    let site = place.join("site");
    let [name, module] = LIBRARY;
    let library = built.shared_library(name)?;
    assemble(&source.join("python/pairwright"), &site.join("pairwright"))?;
    copy(&library, &site.join("pairwright").join(module))?;
    let command_of_tests = built.program("pairwright").ok();
    let of_package = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        if let Some(program) = &command_of_tests {
            command.env("PAIRWRIGHT_BIN", program);
        }
        if args.full {
            command.env(FULL, "1");
        }
        command.arg("-B").args(arguments).current_dir(&source).env("PYTHONPATH", &site);
        command
    };
    let package = site.join("pairwright");
    let mut pytest = of_package(&["-m", "pytest", "-q", "-p", "no:cacheprovider", "--doctest-modules"]);
    // Documents of the book have examples too.
    pytest.args(["--doctest-glob=*.md", "tests", "../../docs/book/src/howto/python.md"]).arg(&package);
    if let Some(filter) = filter {
        pytest.args(["-k", filter]);
    }
    run_within(if args.full { LIMIT_FULL } else { LIMIT }, &mut pytest)?;
    if filter.is_none() {
        let mut types = of_package(&["-m", "mypy", "--config-file", "pyproject.toml"]);
        run_command(types.arg("--cache-dir").arg(place.join("mypy")).arg(&package))?;
        run_command(&mut of_package(&["-m", "mypy.stubtest", "pairwright._native"]))?;
    }
    Ok(())
}

/// Copies the source of the package to an empty folder.
fn assemble(from: &Path, to: &Path) -> Outcome {
    if to.exists() {
        fs::remove_dir_all(to).map_err(at(to))?;
    }
    fs::create_dir_all(to).map_err(at(to))?;
    for entry in fs::read_dir(from).map_err(at(from))? {
        let (path, kind) = entry
            .and_then(|entry| Ok((entry.path(), entry.file_type()?)))
            .map_err(|error| Failure(error.to_string()))?;
        let Some(name) = path.file_name().filter(|name| *name != "__pycache__") else { continue };
        let place = to.join(name);
        if kind.is_dir() { assemble(&path, &place)? } else { copy(&path, &place)? }
    }
    Ok(())
}
