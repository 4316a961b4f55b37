//! `cargo x test`: all checks and tests, in stages.

use crate::artifacts::{Artifacts, BUILT, linted};
use crate::jobs::{self, Job};
use crate::process::{Failure, Outcome, at_root, cargo, fail, run as run_command};
use crate::{derived, package, peers, tidy};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Leave out the interop, Python, PTX, OpenCL, RTL and CUDA tests, and with them Node and what is installed for them
    #[arg(long)]
    no_interop: bool,
    /// Only what a quick edit needs: the text rules, the staleness check, unit tests; no clippy, no interop
    #[arg(long, conflicts_with = "full")]
    fast: bool,
    /// Also the slow checks: tests marked `#[ignore = "full: …"]`, the packages of all crates, their documentation
    #[arg(long)]
    full: bool,
}

/// The work of a stage, and when it runs.
enum Run {
    /// A function that runs alone, before everything that needs the build.
    Alone(fn() -> Outcome),
    /// Builds the workspace's tests, and with them everything that later stages run.
    Build,
    /// Fails if clippy, which was the compiler of the build, had complaints.
    Lints,
    /// A chore of this program with its arguments, which runs in parallel with other stages and uses the built files.
    Chore(Vec<&'static str>),
    /// Every test binary that was built, and a `cargo test` of the examples in the documentation, as jobs in parallel with other stages.
    Tests,
}

/// A named part of the test run.
struct Stage {
    name: &'static str,
    run: Run,
}

const fn stage(name: &'static str, run: Run) -> Stage {
    Stage { name, run }
}

/// The stages in the order in which they begin. After the build, the long ones come first, so that none of them runs alone
/// on one core at the end.
fn stages(args: &Args) -> Vec<Stage> {
    if args.fast {
        return vec![
            stage("tidy (text rules)", Run::Alone(tidy::rules)),
            stage("gen --check", Run::Alone(derived::check_changed)),
            stage(
                "unit tests",
                Run::Alone(|| {
                    run_command(cargo().args(["test", "--workspace", "--no-fail-fast", "--lib", "--bins"]))
                }),
            ),
        ];
    }
    let mut stages =
        vec![stage("tidy", Run::Alone(tidy::text)), stage("build", Run::Build), stage("clippy", Run::Lints)];
    // A chore has the name of its stage.
    let chore = |name| {
        let full = args.full.then_some("--full");
        stage(name, Run::Chore([name].into_iter().chain(full).collect()))
    };
    let others = |names: &[&'static str]| {
        if args.no_interop { Vec::new() } else { names.iter().map(|name| chore(name)).collect() }
    };
    stages.extend(others(&["interop", "python"]));
    stages.push(stage("verifier", Run::Chore(vec!["verifier", "--optional"])));
    stages.extend(others(&["ptx", "opencl", "rtl", "cuda"]));
    stages.extend([
        stage("workspace tests", Run::Tests),
        stage("gen --check", Run::Chore(vec!["gen", "--check"])),
        stage("book", Run::Chore(vec!["book"])),
    ]);
    if args.full {
        stages.extend([
            stage("slow tests", Run::Alone(slow_tests)),
            stage("packages", Run::Alone(package::packages)),
            stage("documentation", Run::Alone(package::documentation)),
            stage("other processors", Run::Alone(package::other_processors)),
        ]);
    }
    stages
}

/// Fails when the build has printed complaints.
fn none_of(complaints: usize) -> Outcome {
    if complaints == 0 { Ok(()) } else { fail(format!("{complaints} complaints stand above, at the build")) }
}

fn slow_tests() -> Outcome {
    let kinds = ["--lib", "--bins", "--tests"];
    let mut tests = cargo();
    linted(&mut tests).args(["test", "--workspace", "--no-fail-fast"]).args(kinds);
    run_command(tests.args(["--", "--ignored"]))
}

/// Runs all stages and ends with one line per stage. If a stage fails, the others still run, unless they
/// need its output.
///
/// Stages that run alone run one after the other; the jobs of the stages between two of them run in parallel, one per core.
pub(crate) fn run(args: &Args) -> Outcome {
    let built = tidy::target_directory()?.join("built.json");
    let mut lines = Vec::new();
    let mut failed = Vec::new();
    let (mut artifacts, mut complaints) = (None, None);
    let mut close = |name: &'static str, took: Option<Duration>, good: bool| {
        let verdict = if good { "ok" } else { "FAILED" };
        lines.push(line(name, took.map_or("not run", |_| verdict), took));
        if !good {
            failed.push(name);
        }
    };
    // Downloads run while the compiler works.
    let mut fetching = (!args.fast && !args.no_interop).then(|| std::thread::spawn(peers::fetch_all));
    let mut stages = stages(args).into_iter().peekable();
    while let Some(stage) = stages.next() {
        if let Run::Alone(_) | Run::Build | Run::Lints = stage.run {
            println!("==> {}", stage.name);
            let start = Instant::now();
            let outcome = match stage.run {
                Run::Alone(run) => Some(run()),
                Run::Lints => complaints.map(none_of),
                _ => Some(Artifacts::of_tests(&built).map(|(all, said)| {
                    artifacts = Some(all);
                    complaints = Some(said);
                })),
            };
            // Nothing was built, so there is nothing to check.
            let Some(outcome) = outcome else {
                close(stage.name, None, true);
                continue;
            };
            if let Err(cause) = &outcome {
                eprintln!("stage `{}` failed: {cause}", stage.name);
            }
            close(stage.name, Some(start.elapsed()), outcome.is_ok());
            continue;
        }
        // If the thread panicked, the chores install what is missing.
        let _ = fetching.take().map(std::thread::JoinHandle::join);
        let mut beside = vec![stage];
        while let Some(next) = stages.next_if(|next| matches!(next.run, Run::Chore(_) | Run::Tests)) {
            beside.push(next);
        }
        match &artifacts {
            Some(artifacts) => side_by_side(&beside, artifacts, &built, &mut close)?,
            None => beside.iter().for_each(|stage| close(stage.name, None, true)),
        }
    }
    println!("\n{}", lines.join("\n"));
    if failed.is_empty() { Ok(()) } else { fail(format!("failed: {}", failed.join(", "))) }
}

