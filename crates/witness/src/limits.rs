//! Bounds on the memory and the steps of a calculator.

/// What a calculator may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of linear memory. The default is 4 GiB, all that 32-bit WebAssembly can address.
    pub memory_bytes: u64,
    /// Units of work, about one per WebAssembly instruction; `None`, the default, for no bound. Counting
    /// slows the run down.
    pub fuel: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory_bytes: 4 << 30, fuel: None }
    }
}
