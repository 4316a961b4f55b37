//! What happens when the process is told to stop: no half-written file stays, and no temporary folder.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The temporary folder of the command that runs, if it has one.
static FOLDER: Mutex<Option<PathBuf>> = Mutex::new(None);

/// A folder with everything in it that is to be removed too when the process is told to stop.
pub(crate) fn remove_too(folder: &Path) {
    *FOLDER.lock().unwrap_or_else(PoisonError::into_inner) = Some(folder.to_owned());
}

/// Removes what must not stay.
#[cfg(unix)]
fn remove() {
    // First, since from then on nothing new is written.
    pairwright::formats::remove_unfinished();
    if let Some(folder) = &*FOLDER.lock().unwrap_or_else(PoisonError::into_inner) {
        let _ = std::fs::remove_dir_all(folder);
    }
}

/// From here on, `SIGINT`, `SIGTERM` and `SIGHUP` first remove the temporary files of outputs that are being written,
/// and then end the process as they always do. A signal that this process was started to ignore, as `nohup` and shells do
/// it, stays ignored.
#[cfg(unix)]
pub(crate) fn clean_up() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::{iterator::Signals, low_level::emulate_default_handler};
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
