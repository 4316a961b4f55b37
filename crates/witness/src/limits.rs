//! Bounds on the memory and the steps of a calculator.

/// Bounds on the resources of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest size of linear memory in bytes. The default is 4 GiB, which is all that 32-bit WebAssembly can address.
    pub memory_bytes: u64,
    /// Largest number of units of work, about one per WebAssembly instruction; `None`, the default, for no bound. Counting
    /// slows a run down.
    pub fuel: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory_bytes: 4 << 30, fuel: None }
    }
}
