//! The rows of a result, as its CSV file keeps them.

use serde::{Deserialize, Serialize};

/// The source of the value in `ours`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Measured on this machine, in this run.
    Measured,
    /// Computed by a cycle or cost model.
    Modelled,
    /// Derived from other numbers by a formula.
    Estimated,
    /// Taken from the published number, or fitted to it: that both agree confirms nothing. Such a row has no ratio, and
    /// its value is in no picture.
    Calibrated,
    /// There is a published number and none of ours.
    #[default]
    Published,
}

/// One line of a result.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    /// The quantity, or the claim of the paper that is answered.
    pub what: String,
    /// The operation, design or track: a category of the figure.
    pub operation: String,
    /// The series: a target of ours with its recipe, GMP, or for a published number the paper's name of the system.
    pub series: String,
    /// The published system that the number of `series` answers; empty where the row answers nothing.
    pub beside: String,
    /// Width class in bits; the modulus is four bits shorter.
    pub bits: Option<u32>,
    /// Binary logarithm of the vector's or transform's length.
    pub log2_n: Option<u32>,
    /// The number on the horizontal axis, for figures over a quantity other than bits and lengths.
    pub x: Option<f64>,
    /// The quantity of `x` and its unit.
    pub x_name: String,
    /// Where our number is from: the machine that ran, "model", or "arithmetic" on printed numbers; empty if there is none.
    pub device: String,
    /// The machine of the published number; empty if there is none.
    pub published_device: String,
    /// The paper's number.
    pub published: Option<f64>,
    /// The number of this run: the minimum over the repeats, for a time.
    pub ours: Option<f64>,
    /// The median over the repeats, for a time.
    pub median: Option<f64>,
    /// `ours` over `published`; none in a calibrated row.
    pub ratio: Option<f64>,
    /// Unit of `published`, `ours` and `median`.
    pub unit: String,
    /// The source of `ours`.
    pub kind: Kind,
    /// Batch and layout of a measurement; place and wording of a published number.
    pub note: String,
}

/// The names of a number of ours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Labels<'a> {
    /// The quantity, as "latency of a proof".
    pub(crate) quantity: &'a str,
    /// The operation, design or track: a category of the figure.
    pub(crate) operation: &'a str,
    /// The unit, as "cycles".
    pub(crate) unit: &'a str,
}

impl Labels<'_> {
    /// A row of ours that answers no published number.
    pub(crate) fn row(&self, kind: Kind, device: &str, series: &str, value: f64, note: &str) -> Row {
        Row {
            what: self.quantity.to_owned(),
            operation: self.operation.to_owned(),
            series: series.to_owned(),
            device: device.to_owned(),
            ours: Some(value),
            unit: self.unit.to_owned(),
            kind,
            note: note.to_owned(),
            ..Row::default()
        }
    }

    /// The same for the value of a model.
    pub(crate) fn modelled(&self, series: &str, value: f64, note: &str) -> Row {
        self.row(Kind::Modelled, "model", series, value, note)
    }
}

/// A coordinate rounded to `digits` decimals: two designs at the same place then have the same number.
pub(crate) fn decimals(value: f64, digits: usize) -> f64 {
    format!("{value:.digits$}").parse().unwrap_or(value)
}
