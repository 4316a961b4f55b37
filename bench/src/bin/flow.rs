//! Whether the instructions that operations on secrets execute depend on the secrets.
//!
//!     flow [--instructions N] [--secrets N] [FILTER]
//!
//! A process runs each operation on a fixed secret and on random ones, and this one single-steps it. Branches on secrets make the
//! sequences of addresses differ, however little time they take. What this does not see are addresses of data, and instructions
//! whose time depends on their operands. The last rows are operations in variable time, whose sequences have to differ. Exits
//! with 1 if a row is not as it should be. A step takes microseconds, and some twenty on a virtual machine.

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

/// Runs of each secret. Functions that measure time or allocate branch on what is no secret, so that two runs may part by
/// chance: a secret is told from the fixed one if none of its runs is like a run of that.
const RUNS: usize = 2;

/// The process that runs the operations, each run between two stops.
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
        // What is computed once a process is computed before, and memory has been allocated.
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

/// Waits for the next stop that the process makes itself; `false` if it has come to its end.
fn stops(process: Pid) -> Result<bool, Box<dyn Error>> {
    match waitpid(process, None)? {
        WaitStatus::Stopped(_, Signal::SIGSTOP) => Ok(true),
        WaitStatus::Exited(_, 0) => Ok(false),
        other => Err(format!("the operations ended with {other:?}").into()),
    }
}

/// Goes from the stop before a run to that behind it, in single steps while `more` asks for them by the number and the address
/// of each. Gives whether all were steps.
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

/// Goes on to the stop before the next run of the same operation.
fn next_run(process: Pid) -> Result<(), Box<dyn Error>> {
    ptrace::cont(process, None)?;
    if stops(process)? { Ok(()) } else { Err("an operation has fewer runs than it should".into()) }
}

/// The addresses of the instructions that a run executes, in their order: so many at most, and whether they are all.
fn recorded(process: Pid, most: usize) -> Result<(Vec<u64>, bool), Box<dyn Error>> {
    let mut addresses = Vec::new();
    let whole = step_through(process, |count, address| {
        addresses.push(address);
        count + 1 < most
    })?;
    Ok((addresses, whole))
}

/// Where a run parts from all sequences: the number of the instruction, and the address of the one before. None if it is like
/// one of them to its end.
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

/// Single-steps an operation, which stands before its first run, and prints its row. Gives whether it is as it should be.
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
                // The row is known.
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

/// The address of the beginning of the program in memory. Addresses less that are those of its file.
fn beginning(process: Pid) -> Result<u64, Box<dyn Error>> {
    let maps = std::fs::read_to_string(format!("/proc/{process}/maps"))?;
    Ok(u64::from_str_radix(maps.split('-').next().unwrap_or_default(), 16)?)
}

/// Starts the process and single-steps what it runs.
fn trace(args: &Args) -> Result<bool, Box<dyn Error>> {
    let own = std::env::args().skip(1);
    let mut child =
        Command::new(std::env::current_exe()?).args(own).arg("--traced").stdout(Stdio::piped()).spawn()?;
    let process = Pid::from_raw(child.id().try_into()?);
    let mut lines = BufReader::new(child.stdout.take().ok_or("no pipe")?).lines();
    println!("| operation | flow | instructions | parts at | as it should be |\n|---|---|---|---|---|");
    let (mut good, mut rows) = (true, 0);
    while stops(process)? {
        // It does not outlive this process.
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
    // Operators stay in the thread that is stepped.
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global()?;
    ptrace::traceme()?;
    secrets::all(&mut Traced { args, rng: bridge::rng(1) });
    Ok(ExitCode::SUCCESS)
}
