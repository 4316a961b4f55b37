//! `cargo x test`: everything that must pass, stage by stage.

use crate::artifacts::Artifacts;
use crate::process::{Outcome, cargo, fail, run as run_command};
use crate::{book, cuda, derived, interop, package, python, tidy, verifier};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Leave out the interop, Python and CUDA tests, and with them Node and what is installed for them
    #[arg(long)]
    no_interop: bool,
    /// Only what a quick edit needs: the text rules, the staleness check, unit tests; no clippy, no interop
    #[arg(long, conflicts_with = "full")]
    fast: bool,
    /// Also the slow checks: tests marked `#[ignore = "full: …"]`, the packages of all crates, their documentation
    #[arg(long)]
    full: bool,
}

/// What a stage does: on its own, or with what the build stage made.
enum Run {
    Alone(fn() -> Outcome),
    Build,
    With(fn(&Artifacts) -> Outcome),
}

/// A named part of the test run.
struct Stage {
    name: &'static str,
    run: Run,
}

impl Stage {
    const fn alone(name: &'static str, run: fn() -> Outcome) -> Self {
        Self { name, run: Run::Alone(run) }
    }
    const fn with(name: &'static str, run: fn(&Artifacts) -> Outcome) -> Self {
        Self { name, run: Run::With(run) }
    }
}

fn stages(args: &Args) -> Vec<Stage> {
    if args.fast {
        return vec![
            Stage::alone("tidy (text rules)", || tidy::run(&tidy::Args { text_only: true })),
            Stage::alone("gen --check", derived::check_changed),
            Stage::alone("unit tests", || {
                run_command(cargo().args(["test", "--workspace", "--no-fail-fast", "--lib", "--bins"]))
            }),
        ];
    }
    let mut stages = vec![
        Stage::alone("tidy", || tidy::run(&tidy::Args { text_only: false })),
        Stage { name: "build", run: Run::Build },
        Stage::with("gen --check", derived::check),
        Stage::alone("workspace tests", || {
            run_command(cargo().args(["test", "--workspace", "--no-fail-fast"]))
        }),
        Stage::with("book", |built| book::check(built, None)),
        Stage::alone("verifier", verifier::check),
    ];
    if !args.no_interop {
        stages.push(Stage::with("cuda", cuda::check));
        stages.push(Stage::with("python", |built| python::check(built, None)));
        stages.push(Stage::with("interop", |built| interop::check(built, None)));
    }
    if args.full {
        stages.push(Stage::alone("slow tests", || {
            run_command(cargo().args([
                "test",
                "--workspace",
                "--no-fail-fast",
                "--lib",
                "--bins",
                "--tests",
                "--",
                "--ignored",
            ]))
        }));
        stages.push(Stage::alone("packages", package::packages));
        stages.push(Stage::alone("documentation", package::documentation));
    }
    stages
}

/// Runs all stages in order and closes with a line per stage. A stage that fails does not keep the others from
/// running, unless they need what it was to build.
pub(crate) fn run(args: &Args) -> Outcome {
    let mut lines = Vec::new();
    let mut built = None;
    let mut failed = Vec::new();
    for stage in stages(args) {
        println!("==> {}", stage.name);
        let start = Instant::now();
        let outcome = match (&stage.run, &built) {
            (Run::Alone(run), _) => run(),
            (Run::Build, _) => Artifacts::of_tests().map(|artifacts| built = Some(artifacts)),
            (Run::With(run), Some(artifacts)) => run(artifacts),
            (Run::With(_), None) => {
                lines.push(line(stage.name, "not run", None));
                continue;
            }
        };
        let verdict = if outcome.is_ok() { "ok" } else { "FAILED" };
        lines.push(line(stage.name, verdict, Some(start.elapsed())));
        if let Err(cause) = outcome {
            eprintln!("stage `{}` failed: {cause}", stage.name);
            failed.push(stage.name);
        }
    }
    println!("\n{}", lines.join("\n"));
    if failed.is_empty() { Ok(()) } else { fail(format!("failed: {}", failed.join(", "))) }
}

fn line(name: &str, verdict: &str, took: Option<Duration>) -> String {
    let took = took.map_or(String::new(), |took| format!("{:8.1} s", took.as_secs_f64()));
    format!("{name:<20} {verdict:<8}{took}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT: [&str; 9] =
        ["tidy", "build", "gen --check", "workspace tests", "book", "verifier", "cuda", "python", "interop"];

    fn names(no_interop: bool, fast: bool, full: bool) -> Vec<&'static str> {
        stages(&Args { no_interop, fast, full }).iter().map(|stage| stage.name).collect()
    }

    #[test]
    fn by_default_nothing_but_the_slow_checks_is_left_out() {
        assert_eq!(names(false, false, false), DEFAULT);
        assert_eq!(names(true, false, false), DEFAULT[..6]);
        assert_eq!(names(false, true, false), ["tidy (text rules)", "gen --check", "unit tests"]);
        let full = names(false, false, true);
        assert_eq!(
            (&full[..9], &full[9..]),
            (&DEFAULT[..], &["slow tests", "packages", "documentation"][..])
        );
    }

    #[test]
    fn a_stage_that_uses_the_build_comes_after_it() {
        let stages = stages(&Args { no_interop: false, fast: false, full: true });
        let build = stages.iter().position(|stage| matches!(stage.run, Run::Build)).unwrap();
        assert!(stages.iter().take(build).all(|stage| matches!(stage.run, Run::Alone(_))));
    }

    #[test]
    fn a_stage_is_one_line() {
        assert_eq!(
            line("tidy", "ok", Some(Duration::from_millis(1250))),
            "tidy                 ok           1.2 s"
        );
        assert_eq!(line("interop", "not run", None), "interop              not run");
    }
}
