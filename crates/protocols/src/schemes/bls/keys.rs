//! Key generation, and the types of keys and signatures with their checks and encodings.

use crate::schemes::{KeyGroups, Variant};
use alloc::vec::Vec;
use core::fmt;
use hkdf::Hkdf;
use pairwright_curve::bls12_381::Fr;
use pairwright_curve::encoding::{PointEncoding, PointError};
use pairwright_curve::{Affine, Curve, Jacobian, Projective};
use pairwright_field::{Field, PrimeField};
use rand_core::CryptoRng;
use sha2::{Digest, Sha256};
use thiserror::Error;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// Why bytes or points are refused as a key, a signature or an aggregate.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BlsError {
    /// Input keying material is too short to hold a secret.
    #[error("{found} bytes of keying material, at least 32 are needed")]
    ShortMaterial {
        /// Number of bytes that were given.
        found: usize,
    },
    /// The extra information for a key derivation does not fit its length field.
    #[error("{found} bytes of key information, at most 65535 fit")]
    LongInfo {
        /// Number of bytes that were given.
        found: usize,
    },
    /// A secret key is not 32 bytes of an integer from 1 to r - 1.
    #[error("not a secret key: 32 bytes, above zero and below the group order")]
    SecretKey,
    /// A path is not `m` followed by `/` and a number below 2^32 for every step.
    #[error("not a path of keys, which is like m/12381/3600/0/0/0, with numbers below 2^32")]
    KeyPath,
    /// A public key is the neutral element.
    #[error("the neutral element is not a valid public key")]
    NeutralKey,
    /// The bytes are not a point of the subgroup.
    #[error(transparent)]
    Point(#[from] PointError),
    /// The list of signatures to aggregate is empty.
    #[error("an aggregate of no signatures")]
    Empty,
}

impl BlsError {
    /// Tells whether bytes of the right length were refused for their content: a point that is invalid, or a neutral key.
    pub fn is_rejection(&self) -> bool {
        match self {
            Self::NeutralKey => true,
            Self::Point(why) => !matches!(why, PointError::Length { .. }),
            _ => false,
        }
    }
}

/// A secret key: a scalar from 1 to r - 1. Wiped when dropped.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct SecretKey {
    pub(super) scalar: Fr,
}

impl SecretKey {
    /// A key from 32 fresh random bytes, by [`Self::key_gen`].
    pub fn random(rng: &mut dyn CryptoRng) -> Self {
        let mut material = Zeroizing::new([0; 32]);
        rng.fill_bytes(material.as_mut());
        Self::derive(material.as_ref(), Sha256::digest(SALT).to_vec(), &[])
    }

    /// KeyGen (§2.3) with the recommended salt, the hash of `"BLS-SIG-KEYGEN-SALT-"`: a key from secret material of
    /// high entropy and public information.
    ///
    /// # Errors
    /// When the material has fewer than 32 bytes, or the information more than 65535.
    pub fn key_gen(material: &[u8], info: &[u8]) -> Result<Self, BlsError> {
        Self::key_gen_salted(material, &Sha256::digest(SALT), info)
    }

    /// KeyGen (§2.3) with a salt that the caller chooses.
    ///
    /// # Errors
    /// As [`Self::key_gen`].
    pub fn key_gen_salted(material: &[u8], salt: &[u8], info: &[u8]) -> Result<Self, BlsError> {
        if material.len() < 32 {
            return Err(BlsError::ShortMaterial { found: material.len() });
        }
        if info.len() > usize::from(u16::MAX) {
            return Err(BlsError::LongInfo { found: info.len() });
        }
        Ok(Self::derive(material, salt.to_vec(), info))
    }

    /// The output of HKDF with SHA-256, reduced modulo r. If it is zero, which does not happen in practice, the salt is hashed and the
    /// derivation repeated.
    pub(super) fn derive(material: &[u8], mut salt: Vec<u8>, info: &[u8]) -> Self {
        let material = Zeroizing::new([material, &[0]].concat());
        let info = [info, &(OKM as u16).to_be_bytes()].concat();
        loop {
            let mut okm = Zeroizing::new([0; OKM]);
            Hkdf::<Sha256>::new(Some(&salt), &material)
                .expand(&info, okm.as_mut())
                .expect("48 bytes are fewer than 255 digests");
            let mut limbs = Zeroizing::new([0u64; OKM / 8]);
            for (limb, bytes) in limbs.iter_mut().rev().zip(okm.as_chunks::<8>().0) {
                *limb = u64::from_be_bytes(*bytes);
            }
            let scalar = Fr::from_limbs_reduced(limbs.as_ref());
            if !scalar.is_zero() {
                return Self { scalar };
            }
            salt = Sha256::digest(&salt).to_vec();
        }
    }

