//! The shape and the arguments of a launch in the form that drivers take.

/// The threads of a launch: blocks of the grid, threads per block, dynamic shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Number of blocks in each dimension.
    pub grid: [u32; 3],
    /// Number of threads per block in each dimension.
    pub block: [u32; 3],
    /// Dynamic shared memory per block in bytes, in addition to what the kernel declares.
    pub shared: u32,
}

impl Shape {
    /// A one-dimensional shape without dynamic shared memory.
    pub fn flat(grid: u32, block: u32) -> Self {
        Self { grid: [grid, 1, 1], block: [block, 1, 1], shared: 0 }
    }
}

/// An argument in the form that drivers take: words, of which `size` bytes are copied.
pub(crate) struct ArgumentSlot {
    pub(crate) words: Vec<u64>,
    pub(crate) size: u32,
}
