//! Runs programs in parallel, and keeps the output of each together: the part of a test run that comes after the build.
//!
//! Most test binaries end with one long test on one core. Running two binaries at a time uses both cores of a small machine;
//! running them one after the other takes up to twice as long.

use crate::process::{Failure, Outcome, run_measured};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time limit of one job; the longest take about six minutes on two cores.
const LIMIT: Duration = Duration::from_secs(30 * 60);

/// A program to be run, and the stage of the test run that it belongs to.
pub(crate) struct Job {
    pub(crate) stage: &'static str,
    pub(crate) name: String,
    pub(crate) command: Command,
}

/// The result of a job that has ended.
pub(crate) struct Done {
    pub(crate) stage: &'static str,
    pub(crate) name: String,
    pub(crate) took: Duration,
    /// The processor time of the job, if the system reports it.
    pub(crate) spent: Option<Duration>,
    pub(crate) outcome: Outcome,
}

/// Runs the jobs in order, `workers` at a time. When a job has ended, its output (standard output and error together) is printed
/// below a heading. If a job fails, the others still run.
pub(crate) fn run(jobs: Vec<Job>, workers: usize) -> Vec<Done> {
    let all = jobs.len();
    let waiting = Mutex::new(VecDeque::from(jobs));
    let done = Mutex::new(Vec::with_capacity(all));
    std::thread::scope(|scope| {
        for _ in 0..workers.max(1) {
            scope.spawn(|| {
                // The lock is held while the next job is taken, not while it runs.
                loop {
                    let Some(job) = waiting.lock().ok().and_then(|mut jobs| jobs.pop_front()) else { return };
                    let (ended, text) = one(job);
                    let Ok(mut done) = done.lock() else { return };
                    done.push(ended);
                    show(&done, all, &text);
                }
            });
        }
    });
    done.into_inner().unwrap_or_default()
}

/// Runs a job and returns its result and its output.
fn one(Job { stage, name, mut command }: Job) -> (Done, Vec<u8>) {
    let start = Instant::now();
    let mut text = Vec::new();
    let mut spent = None;
    let outcome = into_file(&mut command).and_then(|mut file| {
        let outcome = run_measured(LIMIT, &mut command, &mut spent);
        file.rewind().and_then(|()| file.read_to_end(&mut text)).map_err(unreadable)?;
        outcome
    });
    (Done { stage, name, took: start.elapsed(), spent, outcome }, text)
}

/// Redirects both outputs of a command to one anonymous file, which cannot block the command as a full pipe would.
fn into_file(command: &mut Command) -> Outcome<File> {
    let file = tempfile::tempfile().map_err(unreadable)?;
    let also = || file.try_clone().map(Stdio::from).map_err(unreadable);
    command.stdin(Stdio::null()).stdout(also()?).stderr(also()?);
    Ok(file)
}

fn unreadable(error: std::io::Error) -> Failure {
    Failure(format!("cannot keep the output of a job: {error}"))
}

/// Prints the output of the last job of `done` below its name.
fn show(done: &[Done], all: usize, text: &[u8]) {
    let Some(last) = done.last() else { return };
    let mut out = std::io::stdout().lock();
    let heading = format!(
        "==> [{}/{all}] {}: {} ({:.1} s)",
        done.len(),
        last.stage,
        last.name,
        last.took.as_secs_f64()
    );
    // Errors of a closed terminal do not change the verdict.
    let _ = writeln!(out, "{heading}").and_then(|()| out.write_all(text));
    if let Err(cause) = &last.outcome {
        let _ = writeln!(out, "{}: {} failed: {cause}", last.stage, last.name);
    }
    let _ = out.flush();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(name: &str, script: &str) -> Job {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Job { stage: "stage", name: name.to_owned(), command }
    }

    #[test]
    fn every_job_runs_once_and_failures_are_named() {
        let scripts = (0..7).map(|i| job(&i.to_string(), if i == 3 { "exit 3" } else { "true" }));
        let mut done = run(scripts.collect(), 3);
        done.sort_by(|a, b| a.name.cmp(&b.name));
        let names: Vec<&str> = done.iter().map(|done| done.name.as_str()).collect();
        assert_eq!(names, ["0", "1", "2", "3", "4", "5", "6"]);
        for done in &done {
            assert_eq!(done.outcome.is_err(), done.name == "3", "{}", done.name);
        }
    }

    #[test]
    fn both_outputs_are_kept_in_the_order_of_writing() {
        let (done, text) = one(job("two", "echo first; echo second >&2; echo third"));
        assert!(done.outcome.is_ok());
        assert_eq!(String::from_utf8(text).unwrap(), "first\nsecond\nthird\n");
    }

    #[test]
    fn jobs_run_side_by_side() {
        // Each job waits for the file that the other makes, so they would fail one after the other.
        let dir = tempfile::tempdir().unwrap();
        let wait = |mine: &str, other: &str| {
            let [mine, other] = [mine, other].map(|name| dir.path().join(name).display().to_string());
            format!("touch {mine}; for i in $(seq 300); do [ -e {other} ] && exit 0; sleep 0.1; done; exit 1")
        };
        let done = run(vec![job("a", &wait("a", "b")), job("b", &wait("b", "a"))], 2);
        assert!(done.iter().all(|done| done.outcome.is_ok()));
    }
}
