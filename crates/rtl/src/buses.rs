//! The checks of blocks with the buses of an FPGA; each prints a line.

use crate::check::{folder, keep, root};
use pairwright_rtl::accept::accept;
use pairwright_rtl::fpga::{Estimate, FAMILY, HELD, estimate, estimates, wrap};
use pairwright_rtl::tools::Tools;
use pairwright_rtl::{Block, RtlError, blocks};
use std::time::Instant;

/// Folder of the resource estimates.
const RESULTS: &str = "results/rtl/fpga";
/// The test bench in Python.
const BENCH: &str = "rtl/fpga/bench.py";
/// Blocks that are tested in every run; compiling a bench takes longer than running it.
const SMALL: [&str; 1] = ["mm_381_iterative"];

#[derive(clap::Args)]
pub(crate) struct FpgaArgs {
    /// Blocks; without any, those with a kept result
    blocks: Vec<String>,
    /// Keep the results instead of comparing with the kept ones
    #[arg(long)]
    bless: bool,
}

/// The blocks of these names, or those whose buses the repository holds.
fn chosen(names: &[String]) -> Result<Vec<Block>, RtlError> {
    let held = || HELD.map(str::to_owned).to_vec();
    let names = if names.is_empty() { held() } else { names.to_vec() };
    names.iter().map(|name| blocks::find(name)?.block()).collect()
}

/// Lets the readers accept the buses, and tests them; a full run tests all of them, with faults, and makes all
/// estimates.
pub(crate) fn all(full: bool) -> Result<(), RtlError> {
    let tools = Tools::new();
    for block in chosen(&[])? {
        let (whole, folder) = (wrap(&block)?.whole(&block), folder()?);
        accept(&whole, &tools, folder.path())?;
        println!("{}: read by Verilator, slang and Yosys", whole.name);
        if full || SMALL.contains(&block.name.as_str()) {
            drive(&block, full)?;
        }
    }
    if full {
        estimate_all(&FpgaArgs { blocks: Vec::new(), bless: false })?;
    }
    Ok(())
}

/// Tests blocks with their buses by the test bench in Python.
pub(crate) fn drive_all(names: &[String], faults: bool) -> Result<(), RtlError> {
    chosen(names)?.iter().try_for_each(|block| drive(block, faults))
}

fn drive(block: &Block, faults: bool) -> Result<(), RtlError> {
    let root = root();
    let bench = root.join(BENCH).display().to_string();
    let arguments = ["-B", &bench, &block.name].into_iter().chain(faults.then_some("--faults"));
    let text = Tools::new().python().run(&root, &arguments.collect::<Vec<_>>(), &block.name)?;
    let of_bench = text.lines().filter(|line| line.starts_with(&format!("{}_axis: ", block.name)));
    of_bench.for_each(|line| println!("{line}"));
    Ok(())
}

/// Estimates the FPGA resources of blocks, prints a table, and keeps or compares the results.
pub(crate) fn estimate_all(args: &FpgaArgs) -> Result<(), RtlError> {
    let mut found = Vec::new();
    for block in chosen(&args.blocks)? {
        let (folder, start) = (folder()?, Instant::now());
        let resources = estimate(&block, &Tools::new(), folder.path())?;
        println!("{}: mapped to {FAMILY} in {:.1} s", block.name, start.elapsed().as_secs_f64());
        let path = root().join(RESULTS).join(format!("{}.{FAMILY}.json", block.name));
        if args.bless || path.is_file() || args.blocks.is_empty() {
            keep(&resources, &path, args.bless, |new: &Estimate, kept: &Estimate| {
                (new != kept).then(|| format!("{:?} instead of {:?}", new.resources, kept.resources))
            })?;
        }
        found.push(resources);
    }
    print!("\n{}", estimates(&found));
    Ok(())
}
