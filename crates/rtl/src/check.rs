//! The checks of the program `rtl`; each prints a line.

use pairwright_chip::MachineSpec;
use pairwright_rtl::accept::accept;
use pairwright_rtl::blocks::{self, BlockEntry, dma, msm, processor, tree};
use pairwright_rtl::diagram::{Hierarchy, MACHINES, svg};
use pairwright_rtl::energy::{Choice, Energy, Exported, energy_table, measure};
use pairwright_rtl::lockstep::{Bench, Compared, Dump, Engine, Simulator, TRACE, Waves, build, run};
use pairwright_rtl::prove::{field_theorems, product_theorems, prove, theorems};
use pairwright_rtl::synth::{BUILT_IN, Library, Mapped, Products, Synthesis, beside_papers, report, table};
use pairwright_rtl::tools::{Tools, read, write};
use pairwright_rtl::{Block, RtlError};
use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Moduli and digit widths in bits for which theorems are proved.
const THEOREMS: [(u32, u32); 3] = [(13, 3), (61, 4), (241, 3)];
/// The modulus and the word width in bits for which the field functions are proved.
const FIELD_THEOREMS: (u32, u32) = (113, 3);
/// Operand widths in bits, and constant factors, for which product networks are proved.
const PRODUCTS: [(u32, Option<u32>); 5] = [(4, None), (5, None), (6, None), (8, Some(0xb3)), (8, Some(0xed))];
/// Blocks that are synthesised in every run.
const SMALL: [&str; 6] =
    ["add_sub_255", "add_sub_381", "dma_generator", "keccak", "pairing_control", "tree_control"];
/// Blocks whose waveforms are compared: the first in every run.
const DRAWN: [&str; 5] = ["add_sub_255", "mm_381_iterative", "butterfly_255", "pairing_control", "ntt_255"];
/// Clock edges of each compared waveform.
const DRAWN_EDGES: u64 = 300;
/// Blocks into which every run injects faults.
const FAULTY: [&str; 1] = ["add_sub_255"];
/// Folder of the synthesis results.
const RESULTS: &str = "results/rtl";
/// Folder of the transition counts.
const ENERGIES: &str = "results/rtl/energy";
/// Folder of the hierarchies from which diagrams are drawn.
const HIERARCHIES: &str = "results/rtl/hierarchy";

/// The length of a lock-step run and its simulator.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub(crate) engine: Engine,
    pub(crate) cycles: u64,
    pub(crate) seed: u64,
}

#[derive(clap::Args)]
pub(crate) struct SynthArgs {
    /// Blocks; without any, those with a kept result
    blocks: Vec<String>,
    /// A library in the Liberty format; without one, the cells that the repository holds
    #[arg(long, value_name = "FILE")]
    liberty: Option<PathBuf>,
    /// Also count how often nets change on random operands, and the energy of an operation
    #[arg(long)]
    energy: bool,
    /// A file in the Liberty format with the power data of the library's cells, if the library has none
    #[arg(long, value_name = "FILE", requires = "energy")]
    power: Option<PathBuf>,
    /// Also write the netlist as Verilog, and the changes of its cells' outputs in one lane without delays, into this
    /// folder
    #[arg(long, value_name = "FOLDER", requires = "energy")]
    export: Option<PathBuf>,
    /// How products become gates; the kept results have the dense ones, and are not compared with any other
    #[arg(long, value_enum, default_value_t = Products::Dense)]
    products: Products,
    /// Keep the results instead of comparing with the kept ones
    #[arg(long, conflicts_with = "products")]
    bless: bool,
}

impl SynthArgs {
    /// The arguments that compare blocks, or all blocks with a result, with the kept results in the repository's
    /// library.
    fn kept(blocks: Vec<String>) -> Self {
        Self {
            blocks,
            liberty: None,
            energy: true,
            power: None,
            export: None,
            products: Products::Dense,
            bless: false,
        }
    }
}

/// The blocks of these names, or all.
pub(crate) fn chosen(names: &[String]) -> Result<Vec<&'static BlockEntry>, RtlError> {
    if names.is_empty() {
        const ENTRIES: &[BlockEntry] = &blocks::ALL;
        return Ok(ENTRIES.iter().collect());
    }
    names.iter().map(|name| blocks::find(name)).collect()
}

