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
/// and then end the process as they always do.
#[cfg(unix)]
pub(crate) fn clean_up() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::{iterator::Signals, low_level::emulate_default_handler};
    // Where signals cannot be caught, they act as they always do, and a temporary file may stay.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            remove();
            let _ = emulate_default_handler(signal);
            std::process::exit(128 + signal);
        }
    });
}

/// There are no such signals here.
#[cfg(not(unix))]
pub(crate) fn clean_up() {}
