//! BLS signatures over BLS12-381 (draft-irtf-cfrg-bls-signature-05): both variants, all three schemes.
//!
//! The constructors of [`PublicKey`] and [`Signature`] check that the point is in its subgroup, and that a key is not the neutral
//! element (`KeyValidate`), so a verifier checks only the pairing equation. Every verification compares one product of pairings
//! with one; [`equation`] gives its factors for a single signature.
//!
//! Keys come from random bytes, from keying material ([`SecretKey::key_gen`]) or from a seed along a path
//! ([`SecretKey::derive_path`]); [`threshold`] shares a key among signers.
//!
//! Aggregates of signatures of the *same* message are safe only if every signer has proved knowledge of the secret key: with
//! [`Scheme::ProofOfPossession`], the caller runs [`pop_verify`] for every key before the key is used.

mod derive;
mod keys;
pub mod threshold;
mod verify;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
pub use derive::KeyPath;
pub use keys::{BlsError, PublicKey, SecretKey, Signature, aggregate};
pub use verify::{
    VerifyError, aggregate_verify, batch_verify, check_signatures, equation, fast_aggregate_verify,
    pop_verify, verify, verify_point,
};

use super::Variant;
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_curve::{Affine, HashToCurve, Projective};
use pairwright_device::{DeviceError, Session};

/// The countermeasure against keys that a forger chooses to cancel those of others (§3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheme {
    /// The messages of an aggregate are distinct (§3.1).
    Basic,
    /// The public key is hashed before the message (§3.2).
    MessageAugmentation,
    /// Every signer has proved knowledge of the secret key (§3.3).
    ProofOfPossession,
}

impl Scheme {
    /// The ciphersuite's name (§4.2), which is the domain separation tag of signatures.
    pub fn ciphersuite<V: Variant>(self) -> String {
        let scheme = match self {
            Self::Basic => "NUL",
            Self::MessageAugmentation => "AUG",
            Self::ProofOfPossession => "POP",
        };
        format!("BLS_SIG_{}{scheme}_", V::Signatures::SUITE_RO)
    }
}

/// The point whose multiple by the secret key of `key` is the signature of `message`.
pub fn message_point<V: Variant>(
    scheme: Scheme,
    key: &PublicKey<V>,
    message: &[u8],
) -> Affine<V::Signatures> {
    hashed::<V>(scheme, || *key, message).to_affine()
}

/// [`message_point`] of many messages under their keys, computed by a device. Not for secret messages.
///
/// # Errors
/// When the device fails.
pub fn message_points<V: Variant>(
    on: &mut Session<'_, Bls12_381>,
    scheme: Scheme,
    signed: &[(PublicKey<V>, &[u8])],
) -> Result<Vec<Affine<V::Signatures>>, DeviceError> {
    let dst = scheme.ciphersuite::<V>();
    let augmented: Vec<Vec<u8>> = match scheme {
        Scheme::MessageAugmentation => {
            signed.iter().map(|(key, message)| [&key.to_bytes(), *message].concat()).collect()
        }
        Scheme::Basic | Scheme::ProofOfPossession => Vec::new(),
    };
    let messages: Vec<&[u8]> = if augmented.is_empty() {
        signed.iter().map(|(_, message)| *message).collect()
    } else {
        augmented.iter().map(Vec::as_slice).collect()
    };
    V::hash(on, &messages, dst.as_bytes())
}

/// [`message_point`] in projective coordinates; `key` is called only if the scheme hashes the key.
fn hashed<V: Variant>(
    scheme: Scheme,
    key: impl FnOnce() -> PublicKey<V>,
    message: &[u8],
) -> Projective<V::Signatures> {
    let dst = scheme.ciphersuite::<V>();
    match scheme {
        Scheme::MessageAugmentation => {
            V::Signatures::hash_to_projective(&[&key().to_bytes(), message].concat(), dst.as_bytes())
        }
        Scheme::Basic | Scheme::ProofOfPossession => {
            V::Signatures::hash_to_projective(message, dst.as_bytes())
        }
    }
}

/// The point whose multiple by the secret key is the proof of possession of `key` (§3.3.2): the encoded key, hashed under the tag
/// for proofs of possession.
pub fn possession_point<V: Variant>(key: &PublicKey<V>) -> Affine<V::Signatures> {
    let dst = format!("BLS_POP_{}POP_", V::Signatures::SUITE_RO);
    V::Signatures::hash_to_curve(&key.to_bytes(), dst.as_bytes())
}

impl SecretKey {
    /// Signs `message` (§2.6). Constant time but for the message's length.
    pub fn sign<V: Variant>(&self, scheme: Scheme, message: &[u8]) -> Signature<V> {
        Signature { point: hashed::<V>(scheme, || self.public_key(), message).mul(&self.scalar).to_affine() }
    }

    /// Proves knowledge of this key (§3.3.2). Constant time.
    pub fn pop_prove<V: Variant>(&self) -> Signature<V> {
        self.sign_point(&possession_point::<V>(&self.public_key()))
    }

    /// Multiplies a point of the subgroup by the secret key. Constant time.
    pub fn sign_point<V: Variant>(&self, point: &Affine<V::Signatures>) -> Signature<V> {
        Signature { point: Projective::from(*point).mul(&self.scalar).to_affine() }
    }
}
