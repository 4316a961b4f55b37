//! The CUDA device: NVIDIA's driver and run-time compiler, found at run time, and the kernels that run there.
//!
//! Kernels are texts: they come from `pairwright-moma`, are compiled by [`nvrtc`] for the device at hand, kept on disk
//! by [`cache`], and started by [`launch`]. Nothing here needs CUDA to build; on a machine without it,
//! [`driver::probe`] says so in one line.
//!
//! Knows no protocol and no file format. Machines do not know each other: the slots that a GPU does not fill are those
//! of the board it is given.

pub mod cache;
pub mod cubin;
pub mod driver;
mod error;
pub mod launch;
pub mod memory;
pub mod nvrtc;
pub mod rates;
pub mod sass;

pub use driver::{Facts, Gpu, probe};
pub use error::{GpuError, Looked};

/// The machine's name.
pub const NAME: &str = "gpu";
