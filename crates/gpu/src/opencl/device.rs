//! OpenCL devices: their list, their properties, and their memory.

use super::calls::{Calls, Handle, calls, check, made};
use crate::driver::number_in;
use crate::error::GpuError;
use crate::facts::Facts;
use core::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const PLATFORM_NAME: u32 = 0x0902;
const ALL_DEVICES: u64 = 0xffff_ffff;
const DEVICE_TYPE: u32 = 0x1000;
const COMPUTE_UNITS: u32 = 0x1002;
const WORK_GROUP_SIZE: u32 = 0x1004;
const CLOCK_MHZ: u32 = 0x100c;
const CACHE_SIZE: u32 = 0x101e;
const MEMORY_SIZE: u32 = 0x101f;
const LOCAL_SIZE: u32 = 0x1023;
const LITTLE_ENDIAN: u32 = 0x1026;
const COMPILER: u32 = 0x1028;
const NAME: u32 = 0x102b;
const VERSION: u32 = 0x102f;
/// The error code of a library that finds no driver.
const NO_PLATFORM: i32 = -1001;
/// The error code of a failed allocation.
const NO_MEMORY: i32 = -4;
/// Threads of the largest blocks that kernels use on every device.
const THREADS: usize = 256;
/// The bit of a CPU in the type of a device.
const IS_CPU: u64 = 2;

/// The environment variable with the number of the device, in the order of [`devices`]; 0 if it is not set.
pub const DEVICE_VARIABLE: &str = "PAIRWRIGHT_OPENCL_DEVICE";

/// The number of the device that the environment selects, by default 0.
///
/// # Errors
/// [`GpuError::NoDeviceNumber`] if the variable is not a number.
pub fn chosen() -> Result<usize, GpuError> {
    Ok(number_in(DEVICE_VARIABLE)?.unwrap_or(0))
}

/// The names of the usable devices: those with a compiler for OpenCL C 1.2 and blocks of 256 threads, CPUs last.
///
/// # Errors
/// [`GpuError::NoOpenCl`] without a library, [`GpuError::OpenCl`].
pub fn devices() -> Result<Vec<String>, GpuError> {
    let calls = calls()?;
    let _alone = alone();
    found(calls)?.iter().map(|device| facts(calls, device).map(|facts| facts.name)).collect()
}

/// A lock that makes queries of devices exclusive: drivers initialise themselves at the first query, and POCL 3.0 does
/// not support two of these at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ASKING: Mutex<()> = Mutex::new(());
    ASKING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A device that was found, with its platform.
struct Found {
    platform: Handle,
    device: Handle,
}

fn found(calls: &Calls) -> Result<Vec<Found>, GpuError> {
    let platforms = list("clGetPlatformIDs", |n, to, count| {
        // SAFETY: there is room for `n` handles, or none is asked for.
        let code = unsafe { (calls.platforms)(n, to, count) };
        if code == NO_PLATFORM { 0 } else { code }
    })?;
    let mut all = Vec::new();
    for platform in platforms {
        let devices = list("clGetDeviceIDs", |n, to, count| {
            // SAFETY: the platform is one of the library's, and there is room for `n` handles, or none is asked for.
            let code = unsafe { (calls.devices)(platform, ALL_DEVICES, n, to, count) };
            // A platform without devices.
            if code == -1 { 0 } else { code }
        })?;
        for device in devices {
            if is_usable(calls, device)? {
                all.push((number::<u64>(calls, device, DEVICE_TYPE)? & IS_CPU, Found { platform, device }));
            }
        }
    }
    all.sort_by_key(|(is_cpu, _)| *is_cpu);
    Ok(all.into_iter().map(|(_, found)| found).collect())
}

/// Reads a list of handles, after asking for its length.
fn list(
    call: &'static str,
    ask: impl Fn(u32, *mut Handle, *mut u32) -> i32,
) -> Result<Vec<Handle>, GpuError> {
    let mut count = 0;
    check(call, ask(0, null_mut(), &mut count))?;
    let mut all = vec![null_mut(); count as usize];
    if count > 0 {
        check(call, ask(count, all.as_mut_ptr(), null_mut()))?;
    }
    Ok(all)
}

/// A numeric property of a device; the type has the size that OpenCL specifies.
fn number<T: Copy + Default>(calls: &Calls, device: Handle, what: u32) -> Result<T, GpuError> {
    let mut value = T::default();
    // SAFETY: the device is one of the library's, and the value has as many bytes as are said.
    let code =
        unsafe { (calls.device_info)(device, what, size_of::<T>(), (&raw mut value).cast(), null_mut()) };
    check("clGetDeviceInfo", code).map(|()| value)
}

