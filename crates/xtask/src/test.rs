//! `cargo x test`: everything that must pass, stage by stage.

use crate::process::{Outcome, cargo, fail, run as run_command};
use crate::{book, cuda, derived, interop, tidy};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Leave out the interop and CUDA tests, and with them Node and what is installed for them
    #[arg(long)]
    no_interop: bool,
    /// Only what a quick edit needs: the text rules, the staleness check, unit tests; no clippy, no interop
    #[arg(long)]
    fast: bool,
}

/// A named part of the test run.
struct Stage {
    name: &'static str,
    run: fn() -> Outcome,
}

fn stages(args: &Args) -> Vec<Stage> {
    let mut stages = Vec::new();
    if args.fast {
        stages.push(Stage { name: "tidy (text rules)", run: || tidy::run(&tidy::Args { text_only: true }) });
    } else {
        stages.push(Stage { name: "tidy", run: || tidy::run(&tidy::Args { text_only: false }) });
    }
    stages.push(Stage { name: "gen --check", run: || derived::run(&derived::Args { check: true }) });
    if args.fast {
        stages.push(Stage { name: "unit tests", run: || cargo_test(&["--lib", "--bins"]) });
    } else {
        stages.push(Stage { name: "workspace tests", run: || cargo_test(&[]) });
        stages.push(Stage { name: "book", run: || book::run(&book::Args::default()) });
    }
    if !args.fast && !args.no_interop {
        stages.push(Stage { name: "cuda", run: || cuda::run(&cuda::Args::default()) });
        stages.push(Stage { name: "interop", run: || interop::run(&interop::Args::default()) });
    }
    stages
}

fn cargo_test(targets: &[&str]) -> Outcome {
    run_command(cargo().args(["test", "--workspace"]).args(targets))
}

/// Runs the stages in order, stops at the first that fails, and closes with a line per stage.
pub(crate) fn run(args: &Args) -> Outcome {
    let stages = stages(args);
    let mut lines = Vec::new();
    let mut failure = None;
    for stage in &stages {
        println!("==> {}", stage.name);
        let start = Instant::now();
        let outcome = (stage.run)();
        let verdict = if outcome.is_ok() { "ok" } else { "FAILED" };
        lines.push(line(stage.name, verdict, Some(start.elapsed())));
        if let Err(cause) = outcome {
            failure = Some(format!("stage `{}` failed: {cause}", stage.name));
            break;
        }
    }
    lines.extend(stages[lines.len()..].iter().map(|stage| line(stage.name, "not run", None)));
    println!("\n{}", lines.join("\n"));
    failure.map_or(Ok(()), fail)
}

fn line(name: &str, verdict: &str, took: Option<Duration>) -> String {
    let took = took.map_or(String::new(), |took| format!("{:8.1} s", took.as_secs_f64()));
    format!("{name:<20} {verdict:<8}{took}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(no_interop: bool, fast: bool) -> Vec<&'static str> {
        stages(&Args { no_interop, fast }).iter().map(|stage| stage.name).collect()
    }

    #[test]
    fn by_default_nothing_is_left_out() {
        assert_eq!(
            names(false, false),
            ["tidy", "gen --check", "workspace tests", "book", "cuda", "interop"]
        );
        assert_eq!(names(true, false), ["tidy", "gen --check", "workspace tests", "book"]);
        assert_eq!(names(false, true), ["tidy (text rules)", "gen --check", "unit tests"]);
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
