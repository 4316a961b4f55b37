//! A stand-in for CUDA's driver: a library that exports the driver's functions and interprets kernels. Tests that load
//! it in place of the driver run the shipped code, unchanged, on a machine without a GPU.
//!
//! It implements the calls that this project makes through `cudarc`, several devices, and streams that are
//! all the same stream. A kernel runs to its end when it is launched. A fault that the interpreter detects is printed
//! on standard error, and every later call on the device fails, as with a real driver. Machine code is refused: only
//! PTX is accepted.
//!
//! The variable `PAIRWRIGHT_PTX_DRIVER` changes its behaviour: `stub` for a stub library for linking without a driver,
//! or a version such as `12080`.

mod devices;
mod state;

use core::cell::Cell;
use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use pairwright_ptx::Launch;
use state::{
    Code, INVALID_CONTEXT, INVALID_DEVICE, INVALID_HANDLE, INVALID_PTX, INVALID_VALUE, NO_BINARY,
    STUB_LIBRARY, State,
};
use std::sync::{Mutex, PoisonError};

/// The driver version that is reported by default.
const VERSION: c_int = 13_000;

/// The attribute of a kernel for the limit of its dynamic shared memory.
const DYNAMIC_SHARED: c_int = 8;

thread_local! {
    /// The number of the current context's device plus one; zero for none.
    static CURRENT: Cell<usize> = const { Cell::new(0) };
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

/// The value of `PAIRWRIGHT_PTX_DRIVER`.
fn pretence() -> Option<String> {
    std::env::var("PAIRWRIGHT_PTX_DRIVER").ok()
}

/// Runs work on the state and returns a result code of the driver.
fn with(work: impl FnOnce(&mut State) -> Result<(), Code>) -> Code {
    if pretence().as_deref() == Some("stub") {
        return STUB_LIBRARY;
    }
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    work(state.get_or_insert_with(State::new)).err().unwrap_or(0)
}

/// The same with the device of the thread's current context.
fn within(work: impl FnOnce(&mut State, usize) -> Result<(), Code>) -> Code {
    with(|state| match CURRENT.get() {
        0 => Err(INVALID_CONTEXT),
        current => work(state, current - 1),
    })
}

/// Writes through a pointer of the caller.
///
/// # Safety
/// The pointer is null, or to a place of its type that may be written.
unsafe fn put<T>(to: *mut T, value: T) -> Result<(), Code> {
    if to.is_null() {
        return Err(INVALID_VALUE);
    }
    // SAFETY: it is not null, and the rest is the caller's promise.
    unsafe { to.write(value) };
    Ok(())
}

/// The bytes behind a pointer of the caller.
///
/// # Safety
/// The pointer is null, or to as many bytes that live and do not change while the slice is used.
unsafe fn bytes<'a>(from: *const c_void, count: usize) -> Result<&'a [u8], Code> {
    if from.is_null() {
        return Err(INVALID_VALUE);
    }
    // SAFETY: it is not null, and the rest is the caller's promise.
    Ok(unsafe { core::slice::from_raw_parts(from.cast(), count) })
}

/// Declares functions with the names and the ABI of the driver.
///
/// Their callers keep to cuda.h: pointers to results are null or valid for a write, pointers to operands are null or to as
/// many bytes as the call says, texts end in a zero. Every `SAFETY` comment below leans on that.
macro_rules! driver {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $kind:ty),* $(,)?) $body:block)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            /// The arguments are as cuda.h says.
            // SAFETY: the name is the driver's, which no other library of a test exports.
            #[unsafe(no_mangle)]
            #[allow(non_snake_case)]
            pub unsafe extern "C" fn $name($($argument: $kind),*) -> Code $body
        )*
    };
}

