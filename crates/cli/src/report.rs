//! The cost of every operator, for `--report` and for tables.

use crate::output;
use pairwright::device::{Cost, Report};
use serde::Serialize;

/// A session's account with shares.
#[derive(Serialize)]
pub(crate) struct OperatorReport<'a> {
    /// Device.
    pub device: &'static str,
    /// Curve.
    pub curve: &'static str,
    /// Sum of the measured times.
    pub measured_seconds: f64,
    /// Sum of the modelled times, never added to the measured ones.
    pub modelled_seconds: f64,
    /// The operators in order.
    pub operators: Vec<Row<'a>>,
}

/// One operator.
#[derive(Serialize)]
pub(crate) struct Row<'a> {
    /// Phase of the protocol.
    pub phase: &'static str,
    /// Operator.
    pub operator: &'static str,
    /// Elements.
    pub size: usize,
    /// Time in seconds, of the kind that `cost` states.
    pub seconds: f64,
    /// Share of the times of its kind, 0 to 1.
    pub share: f64,
    /// Bytes of operands read and results written.
    pub bytes: u64,
    /// The whole account.
    pub cost: &'a Cost,
}

impl<'a> OperatorReport<'a> {
    /// With shares.
    pub(crate) fn new(report: &'a Report) -> Self {
        let row = |r: &'a pairwright::device::Record| Row {
            phase: r.phase,
            operator: r.operator,
            size: r.size,
            seconds: r.cost.time.seconds(),
            share: report.share(r),
            bytes: r.cost.bytes.read + r.cost.bytes.written,
            cost: &r.cost,
        };
        Self {
            device: report.device,
            curve: report.curve,
            measured_seconds: report.measured_seconds(),
            modelled_seconds: report.modelled_seconds(),
            operators: report.records.iter().map(row).collect(),
        }
    }

    /// Rows of a table: phase, operator, size, time, bytes, share.
    pub(crate) fn rows(&self) -> Vec<Vec<String>> {
        let head = ["  phase", "operator", "size", "time", "bytes", "share"].map(str::to_owned).to_vec();
        let row = |r: &Row<'_>| {
            vec![
                format!("  {}", r.phase),
                r.operator.to_owned(),
                r.size.to_string(),
                output::seconds(r.seconds),
                output::bytes(r.bytes),
                format!("{:.0} %", 100.0 * r.share),
            ]
        };
        std::iter::once(head).chain(self.operators.iter().map(row)).collect()
    }
}
