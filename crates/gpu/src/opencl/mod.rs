//! OpenCL devices of any maker, whose drivers compile the kernels themselves. The library is loaded at run time, as
//! CUDA's is; [`devices`] lists the devices.

mod calls;
mod device;
mod program;

pub use calls::LIBRARY_VARIABLE;
pub(crate) use device::{Buffer, OpenCl};
pub use device::{DEVICE_VARIABLE, chosen, devices};
pub use program::OPTIONS_VARIABLE;
pub(crate) use program::{OpenClKernel, Program};

/// The name of the device on boards and in reports.
pub const NAME: &str = "opencl";
