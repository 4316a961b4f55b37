//! The CUDA device and the OpenCL device: drivers and NVIDIA's run-time compiler, found at run time, and the kernels that
//! run there.
//!
//! Kernels are texts: they come from `pairwright-moma`, are compiled for the device at hand, by [`nvrtc`] and kept on disk
//! by [`cache`], or by the driver of [`opencl`], and started by [`launch`]. Nothing here needs CUDA or OpenCL to build; on a
//! machine without them, [`driver::probe`] and [`opencl::devices`] say so in one line.
//!
//! A [`Gpu`], its [`memory`] and its kernels are what any driver gives, and operators know no more than these.
//!
//! Knows no protocol and no file format. Machines do not know each other: the slots that a GPU does not fill are those
//! of the board it is given.

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
pub use error::{GpuError, Looked};
pub use facts::Facts;
pub use msm::{Msm, Precomputation, msm_texts};
pub use ntt::Ntt;
pub use poly::Polynomials;
pub use sparse::{Sparse, sparse_text};
pub use sumcheck::Sumcheck;
pub use tree::Trees;
pub use vec::vector_programs;
pub use workshop::{Compiler, PRECOMPUTE_VARIABLE, Setup, Workshop};

use pairwright_device::DeviceError;

/// The name of the CUDA device on boards and in reports.
pub const NAME: &str = "gpu";

/// Most elements of one launch: indices have 32 bits.
const MOST: usize = 1 << 31;

/// `Ok` unless there are more elements than a launch can have.
fn few(op: &'static str, len: usize) -> Result<(), DeviceError> {
    if len <= MOST { Ok(()) } else { Err(DeviceError::TooLarge { op, len, max: MOST }) }
}

/// A length as an argument of a kernel. What is longer than a kernel can count has no memory on any device.
fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
