//! Proofs with `--memory`: a plan of tasks over regions of files, instead of a key in memory.

use super::proving::{Done, OfPlan, Phases, print_proved, read_witness};
use super::shard::with_progress;
use super::workshop::Workshop;
use crate::args::{Cli, Prove};
use crate::caller::TaskRunner;
use crate::failure::{ArgumentError, Failure};
use crate::files;
use crate::output;
use crate::progress::Progress;
use crate::randomness::{self, Seed};
use pairwright::Boards;
use pairwright::device::Session;
use pairwright::formats::{
    CurveId, FileBytes, WtnsFile, ZkeyFile, write_private, write_proof, write_public, write_verifying_key,
    write_wtns,
};
use pairwright::protocols::groth16::{Blinding, VerifyError, blind, verify_with_unsafe_key};
use pairwright::scale::{
    FileOrigin, KeySizes, Ledger, Manifest, PieceDigester, Plan, Progress as Step, Scheduler, Sizes,
    WitnessRange, execute, in_order, plan, sums,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf, absolute};
use std::time::Instant;

/// The number of witness values that are in memory at a time.
const VALUES: usize = 1 << 14;

/// Proves by a plan, verifies the proof, then writes it.
pub(super) fn prove_on<E: Boards>(
    cli: &Cli,
    args: &Prove,
    file: FileBytes,
    curve: CurveId,
) -> Result<(), Failure> {
    let options = &args.options.out_of_core;
    let memory = options.memory.map_or(u64::MAX, |memory| memory.0);
    let device = args.options.machines.board::<E>(cli)?;
    let start = Instant::now();
    let zkey = ZkeyFile::<E>::read(file)?;
    let key = zkey.proving_key()?;
    args.options.keys.judge_proving(cli, &args.zkey, &zkey, &key.vk)?;
    expect_file(&args.zkey)?;
    let of_key = KeySizes::of(&zkey);
    let sizes = Sizes::for_memory(memory, &of_key, rayon::current_num_threads())?;
    let sizes = sizes.in_parts(options.parts.get(), &of_key);
    let open = start.elapsed().as_secs_f64();

    let start = Instant::now();
    let workshop = Workshop::open(options.work.as_deref())?;
    let path = witness_file::<E>(cli, args, curve, &zkey, &workshop)?;
    let wtns = WtnsFile::<E::Fr>::open(&path)?;
    wtns.expect_wires(zkey.wires(), zkey.file())?;
    let seed = match &args.options.seed {
        None => None,
        Some(hex) => {
            let mut vk = Vec::new();
            write_verifying_key(&mut vk, &key.vk)?;
            Some(Seed::new(hex, &vk)?)
        }
    };
    let (witness, seed, public) = read_through(&wtns, path, key.public, seed, &of_key)?;
    let witness_time = start.elapsed().as_secs_f64();

    let start = Instant::now();
    let (shards, manifest) = sharded(options.shards.as_deref(), &workshop, &zkey, &sizes)?;
    let key_path = absolute_path(&args.zkey)?;
    let paths = [&key_path, &shards, workshop.path()].map(PathBuf::as_path);
    let plan = plan(&manifest, paths, &witness, &sizes);
    let ledger = if workshop.is_kept() { Ledger::open(workshop.path(), &plan)? } else { Ledger::in_memory() };
    let (figures, plan, ledger) = match &cli.caller.task_runner {
        None => run_here(plan, ledger, &device)?,
        Some(task_runner) => run_by_caller(plan, ledger, task_runner)?,
    };
    let mut rng = match seed {
        None => randomness::system()?,
        Some(seed) => seed.finish(),
    };
    let proof = blind(&key, &sums(&plan, &ledger)?, &Blinding::random(&mut rng));
    let prove_time = start.elapsed().as_secs_f64();

    let start = Instant::now();
    // The proof is verified on this computer, whichever machine made it: that machine might repeat its fault in a check.
    // The key has been checked for weaknesses above.
    verify_with_unsafe_key(&mut Session::new(&E::host()), &key.vk, &public, &proof).map_err(|e| match e {
        VerifyError::Device(d) => d.into(),
        _ => Failure::from(ArgumentError::ProofFails),
    })?;
    let verify_time = start.elapsed().as_secs_f64();

    files::write(&args.output, |out| write_proof(out, &proof))?;
    files::write(&args.public, |out| write_public(out, &public))?;
    drop(ledger);
    workshop.finish(&plan)?;
    let done = Done {
        curve: curve.name(),
        wires: key.wires,
        public: key.public,
        domain: key.domain.size(),
        seconds: Phases { open, check: None, witness: witness_time, prove: prove_time, verify: verify_time },
        plan: Some(figures),
    };
    print_proved(cli, args, &done, None)
}

/// Fails for a stream, of which ranges cannot be read one by one.
fn expect_file(path: &Path) -> Result<(), Failure> {
    match std::fs::metadata(path) {
        Ok(about) if !about.is_file() => Err(ArgumentError::NoFile(path.to_owned()).into()),
        _ => Ok(()),
    }
}

fn absolute_path(path: &Path) -> Result<PathBuf, Failure> {
    absolute(path).map_err(|why| Failure::File { path: path.to_owned(), why })
}

