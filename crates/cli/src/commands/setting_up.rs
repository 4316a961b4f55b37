//! The parts of a setup that all protocols share: errors in powers of tau, and the command's result.

use crate::args::{Cli, Setup};
use crate::failure::{ArgumentError, Failure};
use crate::output;
use pairwright::protocols::groth16::SetupError;
use serde::Serialize;
use std::path::Path;

/// The command's result for a key that was made.
#[derive(Serialize)]
pub(super) struct Done {
    pub(super) protocol: &'static str,
    pub(super) curve: &'static str,
    pub(super) constraints: usize,
    /// Number of gates that the constraints give, if the protocol has gates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) gates: Option<usize>,
    /// Number of those gates that add parts of long linear combinations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) additions: Option<usize>,
    pub(super) domain: usize,
    pub(super) seconds: f64,
}

/// Adds the file of the powers to a setup's error, if the error is in the powers.
pub(super) fn of_powers(path: &Path, why: SetupError) -> Failure {
    match why {
        SetupError::PowersTooFew { .. } | SetupError::PointsTooFew { .. } | SetupError::Powers(_) => {
            ArgumentError::Powers { path: path.to_owned(), why }.into()
        }
        other => other.into(),
    }
}

/// Prints the result of a setup.
pub(super) fn print_made(cli: &Cli, args: &Setup, done: &Done) -> Result<(), Failure> {
    if args.unsafe_local {
        cli.warnings.add(
            "this key's secrets were drawn here: whoever controlled this machine can forge proofs for it",
        );
    }
    output::print_done(cli, done, |d| {
        let gates = d.gates.map_or_else(String::new, |gates| format!("{gates} gates, "));
        format!(
            "{}: proving key of {} on {} for {} constraints, {gates}domain {}, in {}",
            args.output.display(),
            d.protocol,
            d.curve,
            d.constraints,
            d.domain,
            output::seconds(d.seconds)
        )
    })
}
