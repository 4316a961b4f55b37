//! The checks of the program `rtl`, a line printed for each.

use pairwright_chip::MachineSpec;
use pairwright_rtl::accept::accept;
use pairwright_rtl::blocks::{self, Entry, msm, processor, tree};
use pairwright_rtl::energy::{Choice, Energy, energy_table, measure};
use pairwright_rtl::lockstep::{Bench, Compared, Engine, Simulator, build, run};
use pairwright_rtl::prove::{field_theorems, prove, theorems};
use pairwright_rtl::synth::{BUILT_IN, Library, Mapped, Report, report, table};
use pairwright_rtl::tools::{Tools, read, write};
use pairwright_rtl::{Block, RtlError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Moduli and digits that theorems are proved for.
const THEOREMS: [(u32, u32); 3] = [(13, 3), (61, 4), (241, 3)];
/// The modulus and the words that the field functions are proved for.
const FIELD_THEOREMS: (u32, u32) = (113, 3);
/// Blocks that are synthesised in every run.
const SMALL: [&str; 5] = ["add_sub_255", "add_sub_381", "keccak", "pairing_control", "tree_control"];
/// Blocks that have faults put in in every run.
const FAULTY: [&str; 2] = ["add_sub_255", "mm_255"];
/// Folder of the results of syntheses.
const RESULTS: &str = "results/rtl";
/// Folder of the results of counts of changes.
const ENERGIES: &str = "results/rtl/energy";

/// How long, and on what, a block runs beside its model.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub(crate) engine: Engine,
    pub(crate) cycles: u64,
    pub(crate) seed: u64,
}

#[derive(clap::Args)]
pub(crate) struct SynthArgs {
    /// Blocks; without any, those with a result that is kept
    blocks: Vec<String>,
    /// A library in the Liberty format; without one, the cells that the repository holds
    #[arg(long, value_name = "FILE")]
    liberty: Option<PathBuf>,
    /// Also count how often nets change on random operands, and what an operation costs
    #[arg(long)]
    energy: bool,
    /// A file in the Liberty format that has what the library's cells draw, where the library has not
    #[arg(long, value_name = "FILE", requires = "energy")]
    power: Option<PathBuf>,
    /// A folder of netlists, BLOCK.LIBRARY.blif: those that are there are taken instead of a synthesis, others are kept there
    #[arg(long, value_name = "FOLDER", requires = "energy")]
    netlists: Option<PathBuf>,
    /// Keep the results instead of comparing with those that are kept
    #[arg(long)]
    bless: bool,
}

impl SynthArgs {
    /// A comparison of blocks, or of all that have a result, with what is kept of them in the repository's library.
    fn kept(blocks: Vec<String>) -> Self {
        Self { blocks, liberty: None, energy: true, power: None, netlists: None, bless: false }
    }
}

/// The blocks of these names, or all.
pub(crate) fn chosen(names: &[String]) -> Result<Vec<&'static Entry>, RtlError> {
    if names.is_empty() {
        const ENTRIES: &[Entry] = &blocks::ALL;
        return Ok(ENTRIES.iter().collect());
    }
    names.iter().map(|name| blocks::find(name)).collect()
}

/// Runs every check.
pub(crate) fn all(full: bool) -> Result<(), RtlError> {
    let tools = Tools::new();
    for entry in chosen(&[])? {
        let folder = folder()?;
        accept(&entry.block()?, &tools, folder.path())?;
        println!("{}: read by Verilator, slang and Yosys", entry.name);
    }
    proofs()?;
    for entry in chosen(&[])? {
        let Some(cycles) = (if full { Some(200_000) } else { entry.short }) else { continue };
        let faulty = full || FAULTY.contains(&entry.name);
        lockstep(entry, Run { engine: Engine::Cxxrtl, cycles, seed: 1 }, faulty)?;
        if full {
            lockstep(entry, Run { engine: Engine::Verilator, cycles, seed: 2 }, false)?;
        }
    }
    if full {
        other_design(Run { engine: Engine::Cxxrtl, cycles: 200_000, seed: 3 })?;
    }
    let names: Vec<String> = SMALL.iter().map(|name| (*name).to_owned()).collect();
    let blocks = if full { Vec::new() } else { names };
    compare_syntheses(&SynthArgs::kept(blocks), true)
}

