//! Modules, kernels and their launches.
//!
//! A kernel's parameters are read from its machine code ([`crate::cubin`]), and a launch with other arguments is
//! refused: what a call in C would leave to chance is an error here. Whether a kernel stays within the buffers it is
//! given is the promise of whoever wrote its text.

use crate::cubin::{self, Resources};
use crate::driver::Gpu;
use crate::error::{Doing, GpuError};
use crate::memory::Words;
use core::ffi::c_void;
use cudarc::driver::sys::CUfunction_attribute as Attribute;
use cudarc::driver::{CudaFunction, CudaModule, result};
use cudarc::nvrtc::Ptx;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Dynamic shared memory that every kernel may have without asking, in bytes.
const SHARED_WITHOUT_ASKING: u32 = 48 << 10;

/// How many threads a launch has, in what groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Blocks in each dimension.
    pub grid: [u32; 3],
    /// Threads of a block in each dimension.
    pub block: [u32; 3],
    /// Shared memory of a block in bytes, beyond what the kernel declares.
    pub shared: u32,
}

impl Shape {
    /// One dimension, no shared memory.
    pub fn flat(grid: u32, block: u32) -> Self {
        Self { grid: [grid, 1, 1], block: [block, 1, 1], shared: 0 }
    }
}

/// An argument of a kernel.
#[derive(Debug)]
pub enum Arg<'a> {
    /// A buffer that is read.
    Read(&'a Words),
    /// A buffer that is written, or read and written.
    Write(&'a mut Words),
    /// A 32-bit integer.
    U32(u32),
    /// A 64-bit integer.
    U64(u64),
    /// A structure by value: its bytes, which then lie in constant memory.
    Bytes(&'a [u8]),
}

/// An argument as the driver takes it: words, of which it copies as many bytes as the parameter has.
struct Slot {
    words: Vec<u64>,
    size: u32,
}

impl Arg<'_> {
    /// Whether it is a value, or a buffer on the device.
    fn may_go_to(&self, gpu: &Gpu) -> bool {
        match self {
            Self::Read(words) => words.is_on(gpu),
            Self::Write(words) => words.is_on(gpu),
            Self::U32(_) | Self::U64(_) | Self::Bytes(_) => true,
        }
    }

    fn slot(&mut self) -> Slot {
        let one = |value: u64, size| Slot { words: vec![value], size };
        match self {
            Self::Read(words) => one(words.address(), 8),
            Self::Write(words) => one(words.address_mut(), 8),
            // The low half comes first in memory.
            Self::U32(value) => one(u64::from(*value).to_le(), 4),
            Self::U64(value) => one(*value, 8),
            Self::Bytes(bytes) => {
                let word = |chunk: &[u8]| {
                    let mut word = [0; 8];
                    word[..chunk.len()].copy_from_slice(chunk);
                    u64::from_ne_bytes(word)
                };
                Slot {
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
    module: Arc<CudaModule>,
    /// What the machine code says, where it was machine code that was loaded.
    resources: Option<BTreeMap<String, Resources>>,
    gpu: Gpu,
}

impl Module {
    /// Loads a cubin, or PTX, which the driver compiles first.
    ///
    /// # Errors
    /// [`GpuError::Driver`] when the driver refuses it, [`GpuError::Cubin`] for damaged machine code.
    pub fn load(gpu: &Gpu, image: &[u8]) -> Result<Self, GpuError> {
        let is_machine_code = image.starts_with(b"\x7fELF");
        let resources = is_machine_code.then(|| cubin::kernels(image)).transpose()?;
        let mut bytes = image.to_vec();
        if !is_machine_code {
            // The driver reads PTX as a C string.
            bytes.push(0);
        }
        let module = gpu.context().load_module(Ptx::from_binary(bytes)).doing("loading kernels")?;
        Ok(Self { module, resources, gpu: gpu.clone() })
    }

    /// A kernel by name.
    ///
    /// # Errors
    /// [`GpuError::NoSuchKernel`].
    pub fn kernel(&self, name: &str) -> Result<Kernel, GpuError> {
        let function =
            self.module.load_function(name).map_err(|_| GpuError::NoSuchKernel { name: name.to_owned() })?;
        let resources = self.resources.as_ref().and_then(|all| all.get(name)).cloned();
        Ok(Kernel { name: name.to_owned(), function, resources, gpu: self.gpu.clone() })
    }
}

/// A kernel that can be launched.
#[derive(Clone, Debug)]
pub struct Kernel {
    name: String,
    function: CudaFunction,
    resources: Option<Resources>,
    gpu: Gpu,
}

impl Kernel {
    /// What its machine code says, if machine code was loaded.
    pub fn resources(&self) -> Option<&Resources> {
        self.resources.as_ref()
    }

    /// Blocks of this shape that run on a multiprocessor at one time.
    ///
    /// # Errors
    /// [`GpuError::Driver`].
    pub fn blocks_per_multiprocessor(&self, shape: &Shape) -> Result<u32, GpuError> {
        self.gpu.enter()?;
        self.allow_shared(shape.shared)?;
        let threads = shape.block.iter().product();
        self.function
            .occupancy_max_active_blocks_per_multiprocessor(threads, shape.shared as usize, None)
            .doing("asking for the occupancy")
    }

    /// Starts the kernel and returns; [`Gpu::wait`] or a copy to the host waits for it.
    ///
    /// # Errors
    /// [`GpuError::Arguments`] when the arguments have other sizes than the parameters, [`GpuError::Launch`] when
    /// the device takes no such shape, [`GpuError::Driver`].
    ///
    /// # Safety
    /// The kernel, with these arguments and in this shape, reads and writes within the buffers it is given, and
    /// writes those only that are given as [`Arg::Write`].
    pub unsafe fn launch(&self, shape: &Shape, arguments: &mut [Arg<'_>]) -> Result<(), GpuError> {
        self.check_shape(shape)?;
        if let Some(at) = arguments.iter().position(|argument| !argument.may_go_to(&self.gpu)) {
            return Err(GpuError::OtherDevice { name: self.name.clone(), at });
        }
        let mut slots: Vec<Slot> = arguments.iter_mut().map(Arg::slot).collect();
        if let Some(resources) = &self.resources {
            check_arguments(&self.name, &slots, &resources.parameters)?;
        }
        self.gpu.enter()?;
        self.allow_shared(shape.shared)?;
        let mut pointers: Vec<*mut c_void> =
            slots.iter_mut().map(|slot| slot.words.as_mut_ptr().cast()).collect();
        let dimensions = |d: [u32; 3]| (d[0], d[1], d[2]);
        // SAFETY: the function belongs to a module that is alive, of this context; there is a pointer to live words
        // for every parameter, at least as many as it has (checked above for machine code), and the driver copies
        // them before it returns; the buffers are borrowed across the call and freed on the same stream, behind the
        // kernel. What the kernel does with them is the caller's promise.
        unsafe {
            result::launch_kernel(
                self.function.cu_function(),
                dimensions(shape.grid),
                dimensions(shape.block),
                shape.shared,
                self.gpu.stream().cu_stream(),
                &mut pointers,
            )
        }
        .doing("launching a kernel")
    }

    fn check_shape(&self, shape: &Shape) -> Result<(), GpuError> {
        let facts = self.gpu.facts();
        let compiled_for = self.resources.as_ref().and_then(|resources| resources.max_threads);
        let most = compiled_for.unwrap_or(u32::MAX).min(facts.threads_per_block);
        let threads = shape.block.iter().map(|n| u64::from(*n)).product();
        at_most(&self.name, "the number of threads of a block", threads, u64::from(most))?;
        let shared = u64::from(shape.shared);
        at_most(&self.name, "the shared memory of a block", shared, u64::from(facts.shared_per_block))
    }

    /// More shared memory than usual has to be asked for.
    fn allow_shared(&self, bytes: u32) -> Result<(), GpuError> {
        if bytes <= SHARED_WITHOUT_ASKING {
            return Ok(());
        }
        let bytes = i32::try_from(bytes).unwrap_or(i32::MAX);
        self.function
            .set_attribute(Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes)
            .doing("asking for shared memory")
    }
}

fn at_most(name: &str, what: &'static str, given: u64, most: u64) -> Result<(), GpuError> {
    if given <= most { Ok(()) } else { Err(GpuError::Launch { name: name.to_owned(), what, given, most }) }
}

fn check_arguments(name: &str, slots: &[Slot], wanted: &[u32]) -> Result<(), GpuError> {
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
