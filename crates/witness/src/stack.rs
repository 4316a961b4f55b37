//! A thread with a stack of known size, for compiled code, whose calls use the native stack.

use crate::WitnessError;
use crate::host::Log;
use std::sync::mpsc;
use std::thread;

/// Stack size in bytes for a module.
pub(crate) const MODULE: usize = 64 << 20;
/// Additional stack size in bytes for the host's functions.
const HOST: usize = 2 << 20;
/// Largest number of `log` lines that wait for the caller.
const LINES: usize = 64;

/// Runs `body` on a separate thread, and passes the lines that it logs to `log` on the calling thread.
pub(crate) fn with_deep_stack<T: Send>(
    mut log: impl FnMut(&str),
    body: impl FnOnce(Log) -> Result<T, WitnessError> + Send,
) -> Result<T, WitnessError> {
    let size = MODULE.saturating_add(HOST);
    let (sender, lines) = mpsc::sync_channel::<String>(LINES);
    thread::scope(|scope| {
        // The receiver is gone only if `log` has panicked, and that panic is propagated.
        let send = move |line: &str| drop(sender.send(line.to_owned()));
        let thread =
            thread::Builder::new().stack_size(size).spawn_scoped(scope, move || body(Box::new(send)));
        let Ok(thread) = thread else {
            return Err(WitnessError::MachineMemory(u64::try_from(size).unwrap_or(u64::MAX)));
        };
        for line in lines {
            log(&line);
        }
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
