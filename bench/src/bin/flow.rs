//! Tests whether the sequence of instructions of operations on secrets depends on the secrets.
//!
//!     flow [--instructions N] [--secrets N] [FILTER]
//!
//! A child process runs each operation on a fixed secret and on random ones, and this process single-steps it. Branches on secrets
//! make the sequences of addresses differ, however little time they take. This does not detect secret-dependent addresses of data, nor
//! instructions whose time depends on their operands. The last rows are operations in variable time, whose sequences must differ. Exits
//! with 1 if a row is not as expected. A step takes microseconds, and some twenty on a virtual machine.

use clap::Parser;
use nix::sys::ptrace;
use nix::sys::signal::{Signal, raise};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;
use pairwright_bench::bridge;
use pairwright_bench::secrets::{self, Judge};
use rand_chacha::ChaCha20Rng;
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::process::{Command, ExitCode, Stdio};

/// Compares the instructions that operations execute on different secrets
#[derive(Parser)]
struct Args {
    /// Instructions of a run that are compared at most
    #[arg(long, default_value_t = 1_000_000)]
    instructions: usize,
    /// Random secrets of an operation
    #[arg(long, default_value_t = 2)]
    secrets: usize,
    /// Be the process that runs the operations
    #[arg(long, hide = true)]
    traced: bool,
    /// A word that an operation's name must contain
    #[arg(default_value = "")]
    filter: String,
}

/// Number of runs of each secret. Functions that measure time or allocate have branches that do not depend on secrets, so two runs may
/// differ by chance. A secret counts as different from the fixed one only if none of its runs equals a run of the fixed secret.
const RUNS: usize = 2;

/// The child process that runs the operations; it stops before and after each run.
struct Traced {
    args: Args,
    rng: ChaCha20Rng,
}

impl Judge for Traced {
    fn rng(&mut self) -> &mut ChaCha20Rng {
        &mut self.rng
    }

    fn compare_made<S>(
        &mut self,
        name: &str,
        constant: bool,
        mut make: impl FnMut(bool, &mut ChaCha20Rng) -> S,
        mut run: impl FnMut(&S),
    ) {
        if !name.contains(&self.args.filter) {
            return;
        }
        let secrets: Vec<S> = (0..=self.args.secrets).map(|i| make(i == 0, &mut self.rng)).collect();
        // Warm-up: values that are computed once per process are computed, and memory is allocated.
        (0..3).for_each(|_| run(&secrets[0]));
        println!("{name}\t{constant}");
        for secret in &secrets {
            for _ in 0..RUNS {
                raise(Signal::SIGSTOP).expect("a stop");
                run(secret);
                raise(Signal::SIGSTOP).expect("a stop");
            }
        }
    }
}

/// Waits for the next stop of the process; `false` if the process has ended.
fn stops(process: Pid) -> Result<bool, Box<dyn Error>> {
    match waitpid(process, None)? {
        WaitStatus::Stopped(_, Signal::SIGSTOP) => Ok(true),
        WaitStatus::Exited(_, 0) => Ok(false),
        other => Err(format!("the operations ended with {other:?}").into()),
    }
}

/// Advances the process from the stop before a run to the stop after it, by single steps as long as `more`, which gets the number and
/// the address of each step, returns true. Returns whether the whole run was stepped.
fn step_through(process: Pid, mut more: impl FnMut(usize, u64) -> bool) -> Result<bool, Box<dyn Error>> {
    for count in 0.. {
        ptrace::step(process, None)?;
        match waitpid(process, None)? {
            WaitStatus::Stopped(_, Signal::SIGSTOP) => break,
            WaitStatus::Stopped(_, Signal::SIGTRAP) if more(count, ptrace::getregs(process)?.rip) => {}
            WaitStatus::Stopped(_, Signal::SIGTRAP) => {
                ptrace::cont(process, None)?;
                return if stops(process)? { Ok(false) } else { Err("an operation did not end".into()) };
            }
            other => return Err(format!("an operation ended with {other:?}").into()),
        }
    }
    Ok(true)
}

/// Continues to the stop before the next run of the same operation.
fn next_run(process: Pid) -> Result<(), Box<dyn Error>> {
    ptrace::cont(process, None)?;
    if stops(process)? { Ok(()) } else { Err("an operation has fewer runs than it should".into()) }
}