/// The file of the witness: the given one, or one in the work directory with the values from a calculator or a stream.
fn witness_file<E: Boards>(
    cli: &Cli,
    args: &Prove,
    curve: CurveId,
    zkey: &ZkeyFile<E>,
    workshop: &Workshop,
) -> Result<PathBuf, Failure> {
    if let Some(path) = args.witness.as_ref().filter(|path| expect_file(path).is_ok()) {
        return absolute_path(path);
    }
    let values = read_witness::<E>(cli, args, curve, zkey.wires(), zkey.file())?;
    let path = workshop.witness();
    write_private(&path, |out| write_wtns(out, &values))?;
    Ok(path)
}

/// The data of a witness that are needed outside of tasks: its range of a file with digests, the seed that depends on it, and the
/// public values.
type ReadThrough<F> = (WitnessRange, Option<Seed>, Vec<F>);

/// Reads the values of a witness once, in steps of [`VALUES`].
fn read_through<F: pairwright::field::PrimeField>(
    wtns: &WtnsFile<F>,
    path: PathBuf,
    public: usize,
    mut seed: Option<Seed>,
    sizes: &KeySizes,
) -> Result<ReadThrough<F>, Failure> {
    let mut digester = PieceDigester::new(sizes.piece_bytes(F::BYTES as u64));
    let (mut bytes, mut publics) = (Vec::new(), Vec::with_capacity(public));
    for start in (0..wtns.len()).step_by(VALUES) {
        let range = start..wtns.len().min(start + VALUES);
        bytes.clear();
        wtns.read_bytes(range, &mut bytes)?;
        digester.add(&bytes);
        let read = bytes.chunks_exact(F::BYTES).zip(start..).filter(|(_, i)| (1..=public).contains(i));
        publics.extend(read.filter_map(|(value, _)| F::read_le(value).ok()));
        if let Some(seed) = &mut seed {
            seed.add_bytes(&bytes);
        }
    }
    let section = wtns.values();
    let size = wtns.file().len() as u64;
    Ok((WitnessRange { path, size, offset: section.offset(), digests: digester.finish() }, seed, publics))
}

/// The sharded key: the given one, or one in the work directory, which is made if it does not exist.
fn sharded<E: Boards>(
    given: Option<&Path>,
    workshop: &Workshop,
    zkey: &ZkeyFile<E>,
    sizes: &Sizes,
) -> Result<(PathBuf, Manifest), Failure> {
    if let Some(directory) = given {
        let manifest = Manifest::read(directory)?;
        manifest.expect_key(directory, zkey)?;
        let (found, needed) = (manifest.layout.blocks(), sizes.blocks);
        if found < needed {
            return Err(ArgumentError::FewBlocks { path: directory.to_owned(), found, needed }.into());
        }
        return Ok((absolute_path(directory)?, manifest));
    }
    let directory = workshop.shards();
    if Manifest::path(&directory).exists() {
        let manifest = Manifest::read(&directory)?;
        manifest.expect_key(&directory, zkey)?;
        if manifest.layout.blocks() == sizes.blocks {
            return Ok((directory, manifest));
        }
    }
    let manifest = with_progress(zkey, sizes.blocks, &directory)?;
    Ok((directory, manifest))
}

/// The figures of a finished plan, the plan, and its ledger.
type Run = (OfPlan, Plan, Ledger);

/// Runs a plan in this process, with a progress bar.
fn run_here<E: Boards>(
    plan: Plan,
    mut ledger: Ledger,
    device: &pairwright::device::Device<E>,
) -> Result<Run, Failure> {
    let progress = Progress::new(plan.tasks.iter().map(|task| task.core_microseconds).sum(), "prove");
    let mut resumed = BTreeSet::new();
    execute(&plan, &mut ledger, device, &mut in_order, &mut |step| match step {
        Step::Start(task) => progress.set_message(&task.name),
        Step::Done(task, outcome) => {
            progress.add(task.core_microseconds);
            match outcome {
                None => _ = resumed.insert(task.name.clone()),
                Some(outcome) if output::is_verbose() => {
                    output::eprint_line(&format!("{}: {}", task.name, output::seconds(outcome.seconds)));
                }
                Some(_) => {}
            }
        }
        _ => {}
    })?;
    drop(progress);
    Ok((figures(&plan, &ledger, &resumed), plan, ledger))
}

/// Runs a plan by the caller's [`TaskRunner`].
fn run_by_caller(plan: Plan, ledger: Ledger, task_runner: &TaskRunner) -> Result<Run, Failure> {
    let scheduler = Scheduler::new(plan, ledger)?;
    let tasks = scheduler.plan().tasks.iter().enumerate();
    let resumed = tasks.filter(|(i, _)| scheduler.is_done(*i)).map(|(_, task)| task.name.clone()).collect();
    let (plan, ledger) = task_runner(scheduler)?.into_parts();
    Ok((figures(&plan, &ledger, &resumed), plan, ledger))
}

/// The figures of a finished plan; `resumed` are the tasks that were done before this run.
fn figures(plan: &Plan, ledger: &Ledger, resumed: &BTreeSet<String>) -> OfPlan {
    let mut seconds = BTreeMap::<&'static str, f64>::new();
    for task in plan.tasks.iter().filter(|task| !resumed.contains(&task.name)) {
        *seconds.entry(task.op.name()).or_default() += ledger.outcome(&task.name).map_or(0.0, |o| o.seconds);
    }
    let made = plan.files.values().filter(|file| file.origin == FileOrigin::Made);
    OfPlan {
        blocks: plan.setting.layout.blocks(),
        tasks: plan.tasks.len(),
        resumed: resumed.len(),
        file_bytes: made.map(|file| file.length).sum(),
        seconds,
    }
}
