//! Text or JSON on standard output, words on standard error, and tables.

use crate::args::Cli;
use crate::closed;
use crate::failure::Failure;
use serde::Serialize;
use std::io::{self, Stdout, Write};
use std::path::Path;
use std::sync::atomic::{AtomicI8, Ordering};

/// How much is said on standard error: -1 for `--quiet`, 1 for `--verbose`.
static LEVEL: AtomicI8 = AtomicI8::new(0);

/// Chooses how much is said on standard error.
pub(crate) fn set_level(quiet: bool, verbose: bool) {
    LEVEL.store(i8::from(verbose) - i8::from(quiet), Ordering::Relaxed);
}

/// Whether every step is said.
pub(crate) fn tells_all() -> bool {
    LEVEL.load(Ordering::Relaxed) > 0
}

/// Whether progress and warnings are shown.
pub(crate) fn talks() -> bool {
    LEVEL.load(Ordering::Relaxed) >= 0
}

/// Standard output. A reader who has gone away (`pairwright … | head`) is no error of ours: what they do not want is
/// dropped. Every other error, of a full disk for instance, is one.
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

/// The version of the objects that `--json` prints: it grows when a member goes or changes its meaning.
pub(crate) const SCHEMA_VERSION: u32 = 1;

/// What `--json` prints: one object, whatever the command and however it ended.
#[derive(Serialize)]
pub(crate) struct Envelope<'a, T> {
    /// The version of this object's form.
    pub schema_version: u32,
    /// The command with its subcommand, `null` where none was recognised.
    pub command: Option<&'a str>,
    /// How it ended: `ok`, `rejected`, `bad-input` or `internal`.
    pub status: &'static str,
    /// What a user should know, a sentence each.
    pub warnings: Vec<String>,
    /// What the command found out, or why it failed.
    #[serde(flatten)]
    pub result: &'a T,
}

impl<'a, T: Serialize> Envelope<'a, T> {
    /// The object of a command that ran.
    pub(crate) fn of(cli: &'a Cli, status: &'static str, result: &'a T) -> Self {
        let command = Some(cli.name.as_str());
        Self { schema_version: SCHEMA_VERSION, command, status, warnings: cli.warnings.take(), result }
    }

    /// The object as text.
    fn to_text(&self) -> Result<String, Failure> {
        serde_json::to_string_pretty(self).map_err(|e| Failure::Internal(e.into()))
    }

    pub(crate) fn say(&self) -> Result<(), Failure> {
        say(&self.to_text()?)
    }
}

/// Prints a result: as one JSON object, or as the text that `text` makes of it, after its warnings. When standard output
/// is one of the files that the command writes, the text goes to standard error.
///
/// # Errors
/// When standard output cannot be written, or the result cannot be serialised, which is a fault of ours.
pub(crate) fn print<T: Serialize>(
    cli: &Cli,
    value: &T,
    text: impl FnOnce(&T) -> String,
) -> Result<(), Failure> {
    if cli.json {
        let object = Envelope::of(cli, "ok", value).to_text()?;
        return cli.answer.keep(object).map_or(Ok(()), |object| say(&object));
    }
    print_text(cli, &text(value))
}

/// Prints the warnings, a line each.
pub(crate) fn warn(cli: &Cli) {
    for sentence in cli.warnings.take().iter().filter(|_| talks()) {
        tell(&format!("warning: {sentence}"));
    }
}

/// Prints a text after the warnings, as [`print`] does.
fn print_text(cli: &Cli, text: &str) -> Result<(), Failure> {
    warn(cli);
    if cli.command.files().to_standard_output().is_none() {
        return say(text);
    }
    if talks() {
        tell(text);
    }
    Ok(())
}

/// [`print`] for what a command did rather than found out, which its exit code says too: nothing with `--quiet`.
///
/// # Errors
/// As [`print`].
pub(crate) fn print_done<T: Serialize>(
    cli: &Cli,
    value: &T,
    text: impl FnOnce(&T) -> String,
) -> Result<(), Failure> {
    if cli.json || talks() { print(cli, value, text) } else { Ok(()) }
}

/// [`print`] for what a command found, or [`print_done`] where that has gone to a file.
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
pub(crate) fn say(line: &str) -> Result<(), Failure> {
    let mut out = StandardOutput::new();
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(Failure::Output)
}

/// Says something on standard error. A failure to write there is ignored.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Columns aligned under their names: the first `left` of them to the left, the others to the right. Without names there is no line
/// of them.
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

/// A duration in the unit a reader expects.
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

/// The same of a number and the whole that it is a part of.
pub(crate) fn percent_of(part: u64, whole: u64) -> String {
    percent(part as f64 / whole.max(1) as f64)
}

/// A size in the unit a reader expects (binary multiples).
pub(crate) fn bytes(n: u64) -> String {
    match n {
        n if n >= 1 << 30 => format!("{:.2} GiB", n as f64 / f64::from(1 << 30)),
        n if n >= 1 << 20 => format!("{:.1} MiB", n as f64 / f64::from(1 << 20)),
        n if n >= 1 << 10 => format!("{:.1} KiB", n as f64 / f64::from(1 << 10)),
        n => format!("{n} B"),
    }
}

/// An energy in the unit a reader expects.
pub(crate) fn joules(j: f64) -> String {
    match j {
        j if j >= 1.0 => format!("{j:.2} J"),
        j if j >= 1e-3 => format!("{:.2} mJ", j * 1e3),
        j => format!("{:.1} uJ", j * 1e6),
    }
}
