//! The file that `pairwright gpu report` writes: what was measured on a device, and what failed. The command writes it and
//! continues it; the lab reads it.

use crate::facts::Facts;
use crate::table::Table;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The contents of the file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measurements {
    /// The version of the program, with its commit.
    pub version: String,
    /// Facts about the device.
    pub device: Facts,
    /// The compiler's version, major and minor.
    pub compiler: (u32, u32),
    /// log2 of the largest size that was asked for.
    pub most: u32,
    /// The widths of products and figures that were asked for, in bits; empty for all.
    pub bits: Vec<u32>,
    /// Sections that are complete.
    pub done: Vec<String>,
    /// The day on which a section was measured last, in UTC as 2026-01-31, by the section's name.
    pub days: BTreeMap<String, String>,
    /// Instruction rates, latencies and copies, as [`crate::rates::Rates`] is written; none before they are measured.
    pub rates: Option<serde_json::Value>,
    /// Shapes of kernels that were searched; none before they are.
    pub tuning: Option<Table>,
    /// The measurements in the order in which they were made.
    pub lines: Vec<Line>,
    /// The measurements that failed, with the reason.
    pub faults: Vec<Fault>,
}

impl Measurements {
    /// The commit of the program that measured, as [`Self::version`] has it; `None` of a build that does not know it.
    pub fn commit(&self) -> Option<&str> {
        self.version.split_once("(commit ")?.1.strip_suffix(')')
    }
}

/// What was measured of an operator or a kernel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The section that it belongs to.
    pub section: String,
    /// What was computed.
    pub what: String,
    /// The place of the measurement in a figure of [MoMA]; none of what is in no figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Point>,
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
    pub predicted: Option<f64>,
    /// What this computer took for the same, on all its cores, in milliseconds; none where it did not compute it.
    pub host: Option<f64>,
    /// A unit of the work.
    pub unit: String,
    /// Nanoseconds of a unit.
    pub nanoseconds: f64,
}

impl Line {
    /// A kernel that is measured by the unit, which takes so many nanoseconds; it belongs to no section yet.
    pub fn by_unit(what: String, unit: &str, nanoseconds: f64) -> Self {
        Self { what, unit: unit.to_owned(), nanoseconds, ..Self::default() }
    }
}

/// The place of a measurement in a figure of [MoMA].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// The operation: `ntt`, or a vector operation by its name, as `vadd`.
    pub operation: String,
    /// The width class in bits; the modulus is four bits shorter.
    pub bits: u32,
    /// The target of the kernel with its recipe, as in "TARGET barrett".
    pub series: String,
}

/// Something that was not right, or did not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The section that it belongs to.
    pub section: String,
    /// What was to be computed.
    pub what: String,
    /// Why there is no measurement.
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
