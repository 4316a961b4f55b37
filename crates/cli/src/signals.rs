//! What happens when the process is told to stop: no half-written file stays.

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
            pairwright::formats::remove_unfinished();
            let _ = emulate_default_handler(signal);
            std::process::exit(128 + signal);
        }
    });
}

/// There are no such signals here.
#[cfg(not(unix))]
pub(crate) fn clean_up() {}
