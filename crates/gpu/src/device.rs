//! An open device and the operations that every driver supports: facts, memory, waiting, times. [`crate::memory`] has
//! its buffers, [`crate::launch`] its kernels. Operations that only CUDA supports are in [`crate::driver`],
//! [`crate::nvrtc`] and the modules that measure rates.

use crate::driver::{Cuda, SideWork};
use crate::error::GpuError;
use crate::facts::Facts;
use crate::opencl::{self, OpenCl};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

/// An open device. Work is executed in the order in which it is started, except for work on side streams.
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
    /// A device of CUDA's driver.
    Cuda(Cuda),
    /// A device of an OpenCL driver.
    OpenCl(Arc<OpenCl>),
}

impl Gpu {
    /// Opens the CUDA device with this number, counted from zero.
    ///
    /// # Errors
    /// As [`crate::probe`]; [`GpuError::NoDevice`] if there are fewer devices.
    pub fn open(ordinal: usize) -> Result<Self, GpuError> {
        let (cuda, facts) = Cuda::open(ordinal)?;
        Ok(Self { machine: Backend::Cuda(cuda), facts: Arc::new(facts), seen_free: Arc::default() })
    }

    /// Opens the OpenCL device with this number, in the order of [`opencl::devices`], and limits its memory to `most`
    /// bytes.
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

    /// The name of this kind of device on boards and in reports.
    pub fn name(&self) -> &'static str {
        match self.machine {
            Backend::Cuda(_) => crate::NAME,
            Backend::OpenCl(_) => opencl::NAME,
        }
    }

    /// The properties of the device.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Free and total device memory in bytes at the time of the call.
    ///
    /// # Errors
    /// [`GpuError::Driver`], [`GpuError::OpenCl`].
    pub fn memory(&self) -> Result<(u64, u64), GpuError> {
        match &self.machine {
            Backend::Cuda(cuda) => cuda.memory(),
            Backend::OpenCl(opencl) => Ok(opencl.memory()),
        }
    }

    /// Free bytes at the last query; 0 before the first query.
    pub(crate) fn seen_free(&self) -> &AtomicU64 {
        &self.seen_free
    }

    /// Waits until everything that was launched has finished; errors of a kernel are reported here at the latest.
    ///
    /// # Errors
    /// [`GpuError::Driver`], [`GpuError::OpenCl`].
    pub fn wait(&self) -> Result<(), GpuError> {
        match &self.machine {
            Backend::Cuda(cuda) => cuda.wait(),
            Backend::OpenCl(opencl) => opencl.wait(),
        }
    }

    /// The same, also for work on side streams.
    ///
    /// # Errors
    /// As [`Self::wait`].
    pub(crate) fn wait_for_all(&self) -> Result<(), GpuError> {
        match &self.machine {
            Backend::Cuda(cuda) => cuda.wait_for_all(),
            Backend::OpenCl(opencl) => opencl.wait(),
        }
    }

    /// Runs `work`, which launches kernels, on a side stream: after everything that was launched before, and
    /// concurrently with what is launched later. The device's own stream waits for these kernels when the second result
    /// is dropped; memory that they read and did not allocate themselves must live until then. An OpenCL device has a
    /// single queue, on which the work runs in order.
    ///
    /// # Errors
    /// Those of the work, and [`GpuError::Driver`].
    pub(crate) fn on_side_stream<T>(
        &self,
        work: impl FnOnce() -> Result<T, GpuError>,
    ) -> Result<(T, Option<SideWork>), GpuError> {
        match &self.machine {
            Backend::Cuda(cuda) => cuda.on_side_stream(work).map(|(value, side)| (value, Some(side))),
            Backend::OpenCl(_) => Ok((work()?, None)),
        }
    }

    /// Runs `work`, which launches kernels, after the kernels of `ahead`, waits for all of them, and returns the time
    /// of the kernels of `work`, by events on the device. If the kernels of `ahead` run until the host has launched
    /// everything, this time excludes launch overhead. On OpenCL the time is the host's, from the start of `work` until
    /// its kernels have finished.
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

    /// Whether both are the same device.
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (&self.machine, &other.machine) {
            (Backend::Cuda(this), Backend::Cuda(other)) => this.is(other),
            // OpenCL buffers belong to a context, so contexts are compared.
            (Backend::OpenCl(this), Backend::OpenCl(other)) => Arc::ptr_eq(this, other),
            _ => false,
        }
    }

    /// The driver of the device.
    pub(crate) fn machine(&self) -> &Backend {
        &self.machine
    }
}
