//! A device: what it is, and what every machine gives, whatever its driver: memory, an end of all that was started, times.
//! [`crate::memory`] has its buffers, [`crate::launch`] its kernels. What CUDA alone gives is in [`crate::driver`],
//! [`crate::nvrtc`] and what measures pipes.

use crate::driver::{Beside, Cuda};
use crate::error::GpuError;
use crate::facts::Facts;
use crate::opencl::{self, OpenCl};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

/// A device, opened. All work is in one order: what is started later runs later.
#[derive(Clone, Debug)]
pub struct Gpu {
    machine: Backend,
    facts: Arc<Facts>,
    /// Free bytes at the last query.
    seen_free: Arc<AtomicU64>,
}

/// The driver behind a device.
#[derive(Clone, Debug)]
pub(crate) enum Backend {
    /// The driver of CUDA.
    Cuda(Cuda),
    /// A driver of OpenCL.
    OpenCl(Arc<OpenCl>),
}

impl Gpu {
    /// Opens the CUDA device of this number, counted from zero.
    ///
    /// # Errors
    /// As [`crate::probe`]; [`GpuError::NoDevice`] when there are fewer.
    pub fn open(ordinal: usize) -> Result<Self, GpuError> {
        let (cuda, facts) = Cuda::open(ordinal)?;
        Ok(Self { machine: Backend::Cuda(cuda), facts: Arc::new(facts), seen_free: Arc::default() })
    }

    /// Opens the OpenCL device of this number, in the order of [`opencl::devices`], to take no more than `most` bytes of its
    /// memory.
    ///
    /// # Errors
    /// [`GpuError::NoOpenCl`], [`GpuError::BadOpenCl`], [`GpuError::NoOpenClDevice`], [`GpuError::OpenCl`].
    pub fn open_opencl(ordinal: usize, most: Option<u64>) -> Result<Self, GpuError> {
        let (opencl, facts) = OpenCl::open(ordinal, most)?;
        Ok(Self {
            machine: Backend::OpenCl(Arc::new(opencl)),
            facts: Arc::new(facts),
            seen_free: Arc::default(),
        })
    }

    /// The name of a device of this kind on boards and in reports.
    pub fn name(&self) -> &'static str {
        match self.machine {
            Backend::Cuda(_) => crate::NAME,
            Backend::OpenCl(_) => opencl::NAME,
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
            Backend::Cuda(cuda) => cuda.memory(),
            Backend::OpenCl(opencl) => Ok(opencl.memory()),
        }
    }

    /// Free bytes at the last query; 0 at first.
    pub(crate) fn seen_free(&self) -> &AtomicU64 {
        &self.seen_free
    }

    /// Waits until everything that was launched has finished; an error of a kernel shows here at the latest.
    ///
    /// # Errors
    /// [`GpuError::Driver`], [`GpuError::OpenCl`].
    pub fn wait(&self) -> Result<(), GpuError> {
        match &self.machine {
            Backend::Cuda(cuda) => cuda.wait(),
            Backend::OpenCl(opencl) => opencl.wait(),
        }
    }

    /// The same for work beside it too.
    ///
    /// # Errors
    /// As [`Self::wait`].
    pub(crate) fn wait_for_all(&self) -> Result<(), GpuError> {
        match &self.machine {
            Backend::Cuda(cuda) => cuda.wait_for_all(),
            Backend::OpenCl(opencl) => opencl.wait(),
        }
    }

    /// Runs work that launches kernels, behind everything that was launched before and beside what will be launched later.
    /// Nothing waits for these kernels until the second result is dropped; what they read, and they have not allocated
    /// themselves, has to live until then. An OpenCL device has one order for all its work.
    ///
    /// # Errors
    /// Those of the work, and [`GpuError::Driver`].
    pub(crate) fn beside<T>(
        &self,
        work: impl FnOnce() -> Result<T, GpuError>,
    ) -> Result<(T, Option<Beside>), GpuError> {
        match &self.machine {
            Backend::Cuda(cuda) => cuda.beside(work).map(|(value, beside)| (value, Some(beside))),
            Backend::OpenCl(_) => Ok((work()?, None)),
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
            Backend::Cuda(cuda) => cuda.timed(ahead, work),
            Backend::OpenCl(opencl) => {
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
            (Backend::Cuda(this), Backend::Cuda(other)) => this.is(other),
            // Buffers belong to a context.
            (Backend::OpenCl(this), Backend::OpenCl(other)) => Arc::ptr_eq(this, other),
            _ => false,
        }
    }

    /// The driver behind it.
    pub(crate) fn machine(&self) -> &Backend {
        &self.machine
    }
}
