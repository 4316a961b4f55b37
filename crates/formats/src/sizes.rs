//! Sizes of files, and the parts that long lists are read and written in.

#[cfg(feature = "std")]
use core::ops::Range;

/// Most bytes of a JSON document: a verification key for 10^5 public values.
pub(crate) const MOST_JSON: u64 = 64 << 20;

/// A length in memory as a length in a file. No machine of ours has a wider `usize`.
pub(crate) fn widen(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

/// The ranges of up to `step` elements that `len` elements are made of, in order.
#[cfg(feature = "std")]
pub(crate) fn chunks(len: usize, step: usize) -> impl DoubleEndedIterator<Item = Range<usize>> + Clone {
    (0..len).step_by(step).map(move |start| start..len.min(start.saturating_add(step)))
}