/// Runs every check.
pub(crate) fn all(full: bool) -> Result<(), RtlError> {
    let tools = Tools::new();
    let readers = match tools.icarus() {
        Some(_) => "Verilator, slang, Yosys and Icarus",
        None => "Verilator, slang and Yosys; Icarus is not installed",
    };
    for entry in chosen(&[])? {
        let folder = folder()?;
        accept(&entry.block()?, &tools, folder.path())?;
        println!("{}: read by {readers}", entry.name);
    }
    proofs(full)?;
    let beside_its_model = |entry: &&'static BlockEntry| -> Result<(), RtlError> {
        let Some(cycles) = (if full { Some(200_000) } else { entry.short }) else { return Ok(()) };
        let faulty = full || FAULTY.contains(&entry.name);
        lockstep(entry, Run { engine: Engine::Cxxrtl, cycles, seed: 1 }, faulty)?;
        if full {
            lockstep(entry, Run { engine: Engine::Verilator, cycles, seed: 2 }, false)?;
        }
        Ok(())
    };
    // A full run takes hours on one core; the short one shares the cores with other tests.
    let entries = chosen(&[])?;
    match full {
        true => entries.par_iter().try_for_each(beside_its_model)?,
        false => entries.iter().try_for_each(beside_its_model)?,
    }
    hierarchies(false)?;
    let place = folder()?;
    for name in &DRAWN[..if full { DRAWN.len() } else { 1 }] {
        waves(blocks::find(name)?, DRAWN_EDGES, 4, place.path())?;
    }
    if full {
        other_design(Run { engine: Engine::Cxxrtl, cycles: 200_000, seed: 3 })?;
    }
    let names: Vec<String> = SMALL.iter().map(|name| (*name).to_owned()).collect();
    let blocks = if full { Vec::new() } else { names };
    compare_syntheses(&SynthArgs::kept(blocks), true)
}

/// Checks the processor's other design: its control with more random programs, and the whole of it with a pairing.
fn other_design(how: Run) -> Result<(), RtlError> {
    let best = MachineSpec::best();
    let control = processor::print_control("pairing_control", &best)?;
    beside(&control, &|block| processor::bench(block, &best, 40, false), how, false)?;
    let whole = processor::print("pairing_processor", &best)?;
    beside(&whole, &|block| processor::bench(block, &best, 4, true), how, false)
}