/// Reads a text, after asking for its length.
pub(super) fn text(
    call: &'static str,
    ask: impl Fn(usize, *mut core::ffi::c_void, *mut usize) -> i32,
) -> Result<String, GpuError> {
    let mut length = 0;
    check(call, ask(0, null_mut(), &mut length))?;
    let mut bytes = vec![0u8; length];
    if length > 0 {
        check(call, ask(length, bytes.as_mut_ptr().cast(), null_mut()))?;
    }
    Ok(String::from_utf8_lossy(&bytes).trim_matches(|c: char| c == '\0' || c.is_whitespace()).to_owned())
}

fn device_text(calls: &Calls, device: Handle, what: u32) -> Result<String, GpuError> {
    text("clGetDeviceInfo", |length, to, size| {
        // SAFETY: the device is one of the library's, and there is room for so many bytes.
        unsafe { (calls.device_info)(device, what, length, to, size) }
    })
}

/// Whether a device has a compiler, supports version 1.2 and blocks of [`THREADS`] threads, and is little-endian like
/// the host.
fn is_usable(calls: &Calls, device: Handle) -> Result<bool, GpuError> {
    let version = device_text(calls, device, VERSION)?;
    Ok(version_of(&version).is_some_and(|version| version >= (1, 2))
        && number::<u32>(calls, device, COMPILER)? != 0
        && number::<usize>(calls, device, WORK_GROUP_SIZE)? >= THREADS
        && number::<u32>(calls, device, LITTLE_ENDIAN)? != 0)
}

/// The version numbers in a text such as `OpenCL 3.0 PoCL ...`.
fn version_of(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.strip_prefix("OpenCL ")?.split_whitespace().next()?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

fn facts(calls: &Calls, found: &Found) -> Result<Facts, GpuError> {
    let Found { platform, device } = *found;
    let of_platform = text("clGetPlatformInfo", |length, to, size| {
        // SAFETY: the platform is one of the library's, and there is room for so many bytes.
        unsafe { (calls.platform_info)(platform, PLATFORM_NAME, length, to, size) }
    })?;
    let local = u32::try_from(number::<u64>(calls, device, LOCAL_SIZE)?).unwrap_or(u32::MAX);
    let threads = number::<usize>(calls, device, WORK_GROUP_SIZE)?;
    Ok(Facts {
        name: format!("{} ({of_platform})", device_text(calls, device, NAME)?),
        multiprocessors: number(calls, device, COMPUTE_UNITS)?,
        clock_khz: 1000 * number::<u32>(calls, device, CLOCK_MHZ)?,
        memory: number(calls, device, MEMORY_SIZE)?,
        l2: number(calls, device, CACHE_SIZE)?,
        shared_per_block: local,
        shared_per_multiprocessor: local,
        threads_per_block: u32::try_from(threads).unwrap_or(u32::MAX),
        ..Facts::default()
    })
}

/// A device with its context and its single in-order queue.
pub(crate) struct OpenCl {
    pub(super) calls: &'static Calls,
    pub(super) device: Handle,
    pub(super) context: Handle,
    pub(super) queue: Handle,
    /// Greatest number of bytes of memory that buffers may take.
    total: u64,
    /// Bytes of all existing buffers, counted here because OpenCL does not report free memory.
    used: AtomicU64,
}

// SAFETY: OpenCL's functions may be called from any thread with any handle, but for those that set a kernel's arguments,
// which `program.rs` guards.
unsafe impl Send for OpenCl {}
// SAFETY: as above.
unsafe impl Sync for OpenCl {}

impl core::fmt::Debug for OpenCl {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("OpenCl")
    }
}

impl Drop for OpenCl {
    fn drop(&mut self) {
        // SAFETY: both were made by this library and are released once; buffers and kernels, which hold the device, are gone.
        unsafe {
            (self.calls.release_queue)(self.queue);
            (self.calls.release_context)(self.context);
        }
    }
}

impl OpenCl {
    /// Opens the device with this number, in the order of [`devices`], and limits its memory to `most` bytes.
    pub(crate) fn open(ordinal: usize, most: Option<u64>) -> Result<(Self, Facts), GpuError> {
        let calls = calls()?;
        let _alone = alone();
        let all = found(calls)?;
        let device = all.get(ordinal).ok_or(GpuError::NoOpenClDevice { ordinal, count: all.len() })?;
        let mut facts = facts(calls, device)?;
        facts.memory = most.map_or(facts.memory, |most| most.min(facts.memory));
        let Found { device, .. } = *device;
        let context = made("clCreateContext", |code| {
            // SAFETY: one device of the library's, no properties, no function to be told of errors.
            unsafe { (calls.create_context)(null(), 1, &device, null(), null_mut(), code) }
        })?;
        let queue = made("clCreateCommandQueue", |code| {
            // SAFETY: the device belongs to the context.
            unsafe { (calls.create_queue)(context, device, 0, code) }
        });
        let queue = queue.inspect_err(|_| {
            // SAFETY: the context was made above and is released once.
            unsafe { (calls.release_context)(context) };
        })?;
        let total = facts.memory;
        Ok((Self { calls, device, context, queue, total, used: AtomicU64::new(0) }, facts))
    }