    /// Reads a key of 32 bytes, big-endian.
    ///
    /// # Errors
    /// When they are not an integer from 1 to r - 1.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BlsError> {
        match Fr::read_be(bytes) {
            Ok(scalar) if !scalar.is_zero() => Ok(Self { scalar }),
            _ => Err(BlsError::SecretKey),
        }
    }

    /// The key as 32 bytes, big-endian.
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        let mut out = Zeroizing::new([0; 32]);
        self.scalar.write_be(out.as_mut());
        out
    }

    /// The public key (§2.4). Constant time.
    pub fn public_key<V: Variant>(&self) -> PublicKey<V> {
        PublicKey { point: Projective::<V::Keys>::generator().mul(&self.scalar).to_affine() }
    }
}

/// The default salt is the SHA-256 digest of these bytes.
pub(super) const SALT: &[u8] = b"BLS-SIG-KEYGEN-SALT-";
/// Bytes of HKDF's output from which a scalar is reduced: ⌈3·⌈log2 r⌉/16⌉.
const OKM: usize = 48;

/// Prints the type's name and nothing of the key.
impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(..)")
    }
}

/// A valid public key: a point of the subgroup other than the neutral element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PublicKey<V: KeyGroups> {
    pub(super) point: Affine<V::Keys>,
}

impl<V: KeyGroups> PublicKey<V> {
    /// Checks a point by KeyValidate (§2.5). Variable time.
    ///
    /// # Errors
    /// When it is the neutral element, off the curve or outside of the subgroup.
    pub fn from_point(point: Affine<V::Keys>) -> Result<Self, BlsError> {
        check(&point)?;
        if point.is_infinity() { Err(BlsError::NeutralKey) } else { Ok(Self { point }) }
    }

    /// Reads a point in the encoding of the [`KeyGroups`], on BLS12-381 the compressed form of Zcash, and makes the checks of
    /// [`Self::from_point`]. Variable time.
    ///
    /// # Errors
    /// When the bytes are not the encoding of a valid key.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BlsError> {
        let point = V::Encoding::read::<V::Keys>(bytes)?;
        if point.is_infinity() { Err(BlsError::NeutralKey) } else { Ok(Self { point }) }
    }

    /// The bytes in the encoding of the [`KeyGroups`]: on BLS12-381 compressed, 48 bytes in G1, 96 in G2.
    pub fn to_bytes(&self) -> Vec<u8> {
        V::Encoding::to_vec(&self.point)
    }

    /// The point that is the key.
    pub fn point(&self) -> Affine<V::Keys> {
        self.point
    }
}

/// A point of the subgroup of signatures. It may be the neutral element, which no verifier accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature<V: KeyGroups> {
    pub(super) point: Affine<V::Signatures>,
}

impl<V: KeyGroups> Signature<V> {
    /// The signature of a point that is known to be in the subgroup, such as a multiple of one that is; not checked.
    pub(crate) fn from_multiple(point: Affine<V::Signatures>) -> Self {
        Self { point }
    }

    /// Checks that a point is on the curve and in the subgroup. Variable time.
    ///
    /// # Errors
    /// When the point is not on the curve or not in the subgroup.
    pub fn from_point(point: Affine<V::Signatures>) -> Result<Self, BlsError> {
        check(&point)?;
        Ok(Self { point })
    }

    /// Reads a point in the encoding of the [`KeyGroups`], on BLS12-381 the compressed form of Zcash, and makes the checks of
    /// [`Self::from_point`]. Variable time.
    ///
    /// # Errors
    /// When the bytes are not the encoding of a point of the subgroup.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BlsError> {
        Ok(Self { point: V::Encoding::read(bytes)? })
    }

    /// The bytes in the encoding of the [`KeyGroups`]: on BLS12-381 compressed, 96 bytes in G2, 48 in G1.
    pub fn to_bytes(&self) -> Vec<u8> {
        V::Encoding::to_vec(&self.point)
    }

    /// The point that is the signature.
    pub fn point(&self) -> Affine<V::Signatures> {
        self.point
    }
}

impl<V: KeyGroups> Zeroize for Signature<V> {
    fn zeroize(&mut self) {
        self.point.zeroize();
    }
}

pub(super) fn check<C: Curve>(point: &Affine<C>) -> Result<(), PointError> {
    if !point.is_on_curve() {
        return Err(PointError::NotOnCurve { curve: C::NAME });
    }
    if !point.is_in_subgroup_vartime() {
        return Err(PointError::NotInSubgroup { curve: C::NAME });
    }
    Ok(())
}

/// Aggregates signatures into one: their sum (§2.8).
///
/// # Errors
/// When the list is empty.
pub fn aggregate<V: Variant>(signatures: &[Signature<V>]) -> Result<Signature<V>, BlsError> {
    if signatures.is_empty() {
        return Err(BlsError::Empty);
    }
    Ok(Signature { point: sum(signatures.iter().map(|s| s.point)) })
}

pub(super) fn sum<C: Curve>(points: impl Iterator<Item = Affine<C>>) -> Affine<C> {
    points.fold(Jacobian::INFINITY, |acc, p| acc.add_mixed(&p)).to_affine()
}
