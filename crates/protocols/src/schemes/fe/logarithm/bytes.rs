//! The encoding of tables of logarithms with a base in G1: `pwlogtab`, version 1, the base, the number of steps, the fingerprints of
//! the multiples in their order, and the SHA-256 digest of all preceding bytes. Numbers are little-endian.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::{FeError, Table, check_steps};
use crate::schemes::fe::logarithm::Group;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::Affine;
use pairwright_curve::bls12_381::G1;
use pairwright_curve::encoding::{PointEncoding, ZcashCompressed};
use sha2::{Digest, Sha256};

/// The first bytes of a table, including its version.
const MAGIC: &[u8; 12] = b"pwlogtab\x01\0\0\0";
/// Number of bytes of the digest at the end.
const DIGEST: usize = 32;
/// Number of bytes before the fingerprints.
const HEAD: usize = MAGIC.len() + 48 + 8;
/// The name in messages.
const WHAT: &str = "table of logarithms";

impl Table<Affine<G1>> {
    /// Encodes the table.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut in_order = vec![0; self.fingerprints.len()];
        for (fingerprint, multiple) in self.fingerprints.iter().zip(&self.multiples) {
            let place = usize::try_from(*multiple).unwrap_or(0).wrapping_sub(1);
            if let Some(place) = in_order.get_mut(place) {
                *place = *fingerprint;
            }
        }
        let mut out = MAGIC.to_vec();
        out.extend(ZcashCompressed::to_vec(&self.base));
        out.extend(self.steps().to_le_bytes());
        in_order.iter().for_each(|fingerprint| out.extend(fingerprint.to_le_bytes()));
        let digest = Sha256::digest(&out);
        out.extend(digest);
        out
    }

    /// Reads a table. The digest is checked, but not that the fingerprints belong to the base. Variable time.
    ///
    /// # Errors
    /// When the head, the length or the digest is wrong, or the base is not a point of the subgroup or is neutral.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FeError> {
        let found = bytes.len();
        let short = FeError::Length { what: WHAT, found, expected: HEAD + DIGEST };
        let Some((content, digest)) = found.checked_sub(DIGEST).and_then(|at| bytes.split_at_checked(at))
        else {
            return Err(short);
        };
        let Some((head, fingerprints)) = content.split_at_checked(HEAD) else { return Err(short) };
        let (magic, rest) = head.split_at(MAGIC.len());
        if magic != MAGIC {
            let [version, kind] = [magic.get(8), magic.first()].map(|byte| byte.copied().unwrap_or(0));
            return Err(FeError::Kind { what: WHAT, version, kind });
        }
        let (base, steps) = rest.split_at(48);
        let steps = steps.iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte));
        check_steps(steps)?;
        let expected =
            usize::try_from(steps).unwrap_or(usize::MAX).saturating_mul(8).saturating_add(HEAD + DIGEST);
        if found != expected {
            return Err(FeError::Length { what: WHAT, found, expected });
        }
        if Sha256::digest(content).as_slice() != digest {
            return Err(FeError::Digest);
        }
        let offset = MAGIC.len();
        let base: Affine<G1> =
            ZcashCompressed::read(base).map_err(|why| FeError::Point { what: WHAT, offset, why })?;
        if base.is_neutral() {
            return Err(FeError::Neutral { what: WHAT, offset });
        }
        let fingerprints = fingerprints.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
        Ok(Self::of_fingerprints(base, fingerprints.collect()))
    }
}
