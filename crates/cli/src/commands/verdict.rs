//! What verifiers of all protocols have in common.

use crate::args::Cli;
use crate::failure::Failure;
use crate::output;
use crate::report::OperatorReport;
use pairwright::Boards;
use pairwright::formats::{FileBytes, read_public_of};
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
pub(super) struct Done<'a> {
    pub(super) curve: &'static str,
    pub(super) seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) report: Option<OperatorReport<'a>>,
}

/// Says that a proof is valid.
pub(super) fn say_verified(cli: &Cli, done: &Done<'_>) -> Result<(), Failure> {
    output::print_done(cli, done, |d| {
        let line = format!("OK: the proof is valid ({})", d.curve);
        OperatorReport::under(line, d.report.as_ref())
    })
}

/// Reads public values for a key that has about so many; a value not below the modulus is an alias of another and rejects
/// the proof.
pub(super) fn public_values<E: Boards>(path: &Path, count: usize) -> Result<Vec<E::Fr>, Failure> {
    read_public_of::<E::Fr>(FileBytes::open(path)?, count).map_err(Failure::of_proof)
}