/// The processor's other design, control with more random programs and the whole of it with a pairing.
fn other_design(how: Run) -> Result<(), RtlError> {
    let best = MachineSpec::best();
    let control = processor::print_control("pairing_control", &best)?;
    beside(&control, &|block| processor::bench(block, &best, 40, false), how, false)?;
    let whole = processor::print("pairing_processor", &best)?;
    beside(&whole, &|block| processor::bench(block, &best, 4, true), how, false)
}

/// Proves all theorems, and has a solver refute what never holds under the same premises.
pub(crate) fn proofs() -> Result<(), RtlError> {
    let tools = Tools::new();
    let mut all = field_theorems(FIELD_THEOREMS.0, FIELD_THEOREMS.1)?;
    for (q, digit) in THEOREMS {
        all.extend(theorems(q, digit)?);
    }
    all.extend(msm::theorems());
    all.extend(tree::theorems());
    for theorem in all {
        let folder = folder()?;
        prove(&theorem, &tools, folder.path())?;
        if prove(&theorem.denied(), &tools, folder.path()).is_ok() {
            let (block, fault) = (theorem.title, "an assertion that never holds".to_owned());
            return Err(RtlError::Unnoticed { block, fault, cycles: 0 });
        }
        println!("proved: {}", theorem.title);
    }
    Ok(())
}

/// Runs a block beside its model, and then the same with faults.
pub(crate) fn lockstep(entry: &Entry, how: Run, with_faults: bool) -> Result<(), RtlError> {
    beside(&entry.block()?, &entry.bench, how, with_faults)
}

fn beside(
    block: &Block,
    bench: &dyn Fn(&Block) -> Box<dyn Bench>,
    how: Run,
    with_faults: bool,
) -> Result<(), RtlError> {
    let tools = Tools::new();
    let name = &block.name;
    let start = Instant::now();
    let compare = |block: &Block| {
        let mut bench = bench(block);
        let how = Run { cycles: bench.cycles(how.cycles), ..how };
        compare(block, &mut *bench, how, &tools).map(|ran| (ran, bench))
    };
    let ((compared, ran), bench) = compare(block)?;
    if compared.confirmed == 0 {
        return Err(RtlError::Unjudged { block: name.clone(), cycles: compared.cycles });
    }
    println!(
        "{name}: {} cycles, {} values equal, {} results confirmed; {:.0} cycles/s, {:.1} s with compilation ({})",
        compared.cycles,
        compared.values,
        compared.confirmed,
        compared.cycles as f64 / ran,
        start.elapsed().as_secs_f64(),
        how.engine.name(),
    );
    bench.notes().iter().for_each(|note| println!("{name}: {note}"));
    for (case, times) in bench.coverage() {
        if times == 0 {
            return Err(RtlError::Uncovered { block: name.clone(), case, cycles: compared.cycles });
        }
        println!("{name}: {case}: {times} times");
    }
    if !with_faults {
        return Ok(());
    }
    for fault in bench.faults(block) {
        match compare(&fault.block) {
            Err(RtlError::Differs { cycle, signal, .. }) => {
                println!("{name}: {}: noticed in cycle {cycle} at {signal}", fault.what);
            }
            Err(other) => return Err(other),
            Ok(((compared, _), _)) => {
                let (block, cycles) = (name.clone(), compared.cycles);
                return Err(RtlError::Unnoticed { block, fault: fault.what, cycles });
            }
        }
    }
    Ok(())
}

/// Compiles a block, runs it beside its model, and returns what was compared and the seconds of the run.
fn compare(
    block: &Block,
    bench: &mut dyn Bench,
    how: Run,
    tools: &Tools,
) -> Result<(Compared, f64), RtlError> {
    let folder = folder()?;
    let program = build(block, how.engine, how.cycles, tools, folder.path())?;
    let mut simulator = Simulator::start(block, &program)?;
    let start = Instant::now();
    let compared = run(block, bench, &mut simulator, how.cycles, how.seed)?;
    Ok((compared, start.elapsed().as_secs_f64()))
}

/// Synthesises blocks, prints the tables, and keeps or compares the results.
pub(crate) fn synth(args: &SynthArgs) -> Result<(), RtlError> {
    compare_syntheses(args, false)
}

