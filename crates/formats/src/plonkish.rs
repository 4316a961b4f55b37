//! Proving keys of Plonk and fflonk for code that is generic over both; for one protocol see [`crate::plonk`] and
//! [`crate::fflonk`].

pub use crate::zkey::plonkish::{GateKey, ZkeyFile};
