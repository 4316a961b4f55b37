//! The clean-up when the process is told to stop: half-written files and temporary folders are removed, and processes that it has
//! started are killed.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

/// The temporary folders of the commands that run: a command has one for its own files, and one for a program that it starts.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn folders() -> MutexGuard<'static, Vec<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary folder that only its owner can read. It is removed with everything in it when it is dropped, and when the process
/// is told to stop.
pub(crate) struct TemporaryFolder {
    made: TempDir,
    /// Dropped after the folder, so that a signal finds the folder as long as it exists.
    _listed: Listed,
}

impl TemporaryFolder {
    /// Makes a folder, inside the given one or in the system's folder for temporary files.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(crate) fn make(beside: Option<&Path>) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix("pairwright-");
        let made = beside.map_or_else(|| builder.tempdir(), |folder| builder.tempdir_in(folder))?;
        let listed = Listed(made.path().to_owned());
        folders().push(listed.0.clone());
        Ok(Self { made, _listed: listed })
    }

    pub(crate) fn path(&self) -> &Path {
        self.made.path()
    }

    /// Removes the folder and reports a failure, which dropping it would not.
    ///
    /// # Errors
    /// When something in it cannot be removed.
    pub(crate) fn close(self) -> io::Result<()> {
        self.made.close()
    }
}

/// The entry of a folder in the list of those that are removed when the process is told to stop.
struct Listed(PathBuf);

impl Drop for Listed {
    fn drop(&mut self) {
        folders().retain(|folder| *folder != self.0);
    }
}

/// The child processes that this process waits for, by their process ids. There are several when a program that embeds the library
/// calls the command on several threads.
static CHILDREN: Mutex<BTreeMap<u32, Child>> = Mutex::new(BTreeMap::new());

/// Whether the process has been told to stop. Children are then killed by this process itself, and a thread that waits for one
/// goes on waiting until the process ends.
static STOPPING: AtomicBool = AtomicBool::new(false);

fn children() -> MutexGuard<'static, BTreeMap<u32, Child>> {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The interval at which [`ended`] checks whether a child has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Runs another program to its end; it is killed when this process is told to stop.
///
/// # Errors
/// When it cannot be started.
pub(crate) fn run(program: &mut Command) -> io::Result<ExitStatus> {
    let (number, ()) = start(program, |_| ())?;
    ended(number)
}

/// As [`run`], with `input` on the program's standard input; returns everything that it writes to its standard output and its
/// standard error.
///
/// # Errors
/// When it cannot be started, or when its output cannot be read.
pub(crate) fn output(program: &mut Command, input: &[u8]) -> io::Result<Output> {
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let (number, (to, out, err)) =
        start(program, |child| (child.stdin.take(), child.stdout.take(), child.stderr.take()))?;
    std::thread::scope(|scope| {
        // A program that ends without reading its input gives the reason on standard error; the closed pipe is not reported.
        scope.spawn(|| to.map(|mut to| to.write_all(input)));
        let stderr = scope.spawn(|| read(err));
        let stdout = read(out)?;
        let stderr = stderr.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok(Output { status: ended(number)?, stdout, stderr })
    })
}

fn read(from: Option<impl Read>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.map_or(Ok(0), |mut from| from.read_to_end(&mut bytes))?;
    Ok(bytes)
}

/// Starts a program and returns its process id, with which [`ended`] waits for it, and whatever `take` takes from the child, such
/// as its pipes.
fn start<T>(program: &mut Command, take: impl FnOnce(&mut Child) -> T) -> io::Result<(u32, T)> {
    // The list is locked before the program starts, so that a signal finds the child from its first moment on.
    let mut children = children();
    let mut child = program.spawn()?;
    let (number, taken) = (child.id(), take(&mut child));
    children.insert(number, child);
    Ok((number, taken))
}

