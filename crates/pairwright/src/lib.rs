//! Proofs and pairings on every engine: the facade over Pairwright's crates.
//!
//! Re-exports the rooms under short names and knows every device by name:
//!
//! ```
//! use pairwright::curve::bn254::Bn254;
//! let cpu = pairwright::device::<Bn254>("cpu").unwrap();
//! assert_eq!(cpu.name, "cpu");
//! ```
#![forbid(unsafe_code)]

mod plan;
pub mod randomness;
mod registry;

pub use pairwright_aie as aie;
pub use pairwright_chip as chip;
pub use pairwright_chip_programs as chip_programs;
pub use pairwright_cpu as cpu;
pub use pairwright_curve as curve;
pub use pairwright_device as device;
pub use pairwright_device::Slot;
pub use pairwright_field as field;
pub use pairwright_formats as formats;
pub use pairwright_gpu as gpu;
pub use pairwright_hash as hash;
pub use pairwright_moma as moma;
pub use pairwright_mtu as mtu;
pub use pairwright_poly as poly;
pub use pairwright_protocols as protocols;
pub use pairwright_sim as sim;
pub use pairwright_witness as witness;
pub use plan::{BoardPlan, Designs};
pub use registry::{Boards, CPU_AIE, CPU_MTU, DEVICES, DeviceInfo, NoDevice, device};
