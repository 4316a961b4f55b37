//! The provenance of a result: machine, commit, compilers, seed, date.

use crate::LabError;
use crate::device_report::Reported;
use crate::experiment::{Context, Experiment};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The contents of `<id>.meta.toml`.
#[derive(Clone, Debug, Serialize)]
pub struct Provenance {
    /// The experiment's id.
    pub id: String,
    /// The paper's key and the figure, table or section.
    pub paper: String,
    /// The command that repeats it.
    pub command: String,
    /// Day of the run, UTC.
    pub date: String,
    /// Commit of the sources, with `+` if they were changed since.
    pub commit: String,
    /// Model of the processor.
    pub host: String,
    /// The processor or device on which the kernels of this run ran.
    pub device: String,
    /// Estimated clock of the core in GHz: see [`clock_ghz`].
    pub clock_ghz: f64,
    /// The method by which the clock was estimated.
    pub clock_method: String,
    /// Mean number of runnable processes in the minute before the run ended; a value above `threads` means that other
    /// processes ran.
    pub load: f64,
    /// Threads of every series.
    pub threads: usize,
    /// Seed of the operands.
    pub seed: u64,
    /// Compiler of the lab and of Rust kernels.
    pub rustc: String,
    /// Compiler of C kernels.
    pub cc: String,
    /// The version of GMP that was measured, or why there was none.
    pub gmp: String,
    /// Whether sizes were small and repeats few, so that the numbers are not to be quoted.
    pub quick: bool,
    /// The report from which the rows of a device come, if they come from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reported: Option<Reported>,
    /// The run in which the measured rows were made, if this run kept them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<Earlier>,
}

/// The earlier run in which kept rows were measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Earlier {
    /// Day of that run, UTC.
    pub date: String,
    /// Commit of its sources.
    pub commit: String,
    /// Model of its processor.
    pub host: String,
    /// The processor or device on which its kernels ran.
    pub device: String,
    /// Its estimated clock in GHz.
    pub clock_ghz: f64,
    /// Its mean number of runnable processes.
    pub load: f64,
    /// Threads of its series.
    pub threads: usize,
    /// Its compiler of Rust.
    pub rustc: String,
    /// Its compiler of C.
    pub cc: String,
    /// The GMP that it measured.
    pub gmp: String,
}

impl Earlier {
    /// The run that measured the rows of a kept result, read from its provenance file: that result's own run, or the
    /// one from which it kept its rows.
    ///
    /// # Errors
    /// The file cannot be read, or lacks a field.
    fn of(folder: &Path, id: &str) -> Result<Self, LabError> {
        #[derive(Deserialize)]
        struct File {
            measured: Option<Earlier>,
        }
        match read_beside::<File>(folder, id)?.measured {
            Some(earlier) => Ok(earlier),
            None => read_beside(folder, id),
        }
    }
}

/// Reads fields of the provenance file of a kept result.
fn read_beside<T: DeserializeOwned>(folder: &Path, id: &str) -> Result<T, LabError> {
    let path = folder.join(id).with_extension("meta.toml");
    let text = std::fs::read_to_string(&path).map_err(LabError::io(&path))?;
    toml::from_str(&text).map_err(|source| LabError::Meta { path, source: Box::new(source) })
}

/// The report from which the device's rows of a kept result come, read from its provenance file.
fn kept_report(folder: &Path, id: &str) -> Result<Option<Reported>, LabError> {
    #[derive(Deserialize)]
    struct File {
        reported: Option<Reported>,
    }
    Ok(read_beside::<File>(folder, id)?.reported)
}

