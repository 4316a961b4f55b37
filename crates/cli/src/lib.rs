//! The `pairwright` command as a library: [`main`] is the command, and [`call`] runs a command inside a process that embeds this
//! library and returns the object that `--json` prints.
//!
//! The packages for other languages take from this library what the command defines: which inputs are refused and with which
//! messages ([`Failure`]), the randomness that a seed gives, the units of progress, and the dispatch from a curve's id to its type
//! ([`on_curve`]).
#![deny(unsafe_code)]

mod answer;
mod args;
mod boards;
mod caller;
mod closed;
mod commands;
mod curves;
mod failure;
mod files;
mod freed;
mod keys;
mod output;
pub mod progress;
pub mod randomness;
mod report;
mod signals;
pub mod stop;
mod usage;
mod warnings;

use answer::Answer;
use args::{Cli, Command, with_hints};
pub use caller::{Caller, TaskRunner};
use clap::CommandFactory;
use failure::ArgumentError;
pub use failure::{Failure, Kind, RejectedBatch, RejectedProof};
use output::Envelope;
pub use report::account;
use std::ffi::OsString;
use std::process::ExitCode;

/// The most threads per core that `--threads` starts; further threads would only wait for each other.
const THREADS_A_CORE: usize = 8;

/// Runs the command with the words of its command line, the program's name first, and returns its exit code.
pub fn main(arguments: Vec<OsString>) -> ExitCode {
    exit_code(arguments).into()
}

/// As [`main`], but returns the exit code as a number, for a caller that ends the process itself.
pub fn exit_code(arguments: Vec<OsString>) -> u8 {
    signals::clean_up();
    let cli = match usage::read(&arguments) {
        Ok(cli) => cli,
        Err(exit) => return exit,
    };
    output::set_level(cli.quiet, cli.verbose);
    let Err(failure) = run(&cli) else { return 0 };
    let said = if cli.json && !matches!(failure, Failure::Output(_)) {
        let why = failure.object();
        Envelope::of(&cli, failure.word(), &why).print().is_ok()
    } else {
        false
    };
    if !said {
        output::eprint_line(&format!("pairwright: {failure}"));
    }
    failure.code()
}

/// Runs the command with the words that follow its name, in this process: nothing is printed, and the process goes on afterwards.
/// Returns the text of the object that `--json` prints.
///
/// # Errors
/// The failure of the command, including errors of the caller's [`TaskRunner`]; words that the parser does not understand are
/// [`Failure::BadInput`] with the parser's text.
///
/// # Panics
/// Unwinds with [`stop::Stopped`] when the caller has asked the command to stop.
pub fn call(words: &[OsString], caller: Caller) -> Result<String, Failure> {
    let before = ["pairwright", "--json", "--quiet"].map(OsString::from);
    let mut cli = usage::parse(&[&before, words].concat())?;
    output::set_level(true, false);
    (cli.answer, cli.caller) = (Answer::kept(), caller);
    let run = || cli.caller.stop.during(|| run_here(&cli));
    match cli.threads {
        None => run()?,
        Some(n) => {
            let pool = pool(&cli, n)?.build().map_err(|why| Failure::Internal(why.into()))?;
            pool.install(run)?;
        }
    }
    cli.answer.take().ok_or_else(|| Failure::Internal("the command gave no answer".into()))
}

fn run(cli: &Cli) -> Result<(), Failure> {
    if let Some(n) = cli.threads {
        pool(cli, n)?.build_global().map_err(|why| Failure::Internal(why.into()))?;
    }
    run_here(cli)
}

/// Runs the command in the thread pool that is current.
fn run_here(cli: &Cli) -> Result<(), Failure> {
    pairwright::cpu::isa().map_err(|why| Failure::BadInput(why.into()))?;
    cli.files.check()?;
    if let (true, Some(argument)) = (cli.json, cli.files.to_standard_output()) {
        return Err(ArgumentError::StandardOutput(argument.to_owned()).into());
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
        // Reading the command line has replaced these commands by their short forms.
        Command::Groth16 { .. }
        | Command::Plonk { .. }
        | Command::Fflonk { .. }
        | Command::Generatecall(_) => Err(Failure::without_short_form()),
        Command::Bls { what } => commands::bls::run(cli, what),
        Command::HashToCurve(a) => commands::hash_to_curve::run(cli, a),
        Command::Eip2537(a) => commands::precompile::run(cli, a.name.precompile(), &a.call),
        Command::Eip196(a) => commands::precompile::run(cli, a.name.precompile(), &a.call),
        Command::Bbs { what } => commands::bbs::run(cli, what),
        Command::Fe { what } => commands::fe::run(cli, what),
        Command::BatchVerify(a) => commands::batch_verify::run(cli, a),
        Command::Ibe { what } => commands::ibe::run(cli, what),
        Command::Tlock { what } => commands::tlock::run(cli, what),
        Command::Abe { what } => commands::abe::run(cli, what),
        Command::Payment { what } => commands::payment::run(cli, what),
        Command::Inspect(a) => commands::inspect::run(cli, a),
        Command::Devices => commands::devices::run(cli),
        Command::Gpu { number, what } => commands::gpu::run(cli, what, *number),
        Command::Gen { what } => commands::generate::run(cli, what),
        Command::Sim { what } => commands::sim::run(cli, what),
        Command::Explore { what } => commands::sim::explore::run(cli, what),
        Command::Compile(a) => commands::compile::run(cli, a),
        Command::Asm(a) => commands::asm::run(cli, a),
        Command::Disasm(a) => commands::disasm::run(cli, a),
        Command::Man(a) => commands::man::run(cli, a),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut with_hints(Cli::command()), "pairwright", &mut script);
            let script = serde_json::json!({ "text": String::from_utf8_lossy(&script).trim_end() });
            output::print(cli, &script, |s| s["text"].as_str().unwrap_or_default().to_owned())
        }
    }
}

/// The builder of the thread pool that `--threads` asks for, with a warning when fewer threads are started than asked for.
fn pool(cli: &Cli, asked: usize) -> Result<rayon::ThreadPoolBuilder, Failure> {
    if asked == 0 {
        return Err(ArgumentError::Threads.into());
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let most = THREADS_A_CORE.saturating_mul(cores);
    if asked > most {
        cli.warnings.add(format!("--threads {asked}: {most} are started, {THREADS_A_CORE} for each core"));
    }
    Ok(rayon::ThreadPoolBuilder::new().num_threads(asked.min(most)))
}
