//! A thread with a stack of known size, for machine code whose calls use it.

use crate::WitnessError;
use crate::host::Log;
use std::sync::mpsc;
use std::thread;

/// Bytes of the stack that a module may use.
pub(crate) const MODULE: usize = 64 << 20;
/// Bytes for the host's functions on top of it.
const HOST: usize = 2 << 20;
/// Lines of `log` that may wait for the caller.
const LINES: usize = 64;

/// Runs `body` on a thread of its own, and hands what it logs to `log` on this one.
pub(crate) fn with_deep_stack<T: Send>(
    mut log: impl FnMut(&str),
    body: impl FnOnce(Log) -> Result<T, WitnessError> + Send,
) -> Result<T, WitnessError> {
    let size = MODULE.saturating_add(HOST);
    let (sender, lines) = mpsc::sync_channel::<String>(LINES);
    thread::scope(|scope| {
        // Nobody listens only where `log` has panicked, and that panic goes on.
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
