//! `cargo x interop`: tests of the command against other projects' tools, which are installed at pinned versions inside `interop/`.

use crate::artifacts::Artifacts;
use crate::opencl;
use crate::peers::{self, Packages};
use crate::process::{FULL, Failure, Outcome, at_root, require, root, run as run_command, run_within};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The environment variables with the paths of the programs under test, and the names of the programs.
const PROGRAMS: [(&str, &str); 2] = [("PAIRWRIGHT_BIN", "pairwright"), ("PAIRWRIGHT_ORACLE", "oracle")];

/// Time limit of the tests in one language; they take two to three minutes on two cores.
const LIMIT: Duration = Duration::from_secs(20 * 60);

#[derive(clap::Args, Default)]
pub(crate) struct Args {
    /// Only the tests whose file name contains this text
    filter: Option<String>,
    /// Also the tests that wait for it: circuits of tens of thousands of constraints, and second curves
    #[arg(long)]
    full: bool,
}

/// Installs the peers if they are missing or outdated, and runs the tests.
pub(crate) fn run(args: &Args) -> Outcome {
    let (built, filter) = (Artifacts::of_interop()?, args.filter.as_deref());
    require("node", "the interop tests (version 20 or newer)")?;
    let folder = peers::node()?;
    let python = Packages::Interop.python()?;
    let mut programs = Vec::new();
    if args.full {
        programs.push((FULL, "1".into()));
    }
    for (variable, name) in PROGRAMS {
        programs.push((variable, built.program(name)?));
    }
    let wanted = |name: &str| filter.is_none_or(|filter| name.contains(filter));
    if wanted("circl.test.mjs")
        && let Some(peer) = build_go_peer(&folder.join("go"))?
    {
        programs.push(("PAIRWRIGHT_CIRCL", peer));
    }

    if wanted("circuits") {
        run_command(at_root("node").args(["circuits/build.mjs", "--check"]))?;
    }
    let node_tests = files(&folder, |name| name.ends_with(".test.mjs") && wanted(name))?;
    if !node_tests.is_empty() {
        let mut node = Command::new("node");
        node.args(["--test", "--test-concurrency=1"]).args(&node_tests);
        // The variables are not set for Node itself, which would then also load from the folder of libraries.
        match opencl::environment() {
            Ok(variables) => {
                let variables: BTreeMap<_, _> = variables.into_iter().collect();
                let variables = serde_json::to_string(&variables).map_err(|why| Failure(why.to_string()))?;
                node.env("PAIRWRIGHT_OPENCL_DRIVER", variables);
            }
            Err(failure) => {
                println!("SKIPPED: {failure}; so snarkjs gets no proof of an OpenCL device")
            }
        }
        run_within(LIMIT, node.current_dir(&folder).envs(programs.clone()))?;
    }
    let python_tests =
        files(&folder, |name| name.starts_with("test_") && name.ends_with(".py") && wanted(name))?;
    if !python_tests.is_empty() {
        let mut pytest = Command::new(&python);
        pytest.args(["-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"]).args(&python_tests);
        run_within(LIMIT, pytest.current_dir(&folder).envs(programs))?;
    }
    Ok(())
}

/// Builds the program in Go, if Go is installed, and returns its path. Without Go, the tests that need it are skipped with a message.
fn build_go_peer(folder: &Path) -> Outcome<Option<PathBuf>> {
    if Command::new("go").arg("version").output().is_err() {
        println!("SKIPPED: Go is not installed, so nothing is compared with CIRCL");
        return Ok(None);
    }
    let peer = root().join("target").join(if cfg!(windows) { "circl-peer.exe" } else { "circl-peer" });
    run_command(Command::new("go").args(["build", "-o"]).arg(&peer).arg(".").current_dir(folder))?;
    Ok(Some(peer))
}

/// The sorted names of the files in `folder` that `wanted` selects.
fn files(folder: &Path, wanted: impl Fn(&str) -> bool) -> Outcome<Vec<String>> {
    let entries = std::fs::read_dir(folder).map_err(|error| Failure(format!("interop/: {error}")))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| wanted(name))
        .collect();
    names.sort();
    Ok(names)
}
