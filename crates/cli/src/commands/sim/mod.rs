//! `pairwright sim`: programs on modelled machines.

mod axes;
mod pairing;
mod picture;
mod program;
mod sweep;

use crate::args::{Cli, Sim};
use crate::failure::Failure;

pub(crate) use axes::Axis;

/// Runs.
pub(crate) fn run(cli: &Cli, what: &Sim) -> Result<(), Failure> {
    match what {
        Sim::Pairing(a) => pairing::run(cli, a),
        Sim::Program(a) => program::run(cli, a),
    }
}