/// Waits until the child with this process id has ended.
fn ended(number: u32) -> io::Result<ExitStatus> {
    loop {
        // The lock is not held between two checks, so that the signals' thread can reach the child.
        let mut children = children();
        let child = children.get_mut(&number).ok_or(io::ErrorKind::NotFound)?;
        if let Some(status) = child.try_wait()?
            && !STOPPING.load(Ordering::SeqCst)
        {
            children.remove(&number);
            return Ok(status);
        }
        drop(children);
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Removes unfinished files and temporary folders, and kills the child processes.
#[cfg(unix)]
fn clean_up_now() {
    // This comes first, since from then on no new output file is written.
    pairwright::formats::remove_unfinished();
    STOPPING.store(true, Ordering::SeqCst);
    for running in children().values_mut() {
        // The child may have ended already.
        let _ = running.kill();
        let _ = running.wait();
    }
    for folder in &*folders() {
        let _ = std::fs::remove_dir_all(folder);
    }
}

/// From this call on, `SIGINT`, `SIGTERM` and `SIGHUP` first clean up (unfinished files, temporary folders, child processes), and
/// then end the process with their default action. A signal that the process was started with as ignored, as `nohup` and shells
/// do, stays ignored. In builds where a panic aborts, a panic cleans up in the same way, since no owner of these files is dropped.
#[cfg(unix)]
pub(crate) fn clean_up() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::{iterator::Signals, low_level::emulate_default_handler};
    if cfg!(panic = "abort") {
        end_after_panics();
    }
    let ignored = ignored();
    let heard = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    // If signals cannot be caught, they keep their default action, and a temporary file may stay behind.
    let Ok(mut signals) = Signals::new(heard) else { return };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            clean_up_now();
            let _ = emulate_default_handler(signal);
            std::process::exit(128 + signal);
        }
    });
}

/// The exit code of a Rust program that a panic has ended.
#[cfg(unix)]
const PANICKED: i32 = 101;

/// From this call on, a panic on any thread prints its message, cleans up, and ends the process with the exit code that it would
/// have after unwinding. An abort could leave a core dump, which may contain secrets.
#[cfg(unix)]
fn end_after_panics() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        print(panic);
        // `clean_up_now` locks its lists; no code that can panic holds these locks.
        clean_up_now();
        std::process::exit(PANICKED);
    }));
}

/// The signals that this process was started with as ignored: bit `i` stands for signal `i + 1`. 0 where the system does not tell.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).unwrap_or(0)
}

/// Does nothing: these signals exist on Unix only.
#[cfg(not(unix))]
pub(crate) fn clean_up() {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_listed_until_it_goes() {
        let outer = TemporaryFolder::make(None).unwrap();
        let inner = TemporaryFolder::make(Some(outer.path())).unwrap();
        let paths = [outer.path().to_owned(), inner.path().to_owned()];
        let listed = || paths.each_ref().map(|path| (path.exists(), folders().contains(path)));
        assert_eq!(listed(), [(true, true), (true, true)]);
        drop(inner);
        assert_eq!(listed(), [(true, true), (false, false)]);
        outer.close().unwrap();
        assert_eq!(listed(), [(false, false), (false, false)]);
    }

    #[test]
    fn programs_at_one_time_have_ends_and_words_of_their_own() {
        let run = |code: i32| {
            let line = format!("cat; echo {code} >&2; sleep 0.{code}; exit {code}");
            let found = output(Command::new("sh").args(["-c", &line]), code.to_string().as_bytes()).unwrap();
            assert_eq!(found.status.code(), Some(code));
            assert_eq!(
                (found.stdout, found.stderr),
                (code.to_string().into_bytes(), format!("{code}\n").into_bytes())
            );
            let status = super::run(Command::new("sh").args(["-c", &format!("exit {code}")])).unwrap();
            assert_eq!(status.code(), Some(code));
        };
        std::thread::scope(|scope| (1..=4).for_each(|code| _ = scope.spawn(move || run(code))));
        assert!(output(&mut Command::new("/nowhere/program"), &[]).is_err());
    }
}
