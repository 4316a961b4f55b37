//! The `pairwright` command.
#![deny(unsafe_code)]

mod args;
mod boards;
mod closed;
mod commands;
mod curves;
mod failure;
mod files;
mod keys;
mod output;
mod progress;
mod randomness;
mod report;
mod signals;
mod usage;
mod warnings;

use args::{Cli, Command};
use clap::CommandFactory;
use failure::{ArgumentError, Failure};
use output::Envelope;
use std::process::ExitCode;

/// Threads a core that `--threads` may ask for: more only wait for each other.
const THREADS_A_CORE: usize = 8;

fn main() -> ExitCode {
    signals::clean_up();
    let arguments: Vec<_> = std::env::args_os().collect();
    let cli = match usage::read(&arguments) {
        Ok(cli) => cli,
        Err(exit) => return exit,
    };
    output::set_level(cli.quiet, cli.verbose);
    let Err(failure) = run(&cli) else { return ExitCode::SUCCESS };
    let said = if cli.json && !matches!(failure, Failure::Output(_)) {
        let why = failure.object();
        Envelope::of(&cli, failure.word(), &why).say().is_ok()
    } else {
        false
    };
    if !said {
        output::tell(&format!("pairwright: {failure}"));
    }
    failure.code()
}

fn run(cli: &Cli) -> Result<(), Failure> {
    pairwright::cpu::isa().map_err(|why| Failure::BadInput(why.into()))?;
    if let Some(n) = cli.threads {
        limit_threads(cli, n)?;
    }
    let files = cli.command.files();
    files.check()?;
    if let (true, Some(option)) = (cli.json, files.to_standard_output()) {
        return Err(ArgumentError::StandardOutput(option).into());
    }
    match &cli.command {
        Command::Demo(a) => commands::demo::run(cli, a),
        Command::Setup(a) => commands::setup::run(cli, a),
        Command::Powersoftau { what } => commands::powersoftau::run(cli, what),
        Command::Zkey { what } => commands::zkey::run(cli, what),
        Command::Vkey(a) => commands::vkey::run(cli, a),
        Command::Witness(a) => commands::witness::run(cli, a),
        Command::Check(a) => commands::check::run(cli, a),
        Command::Prove(a) => commands::prove::run(cli, a),
        Command::Shard(a) => commands::shard::run(cli, a),
        Command::Verify(a) => commands::verify::run(cli, a),
        Command::R1cs { what } => commands::circuit::of_constraints(cli, what),
        Command::Wtns { what } => commands::circuit::of_witnesses(cli, what),
        // No such command is left when the line has been read.
        Command::Groth16 { .. }
        | Command::Plonk { .. }
        | Command::Fflonk { .. }
        | Command::Generatecall(_) => Err(Failure::without_short_form()),
        Command::BatchVerify(a) => commands::batch_verify::run(cli, a),
        Command::Inspect(a) => commands::inspect::run(cli, a),
        Command::Devices => commands::devices::run(cli),
        Command::Gpu { what } => commands::gpu::run(cli, what),
        Command::Gen { what } => commands::generate::run(cli, what),
        Command::Sim { what } => commands::sim::run(cli, what),
        Command::Explore { what } => commands::sim::explore::run(cli, what),
        Command::Compile(a) => commands::compile::run(cli, a),
        Command::Asm(a) => commands::asm::run(cli, a),
        Command::Disasm(a) => commands::disasm::run(cli, a),
        Command::Man(a) => commands::man::run(cli, a),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "pairwright", &mut script);
            let script = serde_json::json!({ "text": String::from_utf8_lossy(&script).trim_end() });
            output::print(cli, &script, |s| s["text"].as_str().unwrap_or_default().to_owned())
        }
    }
}

/// Makes the pool of threads that `--threads` asks for.
fn limit_threads(cli: &Cli, asked: usize) -> Result<(), Failure> {
    if asked == 0 {
        return Err(ArgumentError::Threads.into());
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let most = THREADS_A_CORE.saturating_mul(cores);
    if asked > most {
        cli.warnings.add(format!("--threads {asked}: {most} are started, {THREADS_A_CORE} for each core"));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(asked.min(most));
    pool.build_global().map_err(|e| Failure::Internal(e.into()))
}
