//! The command from Python: as a program, and as a function that gives what `--json` prints.

use crate::failure::raised;
use crate::work::work;
use pairwright_cli::{Caller, Failure};
use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command with the words that follow its name, and gives the object that `--json` prints, as JSON. Ctrl-C ends it
/// where it says how far it is.
#[pyfunction]
pub(crate) fn call(py: Python<'_>, words: Vec<OsString>) -> PyResult<String> {
    work(py, None, |watch| pairwright_cli::call(&words, Caller { hands: None, stop: watch.stop() }))
}

/// Runs the command with the words of its line, its name first: it reads and writes the streams of the process. Gives its
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

/// The instructions that operators use, by the name of the set.
#[pyfunction]
pub(crate) fn isa(py: Python<'_>) -> PyResult<String> {
    let isa = pairwright::cpu::isa().map_err(|why| raised(py, &Failure::bad(why)))?;
    Ok(format!("{isa:?}"))
}
