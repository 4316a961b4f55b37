//! Rows and answers of models.

use crate::experiment::Answer;
use crate::report::{Kind, Row};

/// What our numbers are about, for their notes and units.
pub(crate) struct Place<'a> {
    /// What they say.
    pub(crate) what: &'a str,
    /// Of which operation: an axis of the figure.
    pub(crate) operation: &'a str,
    /// In what.
    pub(crate) unit: &'a str,
}

/// A row of a model's own.
pub(crate) fn modelled(place: &Place<'_>, series: &str, value: f64, note: &str) -> Row {
    Row {
        what: place.what.to_owned(),
        operation: place.operation.to_owned(),
        series: series.to_owned(),
        bits: None,
        log2_n: None,
        device: "model".to_owned(),
        published: None,
        ours: Some(value),
        median: None,
        ratio: None,
        unit: place.unit.to_owned(),
        kind: Kind::Modelled,
        note: note.to_owned(),
    }
}

/// An answer to a published number.
pub(crate) fn answer(key: &'static str, operation: &str, series: &str, value: f64, note: &str) -> Answer {
    Answer {
        key,
        operation: Some(operation.to_owned()),
        bits: None,
        log2_n: None,
        series: series.to_owned(),
        value,
        kind: None,
        note: note.to_owned(),
    }
}
