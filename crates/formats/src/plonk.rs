//! The files of snarkjs' Plonk: keys, proofs and verification keys. Circuits, witnesses, powers of tau and public values are
//! those of every protocol.

pub use crate::json::plonk::{read_proof, read_unchecked_proof, read_verifying_key};
#[cfg(feature = "std")]
pub use crate::json::plonk_write::{write_proof, write_verifying_key};
#[cfg(feature = "std")]
pub use crate::zkey::plonk::{ZkeyFile, write_zkey};
