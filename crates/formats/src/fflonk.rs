//! The files of snarkjs' fflonk: proving keys, proofs and verification keys. Circuits, witnesses, powers of tau and public
//! values have the same formats for all protocols.
//!
//! snarkjs supports fflonk on BN254 only, because it needs a cube root of the domain's root of unity, which it has as a
//! constant for that curve.

pub use crate::json::fflonk::{read_proof, read_unchecked_proof, read_verifying_key};
#[cfg(feature = "std")]
pub use crate::json::fflonk_write::{write_proof, write_verifying_key};
pub use crate::roots::Roots;
#[cfg(feature = "std")]
pub use crate::zkey::fflonk::{ZkeyFile, write_zkey};
