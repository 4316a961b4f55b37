//! Faults that the detectors report.

use crate::access::Space;
use thiserror::Error;

/// Kinds of faults of a running kernel.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// An access lies outside of every buffer, of the shared memory, or of the arguments.
    #[error("{bytes} bytes at {address:#x} are outside of the memory ({space:?})")]
    OutOfBounds {
        /// The state space of the access.
        space: Space,
        /// The address, or offset in shared memory.
        address: u64,
        /// Length of the access in bytes.
        bytes: usize,
    },
    /// The address is not a multiple of the length of the access.
    #[error("{bytes} bytes at {address:#x} are not aligned")]
    Misaligned {
        /// The address, or offset in shared memory.
        address: u64,
        /// Length of the access in bytes.
        bytes: usize,
    },
    /// A load of bytes that nothing has written.
    #[error("the {bytes} bytes at {address:#x} have not been written")]
    Unwritten {
        /// The address, or offset in shared memory.
        address: u64,
        /// Length of the access in bytes.
        bytes: usize,
    },
    /// Two threads access a word without a barrier between the accesses, and one of them writes.
    #[error("no barrier orders this access at {address:#x} after one of {}", other(*thread, *block))]
    Race {
        /// The address, or offset in shared memory.
        address: u64,
        /// Number of the other thread in the grid; `None` for several threads.
        thread: Option<u32>,
        /// Number of the other thread's block in the grid.
        block: u32,
    },
    /// Not all threads of the block, or of the cluster, reach a barrier.
    #[error("a barrier is not reached by all threads of the {of}")]
    Barrier {
        /// The group of the barrier: block or cluster.
        of: &'static str,
    },
    /// An instruction that needs a whole warp is executed by only some of its threads.
    #[error("an instruction of whole warps is executed by a part of a warp")]
    PartOfWarp,
    /// Another block's shared memory is accessed before a barrier of the cluster guarantees that the block runs.
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
    /// A memory access or another barrier between the arrive and the wait of a cluster barrier.
    #[error("an access or a barrier between the two halves of a barrier of the cluster")]
    BetweenHalves,
    /// A warp exceeds the limit of instructions, so the kernel may not terminate.
    #[error("the kernel has not ended after {0} instructions")]
    Endless(u64),
    /// The shape or the arguments of a launch do not fit the kernel.
    #[error("the launch has another {what} than the kernel: {given}, not {wanted}")]
    Launch {
        /// Name of the quantity.
        what: &'static str,
        /// The value that was given.
        given: u64,
        /// The value that the kernel needs, or the greatest one allowed.
        wanted: u64,
    },
}

fn other(thread: Option<u32>, block: u32) -> String {
    thread.map_or(format!("several threads of block {block} or others"), |thread| {
        format!("thread {thread} in block {block}")
    })
}

/// A fault with its location.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("kernel `{kernel}`, line {line}, block {block}, thread {thread}: {kind}")]
pub struct Fault {
    /// Name of the kernel.
    pub kernel: String,
    /// Line of the instruction in the text.
    pub line: u32,
    /// Number of the block in the grid.
    pub block: u32,
    /// Number of the thread in the block; the first thread of the warp if the fault concerns the warp.
    pub thread: u32,
    /// The kind of fault.
    pub kind: FaultKind,
}
