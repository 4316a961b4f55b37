//! The rows of a result, in the form of its CSV file.

use serde::{Deserialize, Serialize};

/// The kind of the value in `ours`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Measured on this machine, in this run.
    Measured,
    /// Computed by a cycle or cost model.
    Modelled,
    /// Computed from other numbers by a formula.
    Estimated,
    /// Taken from the published number, or fitted to it, so that their agreement confirms nothing. Such a row has no
    /// ratio, and its value is not plotted.
    Calibrated,
    /// Only a published number, without one of ours.
    #[default]
    Published,
}

/// One line of a result.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    /// The quantity, or the claim of the paper that is answered.
    pub what: String,
    /// The operation, design or track, which is a category of the figure.
    pub operation: String,
    /// The series: one of our targets with its recipe, GMP, or for a published number the paper's name of the system.
    pub series: String,
    /// The published system whose number the row answers; empty if the row answers nothing.
    pub beside: String,
    /// Width class in bits; the modulus is four bits shorter.
    pub bits: Option<u32>,
    /// Binary logarithm of the length of the vector or transform.
    pub log2_n: Option<u32>,
    /// The value on the horizontal axis, for figures over a quantity other than width and length.
    pub x: Option<f64>,
    /// The quantity of `x` and its unit.
    pub x_name: String,
    /// The source of our number: the machine, "model", or "arithmetic" on printed numbers; empty if there is none.
    pub device: String,
    /// The machine of the published number; empty if there is no published number.
    pub published_device: String,
    /// The paper's number.
    pub published: Option<f64>,
    /// The number of this run; for a time, the minimum over the repeats.
    pub ours: Option<f64>,
    /// The median over the repeats, for a time.
    pub median: Option<f64>,
    /// `ours` over `published`; `None` in a calibrated row.
    pub ratio: Option<f64>,
    /// Unit of `published`, `ours` and `median`.
    pub unit: String,
    /// The source of `ours`.
    pub kind: Kind,
    /// Batch and layout of a measurement; location and wording of a published number.
    pub note: String,
}

/// The labels of a number of ours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Labels<'a> {
    /// The quantity, such as "latency of a proof".
    pub(crate) quantity: &'a str,
    /// The operation, design or track, which is a category of the figure.
    pub(crate) operation: &'a str,
    /// The unit, such as "cycles".
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

    /// The row of a modelled value, which answers no published number.
    pub(crate) fn modelled(&self, series: &str, value: f64, note: &str) -> Row {
        self.row(Kind::Modelled, "model", series, value, note)
    }
}

/// A coordinate rounded to `digits` decimals, so that two designs at the same position have equal numbers.
pub(crate) fn decimals(value: f64, digits: usize) -> f64 {
    format!("{value:.digits$}").parse().unwrap_or(value)
}
