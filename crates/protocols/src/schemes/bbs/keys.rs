//! Secret and public keys: generation, checks and encodings.

use super::{BbsError, Ciphersuite};
use alloc::vec::Vec;
use core::fmt;
use pairwright_curve::bls12_381::{Fr, G2};
use pairwright_curve::encoding::{PointEncoding, ZcashCompressed};
use pairwright_curve::{Affine, Projective};
use pairwright_field::{Field, PrimeField};
use rand_core::CryptoRng;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// A secret key: a scalar from 1 to r - 1. Wiped when dropped.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct SecretKey {
    pub(super) scalar: Fr,
}

impl SecretKey {
    /// A key from 32 fresh random bytes, by [`Self::key_gen`].
    pub fn random(suite: Ciphersuite, rng: &mut dyn CryptoRng) -> Self {
        loop {
            let mut material = Zeroizing::new([0; 32]);
            rng.fill_bytes(material.as_mut());
            // `key_gen` fails only if the hash is zero, which does not happen in practice.
            if let Ok(key) = Self::key_gen(suite, material.as_ref(), &[]) {
                return key;
            }
        }
    }

    /// KeyGen (§3.4.1) under the tag `KEYGEN_DST_` of the interface: a key from secret material of high entropy and public
    /// information.
    ///
    /// # Errors
    /// When the material has fewer than 32 bytes, or the information more than 65535.
    pub fn key_gen(suite: Ciphersuite, material: &[u8], info: &[u8]) -> Result<Self, BbsError> {
        Self::key_gen_tagged(suite, material, info, &suite.tag(b"KEYGEN_DST_"))
    }

    /// KeyGen (§3.4.1) under a domain separation tag that the caller chooses.
    ///
    /// # Errors
    /// As [`Self::key_gen`], and when the tag is empty or longer than 255 bytes.
    pub fn key_gen_tagged(
        suite: Ciphersuite,
        material: &[u8],
        info: &[u8],
        dst: &[u8],
    ) -> Result<Self, BbsError> {
        if material.len() < 32 {
            return Err(BbsError::ShortMaterial { found: material.len() });
        }
        let Ok(length) = u16::try_from(info.len()) else {
            return Err(BbsError::LongInfo { found: info.len() });
        };
        let input = Zeroizing::new([material, &length.to_be_bytes(), info].concat());
        let scalar = suite.hash_to_scalar(&input, dst)?;
        if scalar.is_zero() { Err(BbsError::SecretKey) } else { Ok(Self { scalar }) }
    }

    /// Reads a key of 32 bytes, big-endian.
    ///
    /// # Errors
    /// When they are not an integer from 1 to r - 1.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BbsError> {
        match Fr::read_be(bytes) {
            Ok(scalar) if !scalar.is_zero() => Ok(Self { scalar }),
            _ => Err(BbsError::SecretKey),
        }
    }

    /// The key as 32 bytes, big-endian.
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        let mut out = Zeroizing::new([0; 32]);
        self.scalar.write_be(out.as_mut());
        out
    }

    /// The public key, SkToPk (§3.4.2). Constant time.
    pub fn public_key(&self) -> PublicKey {
        PublicKey { point: Projective::<G2>::generator().mul(&self.scalar).to_affine() }
    }
}

/// Prints the type's name and nothing of the key.
impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(..)")
    }
}

/// A valid public key: a point of the subgroup of G2 other than the neutral element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PublicKey {
    pub(super) point: Affine<G2>,
}

impl PublicKey {
    /// Reads a key of 96 bytes, `octets_to_pubkey` (§4.2.4.6). Variable time.
    ///
    /// # Errors
    /// When they are not a compressed point of the subgroup, or the neutral element.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BbsError> {
        let part = "the public key";
        let point = ZcashCompressed::read::<G2>(bytes).map_err(|why| BbsError::Point { part, why })?;
        if point.is_infinity() { Err(BbsError::Neutral { part }) } else { Ok(Self { point }) }
    }

    /// The key as a compressed point, 96 bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        ZcashCompressed::to_vec(&self.point)
    }

    /// The point that is the key.
    pub fn point(&self) -> Affine<G2> {
        self.point
    }
}
