//! Runs `pairwright setup`, which makes a proving key.

use super::names;
use crate::args::{Cli, Setup};
use crate::curves::on_curve;
use crate::failure::{ArgumentError, Failure};
use crate::files;
use crate::progress::{Progress, units};
use crate::{output, randomness};
use pairwright::Boards;
use pairwright::device::Session;
use pairwright::formats::{
    CeremonyError, Contributions, FileBytes, PtauFile, R1csFile, probe, setup_with_ptau, write_zkey,
};
use pairwright::protocols::groth16::{SetupError, setup_local};
use pairwright::protocols::r1cs::ConstraintSource;
use serde::Serialize;
use std::time::Instant;

/// The name our contribution bears in the key's record.
const CONTRIBUTOR: &str = "pairwright setup";

#[derive(Serialize)]
struct Done {
    curve: &'static str,
    constraints: usize,
    domain: usize,
    seconds: f64,
}

/// Makes a proving key.
pub(crate) fn run(cli: &Cli, args: &Setup) -> Result<(), Failure> {
    let file = FileBytes::open(&args.r1cs)?;
    let curve = probe(&file)?.curve()?;
    on_curve!(curve, make(cli, args, file, curve.name()))
}

fn make<E: Boards>(cli: &Cli, args: &Setup, file: FileBytes, curve: &'static str) -> Result<(), Failure> {
    let device = args.machines.board::<E>()?;
    let start = Instant::now();
    let system = R1csFile::<E::Fr>::read(file)?;
    names::warn_of_no_constraints(cli, system.shape().constraints, &args.r1cs);
    let wires = system.shape().wires;
    let progress = Progress::new(units("multiples_g1", 3 * wires) + units("multiples_g2", wires), "setup");
    let mut on = Session::new(&device).observed(|event| progress.follow(&event));
    let mut rng = randomness::system()?;
    let (key, contributions) = match &args.ptau {
        None => (setup_local(&mut on, &system, &mut rng)?, Contributions::none()),
        Some(path) => {
            let ptau = PtauFile::<E>::open(path)?;
            if !ptau.is_prepared() {
                cli.warnings.add(format!(
                    "{}: these powers are not prepared, so that every setup computes its Lagrange points again; \
                     `pairwright powersoftau prepare` computes them once",
                    path.display()
                ));
            }
            let made = setup_with_ptau(&mut on, &system, &ptau, CONTRIBUTOR, &mut rng);
            made.map_err(|why| match why {
                CeremonyError::Setup(why @ (SetupError::PowersTooFew { .. } | SetupError::Powers(_))) => {
                    ArgumentError::Powers { path: path.clone(), why }.into()
                }
                other => Failure::from(other),
            })?
        }
    };
    drop(on);
    drop(progress);
    files::write_secret(&args.output, |out| write_zkey(out, &key, &contributions))?;
    let done = Done {
        curve,
        constraints: system.shape().constraints,
        domain: key.domain.size(),
        seconds: start.elapsed().as_secs_f64(),
    };
    if args.unsafe_local {
        cli.warnings.add(
            "this key's secrets were drawn here: whoever controlled this machine can forge proofs for it",
        );
    }
    output::print_done(cli, &done, |d| {
        format!(
            "{}: proving key on {} for {} constraints, domain {}, in {}",
            args.output.display(),
            d.curve,
            d.constraints,
            d.domain,
            output::seconds(d.seconds)
        )
    })
}
