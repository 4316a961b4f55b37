//! The section of a report on a device that is being measured, and the lines of the report as a table.

use crate::failure::Failure;
use crate::progress::Progress;
use pairwright::gpu::report::{Fault, Line, Measurements};
use std::time::Instant;

/// Heads of the columns of a report's lines.
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

/// How small a report is.
#[derive(Clone, Copy)]
pub(super) struct Extent<'a> {
    /// log2 of the largest size.
    pub(super) most: u32,
    /// The widths of products and figures; all that these have, if it is empty.
    pub(super) bits: &'a [u32],
}

impl Extent<'_> {
    /// Those of some widths that are to be measured.
    pub(super) fn of(self, widths: &[u32]) -> impl Iterator<Item = u32> {
        widths.iter().copied().filter(move |bits| self.bits.is_empty() || self.bits.contains(bits))
    }
}

/// Takes the lines of a section.
pub(crate) struct Section<'a> {
    pub(super) name: String,
    pub(super) report: &'a mut Measurements,
    pub(super) progress: &'a Progress,
    pub(super) end: Instant,
    /// Whether something was left out for lack of time.
    pub(super) cut: bool,
}

impl Section<'_> {
    /// Measures something while there is time, and keeps what was measured or why it was not.
    pub(super) fn line(
        &mut self,
        what: &str,
        log_size: Option<u32>,
        measure: impl FnOnce() -> Result<Line, Failure>,
    ) {
        self.lines(what, || Ok(vec![Line { what: what.to_owned(), log_size, ..measure()? }]));
    }

    /// The same for several measurements of one thing, each with its own name.
    pub(super) fn lines(&mut self, what: &str, measure: impl FnOnce() -> Result<Vec<Line>, Failure>) {
        self.cut |= Instant::now() >= self.end;
        if self.cut {
            return;
        }
        self.progress.say(what);
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

/// A line as cells of a table, without its section.
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

/// A product in registers, which takes so many nanoseconds.
pub(super) fn product(what: String, nanoseconds: f64) -> Line {
    Line::by_unit(what, "product", nanoseconds)
}
