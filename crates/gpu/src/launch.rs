//! Modules, kernels and their launches.
//!
//! The parameters of a kernel are read from CUDA's machine code ([`crate::cubin`]), and a launch with arguments of
//! other sizes is refused, which would be undefined behaviour in C. That a kernel stays within its buffers is the
//! responsibility of the author of its text.

use crate::cubin::Resources;
use crate::cuda::{CudaCode, CudaKernel};
use crate::device::{Backend, Gpu};
use crate::error::GpuError;
use crate::memory::Words;
use crate::opencl::{OpenClKernel, Program};
use crate::shape::ArgumentSlot;

pub use crate::shape::Shape;

/// An argument of a kernel.
#[derive(Debug)]
pub enum Arg<'a> {
    /// A buffer that the kernel reads.
    Read(&'a Words),
    /// A buffer that the kernel writes, or reads and writes.
    Write(&'a mut Words),
    /// A 32-bit integer.
    U32(u32),
    /// A 64-bit integer.
    U64(u64),
    /// A structure by value, as bytes; in CUDA it lies in constant memory.
    Bytes(&'a [u8]),
}

impl Arg<'_> {
    /// Whether the argument is a value, or a buffer on this device.
    fn may_go_to(&self, gpu: &Gpu) -> bool {
        match self {
            Self::Read(words) => words.is_on(gpu),
            Self::Write(words) => words.is_on(gpu),
            Self::U32(_) | Self::U64(_) | Self::Bytes(_) => true,
        }
    }

    fn slot(&mut self) -> ArgumentSlot {
        let one = |value: u64, size| ArgumentSlot { words: vec![value], size };
        match self {
            Self::Read(words) => one(words.address(), 8),
            Self::Write(words) => one(words.address_mut(), 8),
            // The driver copies the first four bytes in memory, which must be the low half.
            Self::U32(value) => one(u64::from(*value).to_le(), 4),
            Self::U64(value) => one(*value, 8),
            Self::Bytes(bytes) => {
                let word = |chunk: &[u8]| {
                    let mut word = [0; 8];
                    word[..chunk.len()].copy_from_slice(chunk);
                    u64::from_ne_bytes(word)
                };
                ArgumentSlot {
                    words: bytes.chunks(8).map(word).collect(),
                    size: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
                }
            }
        }
    }
}

/// Compiled kernels, loaded onto a device.
#[derive(Clone, Debug)]
pub struct Module {
    code: ModuleOn,
    gpu: Gpu,
}

/// The module in the form of its driver.
#[derive(Clone, Debug)]
enum ModuleOn {
    Cuda(CudaCode),
    OpenCl(Program),
}

impl Module {
    /// Loads a cubin, or PTX, which the driver compiles first.
    ///
    /// # Errors
    /// [`GpuError::Driver`] if the driver refuses it, [`GpuError::Cubin`] for malformed machine code,
    /// [`GpuError::NotCuda`] for another device.
    pub fn load(gpu: &Gpu, image: &[u8]) -> Result<Self, GpuError> {
        let Backend::Cuda(cuda) = gpu.machine() else { return Err(GpuError::NotCuda) };
        Ok(Self { code: ModuleOn::Cuda(CudaCode::load(cuda, image)?), gpu: gpu.clone() })
    }

    /// Compiles a text in OpenCL C; `name` appears in error messages.
    ///
    /// # Errors
    /// [`GpuError::Source`] with the compiler's log, [`GpuError::OpenCl`], [`GpuError::NotOpenCl`] for another device.
    pub fn build(gpu: &Gpu, name: &str, source: &str) -> Result<Self, GpuError> {
        let Backend::OpenCl(opencl) = gpu.machine() else { return Err(GpuError::NotOpenCl) };
        let program = Program::build(opencl, &gpu.facts().name, name, source)?;
        Ok(Self { code: ModuleOn::OpenCl(program), gpu: gpu.clone() })
    }

    /// The kernel with this name.
    ///
    /// # Errors
    /// [`GpuError::NoSuchKernel`].
    pub fn kernel(&self, name: &str) -> Result<Kernel, GpuError> {
        let code = match &self.code {
            ModuleOn::Cuda(code) => KernelOn::Cuda(code.kernel(name)?),
            ModuleOn::OpenCl(program) => KernelOn::OpenCl(program.kernel(name)?),
        };
        Ok(Kernel { name: name.to_owned(), code, gpu: self.gpu.clone() })
    }
}

/// A kernel that can be launched.
#[derive(Clone, Debug)]
pub struct Kernel {
    name: String,
    code: KernelOn,
    gpu: Gpu,
}

/// The kernel in the form of its driver.
#[derive(Clone, Debug)]
enum KernelOn {
    Cuda(CudaKernel),
    OpenCl(OpenClKernel),
}

impl Kernel {
    /// The kernel's resources, if machine code was loaded.
    pub fn resources(&self) -> Option<&Resources> {
        match &self.code {
            KernelOn::Cuda(kernel) => kernel.resources.as_ref(),
            KernelOn::OpenCl(_) => None,
        }
    }

    /// The number of blocks of this shape that a multiprocessor runs at a time.
    ///
    /// # Errors
    /// [`GpuError::Driver`], [`GpuError::NotCuda`] for another device.
    pub fn blocks_per_multiprocessor(&self, shape: &Shape) -> Result<u32, GpuError> {
        match &self.code {
            KernelOn::Cuda(kernel) => kernel.blocks_per_multiprocessor(shape),
            KernelOn::OpenCl(_) => Err(GpuError::NotCuda),
        }
    }

    /// Starts the kernel and returns; [`Gpu::wait`] or a copy to the host waits for it.
    ///
    /// # Errors
    /// [`GpuError::Arguments`] when the arguments have other sizes than the parameters, [`GpuError::Launch`] when
    /// the device takes no such shape, [`GpuError::Driver`], [`GpuError::OpenCl`].
    ///
    /// # Safety
    /// The kernel, with these arguments and in this shape, reads and writes within the buffers it is given, and
    /// writes those only that are given as [`Arg::Write`].
    pub unsafe fn launch(&self, shape: &Shape, arguments: &mut [Arg<'_>]) -> Result<(), GpuError> {
        self.check_shape(shape)?;
        if let Some(at) = arguments.iter().position(|argument| !argument.may_go_to(&self.gpu)) {
            return Err(GpuError::OtherDevice { name: self.name.clone(), at });
        }
        let mut slots: Vec<ArgumentSlot> = arguments.iter_mut().map(Arg::slot).collect();
        if let KernelOn::Cuda(CudaKernel { parameters: Some(wanted), .. }) = &self.code {
            check_arguments(&self.name, &slots, wanted)?;
        }
        match &self.code {
            // SAFETY: the buffers are borrowed across the call and freed behind the kernel; there is a slot for every
            // parameter, which was checked where the parameters are known. What the kernel does with them is the caller's promise.
            KernelOn::Cuda(kernel) => unsafe { kernel.launch(shape, &mut slots) },
            // SAFETY: as above; OpenCL checks the arguments itself.
            KernelOn::OpenCl(kernel) => unsafe { kernel.launch(&self.name, shape, &slots) },
        }
    }

    fn check_shape(&self, shape: &Shape) -> Result<(), GpuError> {
        let facts = self.gpu.facts();
        let compiled_for = self.resources().and_then(|resources| resources.max_threads);
        let most = compiled_for.unwrap_or(u32::MAX).min(facts.threads_per_block);
        let threads = shape.block.iter().map(|n| u64::from(*n)).product();
        at_most(&self.name, "the number of threads of a block", threads, u64::from(most))?;
        let shared = u64::from(shape.shared);
        at_most(&self.name, "the shared memory of a block", shared, u64::from(facts.shared_per_block))
    }
}

fn at_most(name: &str, what: &'static str, given: u64, most: u64) -> Result<(), GpuError> {
    if given <= most { Ok(()) } else { Err(GpuError::Launch { name: name.to_owned(), what, given, most }) }
}

fn check_arguments(name: &str, slots: &[ArgumentSlot], wanted: &[u32]) -> Result<(), GpuError> {
    let given: Vec<u32> = slots.iter().map(|slot| slot.size).collect();
    if given == wanted {
        return Ok(());
    }
    Err(GpuError::Arguments { name: name.to_owned(), given, wanted: wanted.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_other_sizes_are_refused() {
        let slots = [Arg::U64(7), Arg::U32(9)].map(|mut arg| arg.slot());
        assert!(check_arguments("k", &slots, &[8, 4]).is_ok());
        for wanted in [&[8, 8][..], &[8], &[4, 8], &[8, 4, 4]] {
            let error = check_arguments("k", &slots, wanted).unwrap_err();
            assert!(matches!(error, GpuError::Arguments { .. }), "{error}");
        }
    }

    #[test]
    fn a_short_argument_stands_in_the_first_bytes() {
        let bytes = |mut arg: Arg<'_>| arg.slot().words[0].to_ne_bytes();
        assert_eq!(bytes(Arg::U32(0x0102_0304))[..4], 0x0102_0304u32.to_le_bytes());
        assert_eq!(bytes(Arg::Bytes(&[1, 2, 3])), [1, 2, 3, 0, 0, 0, 0, 0]);
        let long = Arg::Bytes(&[7; 9]).slot();
        assert_eq!((long.words.len(), long.size), (2, 9));
    }
}
