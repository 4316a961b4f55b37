//! Comparative benchmarks: our operator and that of another library (the peer) run alternately in one process run, on the same inputs
//! and with the same results.
//!
//! The clock frequency of a shared or virtual machine drifts, so two separate runs cannot be compared. Here the two operators
//! alternate, A B A B, and the table prints minimum and median of both and their ratio.

#![deny(unsafe_code)]

pub mod blst_calls;
pub mod bound;
pub mod bridge;
pub mod kernels;
pub mod operands;
pub mod operators;
pub mod peers;
mod report;
pub mod secrets;

pub use report::{Row, Table};

use clap::Parser;
use clap::builder::RangedU64ValueParser;
use rayon::ThreadPool;
use std::convert::Infallible;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Compares operators with those of other libraries, in turns in one run.
#[derive(Parser)]
pub struct Options {
    /// Numbers of threads to measure with
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_value = "1,2")]
    pub threads: Vec<usize>,
    /// Binary logarithms of sizes, if not the benchmark's own
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    pub sizes: Option<Vec<u32>>,
    /// A word that a row's name must contain
    #[arg(default_value = "")]
    pub filter: String,
    /// Print JSON instead of a table
    #[arg(long)]
    pub json: bool,
    /// Write the table under `results/`
    #[arg(long)]
    pub save: bool,
    /// An `.r1cs` file to measure with, instead of the benchmark's own circuits; may be repeated
    #[arg(long = "circuit", value_name = "PATH")]
    pub circuits: Vec<PathBuf>,
    /// Rounds of a comparison, without a warm-up; else as many as fit into the benchmark's time
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub rounds: Option<usize>,
}

impl Options {
    /// Parses the options of the command line; ends the process if they are wrong.
    pub fn from_args() -> Self {
        Self::parse()
    }

    /// The requested sizes, or the default ones.
    pub fn sizes_or(&self, default: &[u32]) -> Vec<u32> {
        self.sizes.clone().unwrap_or_else(|| default.to_vec())
    }

    /// A thread pool for every requested number of threads.
    pub fn pools(&self) -> Vec<(usize, ThreadPool)> {
        let pool = |t: &usize| (*t, rayon::ThreadPoolBuilder::new().num_threads(*t).build().expect("a pool"));
        self.threads.iter().map(pool).collect()
    }

    /// The same options with a single number of threads, for peers that support no other.
    #[must_use]
    pub fn on_threads(&self, threads: usize) -> Self {
        let (sizes, circuits, filter) = (self.sizes.clone(), self.circuits.clone(), self.filter.clone());
        Self { threads: vec![threads], sizes, circuits, filter, ..*self }
    }

    /// Whether a row of this name passes the filter.
    pub fn wants(&self, name: &str) -> bool {
        name.contains(&self.filter)
    }
}

/// The times of all runs of two operations that alternate.
pub struct Pair {
    /// Our times in seconds.
    pub ours: Vec<f64>,
    /// The peer's times in seconds.
    pub peer: Vec<f64>,
}

/// Times two operations in exactly this number of alternating rounds, without a warm-up, for operations that take long.
pub fn take_rounds<X, Y>(rounds: usize, mut ours: impl FnMut() -> X, mut peer: impl FnMut() -> Y) -> Pair {
    let mut pair = Pair { ours: Vec::new(), peer: Vec::new() };
    for _ in 0..rounds {
        let start = Instant::now();
        drop(black_box(ours()));
        pair.ours.push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        drop(black_box(peer()));
        pair.peer.push(start.elapsed().as_secs_f64());
    }
    pair
}

/// Times two operations alternately: one warm-up each, then 3 to 25 rounds until about `budget` is spent. `prepare`
/// makes the operand of each run and is not timed.
pub fn take_turns<A, B, X, Y>(
    budget: Duration,
    mut prepare_ours: impl FnMut() -> A,
    mut ours: impl FnMut(A) -> X,
    mut prepare_peer: impl FnMut() -> B,
    mut peer: impl FnMut(B) -> Y,
) -> Pair {
    let ours = || Ok::<_, Infallible>(run(&mut prepare_ours, &mut ours));
    let Ok(pair) = turns(budget, ours, || Ok(run(&mut prepare_peer, &mut peer)));
    pair
}

/// The time of one run of an operation in seconds, without the preparation of its operand.
pub(crate) fn run<A, X>(prepare: &mut impl FnMut() -> A, work: &mut impl FnMut(A) -> X) -> f64 {
    let operand = black_box(prepare());
    let start = Instant::now();
    let result = black_box(work(operand));
    let seconds = start.elapsed().as_secs_f64();
    drop(result);
    seconds
}

/// Runs two operations that measure their own time alternately: one warm-up each, then 3 to 25 rounds.
pub(crate) fn turns<E>(
    budget: Duration,
    mut ours: impl FnMut() -> Result<f64, E>,
    mut peer: impl FnMut() -> Result<f64, E>,
) -> Result<Pair, E> {
    let mut pair = Pair { ours: Vec::new(), peer: Vec::new() };
    ours()?;
    peer()?;
    let begin = Instant::now();
    while pair.ours.len() < 3 || (begin.elapsed() < budget && pair.ours.len() < 25) {
        pair.ours.push(ours()?);
        pair.peer.push(peer()?);
    }
    Ok(pair)
}

/// Peak resident memory of this process in MiB.
pub fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|l| l.starts_with("VmHWM:")).expect("a peak");
    line.split_whitespace().nth(1).and_then(|n| n.parse::<u64>().ok()).expect("a number") / 1024
}