/// The addresses of the instructions that a run executes, in order and at most `most` of them, and whether these are all.
fn recorded(process: Pid, most: usize) -> Result<(Vec<u64>, bool), Box<dyn Error>> {
    let mut addresses = Vec::new();
    let whole = step_through(process, |count, address| {
        addresses.push(address);
        count + 1 < most
    })?;
    Ok((addresses, whole))
}

/// The point at which a run differs from all known sequences: the number of the instruction, and the address of the one before. `None`
/// if the run equals one of them.
fn parting(process: Pid, known: &[Vec<u64>]) -> Result<Option<(usize, u64)>, Box<dyn Error>> {
    let mut like: Vec<&Vec<u64>> = known.iter().collect();
    let (mut at, mut last) = (0, 0);
    step_through(process, |count, address| {
        like.retain(|known| known.get(count) == Some(&address));
        if !like.is_empty() {
            (at, last) = (count + 1, address);
        }
        like.iter().any(|known| known.len() > count + 1)
    })?;
    Ok((!like.iter().any(|known| known.len() == at)).then_some((at, last)))
}

/// Single-steps an operation, which is stopped before its first run, and prints its row. Returns whether the result is as expected.
fn judge(process: Pid, args: &Args, line: &str) -> Result<bool, Box<dyn Error>> {
    let (name, promise) = line.split_once('\t').ok_or("a line without a promise")?;
    let (mut known, mut whole) = (Vec::new(), true);
    for run in 0..RUNS {
        if run > 0 {
            next_run(process)?;
        }
        let (addresses, all) = recorded(process, args.instructions)?;
        known.push(addresses);
        whole &= all;
    }
    let mut parted = None;
    for _ in 0..args.secrets {
        let mut of_this = None;
        for run in 0..RUNS {
            next_run(process)?;
            if parted.is_none() && (run == 0 || of_this.is_some()) {
                of_this = parting(process, &known)?;
            } else {
                // The result of the row is known.
                step_through(process, |_, _| false)?;
            }
        }
        parted = parted.or(of_this);
    }
    let constant = promise == "true";
    let as_it_should = parted.is_none() == constant;
    let count = known.first().map_or(0, Vec::len);
    let place = match parted {
        Some((at, last)) => format!("{at}, behind {:#x}", last.wrapping_sub(beginning(process)?)),
        None => "nowhere".to_owned(),
    };
    println!(
        "| {name} | {} | {count}{} | {place} | {} |",
        if constant { "constant" } else { "variable" },
        if whole { "" } else { " and more" },
        if as_it_should { "yes" } else { "**no**" }
    );
    Ok(as_it_should)
}

/// The address at which the program is loaded. Subtracting it converts addresses to those in the file.
fn beginning(process: Pid) -> Result<u64, Box<dyn Error>> {
    let maps = std::fs::read_to_string(format!("/proc/{process}/maps"))?;
    Ok(u64::from_str_radix(maps.split('-').next().unwrap_or_default(), 16)?)
}

/// Starts the child process and single-steps its operations.
fn trace(args: &Args) -> Result<bool, Box<dyn Error>> {
    let own = std::env::args().skip(1);
    let mut child =
        Command::new(std::env::current_exe()?).args(own).arg("--traced").stdout(Stdio::piped()).spawn()?;
    let process = Pid::from_raw(child.id().try_into()?);
    let mut lines = BufReader::new(child.stdout.take().ok_or("no pipe")?).lines();
    println!("| operation | flow | instructions | parts at | as it should be |\n|---|---|---|---|---|");
    let (mut good, mut rows) = (true, 0);
    while stops(process)? {
        // The child is killed if this process exits.
        ptrace::setoptions(process, ptrace::Options::PTRACE_O_EXITKILL)?;
        rows += 1;
        good &= judge(process, args, &lines.next().ok_or("no name of an operation")??)?;
        ptrace::cont(process, None)?;
    }
    if rows > 0 { Ok(good) } else { Err(format!("no operation's name contains `{}`", args.filter).into()) }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let args = Args::parse();
    if !args.traced {
        return Ok(if trace(&args)? { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    // Operators run in the thread that is stepped.
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global()?;
    ptrace::traceme()?;
    secrets::all(&mut Traced { args, rng: bridge::rng(1) });
    Ok(ExitCode::SUCCESS)
}
