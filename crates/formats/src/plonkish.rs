//! Proving keys of Plonk and of fflonk, for who writes code for both; by the protocol: [`crate::plonk`], [`crate::fflonk`].

pub use crate::zkey::plonkish::{GateKey, ZkeyFile};
