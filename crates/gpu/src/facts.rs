//! The properties of a device.

use crate::nvrtc::Arch;
use pairwright_moma::program::ntt::Tuning;
use serde::{Deserialize, Serialize};

/// The properties of a device as its driver reports them; zero for properties that the driver does not report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Name of the product.
    pub name: String,
    /// Compute capability as ten times major plus minor: 90 is Hopper; 0 for a device that is not a CUDA device.
    pub capability: u32,
    /// Number of streaming multiprocessors; OpenCL's compute units.
    pub multiprocessors: u32,
    /// Highest clock of the multiprocessors in kHz; [`crate::rates`] measures the clock during a run.
    pub clock_khz: u32,
    /// Highest memory clock in kHz.
    pub memory_clock_khz: u32,
    /// Width of the memory bus in bits.
    pub memory_bus_bits: u32,
    /// Device memory in bytes.
    pub memory: u64,
    /// Size of the second-level cache in bytes.
    pub l2: u64,
    /// Greatest shared memory of a block in bytes.
    pub shared_per_block: u32,
    /// Shared memory of a multiprocessor in bytes.
    pub shared_per_multiprocessor: u32,
    /// Number of 32-bit registers of a multiprocessor.
    pub registers_per_multiprocessor: u32,
    /// Greatest number of threads per block.
    pub threads_per_block: u32,
    /// The driver's version as 1000 times major plus 10 times minor.
    pub driver: u32,
}

impl Facts {
    /// The architecture to compile for.
    pub fn arch(&self) -> Arch {
        Arch(self.capability)
    }

    /// Whether blocks can form clusters, which access each other's shared memory: from compute capability 9.0 on.
    pub fn has_clusters(&self) -> bool {
        self.capability >= 90
    }

    /// Limits a shape of transforms to the device's shared memory and threads, and to no clusters if it does not
    /// support them.
    pub fn fit(&self, tuning: Tuning) -> Tuning {
        let shared_bytes = u64::from(self.shared_per_block);
        let (log_cluster, log_spread) =
            if self.has_clusters() { (tuning.log_cluster, tuning.log_spread) } else { (0, 0) };
        let log_threads = tuning.log_threads.min(self.threads_per_block.max(1).ilog2());
        Tuning { log_cluster, log_spread, log_threads, shared_bytes, ..tuning }
    }
}
