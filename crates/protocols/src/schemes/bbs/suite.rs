//! The two ciphersuites, their tags, and their hashes to scalars.

use super::BbsError;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::bls12_381::{Fr, G1};
use pairwright_curve::hash_to_curve::{Expand, Suite, expand_message_xmd, expand_message_xof, reduce_be};
use zeroize::Zeroizing;

/// Number of bytes from which a scalar is reduced: `expand_len`.
pub(super) const EXPANDED: usize = 48;

/// A ciphersuite of the draft (§7.2). The two differ only in the hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Ciphersuite {
    /// Hashes with SHA-256: `BBS_BLS12381G1_XMD:SHA-256_SSWU_RO_`.
    Sha256,
    /// Hashes with SHAKE-256, an extendable-output function: `BBS_BLS12381G1_XOF:SHAKE-256_SSWU_RO_`.
    Shake256,
}

impl Ciphersuite {
    /// The ciphersuite's identifier.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Sha256 => "BBS_BLS12381G1_XMD:SHA-256_SSWU_RO_",
            Self::Shake256 => "BBS_BLS12381G1_XOF:SHAKE-256_SSWU_RO_",
        }
    }

    /// The identifier of the interface, `api_id`: the ciphersuite's, then `H2G_HM2S_`.
    pub fn api_id(self) -> Vec<u8> {
        self.tag(b"")
    }

    /// A domain separation tag: [`Self::api_id`] followed by `end`.
    pub(super) fn tag(self, end: &[u8]) -> Vec<u8> {
        [self.id().as_bytes(), b"H2G_HM2S_", end].concat()
    }

    pub(super) fn expansion(self) -> Expand {
        match self {
            Self::Sha256 => expand_message_xmd,
            Self::Shake256 => expand_message_xof,
        }
    }

    /// The hash-to-curve suite for generators.
    pub fn hash_to_curve_suite(self) -> Suite<G1> {
        Suite::OF_GROUP.with_expansion(self.expansion())
    }

    /// Hashes a message to a scalar (`hash_to_scalar`, §4.2.2). Constant time but for the lengths.
    ///
    /// # Errors
    /// When the tag is empty or longer than 255 bytes.
    pub fn hash_to_scalar(self, message: &[u8], dst: &[u8]) -> Result<Fr, BbsError> {
        if dst.is_empty() || dst.len() > 255 {
            return Err(BbsError::Tag { found: dst.len() });
        }
        Ok(self.scalar(message, dst))
    }

    /// [`Self::hash_to_scalar`] with a tag whose length is known to be from 1 to 255 bytes.
    pub(super) fn scalar(self, message: &[u8], dst: &[u8]) -> Fr {
        let mut bytes = Zeroizing::new([0; EXPANDED]);
        (self.expansion())(message, dst, bytes.as_mut());
        reduce_be(bytes.as_ref())
    }

    /// Hashes messages to scalars (`messages_to_scalars`, §4.1.2). Constant time but for the lengths. The result is wiped when dropped.
    pub fn messages_to_scalars(self, messages: &[&[u8]]) -> Zeroizing<Vec<Fr>> {
        let dst = self.tag(b"MAP_MSG_TO_SCALAR_AS_HASH_");
        Zeroizing::new(messages.iter().map(|message| self.scalar(message, &dst)).collect())
    }
}

/// Derives scalars from a seed in place of random ones: `seeded_random_scalars` (§8.1). They are for reproducing the proofs of test
/// vectors; a proof with known scalars hides nothing.
///
/// # Errors
/// When the length of the tag is not from 1 to 255 bytes, or `count` is above the hash's limit: 170 with SHA-256, 1365 with SHAKE-256.
pub fn seeded_scalars(
    suite: Ciphersuite,
    seed: &[u8],
    dst: &[u8],
    count: usize,
) -> Result<Zeroizing<Vec<Fr>>, BbsError> {
    if dst.is_empty() || dst.len() > 255 {
        return Err(BbsError::Tag { found: dst.len() });
    }
    let most = match suite {
        Ciphersuite::Sha256 => 170,
        Ciphersuite::Shake256 => 1365,
    };
    if count > most {
        return Err(BbsError::RandomScalars { found: most, needed: count });
    }
    let mut bytes = Zeroizing::new(vec![0; count * EXPANDED]);
    (suite.expansion())(seed, dst, &mut bytes);
    Ok(Zeroizing::new(bytes.chunks(EXPANDED).map(reduce_be).collect()))
}
