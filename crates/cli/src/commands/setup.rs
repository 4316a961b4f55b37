//! Runs `pairwright setup`, which makes a proving key.

use super::gates::make as make_gates;
use super::names;
use super::plonkish::{Fflonk, Plonk};
use super::powersoftau::write_prepared;
use super::setting_up::{Done, of_powers, print_made};
use crate::args::{Bytes, Cli, Protocol, Setup};
use crate::curves::on_curve;
use crate::failure::{ArgumentError, Failure};
use crate::files;
use crate::progress::Progress;
use crate::randomness;
use pairwright::Boards;
use pairwright::device::Session;
use pairwright::formats::{
    CeremonyError, CurveId, FileBytes, PtauFile, R1csFile, ZkeyFile, first_key, setup_with_ptau,
    write_first_zkey, write_local_zkey, write_with_contribution, write_zkey,
};
use pairwright::protocols::groth16::{LocalSetup, PowersSetup, SetupSteps, contribution_plan};
use pairwright::protocols::r1cs::ConstraintSource;
use pairwright::scale::ScaleError;
use rand_core::CryptoRng;
use std::path::Path;
use std::time::Instant;

/// The name of this command's contribution in the key's record.
const CONTRIBUTOR: &str = "pairwright setup";

/// Bytes that a setup with little memory takes in any case: code, tables of operators, some thousand points and coefficients.
const PROCESS: u64 = 48 << 20;
/// Bytes of memory for each thread.
const OF_THREAD: u64 = 4 << 20;
/// The least number of bytes for points: with less, reading costs more time than additions.
const LEAST_ROOM: u64 = 8 << 20;

/// Makes a proving key.
pub(crate) fn run(cli: &Cli, args: &Setup) -> Result<(), Failure> {
    let (file, curve) = files::open(&args.r1cs)?;
    if args.memory.is_some() && args.protocol != Protocol::Groth16 {
        return Err(ArgumentError::OnlyGroth16 { option: "--memory", protocol: args.protocol.name() }.into());
    }
    match args.protocol {
        Protocol::Groth16 => on_curve!(curve, make(cli, args, file, curve)),
        Protocol::Plonk => on_curve!(curve, make_gates(Plonk, cli, args, file, curve)),
        // This is refused before the setup begins, since there is no file format for the key.
        Protocol::Fflonk if curve != CurveId::Bn254 => Err(ArgumentError::NoFflonk(curve.name()).into()),
        Protocol::Fflonk => on_curve!(curve, make_gates(Fflonk, cli, args, file, curve)),
    }
}

fn make<E: Boards>(cli: &Cli, args: &Setup, file: FileBytes, curve: CurveId) -> Result<(), Failure> {
    let device = args.machines.board::<E>(cli)?;
    let start = Instant::now();
    let system = R1csFile::<E::Fr>::read(file)?;
    names::warn_of_no_constraints(cli, system.shape().constraints, &args.r1cs);
    let progress = Progress::new(0, "setup");
    let mut on = Session::new(&device).observed(|event| progress.follow(&event));
    let mut rng = randomness::system()?;
    let domain = match &args.ptau {
        // The key's points are computed while it is written, so that the whole key is never in memory.
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
            } else if !ptau.is_prepared() && args.memory.is_some() {
                return Err(ArgumentError::Unprepared(path.to_path_buf()).into());
            } else if !ptau.is_prepared() {
                cli.warnings.add(format!(
                    "{}: these powers are not prepared, so that every setup computes its Lagrange points again; \
                     --keep-prepared computes them once, as `pairwright powersoftau prepare phase2` does",
                    path.display()
                ));
            }
            match args.memory {
                Some(memory) => within(args, memory, &mut on, &system, (path, &ptau), &mut rng)?,
                None => in_memory(args, &mut on, &system, (path, &ptau), &mut rng)?,
            }
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
    print_made(cli, args, &done)
}

/// Makes a key from powers of tau in memory and writes it; returns the size of its domain.
fn in_memory<E: Boards>(
    args: &Setup,
    on: &mut Session<'_, E>,
    system: &R1csFile<E::Fr>,
    (path, ptau): (&Path, &PtauFile<E>),
    rng: &mut dyn CryptoRng,
) -> Result<usize, Failure> {
    let made = if args.first {
        first_key(on, system, ptau, rng)
    } else {
        setup_with_ptau(on, system, ptau, CONTRIBUTOR, rng)
    };
    let (key, contributions) = made.map_err(|why| match why {
        CeremonyError::Setup(why) => of_powers(path, why),
        other => other.into(),
    })?;
    files::write_secret(&args.output, |out| write_zkey(out, &key, &contributions))?;
    Ok(key.domain.size())
}

/// Makes a key from powers of tau within about this much memory, and returns the size of its domain. The first key, which is
/// contributed to afterwards, is a file in a temporary folder beside the output.
fn within<E: Boards>(
    args: &Setup,
    Bytes(memory): Bytes,
    on: &mut Session<'_, E>,
    system: &R1csFile<E::Fr>,
    (path, ptau): (&Path, &PtauFile<E>),
    rng: &mut dyn CryptoRng,
) -> Result<usize, Failure> {
    let threads = rayon::current_num_threads() as u64;
    let taken = PROCESS + threads * OF_THREAD;
    // An eighth of the memory is reserved for freed memory that the allocator does not return at once.
    let room = (memory - memory / 8).saturating_sub(taken);
    if room < LEAST_ROOM {
        let least = (taken + LEAST_ROOM) * 8 / 7 + 8;
        return Err(ScaleError::Memory { memory, least }.into());
    }
    let steps = SetupSteps::within::<E>(room);
    if !args.first {
        on.plan(|| contribution_plan::<E::Fr>(&system.shape()));
    }
    let setup = PowersSetup::new(on, system, ptau, steps, rng).map_err(|why| of_powers(path, why))?;
    if args.first {
        files::write_secret(&args.output, |out| write_first_zkey(out, on, system, (&setup, ptau)))?;
        return Ok(setup.domain.size());
    }
    let folder = files::folder_beside(&args.output)?;
    let first = folder.path().join("first.zkey");
    files::write_secret(&first, |out| write_first_zkey(out, on, system, (&setup, ptau)))?;
    let key = ZkeyFile::<E>::open(&first)?;
    files::write_secret(&args.output, |out| write_with_contribution(out, on, &key, CONTRIBUTOR, rng))?;
    Ok(setup.domain.size())
}
