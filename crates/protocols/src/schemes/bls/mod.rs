//! BLS signatures: draft-irtf-cfrg-bls-signature-05, over BLS12-381, both variants, all three schemes.
//!
//! A [`PublicKey`] and a [`Signature`] have been checked to be in their subgroups when they are made, and a key not to
//! be the neutral element (`KeyValidate`), so a verifier looks at the pairing equation alone. Every
//! verification compares one product of pairings with one; [`equation`] gives its factors for a single signature.
//!
//! Keys come from random bytes, from keying material ([`SecretKey::key_gen`]) or from a seed along a path
//! ([`SecretKey::derive_path`]); [`threshold`] shares one among signers.
//!
//! Aggregates of signatures of the *same* message are safe only if every signer has proved to know the secret key:
//! [`Scheme::ProofOfPossession`] wants [`pop_verify`] for every key before the key is used.

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

/// How a scheme keeps a forger from choosing keys that cancel those of others (§3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheme {
    /// The messages of an aggregate are distinct (§3.1).
    Basic,
    /// The public key is hashed before the message (§3.2).
    MessageAugmentation,
    /// Every signer has proved to know the secret key (§3.3).
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

/// The point that a signature of `message` under `key` is a multiple of.
pub fn message_point<V: Variant>(
    scheme: Scheme,
    key: &PublicKey<V>,
    message: &[u8],
) -> Affine<V::Signatures> {
    hashed::<V>(scheme, || *key, message).to_affine()
}

/// [`message_point`] of many messages under their keys, by a device. Not for messages that are secret.
///
/// # Errors
/// When the device cannot.
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

/// [`message_point`] for a key that is computed only if the scheme hashes it.
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

/// The point that a proof of possession of `key` is a multiple of (§3.3.2): the key, hashed under its own tag.
pub fn possession_point<V: Variant>(key: &PublicKey<V>) -> Affine<V::Signatures> {
    let dst = format!("BLS_POP_{}POP_", V::Signatures::SUITE_RO);
    V::Signatures::hash_to_curve(&key.to_bytes(), dst.as_bytes())
}

impl SecretKey {
    /// Signs `message` (§2.6). Constant time but for the message's length.
    pub fn sign<V: Variant>(&self, scheme: Scheme, message: &[u8]) -> Signature<V> {
        Signature { point: hashed::<V>(scheme, || self.public_key(), message).mul(&self.scalar).to_affine() }
    }

    /// Proves to know this key (§3.3.2). Constant time.
    pub fn pop_prove<V: Variant>(&self) -> Signature<V> {
        self.sign_point(&possession_point::<V>(&self.public_key()))
    }

    /// The multiple of a point of the subgroup by the secret key. Constant time.
    pub fn sign_point<V: Variant>(&self, point: &Affine<V::Signatures>) -> Signature<V> {
        Signature { point: Projective::from(*point).mul(&self.scalar).to_affine() }
    }
}