    /// Free and total memory, as [`crate::Gpu::memory`] returns it; buffers of other programs are not counted.
    pub(crate) fn memory(&self) -> (u64, u64) {
        (self.total.saturating_sub(self.used.load(Ordering::Relaxed)), self.total)
    }

    /// Waits for everything that was launched, as [`crate::Gpu::wait`].
    pub(crate) fn wait(&self) -> Result<(), GpuError> {
        // SAFETY: the queue is alive.
        check("clFinish", unsafe { (self.calls.finish)(self.queue) })
    }

    /// Allocates a buffer of words, set to zero or uninitialised.
    pub(crate) fn allocate(self: &Arc<Self>, words: usize, zeros: bool) -> Result<Buffer, GpuError> {
        let bytes = 8 * words as u64;
        let used = self.used.fetch_add(bytes, Ordering::Relaxed);
        let made = match used + bytes <= self.total {
            false => Err(GpuError::OpenCl { call: "clCreateBuffer", code: NO_MEMORY }),
            true => made("clCreateBuffer", |code| {
                // OpenCL does not support empty buffers.
                let size = (8 * words).max(8);
                // SAFETY: the context is alive, and no memory of the host is given.
                unsafe { (self.calls.create_buffer)(self.context, 1, size, null_mut(), code) }
            }),
        };
        let handle = made.inspect_err(|_| {
            self.used.fetch_sub(bytes, Ordering::Relaxed);
        })?;
        let buffer = Buffer { handle, bytes, of: Arc::clone(self) };
        if zeros && words > 0 {
            let zero = 0u64;
            // SAFETY: queue and buffer are alive, the buffer has so many bytes, and the pattern of eight is copied.
            let code = unsafe {
                let pattern = (&raw const zero).cast();
                (self.calls.fill)(self.queue, handle, pattern, 8, 0, 8 * words, 0, null(), null_mut())
            };
            check("clEnqueueFillBuffer", code)?;
        }
        Ok(buffer)
    }
}

/// Words in the memory of an OpenCL device.
#[derive(Debug)]
pub(crate) struct Buffer {
    handle: Handle,
    bytes: u64,
    of: Arc<OpenCl>,
}

// SAFETY: as for `OpenCl`.
unsafe impl Send for Buffer {}
// SAFETY: as for `OpenCl`.
unsafe impl Sync for Buffer {}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the buffer was made by this library and is released once; OpenCL keeps it until the kernels that were
        // started with it have run.
        unsafe { (self.of.calls.release_buffer)(self.handle) };
        self.of.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

impl Buffer {
    /// Copies words of the host, as many as the buffer has, after everything that was launched before, and waits for
    /// the copy.
    pub(crate) fn write(&mut self, words: &[u64]) -> Result<(), GpuError> {
        let OpenCl { calls, queue, .. } = &*self.of;
        if words.is_empty() {
            return Ok(());
        }
        // SAFETY: queue and buffer are alive, both sides have so many bytes, and the call waits for the copy.
        let code = unsafe {
            let (size, from) = (size_of_val(words), words.as_ptr().cast());
            (calls.write)(*queue, self.handle, 1, 0, size, from, 0, null(), null_mut())
        };
        check("clEnqueueWriteBuffer", code)
    }

    /// Copies words of the buffer from index `first` on to the host, after everything that was launched before, and
    /// waits for the copy. The buffer must have these words.
    pub(crate) fn read(&self, first: usize, words: &mut [u64]) -> Result<(), GpuError> {
        let OpenCl { calls, queue, .. } = &*self.of;
        if words.is_empty() {
            return Ok(());
        }
        // SAFETY: as for `write`.
        let code = unsafe {
            let (size, to) = (size_of_val(words), words.as_mut_ptr().cast());
            (calls.read)(*queue, self.handle, 1, 8 * first, size, to, 0, null(), null_mut())
        };
        check("clEnqueueReadBuffer", code)
    }

    /// The handle that is passed to a kernel as the buffer, as 64 bits.
    pub(crate) fn address(&self) -> u64 {
        self.handle.expose_provenance() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(version_of("OpenCL 3.0 PoCL HSTR: pthread"), Some((3, 0)));
        assert_eq!(version_of("OpenCL 1.2"), Some((1, 2)));
        for text in ["", "OpenCL", "OpenCL x.y", "OpenGL 4.6"] {
            assert_eq!(version_of(text), None, "{text}");
        }
    }
}
