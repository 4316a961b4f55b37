//! What the detectors report.

use crate::access::Space;
use thiserror::Error;

/// Kinds of faults of a running kernel.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// An access lies outside of every buffer, of the shared memory, or of the arguments.
    #[error("{bytes} bytes at {address:#x} are outside of the memory ({space:?})")]
    OutOfBounds {
        /// The memory that was accessed.
        space: Space,
        /// The address, or offset in shared memory.
        address: u64,
        /// Length of the access.
        bytes: usize,
    },
    /// The address is no multiple of the length of the access.
    #[error("{bytes} bytes at {address:#x} are not aligned")]
    Misaligned {
        /// The address, or offset in shared memory.
        address: u64,
        /// Length of the access.
        bytes: usize,
    },
    /// A load of bytes that nothing has written.
    #[error("the {bytes} bytes at {address:#x} have not been written")]
    Unwritten {
        /// The address, or offset in shared memory.
        address: u64,
        /// Length of the access.
        bytes: usize,
    },
    /// Two threads access a word, one of them writes, and no barrier lies between.
    #[error("no barrier orders this access at {address:#x} after one of {}", other(*thread, *block))]
    Race {
        /// The address, or offset in shared memory.
        address: u64,
        /// The other thread, counted over the whole grid; `None` for several.
        thread: Option<u32>,
        /// The block of the other thread.
        block: u32,
    },
    /// Not all threads of the block, or of the cluster, reach a barrier.
    #[error("a barrier is not reached by all threads of the {of}")]
    Barrier {
        /// The group of the barrier.
        of: &'static str,
    },
    /// An instruction of whole warps is executed by some of a warp's threads.
    #[error("an instruction of whole warps is executed by a part of a warp")]
    PartOfWarp,
    /// Another block's shared memory is accessed before a barrier of the cluster says that the block runs.
    #[error("the shared memory of block {rank} of the cluster is accessed before the block is known to run")]
    NotStarted {
        /// Rank of the block within the cluster.
        rank: u32,
    },
    /// A block ends while others may still access its shared memory.
    #[error("block {rank} of the cluster ends while others may still access its shared memory")]
    Ended {
        /// Rank of the block within the cluster.
        rank: u32,
    },
    /// Memory is accessed, or a barrier is met, between the two halves of a cluster's barrier.
    #[error("an access or a barrier between the two halves of a barrier of the cluster")]
    BetweenHalves,
    /// More instructions than the limit: the kernel may not end.
    #[error("the kernel has not ended after {0} instructions")]
    Endless(u64),
    /// The launch is not one of the kernel's.
    #[error("the launch has another {what} than the kernel: {given}, not {wanted}")]
    Launch {
        /// Name of the quantity.
        what: &'static str,
        /// What was given.
        given: u64,
        /// What the kernel takes.
        wanted: u64,
    },
}

fn other(thread: Option<u32>, block: u32) -> String {
    thread.map_or(format!("several threads of block {block} or others"), |thread| {
        format!("thread {thread} in block {block}")
    })
}

/// A fault and where it was seen.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("kernel `{kernel}`, line {line}, block {block}, thread {thread}: {kind}")]
pub struct Fault {
    /// Name of the kernel.
    pub kernel: String,
    /// Line of the instruction in the text.
    pub line: u32,
    /// Number of the block in the grid.
    pub block: u32,
    /// Number of the thread in the block; the first of its warp where the fault is the warp's.
    pub thread: u32,
    /// What is wrong.
    pub kind: FaultKind,
}
