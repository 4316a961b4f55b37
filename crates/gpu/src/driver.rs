//! The CUDA driver: its presence, its devices, their properties, and their memory.
//!
//! Everything here is determined at run time. The driver's library is looked for before any call that needs it, so that
//! a machine without a GPU gets [`GpuError::NoDriver`] instead of a panic.

use crate::elements::Fill;
use crate::error::{Doing, GpuError};
use crate::facts::Facts;
use crate::pool::Pool;
use crate::staging::{SHORT, Staging};
use core::ops::Range;
use cudarc::driver::sys::{self, CUdevice_attribute as Attribute};
use cudarc::driver::{CudaContext, CudaSlice, CudaStream, DevicePtr, result};
use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The oldest driver version that this crate supports, in the driver's encoding: 1000 times major plus 10 times minor.
const OLDEST_DRIVER: i32 = 13_000;

/// The number of CUDA devices. Creates no context.
///
/// # Errors
/// [`GpuError::NoDriver`] without a driver, [`GpuError::DriverTooOld`] with an old one.
pub fn probe() -> Result<usize, GpuError> {
    initialise()?;
    let count = result::device::get_count().doing("counting devices")?;
    Ok(usize::try_from(count).unwrap_or(0))
}

/// The environment variable with the number of the CUDA device; if it is not set, the device with the most memory is
/// used.
pub const DEVICE_VARIABLE: &str = "PAIRWRIGHT_GPU";

/// The number of the CUDA device that the environment selects, else of the first device with the most memory. Creates
/// no context.
///
/// # Errors
/// Those of [`probe`]; [`GpuError::NoDeviceNumber`] if the variable is not a number, [`GpuError::NoDevice`] without
/// devices.
pub fn chosen() -> Result<usize, GpuError> {
    if let Some(number) = number_in(DEVICE_VARIABLE)? {
        return Ok(number);
    }
    let memories = devices()?.into_iter().map(|(_, memory)| memory).enumerate();
    let most = memories.rev().max_by_key(|(_, memory)| *memory);
    most.map(|(number, _)| number).ok_or(GpuError::NoDevice { ordinal: 0, count: 0 })
}

/// The names of the CUDA devices, and their memory in bytes. Creates no context.
///
/// # Errors
/// Those of [`probe`], and [`GpuError::Driver`].
pub fn devices() -> Result<Vec<(String, u64)>, GpuError> {
    let device = |ordinal| {
        let ordinal = i32::try_from(ordinal).unwrap_or(i32::MAX);
        let device = result::device::get(ordinal).doing("asking for a device")?;
        let name = result::device::get_name(device).doing("asking for the device's name")?;
        // SAFETY: the driver has just given this device.
        let memory = unsafe { result::device::total_mem(device) }.doing("asking for the device's memory")?;
        Ok((name, memory as u64))
    };
    (0..probe()?).map(device).collect()
}

/// The device number in an environment variable; `None` if the variable is not set.
///
/// # Errors
/// [`GpuError::NoDeviceNumber`] if it is not a number.
pub(crate) fn number_in(variable: &'static str) -> Result<Option<usize>, GpuError> {
    let text = std::env::var_os(variable).filter(|text| !text.is_empty());
    let Some(text) = text.map(|text| text.to_string_lossy().into_owned()) else { return Ok(None) };
    text.parse().map(Some).map_err(|_| GpuError::NoDeviceNumber { variable, text })
}

/// Loads the driver and checks its version, before any other call, which would panic if the library is missing.
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
        // A stub library for linking, which returns this code from every function.
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

thread_local! {
    /// The side stream that the calling thread's work goes to, if any.
    static SIDE: RefCell<Option<Arc<CudaStream>>> = const { RefCell::new(None) };
}

/// A CUDA device: the context, its own stream for work in order, and side streams for concurrent work.
#[derive(Clone, Debug)]
pub(crate) struct Cuda {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    /// Side streams that are idle.
    idle: Arc<Mutex<Vec<Arc<CudaStream>>>>,
    pool: Option<Pool>,
    staging: Arc<Staging>,
}