driver! {
    /// Starts the driver.
    fn cuInit(_flags: c_uint) { with(|_| Ok(())) }

    /// Returns the version of the driver.
    fn cuDriverGetVersion(version: *mut c_int) {
        let pretended = pretence().and_then(|text| text.parse().ok());
        // SAFETY: see `driver!`.
        with(|_| unsafe { put(version, pretended.unwrap_or(VERSION)) })
    }

    /// Returns the number of devices.
    fn cuDeviceGetCount(count: *mut c_int) {
        // SAFETY: see `driver!`.
        with(|state| unsafe { put(count, state.devices.len() as c_int) })
    }

    /// Returns the device with a number.
    fn cuDeviceGet(device: *mut c_int, ordinal: c_int) {
        with(|state| {
            state.devices.get(ordinal as usize).ok_or(INVALID_DEVICE)?;
            // SAFETY: see `driver!`.
            unsafe { put(device, ordinal) }
        })
    }

    /// Returns the name of a device.
    fn cuDeviceGetName(name: *mut c_char, length: c_int, device: c_int) {
        with(|state| {
            let device = state.devices.get(device as usize).ok_or(INVALID_DEVICE)?;
            let text = device.spec.name.as_bytes();
            let kept = text.len().min((length.max(1) - 1) as usize);
            if name.is_null() {
                return Err(INVALID_VALUE);
            }
            // SAFETY: see `driver!`; at most `length` bytes are written, the zero included.
            unsafe {
                core::ptr::copy_nonoverlapping(text.as_ptr().cast(), name, kept);
                name.add(kept).write(0);
            }
            Ok(())
        })
    }

    /// Returns the memory of a device in bytes.
    fn cuDeviceTotalMem_v2(bytes: *mut usize, device: c_int) {
        with(|state| {
            let device = state.devices.get(device as usize).ok_or(INVALID_DEVICE)?;
            // SAFETY: see `driver!`.
            unsafe { put(bytes, device.spec.memory) }
        })
    }

    /// Returns an attribute of a device.
    fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int) {
        with(|state| {
            let device = state.devices.get(device as usize).ok_or(INVALID_DEVICE)?;
            // SAFETY: see `driver!`.
            unsafe { put(value, device.spec.attribute(attribute).ok_or(INVALID_VALUE)?) }
        })
    }

    /// Returns the context of a device, which is its number plus one.
    fn cuDevicePrimaryCtxRetain(context: *mut usize, device: c_int) {
        with(|state| {
            state.devices.get(device as usize).ok_or(INVALID_DEVICE)?;
            // SAFETY: see `driver!`.
            unsafe { put(context, device as usize + 1) }
        })
    }

    /// Releases the context of a device.
    fn cuDevicePrimaryCtxRelease_v2(_device: c_int) { with(|_| Ok(())) }

    /// Sets the thread's current context.
    fn cuCtxSetCurrent(context: usize) {
        CURRENT.set(context);
        0
    }

    /// Returns the thread's current context.
    fn cuCtxGetCurrent(context: *mut usize) {
        // SAFETY: see `driver!`.
        with(|_| unsafe { put(context, CURRENT.get()) })
    }

    /// Waits for a device.
    fn cuCtxSynchronize() { within(State::wait) }

    /// Returns free and total memory in bytes.
    fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) {
        within(|state, device| {
            let room = state.room(device)?;
            // SAFETY: see `driver!`.
            unsafe { put(free, room.0).and_then(|()| put(total, room.1)) }
        })
    }

    /// Returns the memory pool of a device, which releases freed memory at every wait, whatever its attributes.
    fn cuDeviceGetDefaultMemPool(pool: *mut usize, device: c_int) {
        with(|state| {
            state.devices.get(device as usize).ok_or(INVALID_DEVICE)?;
            // SAFETY: see `driver!`.
            unsafe { put(pool, device as usize + 1) }
        })
    }

    /// Sets an attribute of a pool.
    fn cuMemPoolSetAttribute(_pool: usize, _attribute: c_int, _value: *mut c_void) { with(|_| Ok(())) }

    /// Returns an attribute of a pool, a number of bytes: always 0.
    fn cuMemPoolGetAttribute(_pool: usize, _attribute: c_int, value: *mut c_void) {
        // SAFETY: see `driver!`.
        with(|_| unsafe { put(value.cast::<u64>(), 0) })
    }

    /// Allocates a buffer, in the order of the stream.
    fn cuMemAllocAsync(address: *mut u64, bytes: usize, _stream: usize) {
        within(|state, device| {
            let found = state.allocate(device, bytes)?;
            // SAFETY: see `driver!`.
            unsafe { put(address, found) }
        })
    }

    /// Frees a buffer in the order of the stream.
    fn cuMemFreeAsync(address: u64, _stream: usize) {
        within(|state, device| state.free(device, address, true))
    }

    /// Allocates page-locked memory of the host.
    fn cuMemHostAlloc(memory: *mut *mut c_void, bytes: usize, _flags: c_uint) {
        within(|_, _| {
            // The size is stored before the memory, for the call that frees it.
            let mut words = vec![0u128; bytes.div_ceil(16) + 1].into_boxed_slice();
            words[0] = words.len() as u128;
            let first = Box::leak(words).as_mut_ptr();
            // SAFETY: see `driver!`; the block has a word in front of what is given away.
            unsafe { put(memory, first.add(1).cast()) }
        })
    }

    /// Frees page-locked memory.
    fn cuMemFreeHost(memory: *mut c_void) {
        within(|_, _| {
            if memory.is_null() {
                return Err(INVALID_VALUE);
            }
            // SAFETY: the pointer is one that `cuMemHostAlloc` gave, so that its block begins a word before it, with the
            // number of its words.
            unsafe {
                let first = memory.cast::<u128>().sub(1);
                drop(Box::from_raw(core::ptr::slice_from_raw_parts_mut(first, *first as usize)));
            }
            Ok(())
        })
    }

    /// Fills memory with a byte.
    fn cuMemsetD8Async(address: u64, value: u8, count: usize, _stream: usize) {
        within(|state, device| state.write(device, address, &vec![value; count]))
    }

    /// Copies to a device.
    fn cuMemcpyHtoDAsync_v2(to: u64, from: *const c_void, count: usize, _stream: usize) {
        state::log(&format!("copy to a device: {count} bytes"));
        // SAFETY: see `driver!`.
        within(|state, device| state.write(device, to, unsafe { bytes(from, count)? }))
    }

    /// Copies to the host.
    fn cuMemcpyDtoHAsync_v2(to: *mut c_void, from: u64, count: usize, _stream: usize) {
        state::log(&format!("copy to the host: {count} bytes"));
        within(|state, device| {
            let found = state.read(device, from, count)?;
            if to.is_null() {
                return Err(INVALID_VALUE);
            }
            // SAFETY: see `driver!`; the slice has as many bytes.
            unsafe { core::ptr::copy_nonoverlapping(found.as_ptr(), to.cast(), count) };
            Ok(())
        })
    }

    /// Copies on a device.
    fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, count: usize, _stream: usize) {
        within(|state, device| {
            let found = state.read(device, from, count)?.to_vec();
            state.write(device, to, &found)
        })
    }

    /// Creates a stream; all streams are the same.
    fn cuStreamCreate(stream: *mut usize, _flags: c_uint) {
        // SAFETY: see `driver!`.
        within(|_, _| unsafe { put(stream, 1) })
    }

    /// Destroys a stream.
    fn cuStreamDestroy_v2(_stream: usize) { within(|_, _| Ok(())) }

    /// Waits for the work on a stream.
    fn cuStreamSynchronize(_stream: usize) { within(State::wait) }

    /// Makes a stream wait for an event.
    fn cuStreamWaitEvent(_stream: usize, _event: usize, _flags: c_uint) {
        within(|state, device| state.device(device).map(|_| ()))
    }

    /// Creates an event that has not been recorded.
    fn cuEventCreate(event: *mut usize, _flags: c_uint) {
        // SAFETY: see `driver!`.
        within(|state, _| unsafe { put(event, state.event()) })
    }

    /// Records an event after the work on a stream.
    fn cuEventRecord(event: usize, _stream: usize) {
        within(|state, device| state.record(device, event))
    }

    /// Waits for an event.
    fn cuEventSynchronize(_event: usize) { within(State::wait) }

    /// Queries an event; waits for it, so it is always reached.
    fn cuEventQuery(_event: usize) { within(State::wait) }

    /// Returns the time between two events in milliseconds.
    fn cuEventElapsedTime_v2(milliseconds: *mut f32, start: usize, end: usize) {
        within(|state, _| {
            let time = state.elapsed(start, end)?;
            // SAFETY: see `driver!`.
            unsafe { put(milliseconds, time) }
        })
    }

    /// Destroys an event.
    fn cuEventDestroy_v2(_event: usize) { within(|_, _| Ok(())) }

    /// Loads a text of PTX.
    fn cuModuleLoadData(module: *mut usize, image: *const c_void) {
        within(|state, device| {
            if image.is_null() {
                return Err(INVALID_VALUE);
            }
            // SAFETY: see `driver!`: PTX is a C string, and machine code begins with a header of more than four bytes.
            if unsafe { bytes(image, 4)? } == b"\x7fELF" {
                return Err(NO_BINARY);
            }
            // SAFETY: as above.
            let text = unsafe { CStr::from_ptr(image.cast()) }.to_str().map_err(|_| INVALID_PTX)?;
            let found = state.load(device, text)?;
            // SAFETY: see `driver!`.
            unsafe { put(module, found) }
        })
    }

    /// Unloads a module.
    fn cuModuleUnload(module: usize) { within(|state, _| state.unload(module)) }

    /// Returns a kernel of a module.
    fn cuModuleGetFunction(function: *mut usize, module: usize, name: *const c_char) {
        within(|state, _| {
            if name.is_null() {
                return Err(INVALID_VALUE);
            }
            // SAFETY: see `driver!`.
            let name = unsafe { CStr::from_ptr(name) }.to_str().map_err(|_| INVALID_VALUE)?;
            let found = state.function(module, name)?;
            // SAFETY: see `driver!`.
            unsafe { put(function, found) }
        })
    }

    /// Sets an attribute of a kernel.
    fn cuFuncSetAttribute(function: usize, attribute: c_int, value: c_int) {
        within(|state, _| match attribute {
            DYNAMIC_SHARED => state.allow_shared(function, usize::try_from(value).map_err(|_| INVALID_VALUE)?),
            _ => Err(INVALID_VALUE),
        })
    }

    /// Returns the number of blocks of a kernel that a multiprocessor holds.
    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks: *mut c_int,
        function: usize,
        _threads: c_int,
        shared: usize,
    ) {
        // SAFETY: see `driver!`.
        within(|state, _| unsafe { put(blocks, state.occupancy(function, shared)?) })
    }

    /// The same, with flags that are ignored.
    fn cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks: *mut c_int,
        function: usize,
        _threads: c_int,
        shared: usize,
        _flags: c_uint,
    ) {
        // SAFETY: see `driver!`.
        within(|state, _| unsafe { put(blocks, state.occupancy(function, shared)?) })
    }

    /// Runs a kernel.
    fn cuLaunchKernel(
        function: usize,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        shared: c_uint,
        _stream: usize,
        arguments: *mut *mut c_void,
        _extra: *mut *mut c_void,
    ) {
        within(|state, device| {
            let mut all = Vec::new();
            for (at, (offset, size)) in state.parameters(function)?.into_iter().enumerate() {
                if arguments.is_null() {
                    return Err(INVALID_HANDLE);
                }
                all.resize(offset, 0);
                // SAFETY: see `driver!`: there is a pointer for every parameter, to as many bytes as it has.
                all.extend_from_slice(unsafe { bytes(*arguments.add(at), size)? });
            }
            let shape = Launch {
                grid: [grid_x, grid_y, grid_z],
                block: [block_x, block_y, block_z],
                shared: shared as usize,
                arguments: all,
            };
            state.launch(device, function, &shape)
        })
    }

    /// Returns the name of a result code.
    fn cuGetErrorName(code: Code, name: *mut *const c_char) {
        // SAFETY: see `driver!`; the text lives as long as the library.
        unsafe { put(name, name_of(code).as_ptr()) }.err().unwrap_or(0)
    }

    /// Returns the description of a result code, here its name.
    fn cuGetErrorString(code: Code, text: *mut *const c_char) {
        // SAFETY: see `driver!`; the text lives as long as the library.
        unsafe { put(text, name_of(code).as_ptr()) }.err().unwrap_or(0)
    }
}

fn name_of(code: Code) -> &'static CStr {
    match code {
        0 => c"CUDA_SUCCESS",
        INVALID_VALUE => c"CUDA_ERROR_INVALID_VALUE",
        state::OUT_OF_MEMORY => c"CUDA_ERROR_OUT_OF_MEMORY",
        STUB_LIBRARY => c"CUDA_ERROR_STUB_LIBRARY",
        INVALID_DEVICE => c"CUDA_ERROR_INVALID_DEVICE",
        INVALID_CONTEXT => c"CUDA_ERROR_INVALID_CONTEXT",
        NO_BINARY => c"CUDA_ERROR_NO_BINARY_FOR_GPU",
        INVALID_PTX => c"CUDA_ERROR_INVALID_PTX",
        INVALID_HANDLE => c"CUDA_ERROR_INVALID_HANDLE",
        state::NOT_FOUND => c"CUDA_ERROR_NOT_FOUND",
        700 => c"CUDA_ERROR_ILLEGAL_ADDRESS",
        716 => c"CUDA_ERROR_MISALIGNED_ADDRESS",
        _ => c"CUDA_ERROR_LAUNCH_FAILED",
    }
}
