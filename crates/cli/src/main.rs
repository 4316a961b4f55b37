//! The `pairwright` command.
#![forbid(unsafe_code)]

mod args;
mod boards;
mod commands;
mod curves;
mod failure;
mod output;
mod progress;
mod randomness;
mod report;

use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use failure::{ArgumentError, Failure};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if cli.json {
                let object = serde_json::json!({ "status": failure.word(), "error": failure.to_string() });
                output::say(&object.to_string());
            } else {
                eprintln!("pairwright: {failure}");
            }
            failure.code()
        }
    }
}

fn run(cli: &Cli) -> Result<(), Failure> {
    pairwright::cpu::isa().map_err(|why| Failure::BadInput(why.into()))?;
    if let Some(n) = cli.threads {
        if n == 0 {
            return Err(ArgumentError::Threads.into());
        }
        rayon::ThreadPoolBuilder::new()
            .num_threads(n)
            .build_global()
            .map_err(|e| Failure::Internal(e.into()))?;
    }
    match &cli.command {
        Command::Demo(a) => commands::demo::run(cli, a),
        Command::Setup(a) => commands::setup::run(cli, a),
        Command::Vkey(a) => commands::vkey::run(cli, a),
        Command::Witness(a) => commands::witness::run(cli, a),
        Command::Check(a) => commands::check::run(cli, a),
        Command::Prove(a) => commands::prove::run(cli, a),
        Command::Verify(a) => commands::verify::run(cli, a),
        Command::BatchVerify(a) => commands::batch_verify::run(cli, a),
        Command::Inspect(a) => commands::inspect::run(cli, a),
        Command::Devices => commands::devices::run(cli),
        Command::Gpu { what } => commands::gpu::run(cli, what),
        Command::Gen { what } => commands::generate::run(cli, what),
        Command::Sim { what } => commands::sim::run(cli, what),
        Command::Compile(a) => commands::compile::run(cli, a),
        Command::Asm(a) => commands::asm::run(cli, a),
        Command::Disasm(a) => commands::disasm::run(cli, a),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "pairwright", &mut script);
            output::say(String::from_utf8_lossy(&script).trim_end());
            Ok(())
        }
    }
}
