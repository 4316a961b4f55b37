//! Output to standard output that tolerates a closed pipe.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};

/// Prints a line like `println!`. If the reader has closed the pipe (`lab list | head`), output is dropped and a
/// running experiment continues; any other error ends the program with a failure.
macro_rules! say {
    ($($text:tt)*) => { crate::say::line(format_args!($($text)*)) };
}

pub(crate) fn line(text: Arguments<'_>) {
    match writeln!(std::io::stdout(), "{text}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("lab: standard output: {error}");
            std::process::exit(1);
        }
        _ => {}
    }
}
