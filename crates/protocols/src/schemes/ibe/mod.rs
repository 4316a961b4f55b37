//! Identity-based encryption by Boneh and Franklin (CRYPTO 2001), FullIdent: whoever holds the master key's signature
//! of an identity can decrypt the ciphertexts to that identity.
//!
//! The hashes and encodings are those of drand's timelock encryption (kyber's `encrypt/ibe`, "CCA" functions): a
//! decryption key is an ordinary BLS signature of the identity, so the randomness beacon's signature of a round decrypts
//! the ciphertexts to that round. With `G` the generator and `P = x·G` the master's public key, encryption draws σ
//! and gives
//!
//! `r = H3(σ, M)`, `U = r·G`, `V = σ ⊕ H2(e(Q_id, P)^r)`, `W = M ⊕ H4(σ)`.
//!
//! Decryption with `x·Q_id` finds `e(x·Q_id, U) = e(Q_id, P)^r`, hence σ and `M`, and accepts only if `U = H3(σ, M)·G`
//! (Fujisaki, Okamoto, CRYPTO 1999). Only a short key is encrypted this way; a symmetric cipher
//! encrypts the payload under it.

mod ciphertext;
mod hashes;
mod suite;

use alloc::vec;
use alloc::vec::Vec;
pub use ciphertext::Ciphertext;
pub use hashes::{LONGEST, SHORTEST, h2, h3, h4, round_identity};
pub use suite::Suite;

use super::bls::{PublicKey, Scheme, SecretKey, Signature};
use super::{KeyGroups, MinPk, MinSig, Variant};
use core::fmt;
use hashes::xor;
use pairwright_curve::encoding::PointError;
use pairwright_curve::{Affine, Pairing, Projective};
use pairwright_device::{DeviceError, Session};
use pairwright_field::Field;
use rand_core::CryptoRng;
use sha2::Digest;
use suite::{Scalar, Value};
use thiserror::Error;
use zeroize::{Zeroize, Zeroizing};

/// Why an encryption or a decryption failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IbeError {
    /// A message, or its σ, has a length that is not supported.
    #[error("{found} bytes; a message is a key of {SHORTEST} to {LONGEST} bytes, and its mask as long")]
    Length {
        /// Number of bytes that were given.
        found: usize,
    },
    /// The length is not that of a point followed by two strings of equal length from [`SHORTEST`] to [`LONGEST`].
    #[error("{found} bytes are not a ciphertext")]
    CiphertextLength {
        /// Number of bytes that were given.
        found: usize,
    },
    /// The first part of a ciphertext is not a point of the subgroup.
    #[error(transparent)]
    Point(#[from] PointError),
    /// The ciphertext is not for this key's identity, or has been changed.
    #[error("the ciphertext does not belong to this key, or it was changed")]
    Rejected,
    /// An operator failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// The encryption scheme with a domain separation tag, under which identities are hashed to points: the tag of the BLS signatures that are
/// the decryption keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ibe<V: KeyGroups> {
    dst: Vec<u8>,
    variant: core::marker::PhantomData<V>,
}

impl<V: Suite> Default for Ibe<V> {
    /// The scheme whose decryption keys are signatures of the basic scheme: drand's `bls-unchained-g1-rfc9380` (quicknet) with
    /// [`MinSig`], `pedersen-bls-unchained` with [`MinPk`], `bls-bn254-unchained-on-g1` (evmnet) with
    /// [`Bn254MinSig`](super::Bn254MinSig).
    fn default() -> Self {
        Self::with_tag(V::tag().as_bytes())
    }
}

impl Ibe<MinSig> {
    /// The scheme of drand's `bls-unchained-on-g1` (fastnet), which hashes to G1 under the tag of G2 by mistake.
    pub fn fastnet() -> Self {
        Self::with_tag(Scheme::Basic.ciphersuite::<MinPk>().as_bytes())
    }
}

impl<V: Variant> Ibe<V> {
    /// Derives the decryption key of an identity. Constant time but for the identity's length.
    pub fn extract(&self, master: &SecretKey, identity: &[u8]) -> DecryptionKey<V> {
        DecryptionKey(master.sign_point(&self.identity_point(identity)))
    }
}

impl<V: Suite> Ibe<V> {
    /// The scheme that hashes identities under the domain separation tag `dst`.
    pub fn with_tag(dst: &[u8]) -> Self {
        Self { dst: dst.to_vec(), variant: core::marker::PhantomData }
    }

    /// The point of an identity, `Q_id`. Constant time but for the identity's length.
    pub fn identity_point(&self, identity: &[u8]) -> Affine<V::Signatures> {
        V::message_point(identity, &self.dst)
    }

