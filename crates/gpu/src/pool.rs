//! The memory pool of a CUDA device, set to keep freed memory. Without that, every wait for the device would return
//! free memory to the driver, and the next call would allocate it again, which takes milliseconds.

use crate::error::{Doing, GpuError};
use core::ffi::{c_int, c_void};
use cudarc::driver::sys::{CUmemPool_attribute as Attribute, CUmemoryPool};
use cudarc::driver::{CudaContext, result};

/// The default pool of a device, which lives as long as the device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pool(CUmemoryPool);

// SAFETY: the handle is a name that the driver takes from every thread, as cuda.h says of all its functions.
unsafe impl Send for Pool {}
// SAFETY: as above; the driver orders concurrent calls itself.
unsafe impl Sync for Pool {}

impl Pool {
    /// The pool of a device, set to keep freed memory; `None` if the device does not allocate from a pool.
    ///
    /// # Errors
    /// [`GpuError::Driver`].
    pub(crate) fn of(context: &CudaContext) -> Result<Option<Self>, GpuError> {
        if !context.has_async_alloc() {
            return Ok(None);
        }
        // SAFETY: the device is that of a live context.
        let pool = unsafe { result::device::get_default_mem_pool(context.cu_device()) }
            .doing("asking for the pool of device memory")?;
        let set = |attribute, value: *mut c_void| {
            // SAFETY: the pool is the device's own, and the attribute is a number of the size that the caller points to.
            unsafe { result::mem_pool::set_attribute(pool, attribute, value) }
                .doing("keeping freed device memory")
        };
        let mut threshold = u64::MAX;
        set(Attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, (&raw mut threshold).cast())?;
        // Memory that another stream has freed is not reused by waiting for that stream, since streams are meant to run
        // concurrently.
        let mut wait: c_int = 0;
        set(Attribute::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, (&raw mut wait).cast())?;
        Ok(Some(Self(pool)))
    }

    /// Bytes that the pool holds and that are not in use.
    ///
    /// # Errors
    /// [`GpuError::Driver`].
    pub(crate) fn idle(self) -> Result<u64, GpuError> {
        let number = |attribute| {
            let mut value = 0u64;
            // SAFETY: the pool is the device's own, and these attributes are 64-bit numbers, for which there is room.
            unsafe { result::mem_pool::get_attribute(self.0, attribute, (&raw mut value).cast()) }
                .doing("asking for the pool of device memory")?;
            Ok::<_, GpuError>(value)
        };
        let held = number(Attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)?;
        Ok(held.saturating_sub(number(Attribute::CU_MEMPOOL_ATTR_USED_MEM_CURRENT)?))
    }
}
