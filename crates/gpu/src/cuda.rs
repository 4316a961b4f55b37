//! Modules and kernels on a CUDA device.

use crate::cubin::{self, Resources};
use crate::driver::Cuda;
use crate::error::{Doing, GpuError};
use crate::parameters;
use crate::shape::{ArgumentSlot, Shape};
use core::ffi::c_void;
use cudarc::driver::sys::CUfunction_attribute as Attribute;
use cudarc::driver::{CudaFunction, CudaModule, result};
use cudarc::nvrtc::Ptx;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Dynamic shared memory in bytes that a kernel may use without setting an attribute.
const SHARED_WITHOUT_ASKING: u32 = 48 << 10;

/// A loaded module of machine code or PTX.
#[derive(Clone, Debug)]
pub(crate) struct CudaCode {
    module: Arc<CudaModule>,
    /// The resources of each kernel, if machine code was loaded.
    resources: Option<BTreeMap<String, Resources>>,
    /// Sizes of the parameters of each kernel, if PTX was loaded.
    parameters: BTreeMap<String, Vec<u32>>,
    cuda: Cuda,
}

impl CudaCode {
    /// Loads machine code or PTX, as [`crate::launch::Module::load`].
    pub(crate) fn load(cuda: &Cuda, image: &[u8]) -> Result<Self, GpuError> {
        let is_machine_code = image.starts_with(b"\x7fELF");
        let resources = is_machine_code.then(|| cubin::kernels(image)).transpose()?;
        let mut bytes = image.to_vec();
        if !is_machine_code {
            // The driver reads PTX as a C string.
            bytes.push(0);
        }
        let text = core::str::from_utf8(image).unwrap_or_default();
        let parameters = if is_machine_code { BTreeMap::new() } else { parameters::of_ptx(text) };
        let module = cuda.context().load_module(Ptx::from_binary(bytes)).doing("loading kernels")?;
        Ok(Self { module, resources, parameters, cuda: cuda.clone() })
    }

    /// Finds a kernel by name, as [`crate::launch::Module::kernel`].
    pub(crate) fn kernel(&self, name: &str) -> Result<CudaKernel, GpuError> {
        let function =
            self.module.load_function(name).map_err(|_| GpuError::NoSuchKernel { name: name.to_owned() })?;
        let resources = self.resources.as_ref().and_then(|all| all.get(name)).cloned();
        let parameters = resources.as_ref().map(|resources| &resources.parameters);
        let parameters = parameters.or_else(|| self.parameters.get(name)).cloned();
        Ok(CudaKernel { function, resources, parameters, cuda: self.cuda.clone() })
    }
}

/// A kernel on a CUDA device.
#[derive(Clone, Debug)]
pub(crate) struct CudaKernel {
    function: CudaFunction,
    pub(crate) resources: Option<Resources>,
    /// Sizes of the parameters in bytes, if they are known.
    pub(crate) parameters: Option<Vec<u32>>,
    cuda: Cuda,
}

impl CudaKernel {
    /// Asks for the occupancy, as [`crate::launch::Kernel::blocks_per_multiprocessor`].
    pub(crate) fn blocks_per_multiprocessor(&self, shape: &Shape) -> Result<u32, GpuError> {
        self.cuda.enter()?;
        self.allow_shared(shape.shared)?;
        let threads = shape.block.iter().product();
        self.function
            .occupancy_max_active_blocks_per_multiprocessor(threads, shape.shared as usize, None)
            .doing("asking for the occupancy")
    }

    /// Starts the kernel and returns.
    ///
    /// # Safety
    /// There is a slot for every parameter, buffers live until the kernel has run, and the kernel stays within them.
    pub(crate) unsafe fn launch(&self, shape: &Shape, slots: &mut [ArgumentSlot]) -> Result<(), GpuError> {
        self.cuda.enter()?;
        self.allow_shared(shape.shared)?;
        let mut pointers: Vec<*mut c_void> =
            slots.iter_mut().map(|slot| slot.words.as_mut_ptr().cast()).collect();
        let dimensions = |d: [u32; 3]| (d[0], d[1], d[2]);
        // SAFETY: the function belongs to a module that is alive, of this context; the driver copies the slots' live words
        // before it returns. The rest is the caller's promise.
        unsafe {
            result::launch_kernel(
                self.function.cu_function(),
                dimensions(shape.grid),
                dimensions(shape.block),
                shape.shared,
                self.cuda.stream().cu_stream(),
                &mut pointers,
            )
        }
        .doing("launching a kernel")
    }

    /// Sets the attribute that more than 48 KiB of dynamic shared memory needs.
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
