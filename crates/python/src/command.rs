//! The command line program from Python: as a program, and as a function that returns the output of `--json`.

use crate::failure::raised;
use crate::work::work;
use pairwright_cli::{Caller, Failure};
use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command with the arguments that follow its name, and returns the object that `--json` prints, as JSON. Ctrl-C ends
/// it at the next progress report.
#[pyfunction]
pub(crate) fn call(py: Python<'_>, words: Vec<OsString>) -> PyResult<String> {
    work(py, None, |watch| pairwright_cli::call(&words, Caller { task_runner: None, stop: watch.stop() }))
}

/// Runs the command with the words of a command line, including its name, on the standard streams of the process. Returns its
/// exit code.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| pairwright_cli::exit_code(arguments))
}

/// The version of the library.
#[pyfunction]
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The name of the instruction set that the operators use.
#[pyfunction]
pub(crate) fn isa(py: Python<'_>) -> PyResult<String> {
    let isa = pairwright::cpu::isa().map_err(|why| raised(py, &Failure::bad(why)))?;
    Ok(format!("{isa:?}"))
}
