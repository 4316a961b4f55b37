//! The files of snarkjs' Plonk: proving keys, proofs and verification keys. Circuits, witnesses, powers of tau and public
//! values have the same formats for all protocols.

pub use crate::json::plonk::{read_proof, read_unchecked_proof, read_verifying_key};
#[cfg(feature = "std")]
pub use crate::json::plonk_write::{write_proof, write_verifying_key};
#[cfg(feature = "std")]
pub use crate::zkey::plonk::{ZkeyFile, write_zkey};
