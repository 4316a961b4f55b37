//! The clock that operators are timed by. There is none without the feature `std`, nor in WebAssembly without an operating
//! system.

use crate::Time;

/// Runs work and returns its result with the time that it took.
#[cfg(all(feature = "std", not(all(target_family = "wasm", target_os = "unknown"))))]
pub(crate) fn clocked<T>(work: impl FnOnce() -> T) -> (T, Time) {
    let start = std::time::Instant::now();
    let value = work();
    (value, Time::Measured(start.elapsed()))
}

/// Runs work without a clock: its time is [`Time::Unknown`].
#[cfg(not(all(feature = "std", not(all(target_family = "wasm", target_os = "unknown")))))]
pub(crate) fn clocked<T>(work: impl FnOnce() -> T) -> (T, Time) {
    (work(), Time::Unknown)
}
