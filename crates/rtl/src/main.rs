//! The `rtl` program prints blocks, runs them beside their models, proves the small ones, and synthesises them.
//! `cargo x rtl` and `cargo x synth` install the tools and call it.
#![forbid(unsafe_code)]

mod buses;
mod check;

use buses::FpgaArgs;
use check::{Run, SynthArgs};
use clap::{Parser, Subcommand, ValueEnum};
use pairwright_rtl::lockstep::Engine;
use pairwright_rtl::{RtlError, blocks, fpga};
use std::path::PathBuf;
use std::process::ExitCode;

/// Hardware of the models' blocks.
#[derive(Parser)]
#[command(name = "rtl", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Name the blocks, with latency and interval
    List,
    /// Print a block as SystemVerilog
    Print {
        /// Name of the block
        block: String,
    },
    /// Print a block's AXI4-Stream and AXI4-Lite buses as SystemVerilog
    Axis {
        /// Name of the block
        block: String,
    },
    /// Estimate the FPGA resources of blocks with their buses, and compare with the kept results
    Fpga(FpgaArgs),
    /// Test blocks with their buses by the test bench in Python
    Axi {
        /// Blocks; without any, those whose buses the repository holds
        blocks: Vec<String>,
        /// Also inject faults, one at a time, each of which must be detected
        #[arg(long)]
        faults: bool,
    },
    /// Run blocks beside their models and compare every register in every cycle
    Lockstep(LockstepArgs),
    /// Draw a machine's block diagram as SVG, from its kept hierarchy
    Diagram {
        /// Name of the block
        block: String,
    },
    /// Read the hierarchies of the machines from their text and compare with the kept ones
    Hierarchy {
        /// Keep them instead of comparing
        #[arg(long)]
        bless: bool,
    },
    /// Run blocks beside their models and write both sides as waveforms, which are compared: BLOCK.model.vcd,
    /// BLOCK.hardware.vcd
    Waves(WavesArgs),
    /// Map blocks to cells of a library and compare with the kept results
    Synth(SynthArgs),
    /// Prove the kernels for all operands at small widths
    Prove,
    /// Every check: readers of the text, lock-step with faults, proofs, synthesis of the small blocks
    Check {
        /// More cycles, both simulators, faults in all blocks, all kept syntheses
        #[arg(long)]
        full: bool,
    },
}

#[derive(clap::Args)]
struct LockstepArgs {
    /// Blocks; without any, all
    blocks: Vec<String>,
    /// The simulator of the hardware
    #[arg(long, value_enum, default_value_t = EngineName::Cxxrtl)]
    engine: EngineName,
    /// Clock edges to compare
    #[arg(long, default_value_t = 20_000)]
    cycles: u64,
    /// Seed of operands, stalls and resets
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Also inject faults, one at a time, each of which must be detected
    #[arg(long)]
    faults: bool,
}

#[derive(clap::Args)]
struct WavesArgs {
    /// Blocks to run
    #[arg(required = true)]
    blocks: Vec<String>,
    /// Clock edges to draw
    #[arg(long, default_value_t = 300)]
    cycles: u64,
    /// Seed of operands, stalls and resets
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folder of the files
    #[arg(long, default_value = "target/waves")]
    folder: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EngineName {
    Cxxrtl,
    Verilator,
}

impl From<EngineName> for Engine {
    fn from(name: EngineName) -> Self {
        match name {
            EngineName::Cxxrtl => Self::Cxxrtl,
            EngineName::Verilator => Self::Verilator,
        }
    }
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::List => list(),
        Command::Print { block } => print(&block),
        Command::Axis { block } => axis(&block),
        Command::Fpga(args) => buses::estimate_all(&args),
        Command::Axi { blocks, faults } => buses::drive_all(&blocks, faults),
        Command::Lockstep(args) => lockstep(&args),
        Command::Diagram { block } => check::diagram(&block),
        Command::Hierarchy { bless } => check::hierarchies(bless),
        Command::Waves(args) => waves(&args),
        Command::Synth(args) => check::synth(&args),
        Command::Prove => check::proofs(true),
        Command::Check { full } => check::all(full).and_then(|()| buses::all(full)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rtl: {error}");
            ExitCode::FAILURE
        }
    }
}

fn list() -> Result<(), RtlError> {
    for entry in &blocks::ALL {
        let block = entry.block()?;
        println!(
            "{:<14} latency {:2}, interval {}: {}",
            block.name, block.latency, block.interval, block.title
        );
    }
    Ok(())
}

fn print(name: &str) -> Result<(), RtlError> {
    print!("{}", blocks::find(name)?.block()?.file());
    Ok(())
}

fn axis(name: &str) -> Result<(), RtlError> {
    let block = blocks::find(name)?.block()?;
    print!("{}", fpga::wrap(&block)?.file(&block));
    Ok(())
}

fn lockstep(args: &LockstepArgs) -> Result<(), RtlError> {
    let run = Run { engine: args.engine.into(), cycles: args.cycles, seed: args.seed };
    for entry in check::chosen(&args.blocks)? {
        check::lockstep(entry, run, args.faults)?;
    }
    Ok(())
}

fn waves(args: &WavesArgs) -> Result<(), RtlError> {
    let entries = check::chosen(&args.blocks)?;
    entries.into_iter().try_for_each(|entry| check::waves(entry, args.cycles, args.seed, &args.folder))
}
