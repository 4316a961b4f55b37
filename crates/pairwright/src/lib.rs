//! Proofs and pairings on every device: the facade over Pairwright's crates.
//!
//! Re-exports the crates under short names and gives access to every device by name:
//!
//! ```
//! # #[cfg(feature = "models")] {
//! use pairwright::curve::bn254::Bn254;
//! let cpu = pairwright::device::<Bn254>("cpu").unwrap();
//! assert_eq!(cpu.name, "cpu");
//! # }
//! ```
//!
//! # Features
//!
//! Features only add functionality. The default features are `prover` (files, setups, provers, the fast device), `models`
//! (modelled machines, the GPU, devices by name), `kernels` (`moma`) and `witness` (circom's calculators); each of them
//! includes `std`. The feature `serde`, which is not a default, implements `Serialize` and `Deserialize` for numbers, points,
//! proofs, verifying keys and signatures. With `default-features = false` the crate is a verifier that needs only `core` and
//! `alloc` and builds for WebAssembly and for machines without an operating system:
//!
//! ```no_run
//! use pairwright::curve::bn254::Bn254;
//! use pairwright::device::{Session, reference};
//! use pairwright::formats::{FileBytes, read_proof, read_public_of, read_verifying_key};
//! use pairwright::protocols::groth16::PreparedVerifyingKey;
//!
//! # let (key, public, proof) = (Vec::new(), Vec::new(), Vec::new());
//! let board = reference::board::<Bn254>();
//! let mut on = Session::new(&board);
//! let key = read_verifying_key::<Bn254>(FileBytes::from_vec("key", key))?;
//! let key = PreparedVerifyingKey::new(&mut on, &key)?;
//! let public = read_public_of(FileBytes::from_vec("public values", public), key.public())?;
//! let proof = read_proof::<Bn254>(FileBytes::from_vec("proof", proof))?;
//! key.verify(&mut on, &public, &proof)?;
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

#[cfg(feature = "models")]
mod plan;
#[cfg(feature = "std")]
pub mod randomness;
#[cfg(feature = "models")]
mod registry;
#[cfg(feature = "prover")]
pub mod scale;

#[cfg(feature = "models")]
pub use pairwright_aie as aie;
#[cfg(feature = "models")]
pub use pairwright_chip as chip;
#[cfg(feature = "models")]
pub use pairwright_chip_programs as chip_programs;
#[cfg(feature = "prover")]
pub use pairwright_cpu as cpu;
pub use pairwright_curve as curve;
pub use pairwright_device as device;
pub use pairwright_device::Slot;
pub use pairwright_field as field;
pub use pairwright_formats as formats;
#[cfg(feature = "models")]
pub use pairwright_gpu as gpu;
pub use pairwright_hash as hash;
#[cfg(feature = "kernels")]
pub use pairwright_moma as moma;
#[cfg(feature = "models")]
pub use pairwright_mtu as mtu;
pub use pairwright_poly as poly;
pub use pairwright_protocols as protocols;
#[cfg(feature = "models")]
pub use pairwright_sim as sim;
#[cfg(feature = "witness")]
pub use pairwright_witness as witness;
#[cfg(feature = "models")]
pub use plan::{BoardPlan, Designs};
#[cfg(feature = "models")]
pub use registry::{Boards, CPU_AIE, CPU_MTU, DEVICES, DeviceInfo, NoDevice, device};
