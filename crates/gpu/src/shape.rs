//! A launch as a driver takes it.

/// How many threads a launch has, in what groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Blocks in each dimension.
    pub grid: [u32; 3],
    /// Threads of a block in each dimension.
    pub block: [u32; 3],
    /// Shared memory of a block in bytes, beyond what the kernel declares.
    pub shared: u32,
}

impl Shape {
    /// One dimension, no shared memory.
    pub fn flat(grid: u32, block: u32) -> Self {
        Self { grid: [grid, 1, 1], block: [block, 1, 1], shared: 0 }
    }
}

/// An argument as the driver takes it: words, of which it copies as many bytes as the parameter has.
pub(crate) struct ArgumentSlot {
    pub(crate) words: Vec<u64>,
    pub(crate) size: u32,
}
