//! Results as text or JSON on standard output, progress and warnings on standard error, and the formatting of tables and units.

use crate::args::Cli;
use crate::closed;
use crate::failure::Failure;
use serde::Serialize;
use std::io::{self, Stdout, Write};
use std::path::Path;
use std::sync::atomic::{AtomicI8, Ordering};

/// The verbosity on standard error: -1 for `--quiet`, 0 by default, 1 for `--verbose`.
static LEVEL: AtomicI8 = AtomicI8::new(0);

/// Sets the verbosity on standard error.
pub(crate) fn set_level(quiet: bool, verbose: bool) {
    LEVEL.store(i8::from(verbose) - i8::from(quiet), Ordering::Relaxed);
}

/// Whether every step is reported, as `--verbose` asks.
pub(crate) fn is_verbose() -> bool {
    LEVEL.load(Ordering::Relaxed) > 0
}

/// Whether progress and warnings are hidden, as `--quiet` asks.
pub(crate) fn is_quiet() -> bool {
    LEVEL.load(Ordering::Relaxed) < 0
}

/// Standard output. If the reader has closed its end of the pipe (`pairwright … | head`), further output is dropped without an
/// error. Every other error, of a full disk for instance, is reported.
pub(crate) struct StandardOutput {
    to: Stdout,
    gone: bool,
}

impl StandardOutput {
    pub(crate) fn new() -> Self {
        Self { to: io::stdout(), gone: false }
    }

    fn or_gone<T>(&mut self, done: io::Result<T>, dropped: T) -> io::Result<T> {
        match done {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => {
                self.gone = true;
                Ok(dropped)
            }
            other => other,
        }
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        closed::expect_standard_output()?;
        if self.gone {
            return Ok(bytes.len());
        }
        let done = self.to.write(bytes);
        self.or_gone(done, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.gone {
            return Ok(());
        }
        let done = self.to.flush();
        self.or_gone(done, ())
    }
}

/// The version of the objects that `--json` prints: it increases when a member is removed or changes its meaning.
pub(crate) const SCHEMA_VERSION: u32 = 1;

/// The object that `--json` prints: one for every command, whether it succeeded or failed.
#[derive(Serialize)]
pub(crate) struct Envelope<'a, T> {
    /// The version of this object's form.
    pub schema_version: u32,
    /// The command with its subcommand, `null` where none was recognised.
    pub command: Option<&'a str>,
    /// The outcome of the command: `ok`, `rejected`, `bad-input` or `internal`.
    pub status: &'static str,
    /// The warnings, one sentence each.
    pub warnings: Vec<String>,
    /// The command's result, or the reason of its failure; its members are members of this object.
    #[serde(flatten)]
    pub result: &'a T,
}

impl<'a, T: Serialize> Envelope<'a, T> {
    /// The object for a command line that was understood, with the given status and result.
    pub(crate) fn of(cli: &'a Cli, status: &'static str, result: &'a T) -> Self {
        let command = Some(cli.name.as_str());
        Self { schema_version: SCHEMA_VERSION, command, status, warnings: cli.warnings.take(), result }
    }

    /// The object as text.
    fn to_text(&self) -> Result<String, Failure> {
        serde_json::to_string_pretty(self).map_err(|e| Failure::Internal(e.into()))
    }

    pub(crate) fn print(&self) -> Result<(), Failure> {
        print_line(&self.to_text()?)
    }
}

/// Prints a result: as one JSON object, or as the text that `text` makes of it, after the warnings. When the command writes one of
/// its files to standard output, the text goes to standard error.
///
/// # Errors
/// When standard output cannot be written, or when the result cannot be serialised, which is an internal error.
pub(crate) fn print<T: Serialize>(
    cli: &Cli,
    value: &T,
    text: impl FnOnce(&T) -> String,
) -> Result<(), Failure> {
    if cli.json {
        let object = Envelope::of(cli, "ok", value).to_text()?;
        return cli.answer.keep(object).map_or(Ok(()), |object| print_line(&object));
    }
    print_text(cli, &text(value))
}

/// Prints the warnings, a line each.
pub(crate) fn warn(cli: &Cli) {
    for sentence in cli.warnings.take().iter().filter(|_| !is_quiet()) {
        eprint_line(&format!("warning: {sentence}"));
    }
}

/// Prints a text after the warnings, as [`print`] does.
fn print_text(cli: &Cli, text: &str) -> Result<(), Failure> {
    warn(cli);
    if cli.files.to_standard_output().is_none() {
        return print_line(text);
    }
    if !is_quiet() {
        eprint_line(text);
    }
    Ok(())
}

/// [`print`] for commands whose result is an action, such as a written file, that the exit code reports as well: with `--quiet`
/// nothing is printed, unless as JSON.
///
/// # Errors
/// As [`print`].
pub(crate) fn print_done<T: Serialize>(
    cli: &Cli,
    value: &T,
    text: impl FnOnce(&T) -> String,
) -> Result<(), Failure> {
    if cli.json || !is_quiet() { print(cli, value, text) } else { Ok(()) }
}

/// [`print`] for a result that is shown, or [`print_done`] where the result has been written to a file.
///
/// # Errors
/// As [`print`].
pub(crate) fn print_unless_in<T: Serialize>(
    cli: &Cli,
    file: Option<&Path>,
    value: &T,
    text: impl FnOnce(&T) -> String,
) -> Result<(), Failure> {
    if file.is_some() { print_done(cli, value, text) } else { print(cli, value, text) }
}

/// Prints a line.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn print_line(line: &str) -> Result<(), Failure> {
    let mut out = StandardOutput::new();
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(Failure::Output)
}

/// Prints a line on standard error. A failure to write there is ignored.
pub(crate) fn eprint_line(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// A text table whose columns are aligned under their names: the first `left` columns to the left, the others to the right. If
/// `head` is empty, there is no header line.
pub(crate) fn table(left: usize, head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let head = head.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let head = Some(head).filter(|head| !head.is_empty());
    let rows: Vec<Vec<String>> = head.into_iter().chain(rows).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| rows.iter().filter_map(|r| r.get(c)).map(|s| s.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(i, (cell, &w))| if i < left { format!("{cell:<w$}") } else { format!("{cell:>w$}") });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A duration, given in seconds, in the unit that suits its size.
pub(crate) fn seconds(s: f64) -> String {
    match s {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.1} ms", s * 1e3),
        s => format!("{:.0} us", s * 1e6),
    }
}

/// A share, from 0 to 1, as a percentage.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A number as a percentage of the whole that it is a part of; a whole of 0 counts as 1.
pub(crate) fn percent_of(part: u64, whole: u64) -> String {
    percent(part as f64 / whole.max(1) as f64)
}

/// A size, given in bytes, in the binary multiple that suits it.
pub(crate) fn bytes(n: u64) -> String {
    match n {
        n if n >= 1 << 30 => format!("{:.2} GiB", n as f64 / f64::from(1 << 30)),
        n if n >= 1 << 20 => format!("{:.1} MiB", n as f64 / f64::from(1 << 20)),
        n if n >= 1 << 10 => format!("{:.1} KiB", n as f64 / f64::from(1 << 10)),
        n => format!("{n} B"),
    }
}

/// An energy, given in joules, in the unit that suits its size.
pub(crate) fn joules(j: f64) -> String {
    match j {
        j if j >= 1.0 => format!("{j:.2} J"),
        j if j >= 1e-3 => format!("{:.2} mJ", j * 1e3),
        j => format!("{:.1} uJ", j * 1e6),
    }
}
