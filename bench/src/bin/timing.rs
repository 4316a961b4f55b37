//! Tests whether the time of operations on secrets depends on the secrets, by dudect's method (Reparaz, Balasch and Verbauwhede,
//! ePrint 2016/1123).
//!
//!     timing [--seconds N] [FILTER]
//!
//! An operation runs on one fixed secret or on random ones, in random order, and Welch's t compares the times of both classes. This is
//! done for all runs, and for those below some percentiles, since noise of the operating system hides small differences. An absolute
//! value of t above 10 shows that times differ. The last rows are operations in variable time, for which it must be above 10; otherwise
//! the measurement is not sensitive enough, and the other rows prove nothing. Exits with 1 if a row is not as expected.

use clap::Parser;
use pairwright_bench::bridge;
use pairwright_bench::secrets::{self, Judge};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The absolute value of t above which times differ (dudect's bound).
const DIFFERENT: f64 = 10.0;
/// The shares of the runs that are compared, each with the fastest runs.
const SHARES: [f64; 5] = [0.5, 0.75, 0.9, 0.99, 1.0];
/// Number of secrets that are drawn before they are measured.
const DRAWN: usize = 64;

/// Looks for differences in time between secrets.
#[derive(Parser)]
struct Args {
    /// Seconds for each operation
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// A word that an operation's name must contain
    #[arg(default_value = "")]
    filter: String,
}

/// Means and variances of the times of one class.
#[derive(Default)]
struct Times {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Times {
    fn of(times: impl Iterator<Item = f64>) -> Self {
        times.fold(Self::default(), |mut sum, x| {
            sum.count += 1.0;
            let off = x - sum.mean;
            sum.mean += off / sum.count;
            sum.squares += off * (x - sum.mean);
            sum
        })
    }
    /// The variance of the mean of the times.
    fn variance(&self) -> f64 {
        self.squares / (self.count - 1.0) / self.count
    }
}

/// The difference between the times of two classes.
#[derive(Clone, Copy, Default)]
struct Apart {
    /// The absolute value of Welch's t.
    t: f64,
    /// The ratio of the mean time with the fixed secret to that with the others, minus one, in percent.
    percent: f64,
}

/// The largest absolute value of Welch's t over the shares of the runs, and the difference in that share.
fn welch(runs: &mut [(bool, f64)]) -> Apart {
    runs.sort_unstable_by(|a, b| a.1.total_cmp(&b.1));
    let of_share = |share: f64| {
        let runs = &runs[..(share * runs.len() as f64) as usize];
        let class = |fixed: bool| Times::of(runs.iter().filter(|run| run.0 == fixed).map(|run| run.1));
        let [a, b] = [true, false].map(class);
        let t = (a.mean - b.mean) / (a.variance() + b.variance()).sqrt();
        // With too few runs, or with equal times of all runs, t is not finite.
        let apart = Apart { t: t.abs(), percent: 100.0 * (a.mean / b.mean - 1.0) };
        if t.is_finite() { apart } else { Apart::default() }
    };
    SHARES.into_iter().map(of_share).max_by(|a, b| a.t.total_cmp(&b.t)).unwrap_or_default()
}

/// A [`Judge`] that compares times, with the options and whether all rows so far were as expected.
struct ByTime {
    args: Args,
    rng: ChaCha20Rng,
    good: bool,
}

impl Judge for ByTime {
    fn rng(&mut self) -> &mut ChaCha20Rng {
        &mut self.rng
    }

    /// All secrets are made before they are measured, so that caches favour none of them.
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
        let (end, mut runs) = (Instant::now() + Duration::from_secs_f64(self.args.seconds), Vec::new());
        while Instant::now() < end {
            let drawn: Vec<(bool, S)> = (0..DRAWN)
                .map(|_| {
                    let class = self.rng.next_u32() & 1 == 1;
                    (class, make(class, &mut self.rng))
                })
                .collect();
            for (class, secret) in &drawn {
                let start = Instant::now();
                run(black_box(secret));
                runs.push((*class, start.elapsed().as_nanos() as f64));
            }
        }
        // The first runs are a warm-up.
        let Apart { t, percent } = welch(&mut runs[DRAWN..]);
        let as_it_should = (t <= DIFFERENT) == constant;
        self.good &= as_it_should;
        let promise = if constant { "constant" } else { "variable" };
        let verdict = if as_it_should { "yes" } else { "**no**" };
        println!("| {name} | {promise} | {} | {t:.1} | {percent:+.3} % | {verdict} |", runs.len());
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    // One thread, so that no run waits for another thread.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the first pool");
    let mut judge = ByTime { args, rng: bridge::rng(1), good: true };
    println!(
        "| operation | time | runs | largest t | difference there | as it should be |\n|---|---|---|---|---|---|"
    );
    secrets::all(&mut judge);
    if judge.good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
