//! The file that `pairwright gpu report` writes: the measurements of a device, and those that failed. The command
//! writes and continues the file; the lab reads it.

use crate::facts::Facts;
use crate::table::Table;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The contents of a report file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measurements {
    /// The version of the program, with its commit.
    pub version: String,
    /// Facts about the device.
    pub device: Facts,
    /// Version of the compiler, major and minor.
    pub compiler: (u32, u32),
    /// log2 of the largest size that was asked for.
    pub most: u32,
    /// The widths of products and figures that were asked for, in bits; empty for all.
    pub bits: Vec<u32>,
    /// Sections that are complete.
    pub done: Vec<String>,
    /// For each section by name the day on which it was last measured, in UTC as 2026-01-31.
    pub days: BTreeMap<String, String>,
    /// Instruction rates, latencies and copies, in the form of [`crate::rates::Rates`]; `None` before they are
    /// measured.
    pub rates: Option<serde_json::Value>,
    /// Shapes of kernels found by a search; `None` before the search.
    pub tuning: Option<Table>,
    /// The measurements in the order in which they were made.
    pub lines: Vec<Line>,
    /// The measurements that failed, with the reason.
    pub faults: Vec<Fault>,
}

impl Measurements {
    /// The commit of the program that measured, from [`Self::version`]; `None` if that build does not know it.
    pub fn commit(&self) -> Option<&str> {
        self.version.split_once("(commit ")?.1.strip_suffix(')')
    }
}

/// A measurement of an operator or a kernel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The section that it belongs to.
    pub section: String,
    /// The operation that was measured.
    pub what: String,
    /// The point of a figure of \[MoMA\] that the measurement belongs to; `None` for measurements that are in no figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Point>,
    /// log2 of the size; `None` for kernels without a size.
    pub log_size: Option<u32>,
    /// The time of the median run on the device, in milliseconds, without copies from and to the host; `None` for
    /// kernels that are measured per unit.
    pub milliseconds: Option<f64>,
    /// The time of its copies, in milliseconds; `None` for kernels that are measured per unit.
    pub copies: Option<f64>,
    /// The least time in which the multipliers of the device can compute the products, in milliseconds; `None` if the
    /// products are not counted.
    pub bound: Option<f64>,
    /// The time that the model of the device predicts, without the host's part, in milliseconds; `None` for operations
    /// outside of the model.
    pub predicted: Option<f64>,
    /// The time of the same operation on all cores of the host, in milliseconds; `None` if the host did not compute it.
    pub host: Option<f64>,
    /// Name of the unit of work.
    pub unit: String,
    /// Nanoseconds per unit.
    pub nanoseconds: f64,
}

impl Line {
    /// A line for a kernel that is measured per unit, without a section.
    pub fn by_unit(what: String, unit: &str, nanoseconds: f64) -> Self {
        Self { what, unit: unit.to_owned(), nanoseconds, ..Self::default() }
    }
}

/// The point of a figure of \[MoMA\] that a measurement belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// The operation: `ntt`, or a vector operation by its name, as `vadd`.
    pub operation: String,
    /// The width class in bits; the modulus is four bits shorter.
    pub bits: u32,
    /// The target of the kernel with its reduction, as in "TARGET barrett".
    pub series: String,
}

/// A measurement that failed or gave a wrong result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The section that it belongs to.
    pub section: String,
    /// The operation that was to be measured.
    pub what: String,
    /// The reason why there is no measurement.
    pub error: String,
}

/// The name of the section whose lines are points of figures.
pub const FIGURES: &str = "figures";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_says_its_commit_where_it_knows_it() {
        let of = |version: &str| Measurements { version: version.to_owned(), ..Measurements::default() };
        assert_eq!(of("0.1.0 (commit 4b1bc7d32282)").commit(), Some("4b1bc7d32282"));
        assert_eq!(of("0.1.0 (development build)").commit(), None);
    }
}
