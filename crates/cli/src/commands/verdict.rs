//! What verifiers of all protocols have in common.

use crate::args::Cli;
use crate::failure::Failure;
use crate::report::{Asked, say_done};
use pairwright::Boards;
use pairwright::formats::{FileBytes, read_public_of};
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
pub(super) struct Done {
    pub(super) curve: &'static str,
    pub(super) seconds: f64,
}

/// Says that a proof is valid.
pub(super) fn say_verified(cli: &Cli, done: &Done, asked: Asked<'_>) -> Result<(), Failure> {
    say_done(cli, done, asked, |d| format!("OK: the proof is valid ({})", d.curve))
}

/// Reads public values for a key that has about so many; a value not below the modulus is an alias of another and rejects
/// the proof.
pub(super) fn public_values<E: Boards>(path: &Path, count: usize) -> Result<Vec<E::Fr>, Failure> {
    read_public_of::<E::Fr>(FileBytes::open(path)?, count).map_err(Failure::of_proof)
}
