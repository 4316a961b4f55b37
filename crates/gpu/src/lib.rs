//! The CUDA device and the OpenCL device: loads the drivers and NVIDIA's run-time compiler at run time, and runs the
//! proof system's operators as kernels on a device.
//!
//! Kernels are source texts from `pairwright-moma`. For CUDA [`nvrtc`] compiles them for the device at hand and
//! [`cache`] keeps them on disk; for OpenCL the driver compiles them ([`opencl`]). [`launch`] starts them. Neither CUDA
//! nor OpenCL is needed to build this crate; on a machine without them, [`driver::probe`] and [`opencl::devices`]
//! return an error that says so in one line.
//!
//! A [`Gpu`], its [`memory`] and its kernels are the interface that both drivers implement; the operators use nothing
//! else of a driver.
//!
//! This crate contains no protocol and no file format, and does not depend on another machine's crate: slots that a GPU
//! does not fill keep the operators of the board it is given.

pub mod ahead;
pub mod bench;
mod board;
pub mod cache;
pub mod cubin;
mod cuda;
mod device;
pub mod driver;
mod elements;
mod error;
mod facts;
pub mod family;
mod formulas;
pub mod launch;
pub mod memory;
pub mod mixed;
pub mod model;
mod msm;
mod ntt;
pub mod nvrtc;
pub mod opencl;
mod parameters;
mod poly;
mod pool;
mod programs;
pub mod rates;
pub mod report;
mod shape;
mod spare;
mod sparse;
mod staging;
mod sumcheck;
pub mod table;
mod tables;
mod tree;
pub mod tune;
mod vec;
mod workshop;

pub use board::board;
pub use device::Gpu;
pub use driver::{DEVICE_VARIABLE, chosen, devices, probe};
pub use error::{GpuError, SearchedFolders};
pub use facts::Facts;
pub use msm::{Msm, Precomputation, msm_texts};
pub use ntt::Ntt;
pub use poly::Polynomials;
pub use sparse::{Sparse, sparse_text};
pub use sumcheck::Sumcheck;
pub use tree::Trees;
pub use vec::vector_programs;
pub use workshop::{Compiler, HALVINGS_VARIABLE, PRECOMPUTE_VARIABLE, Setup, Workshop};

use pairwright_device::DeviceError;

/// The name of the CUDA device on boards and in reports.
pub const NAME: &str = "gpu";

/// Greatest number of elements of one launch: indices have 32 bits.
const MOST_ELEMENTS: usize = 1 << 31;

/// Checks that a launch can index this number of elements.
fn check_count(op: &'static str, len: usize) -> Result<(), DeviceError> {
    if len <= MOST_ELEMENTS { Ok(()) } else { Err(DeviceError::TooLarge { op, len, max: MOST_ELEMENTS }) }
}

/// A length as an argument of a kernel. A length above 32 bits, which no device has memory for, becomes `u32::MAX`.
fn saturating_u32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
