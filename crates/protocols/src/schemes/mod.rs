//! Signature and encryption schemes that need a pairing and no proof system: BLS signatures ([`bls`]), signatures of a list of
//! messages with selective disclosure ([`bbs`]), functional encryption of inner products ([`fe`]) and attribute-based encryption
//! (`abe`, with the feature `std`), all on BLS12-381; identity-based encryption ([`ibe`]) on BLS12-381 and on BN254.
//!
//! BLS signatures have two [`Variant`]s, which differ in the group of the public keys; identity-based encryption takes any
//! [`KeyGroups`]. Pairings go through a device session. Operations on secrets stay on the host, in constant time, except the
//! pairing of a decryption, whose sequence of operations does not depend on values either.

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
