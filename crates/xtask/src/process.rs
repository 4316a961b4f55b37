//! Functions to run other programs. A chore either succeeds or fails with a message of one line.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The reason why a chore failed, which is printed after `cargo x:`.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The result type of every chore.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

/// The environment variable with which tests in other languages, and tests of goldens, also run the cases for `--full`.
pub(crate) const FULL: &str = "PAIRWRIGHT_FULL";

/// Stops the chore with a message.
pub(crate) fn fail<T>(message: impl Into<String>) -> Outcome<T> {
    Err(Failure(message.into()))
}

/// Returns a function that turns an error at a path into a failure that names the path.
pub(crate) fn at<E: fmt::Display>(path: &Path) -> impl Fn(E) -> Failure {
    move |error| Failure(format!("{}: {error}", path.display()))
}

/// All files below a folder, in the order of their paths.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

/// Adds targets with rustup if they are missing; returns whether they are installed.
pub(crate) fn add_targets(targets: &[&str]) -> bool {
    let status = Command::new("rustup").args(["target", "add"]).args(targets).status();
    status.is_ok_and(|status| status.success())
}

/// The root of the repository: the folder two levels above this crate's manifest.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).unwrap_or(manifest).to_path_buf()
}

/// The `cargo` that runs this chore, or the first one on the path.
pub(crate) fn cargo() -> Command {
    at_root(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// A command that will run in the root of the repository.
pub(crate) fn at_root(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// Runs a command with this terminal's input and output, and fails unless it succeeds.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let status = command.status().map_err(|e| cannot_start(command, &e))?;
    if status.success() { Ok(()) } else { fail(format!("`{}` failed ({status})", shown(command))) }
}

/// As [`run`], but a command still running after `limit` is killed and has failed: a test run that hangs must end.
pub(crate) fn run_within(limit: Duration, command: &mut Command) -> Outcome {
    run_measured(limit, command, &mut None)
}

/// As [`run_within`], and sets `spent` to the processor time of the command and of the processes that it has waited for,
/// as it was at most a tenth of a second before the end.
pub(crate) fn run_measured(limit: Duration, command: &mut Command, spent: &mut Option<Duration>) -> Outcome {
    let start = Instant::now();
    let mut child = command.spawn().map_err(|e| cannot_start(command, &e))?;
    loop {
        // The time is read before the process is waited for, because its entry in /proc is gone after that.
        *spent = processor_time(child.id()).or(*spent);
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return fail(format!("`{}` failed ({status})", shown(command))),
            Ok(None) if start.elapsed() < limit => std::thread::sleep(Duration::from_millis(100)),
            waiting => {
                // The process is already gone or cannot be waited for; in either case nothing is left to end.
                let _ = child.kill();
                let _ = child.wait();
                return match waiting {
                    Err(e) => fail(format!("cannot wait for `{}`: {e}", shown(command))),
                    _ => fail(format!("`{}` still ran after {} s", shown(command), limit.as_secs())),
                };
            }
        }
    }
}

/// The processor time of a process and of its children that have ended, from Linux's `/proc`; `None` on other systems.
fn processor_time(process: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, may contain spaces. The state is field 3; fields 14 to 17 are the times.
    let fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let hundredths = fields.skip(11).take(4).map(|field| field.parse::<u64>().ok()).sum::<Option<u64>>()?;
    Some(Duration::from_millis(hundredths * 10))
}

/// Runs a command and returns its standard output; its standard error goes to this terminal.
pub(crate) fn output(command: &mut Command) -> Outcome<Vec<u8>> {
    let (text, outcome) = printed(command)?;
    outcome.map(|()| text)
}

/// Runs a command and returns its standard output and whether it succeeded; the output of a failed command may say why.
pub(crate) fn printed(command: &mut Command) -> Outcome<(Vec<u8>, Outcome)> {
    let output =
        command.stderr(std::process::Stdio::inherit()).output().map_err(|e| cannot_start(command, &e))?;
    let failure = || fail(format!("`{}` failed ({})", shown(command), output.status));
    let outcome = if output.status.success() { Ok(()) } else { failure() };
    Ok((output.stdout, outcome))
}

/// The version line of a tool, or a failure that says what the tool is needed for.
pub(crate) fn require(tool: &str, needed_for: &str) -> Outcome<String> {
    match Command::new(tool).arg("--version").output() {
        Ok(out) if out.status.success() => Ok(String::from_utf8_lossy(&out.stdout).trim().to_owned()),
        Ok(out) => {
            fail(format!("`{tool} --version` failed ({}); {tool} is needed for {needed_for}", out.status))
        }
        Err(e) => fail(format!("{tool} cannot be run ({e}); it is needed for {needed_for}")),
    }
}

fn cannot_start(command: &Command, error: &std::io::Error) -> Failure {
    Failure(format!("cannot run `{}`: {error}", shown(command)))
}

/// The command line as one would type it, with paths below the root made relative.
fn shown(command: &Command) -> String {
    let root = root();
    let word = |w: &OsStr| {
        let path = Path::new(w);
        path.strip_prefix(&root).unwrap_or(path).display().to_string()
    };
    std::iter::once(command.get_program()).chain(command.get_args()).map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_holds_the_workspace_manifest() {
        assert!(root().join("floors.toml").is_file());
    }

    #[test]
    fn a_failing_command_is_named() {
        let error =
            run(cargo().args(["--quiet", "no-such-subcommand-here"]).stderr(std::process::Stdio::null()));
        assert!(error.unwrap_err().0.contains("no-such-subcommand-here"));
    }

    #[test]
    fn a_command_that_hangs_is_ended() {
        let error = run_within(Duration::from_millis(300), Command::new("sleep").arg("60")).unwrap_err().0;
        assert!(error.contains("still ran"), "{error}");
        run_within(Duration::from_secs(60), &mut Command::new("true")).unwrap();
        assert!(run_within(Duration::from_secs(60), &mut Command::new("false")).is_err());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_processor_time_is_that_of_work_and_not_of_waiting() {
        let mut spent = None;
        let mut spin = Command::new("sh");
        spin.args(["-c", "sleep 0.5; i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"]);
        let start = Instant::now();
        run_measured(Duration::from_secs(60), &mut spin, &mut spent).unwrap();
        let spent = spent.unwrap();
        assert!(spent > Duration::ZERO && spent + Duration::from_millis(400) < start.elapsed(), "{spent:?}");
    }

    #[test]
    fn a_missing_tool_says_what_it_is_for() {
        let error = require("no-such-tool-here", "the interop tests").unwrap_err().0;
        assert!(error.contains("no-such-tool-here") && error.contains("interop tests"), "{error}");
    }
}
