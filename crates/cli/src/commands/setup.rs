//! Runs `pairwright setup`, which makes a proving key.

use super::gates::{fflonk::make as fflonk, plonk::make as plonk};
use super::names;
use super::powersoftau::write_prepared;
use super::setting_up::{Done, of_powers, say_made};
use crate::args::{Cli, Protocol, Setup};
use crate::curves::on_curve;
use crate::failure::{ArgumentError, Failure};
use crate::files;
use crate::progress::{Progress, units};
use crate::randomness;
use pairwright::Boards;
use pairwright::device::Session;
use pairwright::formats::{
    CeremonyError, CurveId, FileBytes, PtauFile, R1csFile, first_key, probe, setup_with_ptau,
    write_local_zkey, write_zkey,
};
use pairwright::protocols::groth16::LocalSetup;
use pairwright::protocols::r1cs::ConstraintSource;
use std::time::Instant;

/// The name our contribution bears in the key's record.
const CONTRIBUTOR: &str = "pairwright setup";

/// Makes a proving key.
pub(crate) fn run(cli: &Cli, args: &Setup) -> Result<(), Failure> {
    let file = FileBytes::open(&args.r1cs)?;
    let curve = probe(&file)?.curve()?;
    match args.protocol {
        Protocol::Groth16 => on_curve!(curve, make(cli, args, file, curve)),
        Protocol::Plonk => on_curve!(curve, plonk(cli, args, file, curve)),
        // Said before the work is done: no file could take the key.
        Protocol::Fflonk if curve != CurveId::Bn254 => Err(ArgumentError::NoFflonk(curve.name()).into()),
        Protocol::Fflonk => on_curve!(curve, fflonk(cli, args, file, curve)),
    }
}

fn make<E: Boards>(cli: &Cli, args: &Setup, file: FileBytes, curve: CurveId) -> Result<(), Failure> {
    let device = args.machines.board::<E>()?;
    let start = Instant::now();
    let system = R1csFile::<E::Fr>::read(file)?;
    names::warn_of_no_constraints(cli, system.shape().constraints, &args.r1cs);
    let wires = system.shape().wires;
    let progress = Progress::new(units("multiples_g1", 3 * wires) + units("multiples_g2", wires), "setup");
    let mut on = Session::new(&device).observed(|event| progress.follow(&event));
    let mut rng = randomness::system()?;
    let domain = match &args.ptau {
        // Its points are computed while it is written, so that the key is never in memory.
        None => {
            let local = LocalSetup::draw(&system, &mut rng)?;
            files::write_secret(&args.output, |out| write_local_zkey(out, &mut on, &system, &local))?;
            local.domain.size()
        }
        Some(path) => {
            let mut ptau = PtauFile::<E>::open(path)?;
            if let (false, Some(kept)) = (ptau.is_prepared(), &args.keep_prepared) {
                write_prepared(&ptau, kept)?;
                ptau = PtauFile::open(kept)?;
            } else if let Some(kept) = &args.keep_prepared {
                cli.warnings.add(format!(
                    "{}: these powers are prepared already, and {} is not written",
                    path.display(),
                    kept.display()
                ));
            } else if !ptau.is_prepared() {
                cli.warnings.add(format!(
                    "{}: these powers are not prepared, so that every setup computes its Lagrange points again; \
                     --keep-prepared computes them once, as `pairwright powersoftau prepare phase2` does",
                    path.display()
                ));
            }
            let made = if args.first {
                first_key(&mut on, &system, &ptau, &mut rng)
            } else {
                setup_with_ptau(&mut on, &system, &ptau, CONTRIBUTOR, &mut rng)
            };
            let (key, contributions) = made.map_err(|why| match why {
                CeremonyError::Setup(why) => of_powers(path, why),
                other => other.into(),
            })?;
            files::write_secret(&args.output, |out| write_zkey(out, &key, &contributions))?;
            key.domain.size()
        }
    };
    drop(on);
    drop(progress);
    let done = Done {
        protocol: args.protocol.name(),
        curve: curve.name(),
        constraints: system.shape().constraints,
        gates: None,
        additions: None,
        domain,
        seconds: start.elapsed().as_secs_f64(),
    };
    if args.first {
        cli.warnings.add(
            "anybody can forge proofs for this key: it is the first of a ceremony and needs a contribution, \
             which `pairwright zkey contribute` makes",
        );
    }
    say_made(cli, args, &done)
}
