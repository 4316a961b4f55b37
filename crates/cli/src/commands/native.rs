//! Runs a witness calculator that is a program, compiled from the C++ that circom writes.
//!
//! Such a program is called as `circuit input.json witness.wtns` and reads `circuit.dat` beside itself. Unlike a WebAssembly module
//! it runs without a sandbox, with the rights of the user who starts it. The witness that it writes is checked like any other file.

use crate::failure::{ArgumentError, Failure};
use crate::signals::{self, TemporaryFolder};
use pairwright::formats::FileBytes;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, Stdio};

/// The largest size of a witness in bytes: as many values as the format can count, of the widest field.
const MOST_WITNESS: u64 = (1 << 32) * 48;

/// Runs the program on a file of inputs and returns the witness file that it wrote, not parsed yet. The program's output, including
/// that of the circuit's `log`, goes to standard error.
pub(crate) fn run(program: &Path, input: &Path) -> Result<FileBytes, Failure> {
    let failed = |why| Failure::File { path: program.to_owned(), why };
    // Only the owner can read the folder, as the witness is secret.
    let folder = TemporaryFolder::make(None).map_err(failed)?;
    let output = folder.path().join("witness.wtns");
    // A name without a folder means a file in the working directory, and not a program in PATH.
    let path = fs::canonicalize(program).map_err(failed)?;
    let mut command = Command::new(path);
    command.arg(input).arg(&output).stdin(Stdio::inherit()).stdout(io::stderr());
    let status = signals::run(&mut command).map_err(failed)?;
    let ended = |how: String| ArgumentError::Calculator { path: program.to_owned(), how };
    if !status.success() {
        return Err(ended(status.to_string()).into());
    }
    let Ok(file) = File::open(&output) else {
        return Err(ended("it wrote no witness".to_owned()).into());
    };
    let mut bytes = Vec::new();
    file.take(MOST_WITNESS).read_to_end(&mut bytes).map_err(failed)?;
    Ok(FileBytes::from_vec(format!("what {} wrote", program.display()), bytes))
}
