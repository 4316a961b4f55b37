//! The clock that operators are timed by. Without the feature `std`, and in WebAssembly that knows no system, there is
//! none.

use crate::Time;

/// Runs work, and gives its result with the time that it took.
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
