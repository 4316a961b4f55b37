//! The section of a report on a device that is being written, and the formatting of its lines as rows of a table.

use crate::failure::Failure;
use crate::progress::Progress;
use pairwright::gpu::report::{Fault, Line, Measurements};
use std::time::Instant;

/// The column names of a report's lines.
pub(super) const HEAD: [&str; 10] = [
    "what",
    "log2 n",
    "ms",
    "copies, ms",
    "bound, ms",
    "predicted, ms",
    "ms/predicted",
    "host, ms",
    "ns",
    "a",
];

/// The sizes and widths to which a report is limited.
#[derive(Clone, Copy)]
pub(super) struct Extent<'a> {
    /// log2 of the largest size.
    pub(super) most: u32,
    /// The widths of products and figures in bits; all widths, if it is empty.
    pub(super) bits: &'a [u32],
}

impl Extent<'_> {
    /// Those of the given widths that are to be measured.
    pub(super) fn of(self, widths: &[u32]) -> impl Iterator<Item = u32> {
        widths.iter().copied().filter(move |bits| self.bits.is_empty() || self.bits.contains(bits))
    }
}

/// A section of a report, to which measurements are added.
pub(crate) struct Section<'a> {
    pub(super) name: String,
    pub(super) report: &'a mut Measurements,
    pub(super) progress: &'a Progress,
    pub(super) end: Instant,
    /// Whether a measurement was left out for lack of time.
    pub(super) cut: bool,
}

impl Section<'_> {
    /// Runs a measurement if there is time left, and adds its line, or the error as a fault.
    pub(super) fn line(
        &mut self,
        what: &str,
        log_size: Option<u32>,
        measure: impl FnOnce() -> Result<Line, Failure>,
    ) {
        self.lines(what, || Ok(vec![Line { what: what.to_owned(), log_size, ..measure()? }]));
    }

    /// As [`Section::line`], for a measurement that gives several lines, each with its own name.
    pub(super) fn lines(&mut self, what: &str, measure: impl FnOnce() -> Result<Vec<Line>, Failure>) {
        self.cut |= Instant::now() >= self.end;
        if self.cut {
            return;
        }
        self.progress.set_message(what);
        let section = || self.name.clone();
        match measure() {
            Ok(all) => {
                let all = all.into_iter().map(|line| Line { section: section(), ..line });
                self.report.lines.extend(all);
            }
            Err(error) => {
                let (what, error) = (what.to_owned(), error.to_string());
                self.report.faults.push(Fault { section: section(), what, error });
            }
        }
    }
}

/// The cells of a line, in the order of [`HEAD`].
pub(super) fn cells(line: &Line) -> [String; 10] {
    let number = |n: Option<f64>| n.map_or_else(String::new, |n| format!("{n:.3}"));
    [
        line.what.clone(),
        line.log_size.map_or_else(String::new, |n| n.to_string()),
        number(line.milliseconds),
        number(line.copies),
        number(line.bound),
        number(line.predicted),
        number(line.milliseconds.zip(line.predicted).map(|(found, predicted)| found / predicted)),
        number(line.host),
        format!("{:.4}", line.nanoseconds),
        line.unit.clone(),
    ]
}

/// The line of a product in registers, which takes this many nanoseconds.
pub(super) fn product(what: String, nanoseconds: f64) -> Line {
    Line::by_unit(what, "product", nanoseconds)
}