impl Cuda {
    /// Opens the device with this number, counted from zero.
    ///
    /// # Errors
    /// As [`probe`]; [`GpuError::NoDevice`] if there are fewer devices.
    pub(crate) fn open(ordinal: usize) -> Result<(Self, Facts), GpuError> {
        let driver = initialise()?;
        let count = probe()?;
        if ordinal >= count {
            return Err(GpuError::NoDevice { ordinal, count });
        }
        let context = CudaContext::new(ordinal).doing("opening the device")?;
        // SAFETY: no buffer is there yet. Work on side streams is ordered by `SideWork`, and everything else is on one stream.
        unsafe { context.disable_event_tracking() };
        let facts = Self::ask(&context, driver)?;
        let pool = Pool::of(&context)?;
        let stream = context.default_stream();
        Ok((Self { stream, idle: Arc::default(), context, pool, staging: Arc::default() }, facts))
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

    /// Free and total memory, as [`crate::Gpu::memory`] gives it.
    pub(crate) fn memory(&self) -> Result<(u64, u64), GpuError> {
        let (free, total) = self.context.mem_get_info().doing("asking for free memory")?;
        let idle = self.pool.map_or(Ok(0), Pool::idle)?;
        Ok((free as u64 + idle, total as u64))
    }

    /// Waits for everything that was launched, as [`crate::Gpu::wait`].
    pub(crate) fn wait(&self) -> Result<(), GpuError> {
        self.stream().synchronize().doing("waiting for kernels")
    }

    /// Waits for everything that was launched, on side streams too.
    pub(crate) fn wait_for_all(&self) -> Result<(), GpuError> {
        self.context.synchronize().doing("waiting for kernels")
    }

    /// Runs work that launches kernels on a side stream, as [`crate::Gpu::on_side_stream`].
    pub(crate) fn on_side_stream<T>(
        &self,
        work: impl FnOnce() -> Result<T, GpuError>,
    ) -> Result<(T, SideWork), GpuError> {
        /// Restores the thread's previous stream when dropped.
        struct Back(Option<Arc<CudaStream>>);
        impl Drop for Back {
            fn drop(&mut self) {
                SIDE.set(self.0.take());
            }
        }
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let stream = idle.map_or_else(|| self.context.new_stream(), Ok).doing("making a stream")?;
        // From here on the device's own stream waits for the side stream when this is dropped, also on an error.
        let side = SideWork { cuda: self.clone(), stream: Arc::clone(&stream) };
        stream.join(&self.stream).doing("ordering streams")?;
        let back = Back(SIDE.replace(Some(stream)));
        let value = work();
        drop(back);
        Ok((value?, side))
    }

    /// Times work on the device, as [`crate::Gpu::timed`].
    pub(crate) fn timed<T>(
        &self,
        ahead: impl FnOnce() -> Result<(), GpuError>,
        work: impl FnOnce() -> Result<T, GpuError>,
    ) -> Result<(T, Duration), GpuError> {
        // The default flags of the binding would disable timing.
        let event = || {
            let flags = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
            self.context.new_event(flags).doing("making an event")
        };
        let (start, end) = (event()?, event()?);
        ahead()?;
        start.record(&self.stream).doing("recording an event")?;
        let value = work()?;
        end.record(&self.stream).doing("recording an event")?;
        // Waits for both events.
        let milliseconds = start.elapsed_ms(&end).doing("waiting for kernels")?;
        Ok((value, Duration::from_secs_f64(f64::from(milliseconds.max(0.0)) / 1e3)))
    }

    /// Makes the device's context current in the calling thread.
    pub(crate) fn enter(&self) -> Result<(), GpuError> {
        self.context.bind_to_thread().doing("entering the context")
    }

    /// Whether both are the same device.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.context.ordinal() == other.context.ordinal()
    }

    pub(crate) fn context(&self) -> &Arc<CudaContext> {
        &self.context
    }

    /// The stream that the calling thread's work goes to.
    pub(crate) fn stream(&self) -> Arc<CudaStream> {
        let side = SIDE.with_borrow(|side| side.clone());
        side.filter(|side| side.context() == &self.context).unwrap_or_else(|| Arc::clone(&self.stream))
    }