/// Runs the jobs of some stages, one per core, and ends each stage with the total time of its jobs.
fn side_by_side(
    stages: &[Stage],
    artifacts: &Artifacts,
    built: &Path,
    close: &mut impl FnMut(&'static str, Option<Duration>, bool),
) -> Outcome {
    let mut all = Vec::new();
    for stage in stages {
        all.extend(jobs_of(stage, artifacts, built)?);
    }
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let start = Instant::now();
    let done = jobs::run(all, workers);
    for stage in stages {
        let of_stage = || done.iter().filter(|done| done.stage == stage.name);
        let ran = of_stage().count() > 0;
        close(
            stage.name,
            Some(of_stage().map(|done| done.took).sum()),
            ran && of_stage().all(|done| done.outcome.is_ok()),
        );
    }
    println!(
        "\nThe jobs ran {workers} at a time, in {:.1} s. The most work, in processor time and in elapsed time:",
        start.elapsed().as_secs_f64()
    );
    let mut most: Vec<_> = done.iter().map(|done| (done.spent.unwrap_or(done.took), done)).collect();
    most.sort_by_key(|&(work, _)| std::cmp::Reverse(work));
    for (work, done) in most.iter().take(20) {
        let [work, took] = [*work, done.took].map(|time| time.as_secs_f64());
        println!("{work:8.1} s {took:8.1} s  {}: {}", done.stage, done.name);
    }
    for done in done.iter().filter(|done| done.outcome.is_err()) {
        println!("FAILED: {}: {}", done.stage, done.name);
    }
    Ok(())
}

/// The jobs of a stage that run in parallel with others.
fn jobs_of(stage: &Stage, artifacts: &Artifacts, built: &Path) -> Outcome<Vec<Job>> {
    let job = |name: String, command: Command| Job { stage: stage.name, name, command };
    match &stage.run {
        Run::Chore(words) => {
            let this = std::env::current_exe()
                .map_err(|error| Failure(format!("cannot find this program: {error}")))?;
            let mut chore = at_root(this);
            chore.args(words).env(BUILT, built);
            Ok(vec![job(format!("cargo x {}", words.join(" ")), chore)])
        }
        Run::Tests => {
            let tests = artifacts.tests();
            if tests.is_empty() {
                return fail("cargo built no test binary");
            }
            let mut examples = cargo();
            linted(&mut examples).args(["test", "--workspace", "--no-fail-fast", "--doc"]);
            let mut jobs = vec![job("examples in the documentation".to_owned(), examples)];
            jobs.extend(tests.into_iter().map(|test| {
                let mut command = Command::new(test.path);
                // The folder and the variable are those with which cargo runs a test.
                command.current_dir(&test.folder).env("CARGO_MANIFEST_DIR", &test.folder);
                job(test.name, command)
            }));
            Ok(jobs)
        }
        Run::Alone(_) | Run::Build | Run::Lints => Ok(Vec::new()),
    }
}

fn line(name: &str, verdict: &str, took: Option<Duration>) -> String {
    let took = took.map_or(String::new(), |took| format!("{:8.1} s", took.as_secs_f64()));
    format!("{name:<20} {verdict:<8}{took}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT: [&str; 13] = [
        "tidy",
        "build",
        "clippy",
        "interop",
        "python",
        "verifier",
        "ptx",
        "opencl",
        "rtl",
        "cuda",
        "workspace tests",
        "gen --check",
        "book",
    ];
    const WITHOUT_PEERS: [&str; 7] =
        ["tidy", "build", "clippy", "verifier", "workspace tests", "gen --check", "book"];

    fn names(no_interop: bool, fast: bool, full: bool) -> Vec<&'static str> {
        stages(&Args { no_interop, fast, full }).iter().map(|stage| stage.name).collect()
    }

    #[test]
    fn by_default_nothing_but_the_slow_checks_is_left_out() {
        assert_eq!(names(false, false, false), DEFAULT);
        assert_eq!(names(true, false, false), WITHOUT_PEERS);
        assert_eq!(names(false, true, false), ["tidy (text rules)", "gen --check", "unit tests"]);
        let full = names(false, false, true);
        assert_eq!(
            (&full[..13], &full[13..]),
            (&DEFAULT[..], &["slow tests", "packages", "documentation", "other processors"][..])
        );
    }

    #[test]
    fn a_stage_that_uses_the_build_comes_after_it() {
        let stages = stages(&Args { no_interop: false, fast: false, full: true });
        let build = stages.iter().position(|stage| matches!(stage.run, Run::Build)).unwrap();
        assert!(stages.iter().take(build).all(|stage| matches!(stage.run, Run::Alone(_))));
    }

    #[test]
    fn every_test_binary_is_a_job_in_its_folder() {
        let artifacts = Artifacts::parse(
            r#"{"manifest_path":"/w/gpu/Cargo.toml","target":{"name":"nvrtc","kind":["test"]},"profile":{"test":true},"executable":"t/nvrtc"}"#,
        );
        let tests = stage("tests", Run::Tests);
        let jobs = jobs_of(&tests, &artifacts, Path::new("built.json")).unwrap();
        let names: Vec<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
        assert_eq!(names, ["examples in the documentation", "gpu nvrtc"]);
        assert_eq!(jobs[1].command.get_current_dir(), Some(Path::new("/w/gpu")));
        assert!(jobs_of(&tests, &Artifacts::parse(""), Path::new("built.json")).is_err());
        // A chore is run by this program itself, with the built files.
        let chore =
            jobs_of(&stage("book", Run::Chore(vec!["book"])), &artifacts, Path::new("built.json")).unwrap();
        assert!(chore[0].command.get_envs().any(|(name, _)| name == BUILT));
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
