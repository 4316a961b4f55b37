//! A device: what it is, and what every machine gives, whatever its driver: memory, an end of all that was started, times.
//! [`crate::memory`] has its buffers, [`crate::launch`] its kernels. What CUDA alone gives is in [`crate::driver`],
//! [`crate::nvrtc`] and what measures pipes.

use crate::driver::Cuda;
use crate::error::GpuError;
use crate::nvrtc::Arch;
use crate::opencl::{self, OpenCl};
use pairwright_moma::program::ntt::Tuning;
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a device is, in the words of its driver; zero where a driver has no word.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
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

    /// A shape of transforms within what the device has: its shared memory, and no clusters where it has none.
    pub fn fit(&self, tuning: Tuning) -> Tuning {
        let shared_bytes = u64::from(self.shared_per_block);
        let (cluster, spread) = if self.has_clusters() { (tuning.cluster, tuning.spread) } else { (0, 0) };
        Tuning { cluster, spread, shared_bytes, ..tuning }
    }
}

/// A device, opened. All work is in one order: what is started later runs later.
#[derive(Clone, Debug)]
pub struct Gpu {
    machine: Machine,
    facts: Arc<Facts>,
}

/// The driver behind a device.
#[derive(Clone, Debug)]
pub(crate) enum Machine {
    /// CUDA's.
    Cuda(Cuda),
    /// OpenCL's.
    OpenCl(Arc<OpenCl>),
}

impl Gpu {
    /// Opens the CUDA device of this number, counted from zero.
    ///
    /// # Errors
    /// As [`crate::probe`]; [`GpuError::NoDevice`] when there are fewer.
    pub fn open(ordinal: usize) -> Result<Self, GpuError> {
        let (cuda, facts) = Cuda::open(ordinal)?;
        Ok(Self { machine: Machine::Cuda(cuda), facts: Arc::new(facts) })
    }

    /// Opens the OpenCL device of this number, in the order of [`opencl::devices`], to take no more than `most` bytes of its
    /// memory.
    ///
    /// # Errors
    /// [`GpuError::NoOpenCl`], [`GpuError::BadOpenCl`], [`GpuError::NoOpenClDevice`], [`GpuError::OpenCl`].
    pub fn open_opencl(ordinal: usize, most: Option<u64>) -> Result<Self, GpuError> {
        let (opencl, facts) = OpenCl::open(ordinal, most)?;
        Ok(Self { machine: Machine::OpenCl(Arc::new(opencl)), facts: Arc::new(facts) })
    }

    /// The name of a device of this kind on boards and in reports.
    pub fn name(&self) -> &'static str {
        match self.machine {
            Machine::Cuda(_) => crate::NAME,
            Machine::OpenCl(_) => opencl::NAME,
        }
    }

    /// What the device is.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Free and total device memory in bytes, now.
    ///
    /// # Errors
    /// [`GpuError::Driver`], [`GpuError::OpenCl`].
    pub fn memory(&self) -> Result<(u64, u64), GpuError> {
        match &self.machine {
            Machine::Cuda(cuda) => cuda.memory(),
            Machine::OpenCl(opencl) => Ok(opencl.memory()),
        }
    }

    /// Waits until everything that was launched has finished; an error of a kernel shows here at the latest.
    ///
    /// # Errors
    /// [`GpuError::Driver`], [`GpuError::OpenCl`].
    pub fn wait(&self) -> Result<(), GpuError> {
        match &self.machine {
            Machine::Cuda(cuda) => cuda.wait(),
            Machine::OpenCl(opencl) => opencl.wait(),
        }
    }

    /// Runs work that launches kernels behind others, waits for all, and says how long the device took for those of the work,
    /// by events on the device. If the kernels of `ahead` last until the host has launched everything, then the time of
    /// launching is not part of it. OpenCL's time is the host's, from before the work is launched until it is done.
    ///
    /// # Errors
    /// Those of the work and of what runs ahead, and [`GpuError::Driver`].
    pub(crate) fn timed<T>(
        &self,
        ahead: impl FnOnce() -> Result<(), GpuError>,
        work: impl FnOnce() -> Result<T, GpuError>,
    ) -> Result<(T, Duration), GpuError> {
        match &self.machine {
            Machine::Cuda(cuda) => cuda.timed(ahead, work),
            Machine::OpenCl(opencl) => {
                ahead()?;
                opencl.wait()?;
                let start = Instant::now();
                let value = work()?;
                opencl.wait()?;
                Ok((value, start.elapsed()))
            }
        }
    }

    /// Whether this is the same device.
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (&self.machine, &other.machine) {
            (Machine::Cuda(this), Machine::Cuda(other)) => this.is(other),
            // Buffers belong to a context.
            (Machine::OpenCl(this), Machine::OpenCl(other)) => Arc::ptr_eq(this, other),
            _ => false,
        }
    }

    /// The driver behind it.
    pub(crate) fn machine(&self) -> &Machine {
        &self.machine
    }
}
