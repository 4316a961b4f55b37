//! The functions of OpenCL 1.2 that the device uses, bound by hand and looked up at run time.
//!
//! The library is the one that [`LIBRARY_VARIABLE`] names, else the system's `libOpenCL`, which finds the installed
//! drivers. It stays loaded until the process ends, since drivers have threads of their own.

use crate::error::GpuError;
use core::ffi::{c_char, c_void};
use libloading::Library;
use std::sync::OnceLock;

/// The environment variable that names a library to use in place of the system's.
pub const LIBRARY_VARIABLE: &str = "PAIRWRIGHT_OPENCL";

/// The names of the system's library.
const NAMES: &[&str] = if cfg!(target_os = "macos") {
    &["/System/Library/Frameworks/OpenCL.framework/OpenCL"]
} else if cfg!(windows) {
    &["OpenCL.dll"]
} else {
    &["libOpenCL.so.1", "libOpenCL.so"]
};

/// A handle of an OpenCL object: a platform, device, context, queue, buffer, program or kernel.
pub(super) type Handle = *mut c_void;
type Code = i32;
type Sizes = *const usize;
type Events = *const Handle;
type Notify = *const c_void;

macro_rules! calls {
    ($($name:ident, $text:literal: fn($($argument:ty),*) -> $result:ty;)+) => {
        /// The functions, each as OpenCL's headers declare it.
        pub(super) struct Calls {
            $(pub(super) $name: unsafe extern "system" fn($($argument),*) -> $result,)+
            _library: Library,
        }

        impl Calls {
            fn of(library: Library) -> Result<Self, libloading::Error> {
                // SAFETY: the signatures are those that OpenCL's headers give the functions of these names, and the library
                // stays with the pointers.
                $(let $name = *unsafe { library.get($text.as_bytes()) }?;)+
                Ok(Self { $($name,)+ _library: library })
            }
        }
    };
}

calls! {
    platforms, "clGetPlatformIDs": fn(u32, *mut Handle, *mut u32) -> Code;
    platform_info, "clGetPlatformInfo": fn(Handle, u32, usize, *mut c_void, *mut usize) -> Code;
    devices, "clGetDeviceIDs": fn(Handle, u64, u32, *mut Handle, *mut u32) -> Code;
    device_info, "clGetDeviceInfo": fn(Handle, u32, usize, *mut c_void, *mut usize) -> Code;
    create_context, "clCreateContext":
        fn(*const isize, u32, *const Handle, Notify, *mut c_void, *mut Code) -> Handle;
    release_context, "clReleaseContext": fn(Handle) -> Code;
    create_queue, "clCreateCommandQueue": fn(Handle, Handle, u64, *mut Code) -> Handle;
    release_queue, "clReleaseCommandQueue": fn(Handle) -> Code;
    create_buffer, "clCreateBuffer": fn(Handle, u64, usize, *mut c_void, *mut Code) -> Handle;
    release_buffer, "clReleaseMemObject": fn(Handle) -> Code;
    create_program, "clCreateProgramWithSource":
        fn(Handle, u32, *const *const c_char, Sizes, *mut Code) -> Handle;
    build_program, "clBuildProgram":
        fn(Handle, u32, *const Handle, *const c_char, Notify, *mut c_void) -> Code;
    build_info, "clGetProgramBuildInfo": fn(Handle, Handle, u32, usize, *mut c_void, *mut usize) -> Code;
    release_program, "clReleaseProgram": fn(Handle) -> Code;
    create_kernel, "clCreateKernel": fn(Handle, *const c_char, *mut Code) -> Handle;
    kernel_info, "clGetKernelInfo": fn(Handle, u32, usize, *mut c_void, *mut usize) -> Code;
    release_kernel, "clReleaseKernel": fn(Handle) -> Code;
    set_argument, "clSetKernelArg": fn(Handle, u32, usize, *const c_void) -> Code;
    launch, "clEnqueueNDRangeKernel":
        fn(Handle, Handle, u32, Sizes, Sizes, Sizes, u32, Events, *mut Handle) -> Code;
    read, "clEnqueueReadBuffer":
        fn(Handle, Handle, u32, usize, usize, *mut c_void, u32, Events, *mut Handle) -> Code;
    write, "clEnqueueWriteBuffer":
        fn(Handle, Handle, u32, usize, usize, *const c_void, u32, Events, *mut Handle) -> Code;
    fill, "clEnqueueFillBuffer":
        fn(Handle, Handle, *const c_void, usize, usize, usize, u32, Events, *mut Handle) -> Code;
    flush, "clFlush": fn(Handle) -> Code;
    finish, "clFinish": fn(Handle) -> Code;
}

/// The functions, loaded at the first call.
///
/// # Errors
/// [`GpuError::NoOpenCl`] without a library, [`GpuError::BadOpenCl`] if it lacks a function.
pub(super) fn calls() -> Result<&'static Calls, GpuError> {
    static CALLS: OnceLock<Result<Calls, Option<String>>> = OnceLock::new();
    let calls = CALLS.get_or_init(|| {
        let named = std::env::var(LIBRARY_VARIABLE).ok().filter(|name| !name.is_empty());
        let names: Vec<&str> = named.as_deref().map_or_else(|| NAMES.to_vec(), |name| vec![name]);
        // SAFETY: the library is OpenCL's, by its well-known names or as the user says; what its drivers do when they are
        // loaded does not depend on us.
        let opened = names.iter().map(|name| unsafe { Library::new(*name) });
        let mut failed = None;
        for library in opened {
            match library.and_then(Calls::of) {
                Ok(calls) => return Ok(calls),
                Err(error) => failed = Some(error),
            }
        }
        // A library that the variable names must exist.
        Err(failed.filter(|error| named.is_some() || !is_absence(error)).map(|error| whole(&error)))
    });
    calls.as_ref().map_err(|why| why.clone().map_or(GpuError::NoOpenCl, GpuError::BadOpenCl))
}

/// An error and its cause, in one line.
fn whole(error: &libloading::Error) -> String {
    core::error::Error::source(error).map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
}

/// Whether the error is that a library could not be opened, not that it lacks a function.
fn is_absence(error: &libloading::Error) -> bool {
    use libloading::Error;
    matches!(error, Error::DlOpen { .. } | Error::LoadLibraryExW { .. })
}

/// An error for a code other than success.
pub(super) fn check(call: &'static str, code: Code) -> Result<(), GpuError> {
    if code == 0 { Ok(()) } else { Err(GpuError::OpenCl { call, code }) }
}

/// The handle that a call returns, unless its error code reports a failure.
pub(super) fn made(call: &'static str, create: impl FnOnce(*mut Code) -> Handle) -> Result<Handle, GpuError> {
    let mut code = 0;
    let handle = create(&mut code);
    check(call, code).map(|()| handle)
}
