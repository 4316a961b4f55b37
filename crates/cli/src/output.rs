//! Text or JSON on standard output, and tables.

use crate::failure::Failure;
use serde::Serialize;
use std::io::Write;

/// Prints a result: as one JSON object, or as the text that `text` makes of it.
///
/// # Errors
/// When the result cannot be serialised, which is a fault of ours.
pub(crate) fn print<T: Serialize>(
    json: bool,
    value: &T,
    text: impl FnOnce(&T) -> String,
) -> Result<(), Failure> {
    if json {
        let line = serde_json::to_string_pretty(value).map_err(|e| Failure::Internal(e.into()))?;
        say(&line);
    } else {
        say(&text(value));
    }
    Ok(())
}

/// Prints a line. A reader who has gone away (`pairwright … | head`) is no error of ours.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Columns aligned: the first `left` of them to the left, the others to the right.
pub(crate) fn table(left: usize, rows: &[Vec<String>]) -> String {
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
