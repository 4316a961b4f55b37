//! The checks of the program `rtl`, a line printed for each.

use pairwright_rtl::accept::accept;
use pairwright_rtl::blocks::{self, Entry, msm};
use pairwright_rtl::lockstep::{Bench, Compared, Engine, Simulator, build, faults, run};
use pairwright_rtl::prove::{field_theorems, prove, theorems};
use pairwright_rtl::synth::{BUILT_IN, Library, Report, synthesise, table};
use pairwright_rtl::tools::{Tools, read, write};
use pairwright_rtl::{Block, RtlError};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Moduli and digits that theorems are proved for.
const THEOREMS: [(u32, u32); 3] = [(13, 3), (61, 4), (241, 3)];
/// The modulus and the words that the field functions are proved for.
const FIELD_THEOREMS: (u32, u32) = (113, 3);
/// Blocks that are synthesised in every run.
const SMALL: [&str; 3] = ["add_sub_255", "add_sub_381", "keccak"];
/// Blocks that have faults put in in every run.
const FAULTY: [&str; 2] = ["add_sub_255", "mm_255"];
/// Folder of the results of syntheses.
const RESULTS: &str = "results/rtl";

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
    /// Keep the results instead of comparing with those that are kept
    #[arg(long)]
    bless: bool,
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
    let names: Vec<String> = SMALL.iter().map(|name| (*name).to_owned()).collect();
    let blocks = if full { Vec::new() } else { names };
    synth(&SynthArgs { blocks, liberty: None, bless: false })
}

/// Proves all theorems, and has a solver refute what never holds under the same premises.
pub(crate) fn proofs() -> Result<(), RtlError> {
    let tools = Tools::new();
    let mut all = field_theorems(FIELD_THEOREMS.0, FIELD_THEOREMS.1)?;
    for (q, digit) in THEOREMS {
        all.extend(theorems(q, digit)?);
    }
    all.extend(msm::theorems());
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
    let tools = Tools::new();
    let block = entry.block()?;
    let name = &block.name;
    let start = Instant::now();
    let compare = |block: &Block, bench: &mut dyn Bench| compare(block, bench, how, &tools);
    let mut bench = (entry.bench)(&block);
    let (compared, ran) = compare(&block, &mut *bench)?;
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
    for (case, times) in bench.coverage() {
        if times == 0 {
            return Err(RtlError::Uncovered { block: name.clone(), case, cycles: compared.cycles });
        }
        println!("{name}: {case}: {times} times");
    }
    if !with_faults {
        return Ok(());
    }
    for fault in faults(&block) {
        match compare(&fault.block, &mut *(entry.bench)(&fault.block)) {
            Err(RtlError::Differs { cycle, signal, .. }) => {
                println!("{name}: {}: noticed in cycle {cycle} at {signal}", fault.what);
            }
            Err(other) => return Err(other),
            Ok((compared, _)) => {
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

/// Synthesises blocks, prints the table, and keeps or compares the reports.
pub(crate) fn synth(args: &SynthArgs) -> Result<(), RtlError> {
    let tools = Tools::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let library = Library::read(&args.liberty.clone().unwrap_or_else(|| root.join(BUILT_IN)))?;
    let results = root.join(RESULTS);
    let mut reports = Vec::new();
    for entry in chosen(&args.blocks)? {
        if args.blocks.is_empty() && !results.join(file(entry.name, &library.name)).is_file() {
            continue;
        }
        let folder = folder()?;
        let part = |name: &str| kept(&results.join(file(name, &library.name)));
        let report = synthesise(&entry.block()?, &library, &tools, folder.path(), part)?;
        println!(
            "{}: {:.0} NAND2 equivalents of {}, {:.1} s",
            report.block, report.nand2, report.library, report.measured.seconds
        );
        keep(&report, &results, args.bless)?;
        reports.push(report);
    }
    print!("\n{}", table(&reports));
    Ok(())
}

/// Writes a report to its file, or compares it with the one that is there.
fn keep(report: &Report, folder: &Path, bless: bool) -> Result<(), RtlError> {
    let path = folder.join(file(&report.block, &report.library));
    let golden = |what: String| RtlError::Golden { path: path.clone(), what };
    if bless {
        let text = serde_json::to_string_pretty(report).map_err(|error| golden(error.to_string()))?;
        return write(&path, &(text + "\n"));
    }
    report.difference(&kept(&path)?).map_or(Ok(()), |what| Err(golden(what)))
}

/// The report in a file.
fn kept(path: &Path) -> Result<Report, RtlError> {
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
