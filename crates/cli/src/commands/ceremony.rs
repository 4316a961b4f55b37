//! What the commands on ceremonies have in common.

use crate::failure::Failure;
use pairwright::formats::{CurveId, FileBytes, probe};
use serde::Serialize;
use std::path::Path;

/// Opens powers of tau or another file that names its curve.
pub(super) fn open(path: &Path) -> Result<(FileBytes, CurveId), Failure> {
    let file = FileBytes::open(path)?;
    let curve = probe(&file)?.curve()?;
    Ok((file, curve))
}

/// What is said of powers that were written.
#[derive(Serialize)]
pub(super) struct Written {
    pub(super) curve: &'static str,
    pub(super) power: u32,
    /// The hash of the contribution, which is for the contributor to publish; none of powers that begin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hash: Option<String>,
    /// The hash that the next contribution begins with.
    pub(super) next_challenge: String,
    pub(super) seconds: f64,
}