    /// Allocates a buffer of words, set to zero or uninitialised.
    pub(crate) fn allocate(&self, words: usize, zeros: bool) -> Result<CudaBuffer, GpuError> {
        let piece = match zeros {
            true => self.stream().alloc_zeros(words),
            // SAFETY: every pattern of bits is a word, so that no content is invalid; whoever asks for the buffer writes it
            // before anything reads it.
            false => unsafe { self.stream().alloc(words) },
        };
        let piece = Arc::new(piece.doing("allocating device memory")?);
        Ok(CudaBuffer { piece, place: 0..words, cuda: self.clone() })
    }

    /// Allocates uninitialised buffers of these numbers of words in one piece, which is freed with the last of them.
    pub(crate) fn allocate_together(&self, lengths: &[usize]) -> Result<Vec<CudaBuffer>, GpuError> {
        let mut words = 0;
        let place = |len: &usize| {
            let first = words;
            words += len.next_multiple_of(ALIGNED);
            first..first + len
        };
        let places: Vec<Range<usize>> = lengths.iter().map(place).collect();
        let piece = Arc::clone(&self.allocate(words, false)?.piece);
        let part = |place| CudaBuffer { piece: Arc::clone(&piece), place, cuda: self.clone() };
        Ok(places.into_iter().map(part).collect())
    }
}

/// Work on a side stream. When this is dropped, the device's own stream waits for that work before it runs what is
/// launched later: memory that the work reads and that was not allocated on the side stream must live until then.
#[derive(Debug)]
pub(crate) struct SideWork {
    cuda: Cuda,
    stream: Arc<CudaStream>,
}

impl Drop for SideWork {
    fn drop(&mut self) {
        // If the streams cannot be ordered, the host waits for the work.
        if self.cuda.enter().is_err() || self.cuda.stream.join(&self.stream).is_err() {
            let _ = self.stream.synchronize();
        }
        self.cuda.idle.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&self.stream));
    }
}

/// Buffers within a piece of memory begin at multiples of so many words, as pieces of memory themselves do.
const ALIGNED: usize = 32;

/// Words in the memory of a CUDA device: a part of a piece of memory, which no other buffer has.
#[derive(Debug)]
pub(crate) struct CudaBuffer {
    piece: Arc<CudaSlice<u64>>,
    place: Range<usize>,
    cuda: Cuda,
}

impl Drop for CudaBuffer {
    fn drop(&mut self) {
        // The driver frees memory in the current context of the calling thread, which may not have one yet. If setting
        // it fails, the buffer leaks.
        let _ = self.cuda.enter();
    }
}

impl CudaBuffer {
    /// Copies words of the host, as many as the buffer has, after everything that was launched before.
    pub(crate) fn write(&mut self, words: &[u64]) -> Result<(), GpuError> {
        self.fill(words.len(), &|first, to: &mut [u64]| to.copy_from_slice(&words[first..first + to.len()]))
    }

    /// The same with words that `fill` produces directly in the staging memory.
    pub(crate) fn fill(&mut self, len: usize, fill: &Fill<'_>) -> Result<(), GpuError> {
        let to = self.address_mut();
        // SAFETY: the caller has as many words as the buffer.
        unsafe { self.cuda.staging.fill(&self.cuda.stream(), to, len, fill) }
    }

    /// Copies words of the buffer from index `first` on to the host, after everything that was launched before, and waits
    /// for them. The buffer must have these words.
    pub(crate) fn read(&self, first: usize, words: &mut [u64]) -> Result<(), GpuError> {
        if words.len() <= SHORT {
            let from = self.address() + (first * size_of::<u64>()) as u64;
            // SAFETY: the buffer has these words.
            return unsafe { self.cuda.staging.read(&self.cuda.stream(), from, words) };
        }
        let first = self.place.start + first;
        let from = self.piece.slice(first..first + words.len());
        self.cuda.stream().memcpy_dtoh(&from, words).doing("copying to the host")?;
        self.cuda.wait()
    }

    /// The address on the device, for a kernel that reads.
    pub(crate) fn address(&self) -> u64 {
        // The use is not recorded by events: streams are ordered by `SideWork`.
        self.piece.device_ptr(&self.cuda.stream).0 + (self.place.start * size_of::<u64>()) as u64
    }

    /// The address on the device, for a kernel that writes: no other buffer has these words.
    pub(crate) fn address_mut(&mut self) -> u64 {
        self.address()
    }
}