    /// Derives the decryption key of an identity under a master key given as a nonzero scalar. Constant time but for the identity's
    /// length.
    pub fn extract_by(&self, master: &Scalar<V>, identity: &[u8]) -> DecryptionKey<V> {
        let multiple = Projective::from(self.identity_point(identity)).mul(master).to_affine();
        DecryptionKey(Signature::from_multiple(multiple))
    }

    /// The identity of a round of drand's unchained beacons: the digest of its number in eight bytes, big-endian, by the suite's hash.
    pub fn round(round: u64) -> [u8; 32] {
        V::Hash::digest(round.to_be_bytes()).into()
    }

    /// Computes `e(Q_id, P)`, which depends only on the identity and the master's public key.
    ///
    /// # Errors
    /// When the pairing operator fails.
    pub fn gid(
        &self,
        on: &mut Session<'_, V::Engine>,
        master: &PublicKey<V>,
        identity: &[u8],
    ) -> Result<Value<V>, IbeError> {
        Ok(on.multi_pairing(&[V::pair(master.point(), self.identity_point(identity))])?)
    }

    /// Encrypts a message, a key of 16 to 32 bytes, to an identity; σ is drawn from `rng`.
    ///
    /// # Errors
    /// When the message has another length, or the pairing operator fails.
    pub fn encrypt(
        &self,
        on: &mut Session<'_, V::Engine>,
        master: &PublicKey<V>,
        identity: &[u8],
        message: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<Ciphertext<V>, IbeError> {
        let mut sigma = Zeroizing::new(vec![0; message.len()]);
        rng.fill_bytes(&mut sigma);
        self.encrypt_masked(on, master, identity, message, &sigma)
    }

    /// [`Self::encrypt`] with a given σ of the message's length, which must be random, used only once and kept secret.
    ///
    /// # Errors
    /// When a length is wrong, or the pairing operator fails.
    pub fn encrypt_masked(
        &self,
        on: &mut Session<'_, V::Engine>,
        master: &PublicKey<V>,
        identity: &[u8],
        message: &[u8],
        sigma: &[u8],
    ) -> Result<Ciphertext<V>, IbeError> {
        on.phase("ibe encrypt");
        check_length(message.len())?;
        if sigma.len() != message.len() {
            return Err(IbeError::Length { found: sigma.len() });
        }
        let r = Zeroizing::new(h3::<V>(sigma, message));
        let u = Projective::<V::Keys>::generator().mul(&r).to_affine();
        let gid = self.gid(on, master, identity)?;
        let shared = Zeroizing::new(V::Engine::gt_pow(&gid, &r));
        let v = xor(sigma, &h2::<V>(&shared));
        let w = xor(message, &h4::<V>(sigma));
        Ok(Ciphertext { u, v: v.to_vec(), w: w.to_vec() })
    }
}

/// The decryption key of an identity, `x·Q_id`: the master's signature of it. Wiped when dropped.
pub struct DecryptionKey<V: KeyGroups>(Signature<V>);

impl<V: Suite> DecryptionKey<V> {
    /// The key as a signature, which can be verified by [`super::bls::verify_point`] with
    /// [`Ibe::identity_point`].
    pub fn signature(&self) -> &Signature<V> {
        &self.0
    }

    /// Decrypts a ciphertext, if it is one that [`Ibe::encrypt`] can give for this key's identity.
    ///
    /// # Errors
    /// [`IbeError::Rejected`] if it is not, without further information; or when the pairing operator fails.
    pub fn decrypt(
        &self,
        on: &mut Session<'_, V::Engine>,
        ciphertext: &Ciphertext<V>,
    ) -> Result<Zeroizing<Vec<u8>>, IbeError> {
        on.phase("ibe decrypt");
        let shared = Zeroizing::new(on.multi_pairing(&[V::pair(ciphertext.u, self.0.point())])?);
        let sigma = xor(&ciphertext.v, &h2::<V>(&shared));
        let message = xor(&ciphertext.w, &h4::<V>(&sigma));
        let r = Zeroizing::new(h3::<V>(&sigma, &message));
        let mut u = Projective::<V::Keys>::generator().mul(&r).to_affine();
        let same = u.x.ct_eq(&ciphertext.u.x) & u.y.ct_eq(&ciphertext.u.y);
        u.zeroize();
        if same.reveal() { Ok(message) } else { Err(IbeError::Rejected) }
    }
}

impl<V: KeyGroups> From<Signature<V>> for DecryptionKey<V> {
    fn from(signature: Signature<V>) -> Self {
        Self(signature)
    }
}

impl<V: KeyGroups> Drop for DecryptionKey<V> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// Prints the type's name and nothing of the key.
impl<V: KeyGroups> fmt::Debug for DecryptionKey<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DecryptionKey(..)")
    }
}

fn check_length(found: usize) -> Result<(), IbeError> {
    if (SHORTEST..=LONGEST).contains(&found) { Ok(()) } else { Err(IbeError::Length { found }) }
}
