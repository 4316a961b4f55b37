//! Runs `pairwright check`, which checks a witness against constraints.

use super::names;
use crate::args::{Check, Cli};
use crate::curves::on_curve;
use crate::failure::Failure;
use crate::files;
use crate::output;
use crate::progress::Progress;
use pairwright::curve::Pairing;
use pairwright::formats::{FileBytes, R1csFile, WtnsFile};
use pairwright::protocols::r1cs::{ConstraintSource, check};
use serde::Serialize;

#[derive(Serialize)]
struct Done {
    constraints: usize,
    wires: usize,
}

/// Checks a witness against constraints.
pub(crate) fn run(cli: &Cli, args: &Check) -> Result<(), Failure> {
    let (r1cs, curve) = files::open(&args.r1cs)?;
    on_curve!(curve, satisfied(cli, args, r1cs))
}

fn satisfied<E: Pairing>(cli: &Cli, args: &Check, r1cs: FileBytes) -> Result<(), Failure> {
    let system = R1csFile::<E::Fr>::read(r1cs)?;
    let wtns = WtnsFile::<E::Fr>::open(&args.witness)?;
    let shape = system.shape();
    wtns.expect_wires(shape.wires, system.file())?;
    names::warn_of_no_constraints(cli, shape.constraints, &args.r1cs);
    let progress = Progress::new(0, "check");
    let witness = wtns.witness()?;
    check(&system, &witness).map_err(|e| names::of_constraint(e, &args.names, &system, &witness))?;
    drop(progress);
    let done = Done { constraints: shape.constraints, wires: shape.wires };
    output::print_done(cli, &done, |d| format!("satisfied: {} constraints, {} wires", d.constraints, d.wires))
}
