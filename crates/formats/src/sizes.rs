//! Conversions of sizes, and the ranges in which long lists are read and written.

#[cfg(feature = "std")]
use core::ops::Range;

/// Largest size of a JSON document in bytes, which suffices for a verification key with 10^5 public values.
pub(crate) const MOST_JSON: u64 = 64 << 20;

/// Converts a length in memory to a length in a file. `usize` has at most 64 bits on all supported machines.
pub(crate) fn widen(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

/// Splits `0..len` into ranges of up to `step` elements, in ascending order.
#[cfg(feature = "std")]
pub(crate) fn chunks(len: usize, step: usize) -> impl DoubleEndedIterator<Item = Range<usize>> + Clone {
    (0..len).step_by(step).map(move |start| start..len.min(start.saturating_add(step)))
}
