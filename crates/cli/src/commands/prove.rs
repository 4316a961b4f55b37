//! Runs `pairwright prove`, which makes a proof and verifies it.

use super::cluster::prove_on as on_cluster;
use super::gates::prove_on as prove_gates;
use super::out_of_core::prove_on as by_ranges;
use super::plonkish::{Fflonk, Plonk};
use super::proving::{Done, Phases, blinding, check_witness, print_proved, read_witness, timed_check};
use crate::args::{Cli, Protocol, Prove};
use crate::curves::on_curve;
use crate::failure::{ArgumentError, Failure};
use crate::progress::Progress;
use crate::randomness;
use crate::{files, freed};
use pairwright::Boards;
use pairwright::device::Session;
use pairwright::formats::{CurveId, FileBytes, ZkeyFile, write_proof, write_public, write_verifying_key};
use pairwright::protocols::groth16::{VerifyError, prove, verify_with_unsafe_key};
use std::time::Instant;

/// Makes a proof in the protocol of the key, verifies it, then writes it.
pub(crate) fn run(cli: &Cli, args: &Prove) -> Result<(), Failure> {
    let (file, curve, protocol) = files::open_of_protocol(&args.zkey)?;
    let protocol = args.protocol.unwrap_or(protocol);
    let memory = args.options.out_of_core.memory.map(|memory| memory.0);
    if !cli.answer.is_kept() {
        // The process belongs to this command and ends with it, so that it may keep freed memory.
        // All threads, this one included, share an eighth of the memory, which plans leave free.
        let share =
            |bytes: u64| usize::try_from(bytes / 8).map(|all| all / (rayon::current_num_threads() + 1));
        freed::keep(memory.map_or(freed::ALL, |bytes| share(bytes).unwrap_or(freed::ALL)));
    }
    if memory.is_some() {
        return match protocol {
            Protocol::Groth16 => match &args.options.out_of_core.cluster {
                Some(address) => on_cluster(cli, args, address),
                None => on_curve!(curve, by_ranges(cli, args, file, curve)),
            },
            other => Err(ArgumentError::OnlyGroth16 { option: "--memory", protocol: other.name() }.into()),
        };
    }
    match protocol {
        Protocol::Groth16 => on_curve!(curve, prove_on(cli, args, file, curve)),
        Protocol::Plonk => on_curve!(curve, prove_gates(Plonk, cli, args, file, curve)),
        Protocol::Fflonk => on_curve!(curve, prove_gates(Fflonk, cli, args, file, curve)),
    }
}

fn prove_on<E: Boards>(cli: &Cli, args: &Prove, file: FileBytes, curve: CurveId) -> Result<(), Failure> {
    let device = args.options.machines.board::<E>(cli)?;
    let start = Instant::now();
    let zkey = ZkeyFile::<E>::read(file)?;
    let key = zkey.proving_key()?;
    args.options.keys.judge_proving(cli, &args.zkey, &zkey, &key.vk)?;
    let open = start.elapsed().as_secs_f64();
    let check_time = args
        .options
        .check
        .then(|| {
            timed_check(cli, || Ok(zkey.check(&mut Session::new(&E::host()), &mut randomness::system()?)?))
        })
        .transpose()?;

    let start = Instant::now();
    let witness = read_witness::<E>(cli, args, curve, zkey.wires(), zkey.file())?;
    check_witness(args, &witness)?;
    let mut rng = blinding(args, &witness, |out| write_verifying_key(out, &key.vk))?;
    let witness_time = start.elapsed().as_secs_f64();

    let start = Instant::now();
    let progress = Progress::new(0, "prove");
    let mut on = Session::new(&device).observed(|event| progress.follow(&event));
    let proof = prove(&mut on, &key, &witness, &mut rng)?;
    let report = on.finish();
    drop(progress);
    let prove_time = start.elapsed().as_secs_f64();

    let start = Instant::now();
    let public = &witness[1..=key.public];
    // The proof is verified on this computer, whichever machine made it: that machine might repeat its fault in a check.
    // The key has been checked for weaknesses above.
    verify_with_unsafe_key(&mut Session::new(&E::host()), &key.vk, public, &proof).map_err(|e| match e {
        VerifyError::Device(d) => d.into(),
        _ => Failure::from(ArgumentError::ProofFails),
    })?;
    let verify_time = start.elapsed().as_secs_f64();

    files::write(&args.output, |out| write_proof(out, &proof))?;
    files::write(&args.public, |out| write_public(out, public))?;
    let done = Done {
        curve: curve.name(),
        wires: key.wires,
        public: key.public,
        domain: key.domain.size(),
        seconds: Phases {
            open,
            check: check_time,
            witness: witness_time,
            prove: prove_time,
            verify: verify_time,
        },
        plan: None,
    };
    print_proved(cli, args, &done, Some(&report))
}
