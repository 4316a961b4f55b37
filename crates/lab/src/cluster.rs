//! Runs experiments on the workers of a Dask cluster through the Python package; each worker runs this program for one
//! experiment.

use pairwright_lab::LabError;
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The environment variable that names the Python interpreter with the package `pairwright`; the default is `python3`.
const PYTHON: &str = "PAIRWRIGHT_PYTHON";

/// Runs command lines of this program on the cluster at an address; returns the JSON object that each prints, in order.
///
/// # Errors
/// [`LabError::Cluster`] with the package's message, or with a description of an invalid answer.
pub(crate) fn run(address: &str, lines: &[Vec<String>]) -> Result<Vec<Value>, LabError> {
    let wrong = |why: String| LabError::Cluster(why);
    let text = serde_json::to_vec(lines).map_err(|why| wrong(why.to_string()))?;
    let program = std::env::current_exe().map_err(|why| wrong(why.to_string()))?;
    let python: PathBuf = std::env::var_os(PYTHON).unwrap_or_else(|| "python3".into()).into();
    let failed = |why: std::io::Error| wrong(format!("{}: {why}", python.display()));
    let mut child = Command::new(&python)
        .args(["-m", "pairwright._points", address, "--program"])
        .arg(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    // If the package is missing, nothing reads this input; its message is reported as the error.
    let _ = child.stdin.take().map(|mut to| to.write_all(&text));
    let done = child.wait_with_output().map_err(failed)?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no word");
        return Err(wrong(last.trim().trim_start_matches("pairwright: ").to_owned()));
    }
    let found: Vec<Value> = serde_json::from_slice(&done.stdout).map_err(|why| wrong(why.to_string()))?;
    if found.len() == lines.len() { Ok(found) } else { Err(wrong("an answer is missing".to_owned())) }
}
