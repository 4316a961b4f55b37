//! Reads files up to a limit, so that an endless pipe or device does not exhaust memory.

use crate::WitnessError;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Largest size of a module in bytes: WebAssembly's own limit, which the engines share.
const MOST_MODULE: u64 = 1 << 30;
/// Largest size of an input file in bytes, which suffices for some millions of values.
pub(crate) const MOST_INPUTS: u64 = 256 << 20;

/// Reads a module; if the file does not begin with `magic`, only its first bytes are read.
pub(crate) fn module(path: &Path, magic: &[u8]) -> Result<Vec<u8>, WitnessError> {
    let mut file = open(path)?;
    let mut bytes = Vec::new();
    more(path, &mut file, &mut bytes, magic.len().try_into().unwrap_or(u64::MAX))?;
    if bytes == magic {
        at_most(path, &mut file, &mut bytes, MOST_MODULE, "a WebAssembly module")?;
    }
    Ok(bytes)
}

/// Reads an input file.
pub(crate) fn inputs(path: &Path) -> Result<String, WitnessError> {
    let mut bytes = Vec::new();
    at_most(path, &mut open(path)?, &mut bytes, MOST_INPUTS, "inputs")?;
    String::from_utf8(bytes).map_err(|_| {
        let why = io::Error::new(io::ErrorKind::InvalidData, "the text is not UTF-8");
        WitnessError::File { path: path.to_owned(), why }
    })
}

fn open(path: &Path) -> Result<File, WitnessError> {
    open_input(path).map_err(|why| WitnessError::File { path: path.to_owned(), why })
}

/// Opens a file. The names of standard input are mapped to the open descriptor itself, which may be a socket.
fn open_input(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    if ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].iter().any(|name| path == Path::new(name)) {
        use std::os::fd::AsFd;
        return Ok(io::stdin().as_fd().try_clone_to_owned()?.into());
    }
    File::open(path)
}

/// Reads the rest of a file, and fails if it is larger than `most` bytes.
fn at_most(
    path: &Path,
    file: &mut File,
    bytes: &mut Vec<u8>,
    most: u64,
    what: &'static str,
) -> Result<(), WitnessError> {
    let too_large = || WitnessError::TooLarge { path: path.to_owned(), what, most };
    // The length of a regular file is known, so one that is too large is refused before it is read.
    if file.metadata().is_ok_and(|about| about.is_file() && about.len() > most) {
        return Err(too_large());
    }
    if more(path, file, bytes, most.saturating_add(1))? > most { Err(too_large()) } else { Ok(()) }
}

/// Reads `count` bytes or to the end; memory is allocated for the bytes received.
fn more(path: &Path, file: &mut File, bytes: &mut Vec<u8>, count: u64) -> Result<u64, WitnessError> {
    let read = file.take(count).read_to_end(bytes);
    let read = read.map_err(|why| WitnessError::File { path: path.to_owned(), why })?;
    Ok(read.try_into().unwrap_or(u64::MAX))
}
