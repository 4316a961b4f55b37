//! The files of snarkjs' fflonk: keys, proofs and verification keys. Circuits, witnesses, powers of tau and public values are
//! those of every protocol.
//!
//! snarkjs knows it on BN254 alone: it takes a third root of the domain's root of unity, which it has as a number.

pub use crate::json::fflonk::{read_proof, read_unchecked_proof, read_verifying_key};
#[cfg(feature = "std")]
pub use crate::json::fflonk_write::{write_proof, write_verifying_key};
pub use crate::roots::Roots;
#[cfg(feature = "std")]
pub use crate::zkey::fflonk::{ZkeyFile, write_zkey};
