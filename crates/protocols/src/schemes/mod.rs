//! Schemes that stand on the pairing of BLS12-381 alone: signatures ([`bls`]), identity-based encryption ([`ibe`]), signatures of
//! many messages of which some are shown ([`bbs`]), and functional encryption of inner products ([`fe`]).
//!
//! The first two come in two [`Variant`]s, by which group holds the public keys. Pairings go through a device session; what
//! touches a secret stays on the host, in constant time, except the pairing of a decryption, which does not depend on
//! values either.

pub mod bbs;
pub mod bls;
pub mod fe;
pub mod ibe;
mod variant;

pub use variant::{MinPk, MinSig, Variant};
