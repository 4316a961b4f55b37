//! OpenCL programs, which the driver compiles, and launches of their kernels.

use super::calls::{Handle, check, made};
use super::device::OpenCl;
use crate::error::GpuError;
use crate::shape::{ArgumentSlot, Shape};
use core::ptr::{null, null_mut};
use std::ffi::{CString, c_void};
use std::sync::{Arc, Mutex, PoisonError};

/// The environment variable with further options of the compiler, such as `-D__forceinline__=inline` for a compiler
/// that takes long: macros that it defines take precedence over those of the kernels' texts.
pub const OPTIONS_VARIABLE: &str = "PAIRWRIGHT_OPENCL_OPTIONS";

/// The option for the language version.
const STANDARD: &str = "-cl-std=CL1.2";
const BUILD_LOG: u32 = 0x1183;
const PARAMETERS: u32 = 0x1191;
const BUILD_FAILED: i32 = -11;
const NO_KERNEL: i32 = -46;

/// A compiled program, released when it is dropped.
#[derive(Debug)]
struct Compiled {
    handle: Handle,
    of: Arc<OpenCl>,
}

// SAFETY: as for `OpenCl`.
unsafe impl Send for Compiled {}
// SAFETY: as for `OpenCl`.
unsafe impl Sync for Compiled {}

impl Drop for Compiled {
    fn drop(&mut self) {
        // SAFETY: the program was made by this library and is released once.
        unsafe { (self.of.calls.release_program)(self.handle) };
    }
}

/// A text that was compiled for a device.
#[derive(Clone, Debug)]
pub(crate) struct Program(Arc<Compiled>);

impl Program {
    /// Compiles a text; `name` and `device` appear in the error.
    pub(crate) fn build(of: &Arc<OpenCl>, device: &str, name: &str, source: &str) -> Result<Self, GpuError> {
        let further = std::env::var(OPTIONS_VARIABLE).unwrap_or_default();
        let options = CString::new(format!("{STANDARD} {further}").trim_end())
            .map_err(|_| GpuError::ZeroByte { name: OPTIONS_VARIABLE.to_owned() })?;
        let (text, length) = (source.as_ptr().cast(), source.len());
        let handle = made("clCreateProgramWithSource", |code| {
            // SAFETY: one text of this length, which is copied.
            unsafe { (of.calls.create_program)(of.context, 1, &text, &length, code) }
        })?;
        let program = Compiled { handle, of: Arc::clone(of) };
        // SAFETY: the program and its device are alive, the options are a C string, and the call waits for the compiler.
        let code =
            unsafe { (of.calls.build_program)(handle, 1, &of.device, options.as_ptr(), null(), null_mut()) };
        if code == BUILD_FAILED {
            let (name, target) = (name.to_owned(), device.to_owned());
            return Err(GpuError::Source { name, target, log: program.log()? });
        }
        check("clBuildProgram", code)?;
        Ok(Self(Arc::new(program)))
    }

    /// The kernel with this name.
    pub(crate) fn kernel(&self, name: &str) -> Result<OpenClKernel, GpuError> {
        let missing = || GpuError::NoSuchKernel { name: name.to_owned() };
        let c_name = CString::new(name).map_err(|_| missing())?;
        let made = made("clCreateKernel", |code| {
            // SAFETY: the program is alive and was built, and the name is a C string.
            unsafe { (self.0.of.calls.create_kernel)(self.0.handle, c_name.as_ptr(), code) }
        });
        let handle = match made {
            Err(GpuError::OpenCl { code: NO_KERNEL, .. }) => return Err(missing()),
            other => other?,
        };
        let program = Arc::clone(&self.0);
        let mut kernel = Inner { handle: Mutex::new(Function(handle)), parameters: 0, program };
        let to = &raw mut kernel.parameters;
        // SAFETY: the kernel is alive, and the number has as many bytes as are said.
        let code = unsafe {
            (self.0.of.calls.kernel_info)(handle, PARAMETERS, size_of::<u32>(), to.cast(), null_mut())
        };
        check("clGetKernelInfo", code)?;
        Ok(OpenClKernel(Arc::new(kernel)))
    }
}

impl Compiled {
    /// The compiler's log.
    fn log(&self) -> Result<String, GpuError> {
        let ask = |length: usize, to: *mut c_void, size: *mut usize| {
            let OpenCl { calls, device, .. } = &*self.of;
            // SAFETY: program and device are alive, and there is room for so many bytes.
            unsafe { (calls.build_info)(self.handle, *device, BUILD_LOG, length, to, size) }
        };
        super::device::text("clGetProgramBuildInfo", ask)
    }
}

/// A kernel's handle.
#[derive(Debug)]
struct Function(Handle);

// SAFETY: the handle may go to any thread; that two do not set its arguments at one time is for the lock around it.
unsafe impl Send for Function {}

#[derive(Debug)]
struct Inner {
    handle: Mutex<Function>,
    /// Number of its parameters.
    parameters: u32,
    program: Arc<Compiled>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        let handle = self.handle.get_mut().unwrap_or_else(PoisonError::into_inner).0;
        // SAFETY: the kernel was made by this library and is released once.
        unsafe { (self.program.of.calls.release_kernel)(handle) };
    }
}

/// A kernel of a program.
#[derive(Clone, Debug)]
pub(crate) struct OpenClKernel(Arc<Inner>);

impl OpenClKernel {
    /// Starts the kernel and returns. OpenCL checks the sizes of the arguments; missing arguments would keep their
    /// values of the launch before, so their number is checked here. `name` appears in the error.
    ///
    /// # Safety
    /// Where a parameter is a pointer, its slot has the handle of a buffer that lives until the launch is queued, and the
    /// kernel stays within its buffers.
    pub(crate) unsafe fn launch(
        &self,
        name: &str,
        shape: &Shape,
        slots: &[ArgumentSlot],
    ) -> Result<(), GpuError> {
        let (given, wanted) = (slots.len(), self.0.parameters as usize);
        if given != wanted {
            return Err(GpuError::ArgumentCount { name: name.to_owned(), given, wanted });
        }
        let OpenCl { calls, queue, .. } = &*self.0.program.of;
        let local = shape.block.map(|n| n as usize);
        let global = [0, 1, 2].map(|d| shape.grid[d] as usize * local[d]);
        // Arguments are state of the kernel object until it is queued, so the lock is held.
        let kernel = self.0.handle.lock().unwrap_or_else(PoisonError::into_inner);
        for (at, slot) in (0..).zip(slots) {
            // SAFETY: the kernel is alive, and the slot has so many bytes, which are copied.
            let code =
                unsafe { (calls.set_argument)(kernel.0, at, slot.size as usize, slot.words.as_ptr().cast()) };
            check("clSetKernelArg", code)?;
        }
        // SAFETY: queue and kernel are alive, and sizes are given for three dimensions. The rest is the caller's promise.
        let code = unsafe {
            let (global, local) = (global.as_ptr(), local.as_ptr());
            (calls.launch)(*queue, kernel.0, 3, null(), global, local, 0, null(), null_mut())
        };
        check("clEnqueueNDRangeKernel", code)?;
        // SAFETY: the queue is alive.
        check("clFlush", unsafe { (calls.flush)(*queue) })
    }
}
