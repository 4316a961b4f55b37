//! The report on a device: its measurements, its faults, and the section that is being measured.

use crate::failure::Failure;
use crate::progress::Progress;
use pairwright::gpu::table::Table;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Instant;

/// What was measured of an operator or a kernel.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    /// The section that it belongs to.
    pub section: String,
    /// What was computed.
    pub what: String,
    /// log2 of the size; none of kernels without one.
    pub log_size: Option<u32>,
    /// The time of the median run on the device, in milliseconds, without copies from and to the host; none of kernels that are
    /// measured by the unit.
    pub milliseconds: Option<f64>,
    /// The time of its copies, in milliseconds; none as above.
    pub copies: Option<f64>,
    /// The least time in which the multipliers of the device can do the products, in milliseconds; none where they are not
    /// counted.
    pub bound: Option<f64>,
    /// The time that the model of the device predicts for it, without the host's part, in milliseconds; none of what it does not
    /// know.
    #[serde(default)]
    pub predicted: Option<f64>,
    /// What this computer took for the same, on all its cores, in milliseconds; none where it did not compute it.
    pub host: Option<f64>,
    /// A unit of the work.
    pub unit: String,
    /// Nanoseconds of a unit.
    pub nanoseconds: f64,
}

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

/// Something that was not right, or did not run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Fault {
    /// The section that it belongs to.
    pub section: String,
    /// What was to be computed.
    pub what: String,
    /// Why there is no measurement.
    pub error: String,
}

/// The contents of the file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Report {
    /// The version of this program, with its commit.
    pub(super) version: String,
    /// Facts about the device.
    pub(super) device: Value,
    /// The compiler's version.
    pub(super) compiler: (u32, u32),
    /// Sections that are complete.
    pub(super) done: Vec<String>,
    /// Instruction rates, latencies and copies, once they are measured.
    pub(super) rates: Option<Value>,
    /// Shapes of kernels that were searched, once they are.
    #[serde(default)]
    pub(super) tuning: Option<Table>,
    /// The measurements in the order in which they were made.
    pub(super) lines: Vec<Line>,
    /// The measurements that failed, with the reason.
    pub(super) faults: Vec<Fault>,
}

/// Takes the lines of a section.
pub(crate) struct Section<'a> {
    pub(super) name: String,
    pub(super) report: &'a mut Report,
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

impl Line {
    /// The line as cells of a table, without its section.
    pub(super) fn cells(&self) -> [String; 10] {
        let number = |n: Option<f64>| n.map_or_else(String::new, |n| format!("{n:.3}"));
        [
            self.what.clone(),
            self.log_size.map_or_else(String::new, |n| n.to_string()),
            number(self.milliseconds),
            number(self.copies),
            number(self.bound),
            number(self.predicted),
            number(self.milliseconds.zip(self.predicted).map(|(found, predicted)| found / predicted)),
            number(self.host),
            format!("{:.4}", self.nanoseconds),
            self.unit.clone(),
        ]
    }

    /// A product in registers, which takes so many nanoseconds.
    pub(super) fn product(what: String, nanoseconds: f64) -> Self {
        Self {
            section: String::new(),
            what,
            log_size: None,
            milliseconds: None,
            copies: None,
            bound: None,
            predicted: None,
            host: None,
            unit: "product".to_owned(),
            nanoseconds,
        }
    }
}
