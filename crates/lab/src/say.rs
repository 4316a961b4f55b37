//! Lines on standard output, whose reader may have gone away.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};

/// Prints a line as `println!` does. A reader who has gone away (`lab list | head`) wants no more of it, and an experiment that
/// runs goes on; every other error ends the program with a failure.
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
