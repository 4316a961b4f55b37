//! The CUDA driver: whether there is one, its devices, and what they are.
//!
//! Everything here is asked for at run time. The driver's library is looked for before any call that needs it, so
//! that a machine without a GPU gets [`GpuError::NoDriver`] and no panic.

use crate::error::{Doing, GpuError};
use crate::nvrtc::Arch;
use cudarc::driver::sys::{self, CUdevice_attribute as Attribute};
use cudarc::driver::{CudaContext, CudaStream, result};
use pairwright_moma::program::ntt::Tuning;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

/// The oldest driver whose interface this crate speaks, as the driver counts: 1000 times major, 10 times minor.
const OLDEST_DRIVER: i32 = 13_000;

/// What a device is, in the driver's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// Name of the product.
    pub name: String,
    /// Compute capability, ten times major plus minor: 90 is Hopper.
    pub capability: u32,
    /// Number of streaming multiprocessors.
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

/// The number of CUDA devices. Creates no context.
///
/// # Errors
/// [`GpuError::NoDriver`] without a driver, [`GpuError::DriverTooOld`] with an old one.
pub fn probe() -> Result<usize, GpuError> {
    initialise()?;
    let count = result::device::get_count().doing("counting devices")?;
    Ok(usize::try_from(count).unwrap_or(0))
}

/// Loads the driver and checks its age, in this order: every other call panics where the library is missing.
fn initialise() -> Result<u32, GpuError> {
    // SAFETY: opens and closes libraries by the driver's well-known names; the driver runs nothing at load time
    // that depends on us.
    if !unsafe { sys::is_culib_present() } {
        return Err(GpuError::NoDriver);
    }
    let mut version = 0;
    // SAFETY: the library is there (see above), every driver has this function, and the pointer is to a live integer.
    let asked = unsafe { sys::cuDriverGetVersion(&mut version) };
    if asked == sys::CUresult::CUDA_ERROR_STUB_LIBRARY {
        // A library to link against, without a driver behind it: it gives this code from every function.
        return Err(GpuError::NoDriver);
    }
    asked.result().doing("asking for the driver's version")?;
    let version = u32::try_from(version).unwrap_or(0);
    if version < OLDEST_DRIVER.unsigned_abs() {
        return Err(GpuError::DriverTooOld { major: version / 1000, minor: version % 1000 / 10 });
    }
    match result::init() {
        Ok(()) => Ok(version),
        Err(error) if error.0 == sys::CUresult::CUDA_ERROR_NO_DEVICE => {
            Err(GpuError::NoDevice { ordinal: 0, count: 0 })
        }
        Err(error) if error.0 == sys::CUresult::CUDA_ERROR_STUB_LIBRARY => Err(GpuError::NoDriver),
        Err(cause) => Err(GpuError::Driver { doing: "starting the driver", cause }),
    }
}

/// A device, with the context and the one stream that this crate works in.
#[derive(Clone, Debug)]
pub struct Gpu {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    facts: Arc<Facts>,
}

impl Gpu {
    /// Opens the device of this number, counted from zero.
    ///
    /// # Errors
    /// As [`probe`]; [`GpuError::NoDevice`] when there are fewer.
    pub fn open(ordinal: usize) -> Result<Self, GpuError> {
        let driver = initialise()?;
        let count = probe()?;
        if ordinal >= count {
            return Err(GpuError::NoDevice { ordinal, count });
        }
        let context = CudaContext::new(ordinal).doing("opening the device")?;
        let facts = Arc::new(Self::ask(&context, driver)?);
        Ok(Self { stream: context.default_stream(), context, facts })
    }

    fn ask(context: &CudaContext, driver: u32) -> Result<Facts, GpuError> {
        let number = |attribute| -> Result<u32, GpuError> {
            let value = context.attribute(attribute).doing("asking what the device is")?;
            Ok(u32::try_from(value).unwrap_or(0))
        };
        let major = number(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = number(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        Ok(Facts {
            name: context.name().doing("asking for the device's name")?,
            capability: 10 * major + minor,
            multiprocessors: number(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            clock_khz: number(Attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE)?,
            memory_clock_khz: number(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)?,
            memory_bus_bits: number(Attribute::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)?,
            memory: context.total_mem().doing("asking for the device's memory")? as u64,
            l2: u64::from(number(Attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)?),
            shared_per_block: number(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
            shared_per_multiprocessor: number(
                Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
            )?,
            registers_per_multiprocessor: number(
                Attribute::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR,
            )?,
            threads_per_block: number(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            driver,
        })
    }

    /// What the device is.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Free and total device memory in bytes, now.
    ///
    /// # Errors
    /// [`GpuError::Driver`].
    pub fn memory(&self) -> Result<(u64, u64), GpuError> {
        let (free, total) = self.context.mem_get_info().doing("asking for free memory")?;
        Ok((free as u64, total as u64))
    }

    /// Waits until everything that was launched has finished; an error of a kernel shows here at the latest.
    ///
    /// # Errors
    /// [`GpuError::Driver`].
    pub fn wait(&self) -> Result<(), GpuError> {
        self.stream.synchronize().doing("waiting for kernels")
    }

    /// Runs work that launches kernels behind others, waits for all, and says how long the device took for those of the work,
    /// by events on the device. If the kernels of `ahead` last until the host has launched everything, then the time of
    /// launching is not part of it.
    ///
    /// # Errors
    /// Those of the work and of what runs ahead, and [`GpuError::Driver`].
    pub(crate) fn timed<T>(
        &self,
        ahead: impl FnOnce() -> Result<(), GpuError>,
        work: impl FnOnce() -> Result<T, GpuError>,
    ) -> Result<(T, Duration), GpuError> {
        // The default of the driver's flags would leave the time out.
        let event = || {
            let flags = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
            self.context.new_event(flags).doing("making an event")
        };
        let (start, end) = (event()?, event()?);
        ahead()?;
        start.record(&self.stream).doing("recording an event")?;
        let value = work()?;
        end.record(&self.stream).doing("recording an event")?;
        // Waits for both.
        let milliseconds = start.elapsed_ms(&end).doing("waiting for kernels")?;
        Ok((value, Duration::from_secs_f64(f64::from(milliseconds.max(0.0)) / 1e3)))
    }

    /// Makes the device's context the calling thread's.
    pub(crate) fn enter(&self) -> Result<(), GpuError> {
        self.context.bind_to_thread().doing("entering the context")
    }

    /// Whether this is the same device.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.context.ordinal() == other.context.ordinal()
    }

    pub(crate) fn context(&self) -> &Arc<CudaContext> {
        &self.context
    }

    pub(crate) fn stream(&self) -> &Arc<CudaStream> {
        &self.stream
    }
}
