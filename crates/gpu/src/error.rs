//! What can go wrong between here and a GPU.

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
    /// The driver is there and sees no device of this number.
    #[error("no CUDA device: device {ordinal} was asked for, the driver sees {count}")]
    NoDevice {
        /// Number asked for, from zero.
        ordinal: usize,
        /// Devices there are.
        count: usize,
    },
    /// The driver is older than the interface this crate speaks.
    #[error("the CUDA driver speaks version {major}.{minor}; 13.0 or newer is needed")]
    DriverTooOld {
        /// Version the driver reports.
        major: u32,
        /// Its minor part.
        minor: u32,
    },
    /// A driver call failed.
    #[error("CUDA driver: {doing}: {cause}")]
    Driver {
        /// What was being done.
        doing: &'static str,
        /// The driver's own error.
        cause: DriverError,
    },
    /// A kernel that was launched before has failed, which the driver says at a later call. Nothing can be done with the
    /// device any more in this process.
    #[error("a kernel has failed on the device, as was found while {doing}: {cause}")]
    KernelFailed {
        /// What was being done when the driver said so.
        doing: &'static str,
        /// The driver's own error.
        cause: DriverError,
    },
    /// The driver does not understand the compiler's PTX.
    #[error(
        "the CUDA driver is older than the compiler: it does not understand its PTX; a newer driver or an older compiler is needed"
    )]
    DriverOlderThanCompiler,
    /// The library of OpenCL cannot be loaded.
    #[error("no OpenCL device: the library (libOpenCL) is not on this machine")]
    NoOpenCl,
    /// A library was found that is not OpenCL's, or older than version 1.2.
    #[error("no OpenCL device: the library cannot be used: {0}")]
    BadOpenCl(String),
    /// The library is there, and no driver of a device of this number.
    #[error("no OpenCL device: device {ordinal} was asked for, there are {count}")]
    NoOpenClDevice {
        /// Number asked for, from zero.
        ordinal: usize,
        /// Devices that can be used.
        count: usize,
    },
    /// The variable that chooses a device is no number.
    #[error("{variable} is {text:?}: a device has a number, from 0 on")]
    NoDeviceNumber {
        /// Name of the variable.
        variable: &'static str,
        /// The variable's text.
        text: String,
    },
    /// A variable whose value is a number has none.
    #[error("{variable} is {text:?}: it takes a number, from 0 on")]
    NoNumber {
        /// Name of the variable.
        variable: &'static str,
        /// The variable's text.
        text: String,
    },
    /// A call of OpenCL failed.
    #[error("OpenCL: {call} gives code {code}{}", meaning(*code))]
    OpenCl {
        /// Name of the function that was called.
        call: &'static str,
        /// Code that the function gave.
        code: i32,
    },
    /// Something that CUDA alone has was asked of another device.
    #[error("this needs a CUDA device")]
    NotCuda,
    /// Something that OpenCL alone has was asked of another device.
    #[error("this needs an OpenCL device")]
    NotOpenCl,
    /// Kernels with 32-bit words do not compute in the form in which the host keeps a field's elements.
    #[error("OpenCL has no kernels for this field of {bits} bits: its limbs have an empty upper half")]
    NoForm {
        /// Bits of the modulus.
        bits: u32,
    },
    /// NVRTC is not where it was looked for.
    #[error(
        "no CUDA compiler: {looked}; set {} to a folder whose lib/ holds libnvrtc",
        crate::nvrtc::FOLDER_VARIABLE
    )]
    NoCompiler {
        /// The places in which the compiler was looked for.
        looked: Looked,
    },
    /// A library was found but lacks a function, or cannot be loaded.
    #[error("no CUDA compiler: the library found cannot be used")]
    BadCompiler(#[source] libloading::Error),
    /// A call of the compiler failed for another reason than the source.
    #[error("CUDA compiler: {call} gives code {code}{}", below(log))]
    Compiler {
        /// Name of the function that was called.
        call: &'static str,
        /// Its result code (`nvrtcResult`).
        code: i32,
        /// What the compiler said; empty where it said nothing.
        log: String,
    },
    /// The source does not compile.
    #[error("{name} does not compile for {target}:\n{log}")]
    Source {
        /// Name of the source.
        name: String,
        /// Target, as in `sm_90`.
        target: String,
        /// What the compiler said.
        log: String,
    },
    /// A text that cannot be handed to C.
    #[error("{name}: a zero byte inside of the text")]
    ZeroByte {
        /// Name of the source or option.
        name: String,
    },
    /// A machine-code file is not what its headers promise.
    #[error("malformed cubin: {0}")]
    Cubin(#[from] crate::cubin::CubinError),
    /// No kernel of that name in the module.
    #[error("no kernel `{name}` in the module")]
    NoSuchKernel {
        /// Name asked for.
        name: String,
    },
    /// An argument of a launch lies on another device than the kernel.
    #[error("kernel `{name}`: argument {at} lies on another device than the kernel")]
    OtherDevice {
        /// Name of the kernel.
        name: String,
        /// Position of the argument.
        at: usize,
    },
    /// The arguments of a launch are not those of the kernel.
    #[error("kernel `{name}`: arguments of {given:?} bytes, it takes {wanted:?}")]
    Arguments {
        /// Name of the kernel.
        name: String,
        /// Sizes of the arguments given.
        given: Vec<u32>,
        /// Sizes of its parameters, from its machine code.
        wanted: Vec<u32>,
    },
    /// The arguments of a launch are more or fewer than the kernel's parameters.
    #[error("kernel `{name}`: {given} arguments, it takes {wanted}")]
    ArgumentCount {
        /// Name of the kernel.
        name: String,
        /// Number of arguments that were given.
        given: usize,
        /// Number of its parameters.
        wanted: usize,
    },
    /// A launch larger than the device takes.
    #[error("kernel `{name}`: {what} is {given}, this device takes {most}")]
    Launch {
        /// Name of the kernel.
        name: String,
        /// Name of the quantity.
        what: &'static str,
        /// What was asked for.
        given: u64,
        /// The most there can be.
        most: u64,
    },
    /// The operands do not fit into the device's memory. Stated before anything runs.
    #[error("{needed} bytes of device memory are needed ({parts}), {free} of {total} are free")]
    TooLittleMemory {
        /// Sum of the parts.
        needed: u64,
        /// The parts, by name.
        parts: crate::memory::Need,
        /// Free on the device.
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
    /// The device gave a residue that is not below the modulus: a wrong kernel or a broken device.
    #[error("the device gave an element that is not reduced, at {index}")]
    NotReduced {
        /// Position of the element.
        index: usize,
    },
    /// A sampled result is another number than the host's.
    #[error("{what}: result {index} is wrong")]
    Wrong {
        /// What was computed.
        what: &'static str,
        /// Position of the result.
        index: u64,
    },
    /// No kernel can be made: the field, the size or the machine does not allow it.
    #[error("no kernel: {0}")]
    Kernel(#[from] pairwright_moma::MomaError),
    /// A Poseidon over a field for which the form with fewer products does not exist.
    #[error("no kernel: Poseidon over this field has no form with sparse matrices")]
    NoFastHash,
    /// The tuning table cannot be read.
    #[error("tuning table {}: {cause}", path.display())]
    Tuning {
        /// Path of the file.
        path: PathBuf,
        /// What the parser said.
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
    /// Whether the device has too little free memory: nothing was computed, and nothing is broken.
    pub fn is_lack_of_memory(&self) -> bool {
        match self {
            Self::TooLittleMemory { .. } => true,
            Self::Driver { cause, .. } => cause.0 == CUresult::CUDA_ERROR_OUT_OF_MEMORY,
            Self::OpenCl { code, .. } => OPENCL_MEMORY.iter().any(|(other, _)| other == code),
            _ => false,
        }
    }
}

/// OpenCL's codes for memory that cannot be had: a buffer's, the host's, a buffer longer than there can be.
const OPENCL_MEMORY: [(i32, &str); 3] = [
    (-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"),
    (-6, "CL_OUT_OF_HOST_MEMORY"),
    (-61, "CL_INVALID_BUFFER_SIZE"),
];

/// Other codes of OpenCL that a call here can meet.
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

/// The name of a code of OpenCL in brackets; nothing for one that is not known here.
fn meaning(code: i32) -> String {
    let name = OPENCL_MEMORY.iter().chain(&OPENCL_CODES).find(|(other, _)| *other == code);
    name.map_or(String::new(), |(_, name)| format!(" ({name})"))
}

/// A text on lines of its own; nothing for none.
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

/// The places in which a library was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Looked {
    /// In one folder that the environment names.
    In(PathBuf),
    /// The places in which the system's loader looks.
    Everywhere,
}

impl core::fmt::Display for Looked {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::In(folder) => write!(f, "libnvrtc is not in {}", folder.display()),
            Self::Everywhere => f.write_str("libnvrtc is not where the system looks for libraries"),
        }
    }
}

/// Says what was being done when the driver failed.
pub(crate) trait Doing<T> {
    /// The error with its occasion.
    fn doing(self, doing: &'static str) -> Result<T, GpuError>;
}

impl<T> Doing<T> for Result<T, DriverError> {
    fn doing(self, doing: &'static str) -> Result<T, GpuError> {
        self.map_err(|cause| match cause.0 {
            // Errors that stay with the context, whatever is called next.
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