/// The same; changes are counted only where a count is kept, if so wished.
fn compare_syntheses(args: &SynthArgs, kept_only: bool) -> Result<(), RtlError> {
    let tools = Tools::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut library = Library::read(&args.liberty.clone().unwrap_or_else(|| root.join(BUILT_IN)))?;
    if let Some(power) = &args.power {
        library.draw(Library::read(power)?)?;
    }
    let (results, counts) = (root.join(RESULTS), root.join(ENERGIES));
    let (mut reports, mut energies) = (Vec::new(), Vec::new());
    for entry in chosen(&args.blocks)? {
        let name = file(entry.name, &library.name);
        if args.blocks.is_empty() && !results.join(&name).is_file() {
            continue;
        }
        let block = entry.block()?;
        let (mapped, taken) = map(&block, &library, args.netlists.as_deref(), &tools)?;
        let part = |name: &str| kept(&results.join(file(name, &library.name)));
        let report = report(&block, &mapped, &library, part)?;
        println!(
            "{}: {:.0} NAND2 equivalents of {}, {:.1} s",
            report.block, report.nand2, report.library, report.measured.seconds
        );
        // A netlist that was taken says nothing of what its synthesis took.
        if !taken || results.join(&name).is_file() {
            let differs = |report: &Report, kept: &Report| report.difference(kept);
            keep(&report, &results.join(&name), args.bless && !taken, differs)?;
        }
        reports.push(report);
        let path = counts.join(&name);
        if args.energy && (!kept_only || path.is_file()) {
            let energy = measure(entry, &block, &mapped, &library)?;
            println!(
                "{}: {:.0} changes a cycle, {:.2} times with delays; {} results confirmed, {:.1} s",
                energy.block,
                energy.settled.toggles,
                energy.glitches(),
                energy.confirmed,
                energy.seconds
            );
            if args.bless && energy.operation(&Choice::MIDDLE).is_none() {
                let what = "the library does not say what its cells draw; --power FILE does".to_owned();
                return Err(RtlError::Golden { path, what });
            }
            if args.bless || path.is_file() {
                keep(&energy, &path, args.bless, |energy: &Energy, kept: &Energy| energy.difference(kept))?;
            }
            energies.push(energy);
        }
    }
    print!("\n{}", table(&reports));
    if !energies.is_empty() {
        print!("\n{}", energy_table(&energies));
    }
    Ok(())
}

/// Maps a block, or takes the netlist that a folder has of it; says whether it was taken.
fn map(
    block: &Block,
    library: &Library,
    netlists: Option<&Path>,
    tools: &Tools,
) -> Result<(Mapped, bool), RtlError> {
    let place = netlists.map(|folder| folder.join(format!("{}.{}.blif", block.name, library.name)));
    if let Some(place) = place.as_deref().filter(|place| place.is_file()) {
        return Ok((Mapped::read(place)?, true));
    }
    let folder = folder()?;
    let mapped = Mapped::of(block, library, tools, folder.path())?;
    if let Some(place) = place {
        let copied = std::fs::copy(folder.path().join("net.blif"), &place);
        copied.map_err(|source| RtlError::File { path: place, source })?;
    }
    Ok((mapped, false))
}

/// Writes a result to its file, or compares it with the one that is there.
fn keep<R: Serialize + DeserializeOwned>(
    result: &R,
    path: &Path,
    bless: bool,
    difference: impl Fn(&R, &R) -> Option<String>,
) -> Result<(), RtlError> {
    let golden = |what: String| RtlError::Golden { path: path.to_owned(), what };
    if bless {
        let text = serde_json::to_string_pretty(result).map_err(|error| golden(error.to_string()))?;
        return write(path, &(text + "\n"));
    }
    difference(result, &kept(path)?).map_or(Ok(()), |what| Err(golden(what)))
}

/// The result in a file.
fn kept<R: DeserializeOwned>(path: &Path) -> Result<R, RtlError> {
    let wrong =
        |error: serde_json::Error| RtlError::Golden { path: path.to_owned(), what: error.to_string() };
    serde_json::from_str(&read(path)?).map_err(wrong)
}

/// The file of a result.
fn file(block: &str, library: &str) -> String {
    format!("{block}.{library}.json")
}

fn folder() -> Result<tempfile::TempDir, RtlError> {
    tempfile::tempdir().map_err(|source| RtlError::File { path: std::env::temp_dir(), source })
}
