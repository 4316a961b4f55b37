//! What a device is.

use crate::nvrtc::Arch;
use pairwright_moma::program::ntt::Tuning;
use serde::{Deserialize, Serialize};

/// What a device is, in the words of its driver; zero where a driver has no word.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Name of the product.
    pub name: String,
    /// Compute capability, ten times major plus minor: 90 is Hopper, 0 is no CUDA device.
    pub capability: u32,
    /// Number of streaming multiprocessors; OpenCL's compute units.
    pub multiprocessors: u32,
    /// Highest SM clock in kHz; what a run really has is measured in it, see [`crate::rates`].
    pub clock_khz: u32,
    /// Highest memory clock in kHz.
    pub memory_clock_khz: u32,
    /// Width of the memory bus in bits.
    pub memory_bus_bits: u32,
    /// Device memory in bytes.
    pub memory: u64,
    /// Second-level cache in bytes.
    pub l2: u64,
    /// Most shared memory a block may ask for, in bytes.
    pub shared_per_block: u32,
    /// Shared memory of a multiprocessor in bytes.
    pub shared_per_multiprocessor: u32,
    /// 32-bit registers of a multiprocessor.
    pub registers_per_multiprocessor: u32,
    /// Most threads of a block.
    pub threads_per_block: u32,
    /// The driver's version, 1000 times major plus 10 times minor.
    pub driver: u32,
}

impl Facts {
    /// The architecture to compile for.
    pub fn arch(&self) -> Arch {
        Arch(self.capability)
    }

    /// Whether blocks can be clusters, which reach each other's shared memory: from compute capability 9.0 on.
    pub fn has_clusters(&self) -> bool {
        self.capability >= 90
    }

    /// A shape of transforms within what the device has: its shared memory, its threads, and no clusters where it has none.
    pub fn fit(&self, tuning: Tuning) -> Tuning {
        let shared_bytes = u64::from(self.shared_per_block);
        let (cluster, spread) = if self.has_clusters() { (tuning.cluster, tuning.spread) } else { (0, 0) };
        let threads = tuning.threads.min(self.threads_per_block.max(1).ilog2());
        Tuning { cluster, spread, threads, shared_bytes, ..tuning }
    }
}
