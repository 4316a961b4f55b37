//! What happens when the process is told to stop: no half-written file stays, no temporary folder, and no process that it
//! has started.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The temporary folder of the command that runs, if it has one.
static FOLDER: Mutex<Option<PathBuf>> = Mutex::new(None);

/// A folder with everything in it that is to be removed too when the process is told to stop.
pub(crate) fn remove_too(folder: &Path) {
    *FOLDER.lock().unwrap_or_else(PoisonError::into_inner) = Some(folder.to_owned());
}

/// The process that the command has started and waits for, if there is one.
static CHILD: Mutex<Option<Child>> = Mutex::new(None);

/// Whether the process is told to stop: the child's death is then our own doing, and whoever waits for it goes on waiting
/// until the process ends.
static STOPPING: AtomicBool = AtomicBool::new(false);

fn child() -> MutexGuard<'static, Option<Child>> {
    CHILD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How often it is looked whether a child has ended.
const LOOK: Duration = Duration::from_millis(2);

/// Runs another program to its end; it is killed when this process is told to stop.
///
/// # Errors
/// When it cannot be started.
pub(crate) fn run(program: &mut Command) -> io::Result<ExitStatus> {
    start(program, |_| ())?;
    ended()
}

/// The same with something to read for it, and with what it says: everything that it writes to its standard output and
/// its standard error.
///
/// # Errors
/// When it cannot be started, or what it says cannot be read.
pub(crate) fn output(program: &mut Command, input: &[u8]) -> io::Result<Output> {
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let (to, out, err) =
        start(program, |child| (child.stdin.take(), child.stdout.take(), child.stderr.take()))?;
    std::thread::scope(|scope| {
        // A program that ends without reading says why; that its pipe is closed does not.
        scope.spawn(|| to.map(|mut to| to.write_all(input)));
        let stderr = scope.spawn(|| read(err));
        let stdout = read(out)?;
        let stderr = stderr.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok(Output { status: ended()?, stdout, stderr })
    })
}

fn read(from: Option<impl Read>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.map_or(Ok(0), |mut from| from.read_to_end(&mut bytes))?;
    Ok(bytes)
}

/// Starts the program of which [`ended`] waits for the end, and takes what is needed of it.
fn start<T>(program: &mut Command, take: impl FnOnce(&mut Child) -> T) -> io::Result<T> {
    // Locked before it is started, so that a signal finds it from its first moment.
    let mut slot = child();
    Ok(take(slot.insert(program.spawn()?)))
}

/// Waits for the program that was started.
fn ended() -> io::Result<ExitStatus> {
    loop {
        // The lock is not held while we wait, so that the signals' thread gets at the child.
        if let Some(running) = &mut *child()
            && let Some(status) = running.try_wait()?
            && !STOPPING.load(Ordering::SeqCst)
        {
            return Ok(status);
        }
        std::thread::sleep(LOOK);
    }
}

/// Removes what must not stay.
#[cfg(unix)]
fn remove() {
    // First, since from then on nothing new is written.
    pairwright::formats::remove_unfinished();
    STOPPING.store(true, Ordering::SeqCst);
    if let Some(running) = &mut *child() {
        // It may have ended.
        let _ = running.kill();
        let _ = running.wait();
    }
    if let Some(folder) = &*FOLDER.lock().unwrap_or_else(PoisonError::into_inner) {
        let _ = std::fs::remove_dir_all(folder);
    }
}

/// From here on, `SIGINT`, `SIGTERM` and `SIGHUP` first remove the temporary files of outputs that are being written,
/// and then end the process as they always do. A signal that this process was started to ignore, as `nohup` and shells do
/// it, stays ignored. Where panics do not unwind, a panic removes the same files: nothing that owns them is dropped.
#[cfg(unix)]
pub(crate) fn clean_up() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::{iterator::Signals, low_level::emulate_default_handler};
    if cfg!(panic = "abort") {
        end_after_panics();
    }
    let ignored = ignored();
    let heard = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    // Where signals cannot be caught, they act as they always do, and a temporary file may stay.
    let Ok(mut signals) = Signals::new(heard) else { return };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            remove();
            let _ = emulate_default_handler(signal);
            std::process::exit(128 + signal);
        }
    });
}

/// The exit code of a Rust program that a panic has ended.
#[cfg(unix)]
const PANICKED: i32 = 101;

/// From here on, a panic on any thread says what it says, removes what must not stay, and ends the process with the exit code
/// that it would have after unwinding. An abort would leave a dump of memory, in which secrets may be.
#[cfg(unix)]
fn end_after_panics() {
    let say = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        say(panic);
        // Nothing that can panic holds a lock of what is removed.
        remove();
        std::process::exit(PANICKED);
    }));
}

/// The signals that this process was started to ignore, a bit each from signal 1; none where the system does not say.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).unwrap_or(0)
}

/// There are no such signals here.
#[cfg(not(unix))]
pub(crate) fn clean_up() {}
