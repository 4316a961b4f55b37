//! Where a result comes from: machine, commit, compilers, seed, date.

use crate::experiment::{Context, Experiment};
use serde::Serialize;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The contents of `<id>.meta.toml`.
#[derive(Clone, Debug, Serialize)]
pub struct Provenance {
    /// The experiment's id.
    pub id: String,
    /// The paper's key and the place in it.
    pub paper: String,
    /// The command that repeats it.
    pub command: String,
    /// Day of the run, UTC.
    pub date: String,
    /// Commit of the sources; `+` when something was changed since.
    pub commit: String,
    /// Model of the processor.
    pub host: String,
    /// The processor or device that the kernels of this run ran on.
    pub device: String,
    /// Estimated clock in GHz: see [`clock_ghz`].
    pub clock_ghz: f64,
    /// The method by which the clock was estimated.
    pub clock_method: String,
    /// Mean number of processes that wanted a core in the minute before the run ended: above `threads`, others did too.
    pub load: f64,
    /// Threads of every series.
    pub threads: usize,
    /// Seed of the operands.
    pub seed: u64,
    /// Compiler of the lab and of Rust kernels.
    pub rustc: String,
    /// Compiler of C kernels.
    pub cc: String,
    /// The GMP beside which was measured, or why there was none.
    pub gmp: String,
    /// Small sizes and few repeats: not to be quoted.
    pub quick: bool,
}

impl Provenance {
    /// `measured`: whether a row was measured here.
    pub(crate) fn of(experiment: &Experiment, context: &Context<'_>, measured: bool) -> Self {
        let changed =
            if said("git", &["status", "--porcelain", "--", "crates"]).is_empty() { "" } else { "+" };
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        Self {
            id: experiment.id.to_owned(),
            paper: experiment.paper.to_owned(),
            command: format!("cargo lab run {}", experiment.id),
            date: said("date", &["-u", "+%F"]),
            commit: said("git", &["rev-parse", "--short=12", "HEAD"]) + changed,
            host: host(),
            device: if measured { context.device() } else { "a model: no machine was measured".to_owned() },
            clock_ghz: (100.0 * clock_ghz()).round() / 100.0,
            clock_method: "a chain of dependent 64-bit multiplications, 3 cycles each".to_owned(),
            load: load(),
            threads: context.threads(),
            seed: context.seed,
            rustc: said("rustc", &["--version"]),
            cc: said(&compiler, &["--version"]).lines().next().unwrap_or_default().to_owned(),
            gmp: context.gmp.as_ref().map_or_else(ToString::to_string, |gmp| gmp.version().to_owned()),
            quick: context.quick,
        }
    }

    /// The text of the file.
    pub(crate) fn toml(&self) -> String {
        toml::to_string(self).expect("plain fields")
    }
}

/// Model of the processor, with family and model numbers, since the name alone hides the generation.
fn host() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = text.lines().find(|line| line.split(':').next().map(str::trim) == Some(name));
        line.and_then(|line| line.split_once(':')).map_or("unknown", |(_, value)| value.trim()).to_owned()
    };
    format!("{} (family {} model {})", field("model name"), field("cpu family"), field("model"))
}

fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().and_then(|minute| minute.parse().ok()).unwrap_or(f64::NAN)
}

/// The output of a program; empty if it is not installed.
fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(repository()).output();
    output.map_or_else(|_| String::new(), |out| String::from_utf8_lossy(&out.stdout).trim().to_owned())
}

/// The repository's root.
pub fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// The core's clock in GHz, as it is under load now, from a chain of dependent multiplications: each takes three cycles
/// on every x86-64 since 2011. The fastest of a few short runs; other work on the core can only make it too low.
pub fn clock_ghz() -> f64 {
    const LINKS: u32 = 1 << 20;
    let run = || {
        let mut x = black_box(3u64);
        let start = Instant::now();
        for _ in 0..LINKS / 16 {
            // Squares, so that nothing can be multiplied together in advance.
            for _ in 0..16 {
                x = x.wrapping_mul(x);
            }
        }
        black_box(x);
        start.elapsed().as_secs_f64()
    };
    let fastest = (0..20).map(|_| run()).fold(f64::INFINITY, f64::min);
    3.0 * f64::from(LINKS) / fastest / 1e9
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_clock_is_a_clock() {
        let ghz = super::clock_ghz();
        assert!((0.2..8.0).contains(&ghz), "{ghz}");
    }
}
