//! Errors of drivers, compilers, launches and device memory.

use cudarc::driver::DriverError;
use cudarc::driver::sys::CUresult;
use pairwright_device::DeviceError;
use std::path::PathBuf;
use thiserror::Error;

/// Errors of this crate.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GpuError {
    /// The driver library cannot be loaded: there is no NVIDIA driver on this machine.
    #[error("no CUDA device: the driver library (libcuda) is not on this machine")]
    NoDriver,
    /// The driver is loaded but there is no device with this number.
    #[error("no CUDA device: device {ordinal} was asked for, the driver sees {count}")]
    NoDevice {
        /// Number asked for, from zero.
        ordinal: usize,
        /// Number of devices.
        count: usize,
    },
    /// The driver is older than the version that this crate needs.
    #[error("the CUDA driver speaks version {major}.{minor}; 13.0 or newer is needed")]
    DriverTooOld {
        /// Major version that the driver reports.
        major: u32,
        /// Minor version that the driver reports.
        minor: u32,
    },
    /// A driver call failed.
    #[error("CUDA driver: {doing}: {cause}")]
    Driver {
        /// The operation that failed.
        doing: &'static str,
        /// The driver's own error.
        cause: DriverError,
    },
    /// A kernel that was launched earlier has failed, which the driver reports at a later call. The device cannot be
    /// used any more in this process.
    #[error("a kernel has failed on the device, as was found while {doing}: {cause}")]
    KernelFailed {
        /// The operation during which the driver reported it.
        doing: &'static str,
        /// The driver's own error.
        cause: DriverError,
    },
    /// The driver does not support the version of the compiler's PTX.
    #[error(
        "the CUDA driver is older than the compiler: it does not understand its PTX; a newer driver or an older compiler is needed"
    )]
    DriverOlderThanCompiler,
    /// The OpenCL library cannot be loaded.
    #[error("no OpenCL device: the library (libOpenCL) is not on this machine")]
    NoOpenCl,
    /// A library was found that is not an OpenCL library, or is older than version 1.2.
    #[error("no OpenCL device: the library cannot be used: {0}")]
    BadOpenCl(String),
    /// The library is loaded but there is no usable device with this number.
    #[error("no OpenCL device: device {ordinal} was asked for, there are {count}")]
    NoOpenClDevice {
        /// Number asked for, from zero.
        ordinal: usize,
        /// Number of usable devices.
        count: usize,
    },
    /// The environment variable that selects a device does not hold a number.
    #[error("{variable} is {text:?}: a device has a number, from 0 on")]
    NoDeviceNumber {
        /// Name of the variable.
        variable: &'static str,
        /// The value of the variable.
        text: String,
    },
    /// An environment variable that takes a number does not hold one.
    #[error("{variable} is {text:?}: it takes a number, from 0 on")]
    NoNumber {
        /// Name of the variable.
        variable: &'static str,
        /// The value of the variable.
        text: String,
    },
    /// An OpenCL call failed.
    #[error("OpenCL: {call} gives code {code}{}", meaning(*code))]
    OpenCl {
        /// Name of the function that was called.
        call: &'static str,
        /// The error code that the function returned.
        code: i32,
    },
    /// An operation that only CUDA devices support was called on another device.
    #[error("this needs a CUDA device")]
    NotCuda,
    /// An operation that only OpenCL devices support was called on another device.
    #[error("this needs an OpenCL device")]
    NotOpenCl,
    /// The host's Montgomery radix of this field is not the radix of kernels with 32-bit words, since elements have an
    /// odd number of these, so the kernels cannot use the host's elements.
    #[error("OpenCL has no kernels for this field of {bits} bits: its limbs have an empty upper half")]
    NoForm {
        /// Width of the modulus in bits.
        bits: u32,
    },
    /// NVRTC was not found.
    #[error(
        "no CUDA compiler: {searched}; set {} to a folder whose lib/ holds libnvrtc",
        crate::nvrtc::FOLDER_VARIABLE
    )]
    NoCompiler {
        /// The places in which the compiler was looked for.
        searched: SearchedFolders,
    },
    /// The compiler's library was found but lacks a function, or cannot be loaded.
    #[error("no CUDA compiler: the library found cannot be used")]
    BadCompiler(#[source] libloading::Error),
    /// A call of the compiler failed for another reason than an error in the source.
    #[error("CUDA compiler: {call} gives code {code}{}", below(log))]
    Compiler {
        /// Name of the function that was called.
        call: &'static str,
        /// Its result code (`nvrtcResult`).
        code: i32,
        /// The compiler's log; may be empty.
        log: String,
    },
    /// The source does not compile.
    #[error("{name} does not compile for {target}:\n{log}")]
    Source {
        /// Name of the source.
        name: String,
        /// Target, as in `sm_90`.
        target: String,
        /// The compiler's log.
        log: String,
    },
    /// A text that contains a zero byte and so cannot be a C string.
    #[error("{name}: a zero byte inside of the text")]
    ZeroByte {
        /// Name of the source or option.
        name: String,
    },
    /// A machine-code file is malformed.
    #[error("malformed cubin: {0}")]
    Cubin(#[from] crate::cubin::CubinError),
    /// The module has no kernel with this name.
    #[error("no kernel `{name}` in the module")]
    NoSuchKernel {
        /// Name asked for.
        name: String,
    },
    /// An argument of a launch is a buffer on another device than the kernel.
    #[error("kernel `{name}`: argument {at} lies on another device than the kernel")]
    OtherDevice {
        /// Name of the kernel.
        name: String,
        /// Position of the argument.
        at: usize,
    },
    /// The arguments of a launch do not have the sizes of the kernel's parameters.
    #[error("kernel `{name}`: arguments of {given:?} bytes, it takes {wanted:?}")]
    Arguments {
        /// Name of the kernel.
        name: String,
        /// Sizes of the arguments given, in bytes.
        given: Vec<u32>,
        /// Sizes of its parameters in bytes, from its machine code.
        wanted: Vec<u32>,
    },
    /// The number of arguments of a launch is not the number of the kernel's parameters.
    #[error("kernel `{name}`: {given} arguments, it takes {wanted}")]
    ArgumentCount {
        /// Name of the kernel.
        name: String,
        /// Number of arguments that were given.
        given: usize,
        /// Number of its parameters.
        wanted: usize,
    },
    /// A launch exceeds a limit of the device.
    #[error("kernel `{name}`: {what} is {given}, this device takes {most}")]
    Launch {
        /// Name of the kernel.
        name: String,
        /// Name of the limited quantity.
        what: &'static str,
        /// The value that was asked for.
        given: u64,
        /// The greatest value allowed.
        most: u64,
    },
    /// The operands do not fit into the device's memory; detected before anything runs.
    #[error("{needed} bytes of device memory are needed ({parts}), {free} of {total} are free")]
    TooLittleMemory {
        /// Bytes needed: the sum of the parts.
        needed: u64,
        /// The bytes of each part, by name.
        parts: crate::memory::Need,
        /// Bytes that are free on the device.
        free: u64,
        /// Bytes of memory that the device has.
        total: u64,
    },
    /// A copy between buffers of different lengths.
    #[error("copy of {given} words into a buffer of {room}")]
    Length {
        /// Number of words to be copied.
        given: usize,
        /// Words of the buffer.
        room: usize,
    },
    /// The device returned a residue that is not below the modulus: a wrong kernel or a broken device.
    #[error("the device gave an element that is not reduced, at {index}")]
    NotReduced {
        /// Position of the element.
        index: usize,
    },
    /// A sampled result differs from the host's.
    #[error("{what}: result {index} is wrong")]
    Wrong {
        /// Name of the computation.
        what: &'static str,
        /// Position of the result.
        index: u64,
    },
    /// No kernel can be generated for this field, size or machine.
    #[error("no kernel: {0}")]
    Kernel(#[from] pairwright_moma::MomaError),
    /// Poseidon over this field has no form with fewer products.
    #[error("no kernel: Poseidon over this field has no form with sparse matrices")]
    NoFastHash,
    /// The tuning table cannot be parsed.
    #[error("tuning table {}: {cause}", path.display())]
    Tuning {
        /// Path of the file.
        path: PathBuf,
        /// The error of the parser.
        cause: Box<toml::de::Error>,
    },
    /// A file of the kernel cache or a table cannot be read or written.
    #[error("{}: {cause}", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// The error of the operating system.
        cause: std::io::Error,
    },
}

impl GpuError {
    /// Whether the error is lack of device memory: nothing was computed, and the device can still be used.
    pub fn is_lack_of_memory(&self) -> bool {
        match self {
            Self::TooLittleMemory { .. } => true,
            Self::Driver { cause, .. } => cause.0 == CUresult::CUDA_ERROR_OUT_OF_MEMORY,
            Self::OpenCl { code, .. } => OPENCL_MEMORY.iter().any(|(other, _)| other == code),
            _ => false,
        }
    }
}

/// OpenCL's error codes for a failed allocation: of a buffer, of host memory, of a buffer above the maximum size.
const OPENCL_MEMORY: [(i32, &str); 3] = [
    (-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"),
    (-6, "CL_OUT_OF_HOST_MEMORY"),
    (-61, "CL_INVALID_BUFFER_SIZE"),
];

/// Other OpenCL error codes that calls of this crate can return.
const OPENCL_CODES: [(i32, &str); 8] = [
    (-3, "CL_COMPILER_NOT_AVAILABLE"),
    (-5, "CL_OUT_OF_RESOURCES"),
    (-43, "CL_INVALID_BUILD_OPTIONS"),
    (-49, "CL_INVALID_ARG_INDEX"),
    (-51, "CL_INVALID_ARG_SIZE"),
    (-52, "CL_INVALID_KERNEL_ARGS"),
    (-54, "CL_INVALID_WORK_GROUP_SIZE"),
    (-55, "CL_INVALID_WORK_ITEM_SIZE"),
];

/// The name of an OpenCL error code in brackets; empty for an unknown code.
fn meaning(code: i32) -> String {
    let name = OPENCL_MEMORY.iter().chain(&OPENCL_CODES).find(|(other, _)| *other == code);
    name.map_or(String::new(), |(_, name)| format!(" ({name})"))
}

/// A colon and the text on lines of its own; empty for an empty text.
fn below(text: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() { String::new() } else { format!(":\n{text}") }
}

impl From<GpuError> for DeviceError {
    fn from(cause: GpuError) -> Self {
        let machine = match cause {
            GpuError::NoOpenCl
            | GpuError::BadOpenCl(_)
            | GpuError::NoOpenClDevice { .. }
            | GpuError::NoDeviceNumber { variable: crate::opencl::DEVICE_VARIABLE, .. }
            | GpuError::ArgumentCount { .. }
            | GpuError::NoForm { .. }
            | GpuError::NotCuda
            | GpuError::OpenCl { .. } => crate::opencl::NAME,
            _ => crate::NAME,
        };
        match cause.is_lack_of_memory() {
            true => Self::NoMemory { machine, cause: Box::new(cause) },
            false => Self::Machine { machine, cause: Box::new(cause) },
        }
    }
}

/// The locations in which a library was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchedFolders {
    /// In the folder that the environment names.
    In(PathBuf),
    /// In the search path of the system's loader.
    Everywhere,
}

impl core::fmt::Display for SearchedFolders {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::In(folder) => write!(f, "libnvrtc is not in {}", folder.display()),
            Self::Everywhere => f.write_str("libnvrtc is not where the system looks for libraries"),
        }
    }
}

/// Adds the failed operation to an error of the driver.
pub(crate) trait Doing<T> {
    /// Converts the error, with `doing` as the operation that failed.
    fn doing(self, doing: &'static str) -> Result<T, GpuError>;
}

impl<T> Doing<T> for Result<T, DriverError> {
    fn doing(self, doing: &'static str) -> Result<T, GpuError> {
        self.map_err(|cause| match cause.0 {
            // Sticky errors: every later call in the context fails with them.
            CUresult::CUDA_ERROR_ILLEGAL_ADDRESS
            | CUresult::CUDA_ERROR_MISALIGNED_ADDRESS
            | CUresult::CUDA_ERROR_ILLEGAL_INSTRUCTION
            | CUresult::CUDA_ERROR_INVALID_ADDRESS_SPACE
            | CUresult::CUDA_ERROR_INVALID_PC
            | CUresult::CUDA_ERROR_HARDWARE_STACK_ERROR
            | CUresult::CUDA_ERROR_LAUNCH_TIMEOUT
            | CUresult::CUDA_ERROR_LAUNCH_FAILED => GpuError::KernelFailed { doing, cause },
            CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION => GpuError::DriverOlderThanCompiler,
            _ => GpuError::Driver { doing, cause },
        })
    }
}