/// Proves theorems (all of them in a full run) and checks that a solver refutes a false assertion under the same
/// premises.
pub(crate) fn proofs(full: bool) -> Result<(), RtlError> {
    let tools = Tools::new();
    let mut all = field_theorems(FIELD_THEOREMS.0, FIELD_THEOREMS.1)?;
    for (q, digit) in THEOREMS {
        all.extend(theorems(q, digit)?);
    }
    all.extend(product_theorems(&PRODUCTS, &Library::read(&root().join(BUILT_IN))?)?);
    all.push(dma::theorem());
    all.extend(msm::theorems());
    all.extend(tree::theorems(if full { &tree::PROVED } else { &tree::PROVED[..1] }));
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

/// Runs a block beside its model, and then with injected faults.
pub(crate) fn lockstep(entry: &BlockEntry, how: Run, with_faults: bool) -> Result<(), RtlError> {
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
    let compared = run(block, bench, &mut simulator, how.cycles, how.seed, None)?;
    Ok((compared, start.elapsed().as_secs_f64()))
}

/// Runs a block beside its model, writes the waveforms of both sides to a folder, and compares the two files.
pub(crate) fn waves(entry: &BlockEntry, cycles: u64, seed: u64, to: &Path) -> Result<(), RtlError> {
    let (tools, block) = (Tools::new(), entry.block()?);
    let place = folder()?;
    let program = build(&block, Engine::Traced, cycles, &tools, place.path())?;
    let mut simulator = Simulator::start(&block, &program)?;
    let mut waves = Waves::new(&block);
    let mut bench = (entry.bench)(&block);
    run(&block, &mut *bench, &mut simulator, cycles, seed, Some(&mut waves))?;
    let file = |path: &Path, source| RtlError::File { path: path.to_owned(), source };
    std::fs::create_dir_all(to).map_err(|source| file(to, source))?;
    let [model, hardware] = ["model", "hardware"].map(|side| to.join(format!("{}.{side}.vcd", block.name)));
    waves.write(&model)?;
    std::fs::copy(place.path().join(TRACE), &hardware).map_err(|source| file(&hardware, source))?;
    let [ours, theirs] = [read(&model)?, read(&hardware)?].map(|text| Dump::parse(&text));
    let agreed = ours.agrees(&theirs, &block.name)?;
    println!(
        "{}: {} signals and {} values equal in {} and {}",
        block.name,
        agreed.signals,
        agreed.values,
        model.display(),
        hardware.display()
    );
    Ok(())
}

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The path of a machine's hierarchy.
fn of_machine(name: &str) -> PathBuf {
    root().join(HIERARCHIES).join(format!("{name}.json"))
}

/// Prints the diagram of a machine.
pub(crate) fn diagram(name: &str) -> Result<(), RtlError> {
    let (block, path) = (blocks::find(name)?.block()?, of_machine(name));
    let hierarchy: Hierarchy = kept(&path)?;
    if !hierarchy.is_of(&block) {
        let what =
            "it is of another text; `cargo x rtl hierarchy --bless` reads the text there is".to_owned();
        return Err(RtlError::Golden { path, what });
    }
    print!("{}", svg(&hierarchy));
    Ok(())
}

/// Reads the hierarchies of all machines, and keeps them or compares them with the kept ones.
pub(crate) fn hierarchies(bless: bool) -> Result<(), RtlError> {
    for name in MACHINES {
        let place = folder()?;
        let hierarchy = Hierarchy::of(&blocks::find(name)?.block()?, &Tools::new(), place.path())?;
        let differs =
            |now: &Hierarchy, kept: &Hierarchy| (now != kept).then(|| "the text has another".to_owned());
        keep(&hierarchy, &of_machine(name), bless, differs)?;
        println!("{name}: a hierarchy of {} nodes", hierarchy.nodes.len());
    }
    Ok(())
}

/// Synthesises blocks, prints the tables, and keeps or compares the results. Without names of blocks, transitions are counted only
/// where they were before: a memory, for example, has no cells whose transitions could be counted.
pub(crate) fn synth(args: &SynthArgs) -> Result<(), RtlError> {
    compare_syntheses(args, args.blocks.is_empty())
}

/// Synthesises and compares like `synth`; with `kept_only`, transitions are counted only for blocks with a kept
/// count. Blocks are synthesised side by side, unless their results are kept: those of blocks with parts follow from those of
/// their parts.
fn compare_syntheses(args: &SynthArgs, kept_only: bool) -> Result<(), RtlError> {
    let mut library = Library::read(&args.liberty.clone().unwrap_or_else(|| root().join(BUILT_IN)))?;
    if let Some(power) = &args.power {
        library.draw(Library::read(power)?)?;
    }
    let results = root().join(RESULTS);
    let mut entries = chosen(&args.blocks)?;
    if args.blocks.is_empty() {
        entries.retain(|entry| results.join(file(entry.name, &library.name)).is_file());
    }
    let one = |entry: &&'static BlockEntry| compare_synthesis(entry, args, &library, kept_only);
    let done = match args.bless {
        true => entries.iter().map(one).collect::<Result<Vec<_>, _>>()?,
        false => entries.par_iter().map(one).collect::<Result<Vec<_>, _>>()?,
    };
    let (reports, energies): (Vec<_>, Vec<_>) = done.into_iter().unzip();
    let energies: Vec<_> = energies.into_iter().flatten().collect();
    print!("\n{}", table(&reports));
    let papers = beside_papers(&reports);
    if !papers.is_empty() {
        print!("\n{papers}");
    }
    if !energies.is_empty() {
        print!("\n{}", energy_table(&energies));
    }
    Ok(())
}

/// Synthesises a block, prints its lines, keeps or compares its results, and returns them.
fn compare_synthesis(
    entry: &BlockEntry,
    args: &SynthArgs,
    library: &Library,
    kept_only: bool,
) -> Result<(Synthesis, Option<Energy>), RtlError> {
    let (tools, synthesis) = (Tools::new(), folder()?);
    let (results, counts) = (root().join(RESULTS), root().join(ENERGIES));
    let name = file(entry.name, &library.name);
    let block = entry.block()?;
    let mapped = Mapped::of(&block, library, args.products, &tools, synthesis.path())?;
    let part = |name: &str| match args.products {
        Products::Dense => kept(&results.join(file(name, &library.name))),
        Products::Yosys => uncached(name, library, &tools),
    };
    let report = report(&block, &mapped, library, part)?;
    println!(
        "{}: {:.0} NAND2 equivalents of {}, {:.1} s{}",
        report.block,
        report.nand2,
        report.library,
        report.measured.seconds,
        report.measured.peak_mib.map_or(String::new(), |mib| format!(", {mib:.0} MiB"))
    );
    let differs = |report: &Synthesis, kept: &Synthesis| report.difference(kept);
    let comparable = args.products == Products::Dense;
    if comparable {
        keep(&report, &results.join(&name), args.bless, differs)?;
    }
    let path = counts.join(&name);
    if !args.energy || kept_only && !path.is_file() {
        return Ok((report, None));
    }
    let whole = mapped.whole(&block, library, &tools)?;
    let (energy, exported) = measure(entry, &block, &whole, library, args.export.as_deref())?;
    println!(
        "{}: {:.0} changes a cycle, {:.2} times with delays; {} results confirmed, {:.1} s",
        energy.block,
        energy.settled.toggles,
        energy.glitches(),
        energy.confirmed,
        energy.seconds
    );
    if let Some(exported) = exported {
        println!("{}", of_export(&energy, &exported));
    }
    if args.bless && energy.operation(&Choice::MIDDLE).is_none() {
        let what = "the library does not say what its cells draw; --power FILE does".to_owned();
        return Err(RtlError::Golden { path, what });
    }
    if comparable && (args.bless || path.is_file()) {
        keep(&energy, &path, args.bless, |energy: &Energy, kept: &Energy| energy.difference(kept))?;
    }
    Ok((report, Some(energy)))
}

/// The powers that this crate computes for the exported lane, in the terms of a power report: watts at the clock of the
/// dump.
fn of_export(energy: &Energy, exported: &Exported) -> String {
    let (switching, seconds) = (&exported.switching, 1e-9 * exported.cycle_ns as f64);
    let watts = |femtojoules: Option<f64>| {
        femtojoules.map_or("not in the library".to_owned(), |fj| format!("{:.4e} W", 1e-15 * fj / seconds))
    };
    format!(
        "{}: {} cycles of {} ns written; pins {}, inside of cells {}, the clock's pins {}, flip-flops at its edges {}, leakage {}",
        energy.block,
        exported.cycles,
        exported.cycle_ns,
        watts(Some(switching.pins_fj)),
        watts(switching.internal_fj),
        watts(Some(energy.clock_pins_fj)),
        watts(energy.clock_internal_fj),
        energy.leakage_nw.map_or("not in the library".to_owned(), |nw| format!("{:.4e} W", 1e-9 * nw)),
    )
}

/// The report of a block whose products are as Yosys makes them, with its parts; nothing is read from kept results.
fn uncached(name: &str, library: &Library, tools: &Tools) -> Result<Synthesis, RtlError> {
    let (block, place) = (blocks::find(name)?.block()?, folder()?);
    let mapped = Mapped::of(&block, library, Products::Yosys, tools, place.path())?;
    report(&block, &mapped, library, |name| uncached(name, library, tools))
}

/// Writes a result to its file, or compares it with the existing one.
pub(crate) fn keep<R: Serialize + DeserializeOwned>(
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

/// Reads a result from a file.
fn kept<R: DeserializeOwned>(path: &Path) -> Result<R, RtlError> {
    let wrong =
        |error: serde_json::Error| RtlError::Golden { path: path.to_owned(), what: error.to_string() };
    serde_json::from_str(&read(path)?).map_err(wrong)
}

/// The file name of a result.
fn file(block: &str, library: &str) -> String {
    format!("{block}.{library}.json")
}

/// A new temporary folder, deleted with its guard.
pub(crate) fn folder() -> Result<tempfile::TempDir, RtlError> {
    tempfile::tempdir().map_err(|source| RtlError::File { path: std::env::temp_dir(), source })
}
