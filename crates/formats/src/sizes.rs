//! Sizes of files.

/// Most bytes of a JSON document: a verification key for 10^5 public values.
pub(crate) const MOST_JSON: u64 = 64 << 20;

/// A length in memory as a length in a file. No machine of ours has a wider `usize`.
pub(crate) fn widen(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}
