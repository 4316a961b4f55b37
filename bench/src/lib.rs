//! Side-by-side measurement: the same inputs, the same answers, turns taken in one run.
//!
//! A clock that drifts (and clouds' clocks do) spoils any comparison of two separate runs. Here our operator and
//! the peer's alternate, A B A B, and the table prints minimum and median of both and their ratio.

#![forbid(unsafe_code)]

pub mod bridge;
pub mod peers;
mod report;

pub use report::{Row, Table};

use rayon::ThreadPool;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What a benchmark was asked to do.
pub struct Options {
    /// Numbers of threads to measure with.
    pub threads: Vec<usize>,
    /// Logarithms of sizes, if not the benchmark's own.
    pub sizes: Option<Vec<u32>>,
    /// Only rows whose name contains this.
    pub filter: String,
    /// Print JSON instead of a table.
    pub json: bool,
    /// Write the table under `results/`.
    pub save: bool,
    /// `.r1cs` files to measure with, if not the benchmark's own circuits.
    pub circuits: Vec<PathBuf>,
    /// Rounds of a comparison, without a warm-up, if not as many as fit into the benchmark's time.
    pub rounds: Option<usize>,
}

impl Options {
    /// From the command line: `[--threads 1,2] [--sizes 16,20] [--circuit PATH]... [--rounds N] [--json] [--save]
    /// [FILTER]`.
    pub fn from_args() -> Self {
        let mut options = Self {
            threads: vec![1, 2],
            sizes: None,
            filter: String::new(),
            json: false,
            save: false,
            circuits: Vec::new(),
            rounds: None,
        };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            if arg == "--circuit" {
                let path = args.next().unwrap_or_else(|| usage("--circuit takes a path"));
                options.circuits.push(path.into());
                continue;
            }
            let mut list = |what: &str| -> Vec<u32> {
                let text = args.next().unwrap_or_default();
                let parsed: Result<Vec<u32>, _> = text.split(',').map(str::parse).collect();
                parsed.unwrap_or_else(|_| usage(&format!("{what} takes numbers separated by commas")))
            };
            match arg.as_str() {
                "--threads" => options.threads = list("--threads").into_iter().map(|t| t as usize).collect(),
                "--sizes" => options.sizes = Some(list("--sizes")),
                "--rounds" => options.rounds = list("--rounds").first().map(|n| (*n).max(1) as usize),
                "--json" => options.json = true,
                "--save" => options.save = true,
                flag if flag.starts_with('-') => usage(&format!("no flag {flag}")),
                filter => options.filter = filter.to_owned(),
            }
        }
        options
    }

    /// The sizes asked for, or the given ones.
    pub fn sizes_or(&self, default: &[u32]) -> Vec<u32> {
        self.sizes.clone().unwrap_or_else(|| default.to_vec())
    }

    /// A pool for every number of threads asked for.
    pub fn pools(&self) -> Vec<(usize, ThreadPool)> {
        let pool = |t: &usize| (*t, rayon::ThreadPoolBuilder::new().num_threads(*t).build().expect("a pool"));
        self.threads.iter().map(pool).collect()
    }

    /// Whether a row of this name is wanted.
    pub fn wants(&self, name: &str) -> bool {
        name.contains(&self.filter)
    }
}

fn usage(problem: &str) -> ! {
    eprintln!(
        "{problem}\nusage: [--threads 1,2] [--sizes 16,20] [--circuit PATH] [--rounds N] [--json] [--save] [FILTER]"
    );
    std::process::exit(2)
}

/// Seconds of every run of two operations that take turns.
pub struct Pair {
    /// Our times in seconds.
    pub ours: Vec<f64>,
    /// The peer's times in seconds.
    pub peer: Vec<f64>,
}

/// Times two operations in exactly this many turns, without a warm-up: for operations that take long.
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

/// Times two operations in turns: one warm-up each, then until about `budget` is spent, 3 to 25 rounds. Each
/// `prepare` makes the operand of one run and is not timed.
pub fn take_turns<A, B, X, Y>(
    budget: Duration,
    mut prepare_ours: impl FnMut() -> A,
    mut ours: impl FnMut(A) -> X,
    mut prepare_peer: impl FnMut() -> B,
    mut peer: impl FnMut(B) -> Y,
) -> Pair {
    let mut pair = Pair { ours: Vec::new(), peer: Vec::new() };
    black_box(ours(prepare_ours()));
    black_box(peer(prepare_peer()));
    let begin = Instant::now();
    while pair.ours.len() < 3 || (begin.elapsed() < budget && pair.ours.len() < 25) {
        let operand = prepare_ours();
        let start = Instant::now();
        let result = black_box(ours(black_box(operand)));
        pair.ours.push(start.elapsed().as_secs_f64());
        drop(result);
        let operand = prepare_peer();
        let start = Instant::now();
        let result = black_box(peer(black_box(operand)));
        pair.peer.push(start.elapsed().as_secs_f64());
        drop(result);
    }
    pair
}