impl Provenance {
    /// The provenance of this run; `measured` says whether a row was measured in it.
    pub(crate) fn of(
        experiment: &Experiment,
        context: &Context<'_>,
        measured: bool,
    ) -> Result<Self, LabError> {
        let earlier = match context.kept() {
            Some(folder) if measured => Some(Earlier::of(folder, experiment.id)?),
            _ => None,
        };
        let reported = match (&context.report, context.kept()) {
            (Some(report), _) if experiment.id.starts_with("moma/") => Some(report.provenance()),
            (None, Some(folder)) if measured && context.cuda.is_err() => kept_report(folder, experiment.id)?,
            _ => None,
        }
        .filter(|_| measured);
        let changed =
            if output_of("git", &["status", "--porcelain", "--", "crates"]).is_empty() { "" } else { "+" };
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let device = match (measured, &earlier) {
            (true, None) => context.device(),
            (true, Some(_)) => match (&reported, &context.cuda) {
                (Some(report), _) => {
                    format!("{}, by its report; the host's rows are those of an earlier run", report.device)
                }
                // The figures of [MoMA] are always measured on an available device.
                (None, Ok(cuda)) if experiment.id.starts_with("moma/") => {
                    format!("{}; the host's rows are those of an earlier run", cuda.name())
                }
                _ => "a model; the measured rows are those of an earlier run".to_owned(),
            },
            (false, _) => "a model: no machine was measured".to_owned(),
        };
        let keeping = if earlier.is_some() { " --keep-measured" } else { "" };
        let reporting = context.report.as_ref().and(reported.as_ref());
        let reporting = reporting.map_or_else(String::new, |from| format!(" --gpu-report {}", from.file));
        Ok(Self {
            id: experiment.id.to_owned(),
            paper: experiment.paper.to_owned(),
            command: format!("cargo lab run {}{keeping}{reporting}", experiment.id),
            date: output_of("date", &["-u", "+%F"]),
            commit: output_of("git", &["rev-parse", "--short=12", "HEAD"]) + changed,
            host: host(),
            device,
            clock_ghz: (100.0 * clock_ghz()).round() / 100.0,
            clock_method: "a chain of dependent 64-bit multiplications, 3 cycles each".to_owned(),
            load: load(),
            threads: context.threads(),
            seed: context.seed,
            rustc: output_of("rustc", &["--version"]),
            cc: output_of(&compiler, &["--version"]).lines().next().unwrap_or_default().to_owned(),
            reported,
            gmp: context.gmp.as_ref().map_or_else(ToString::to_string, |gmp| gmp.version().to_owned()),
            quick: context.quick,
            measured: earlier,
        })
    }

    /// The text of the file.
    pub(crate) fn toml(&self) -> String {
        toml::to_string(self).expect("plain fields")
    }
}

/// Model of the processor, with family and model numbers, since the name alone does not identify the generation.
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
fn output_of(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(repository()).output();
    output.map_or_else(|_| String::new(), |out| String::from_utf8_lossy(&out.stdout).trim().to_owned())
}

/// The repository's root.
pub fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// The core's current clock in GHz under load, measured with a chain of dependent multiplications, each of which takes
/// three cycles on every x86-64 processor since 2011. The fastest of a few short runs is taken; other load on the core
/// can only make the result too low.
pub fn clock_ghz() -> f64 {
    const LINKS: u32 = 1 << 20;
    let run = || {
        let mut x = black_box(3u64);
        let start = Instant::now();
        for _ in 0..LINKS / 16 {
            // Squares, so that the compiler cannot combine factors in advance.
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
    use super::*;

    #[test]
    fn kept_rows_say_the_run_that_measured_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one.meta.toml");
        let of = |text: &str| {
            std::fs::write(&path, text).unwrap();
            Earlier::of(folder.path(), "one")
        };
        let run = "date = \"2026-01-02\"\ncommit = \"abc\"\nhost = \"quiet\"\ndevice = \"host\"\nclock_ghz = 3.5\n\
                   load = 0.5\nthreads = 2\nrustc = \"r\"\ncc = \"c\"\ngmp = \"6\"\n";
        let first = of(run).unwrap();
        assert_eq!((first.host.as_str(), first.load), ("quiet", 0.5));
        // A result that keeps the rows again names the same measuring run.
        let busy = run.replace("quiet", "busy").replace("0.5", "9.5");
        assert_eq!(of(&format!("{busy}[measured]\n{run}")).unwrap(), first);
        let wrong = of("date = \"2026-01-02\"\n").unwrap_err().to_string();
        assert!(wrong.contains("one.meta.toml") && wrong.contains("commit"), "{wrong}");
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(Earlier::of(folder.path(), "one"), Err(LabError::Io { .. })));
    }

    #[test]
    fn the_clock_is_a_clock() {
        // No processor is above 8 GHz. Other load on the core can make the figure too low by any factor; the lower
        // bound only detects a wrong unit.
        let ghz = super::clock_ghz();
        assert!((0.01..8.0).contains(&ghz), "{ghz}");
    }
}
