//! Runs a witness calculator that circom wrote in C++ and a compiler made a program of.
//!
//! Such a program is called as `circuit input.json witness.wtns` and reads `circuit.dat` beside itself. Unlike a module of
//! WebAssembly it runs without a sandbox, with the rights of the user who starts it. What it writes is read as any file
//! is.

use crate::failure::{ArgumentError, Failure};
use crate::signals::{self, TemporaryFolder};
use pairwright::formats::FileBytes;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, Stdio};

/// Most bytes of a witness: what the format can count, of the widest field.
const MOST_WITNESS: u64 = (1 << 32) * 48;

/// Runs the program on a file of inputs and gives the witness file that it wrote, not looked at yet. What the program says,
/// the circuit's `log` among it, goes to standard error.
pub(crate) fn run(program: &Path, input: &Path) -> Result<FileBytes, Failure> {
    let failed = |why| Failure::File { path: program.to_owned(), why };
    // The owner's alone, as the witness is a secret.
    let folder = TemporaryFolder::make(None).map_err(failed)?;
    let output = folder.path().join("witness.wtns");
    // A name without a folder means a file here, and not one of the programs in PATH.
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
