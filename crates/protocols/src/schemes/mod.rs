//! Schemes that stand on a pairing alone: signatures on BLS12-381 ([`bls`]), signatures of many messages of which some are shown
//! ([`bbs`]), identity-based encryption ([`ibe`]) there and on BN254, functional encryption of inner products ([`fe`]), and
//! attribute-based encryption (`abe`, with the feature `std`).
//!
//! BLS signatures come in two [`Variant`]s, by which group holds the public keys; encryption to identities takes any
//! [`KeyGroups`]. Pairings go through a device session; what touches a secret stays on the host, in constant time, except the
//! pairing of a decryption, which does not depend on values either.

#[cfg(feature = "std")]
pub mod abe;
pub mod bbs;
pub mod bls;
pub mod fe;
mod groups;
pub mod ibe;
mod variant;

pub use groups::{Bn254MinSig, KeyGroups, MinPk, MinSig};
pub use variant::Variant;
