//! The account of a session: what ran, at which size, at what cost.

use crate::{Cost, Time};
use serde::Serialize;

/// One operator call.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// The phase of the protocol it belongs to.
    pub phase: &'static str,
    /// The operator, e.g. `msm_g1`.
    pub operator: &'static str,
    /// Number of elements.
    pub size: usize,
    /// Its cost.
    pub cost: Cost,
}

/// All operator calls of a session, in order.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The board's name.
    pub device: &'static str,
    /// The curve's name.
    pub curve: &'static str,
    /// The calls.
    pub records: Vec<Record>,
}

impl Report {
    /// Sum of the measured times in seconds; modelled cycles are not added to it.
    pub fn measured_seconds(&self) -> f64 {
        self.records
            .iter()
            .filter(|r| matches!(r.cost.time, Time::Measured(_)))
            .map(|r| r.cost.time.seconds())
            // Not `sum`, whose empty sum of floats is -0.0.
            .fold(0.0, |a, b| a + b)
    }

    /// Sum of the modelled times in seconds; measured times are not added to it.
    pub fn modelled_seconds(&self) -> f64 {
        self.records
            .iter()
            .filter(|r| matches!(r.cost.time, Time::Cycles { .. }))
            .map(|r| r.cost.time.seconds())
            // Not `sum`, whose empty sum of floats is -0.0.
            .fold(0.0, |a, b| a + b)
    }

    /// The share of a record in the times of its own kind, between 0 and 1.
    pub fn share(&self, record: &Record) -> f64 {
        let total = match record.cost.time {
            Time::Measured(_) => self.measured_seconds(),
            Time::Cycles { .. } => self.modelled_seconds(),
        };
        if total > 0.0 { record.cost.time.seconds() / total } else { 0.0 }
    }
}
