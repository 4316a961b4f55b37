//! The parts of verification that all protocols share.

use crate::args::Cli;
use crate::failure::Failure;
use crate::report::{RequestedReport, print_done_with_report};
use pairwright::Boards;
use pairwright::formats::{FileBytes, read_public_of};
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
pub(super) struct Done {
    pub(super) curve: &'static str,
    pub(super) seconds: f64,
}

/// Prints that a proof is valid.
pub(super) fn print_verified(cli: &Cli, done: &Done, requested: RequestedReport<'_>) -> Result<(), Failure> {
    print_done_with_report(cli, done, requested, |d| format!("OK: the proof is valid ({})", d.curve))
}

/// Reads public values for a key with about `count` of them. A value that is not below the modulus would be an alias of another one,
/// so that it is a rejection of the proof.
pub(super) fn public_values<E: Boards>(path: &Path, count: usize) -> Result<Vec<E::Fr>, Failure> {
    read_public_of::<E::Fr>(FileBytes::open(path)?, count).map_err(Failure::of_proof)
}
