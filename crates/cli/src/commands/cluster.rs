//! Work on a Dask cluster through the Python package: the tasks of `pairwright prove --cluster`, and the points of `pairwright sim
//! --sweep --cluster`.

use crate::args::{Cli, Prove};
use crate::failure::{ArgumentError, Failure};
use crate::output;
use crate::progress::Progress;
use crate::signals;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Output};

/// The environment variable that names the Python interpreter with the package `pairwright`; the default is `python3`.
const PYTHON: &str = "PAIRWRIGHT_PYTHON";

/// The package's result for a proof.
#[derive(Serialize, Deserialize)]
struct Done {
    curve: String,
    wires: usize,
    public: usize,
    domain: usize,
    /// Wall-clock seconds of each phase.
    seconds: BTreeMap<String, Option<f64>>,
    plan: serde_json::Value,
    /// Number of tasks that each worker has done.
    workers: BTreeMap<String, usize>,
    /// Number of tasks that were late and run a second time.
    repeated: usize,
    /// Number of tasks that another worker has repeated with the same result.
    audited: usize,
}

/// Proves on the cluster at an address.
pub(super) fn prove_on(cli: &Cli, args: &Prove, address: &str) -> Result<(), Failure> {
    let options = &args.options.out_of_core;
    // The parser requires both with the address.
    let (Some(memory), Some(work), Some(witness)) = (options.memory, &options.work, &args.witness) else {
        return Err(ArgumentError::ClusterWitness.into());
    };
    let python = python();
    let mut command = Command::new(&python);
    command.args(["-m", "pairwright.scale", "--json", "--quiet", "--cluster", address]);
    command.arg("--memory").arg(memory.0.to_string()).arg("--parts").arg(options.parts.to_string());
    let path = |command: &mut Command, option: &str, path: &Path| _ = command.arg(option).arg(path);
    path(&mut command, "--work", work);
    path(&mut command, "--output", &args.output);
    path(&mut command, "--public", &args.public);
    if let Some(shards) = &options.shards {
        path(&mut command, "--shards", shards);
    }
    if let Some(seed) = &args.options.seed {
        command.arg("--seed").arg(seed);
    }
    if options.audit {
        command.arg("--audit");
    }
    let progress = Progress::new(0, "prove on the cluster");
    let done = signals::output(command.arg(&*args.zkey).arg(&**witness), &[]);
    drop(progress);
    let done: Done = answer(done, python)?;
    output::print_done(cli, &done, |d| {
        let (prove, tasks) = (d.seconds.get("prove").copied().flatten(), d.workers.values().sum::<usize>());
        format!(
            "{}: proof by {} workers, which did {tasks} tasks, in {}",
            args.output.display(),
            d.workers.len(),
            output::seconds(prove.unwrap_or_default())
        )
    })
}

/// Runs command lines on the cluster at an address; returns the object that each one prints, in order.
pub(super) fn run_lines(
    address: &str,
    cache: Option<&Path>,
    lines: &[Vec<String>],
) -> Result<Vec<serde_json::Value>, Failure> {
    let text = serde_json::to_vec(lines).map_err(|why| Failure::Internal(why.into()))?;
    let python = python();
    let mut command = Command::new(&python);
    command.args(["-m", "pairwright._points", address]);
    if let Some(cache) = cache {
        command.arg("--cache").arg(cache);
    }
    let found: Vec<serde_json::Value> = answer(signals::output(&mut command, &text), python)?;
    let short = || Failure::Internal("the cluster has not answered every line".into());
    if found.len() == lines.len() { Ok(found) } else { Err(short()) }
}

/// The Python interpreter to run.
fn python() -> OsString {
    std::env::var_os(PYTHON).unwrap_or_else(|| "python3".into())
}

/// Reads the object that the package has printed.
fn answer<T: serde::de::DeserializeOwned>(
    done: std::io::Result<Output>,
    python: OsString,
) -> Result<T, Failure> {
    let done = done.map_err(|why| Failure::File { path: python.into(), why })?;
    if !done.status.success() {
        return Err(failure(done.status.code(), &String::from_utf8_lossy(&done.stderr)));
    }
    serde_json::from_slice(&done.stdout).map_err(|why| Failure::Internal(why.into()))
}

/// The failure of the package, from its exit code, which has the same meaning as the command's, and its last line of output.
fn failure(code: Option<i32>, said: &str) -> Failure {
    let line = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no word").trim();
    let text = line.trim_start_matches("pairwright: ").trim_start_matches("rejected: ").to_owned();
    match code {
        Some(1) if line.starts_with("pairwright: rejected: ") => Failure::Rejected(text.into()),
        Some(2) if line.starts_with("pairwright: ") => Failure::bad(text),
        Some(3) => Failure::Internal(text.into()),
        _ => ArgumentError::ClusterPackage(text).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    #[test]
    fn what_the_package_says_is_the_commands_failure() {
        let of = |code, said: &str| failure(Some(code), said);
        let rejected = of(1, "INFO\npairwright: rejected: the proof\n");
        assert!(matches!(rejected, Failure::Rejected(ref why) if why.to_string() == "the proof"));
        assert!(
            matches!(of(2, "pairwright: c.zkey: no such file"), Failure::BadInput(ref why) if why.to_string() == "c.zkey: no such file")
        );
        assert_eq!(of(3, "pairwright: it broke").kind(), Kind::Internal);
        // This is the message of Python itself when the package is not installed.
        let none = of(1, "python3: No module named pairwright\n").to_string();
        assert!(none.contains("No module named pairwright") && none.contains("PAIRWRIGHT_PYTHON"), "{none}");
    }
}
