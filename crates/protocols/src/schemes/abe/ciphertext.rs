//! Ciphertexts: encryption and decryption with the transform of Boneh and Katz, and the encoding.
//!
//! Encryption draws a seed, and hashes it to an identity and to the key of an authentication code. The policy is extended by the
//! reserved attribute with the identity as its value. An element of the target group is encapsulated under the extended policy, and its
//! hash masks the seed and the message. Decryption recovers the seed, and accepts only if identity and code are those that follow from
//! it.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::algebra::big_endian;
use super::attributes::Attributes;
use super::blake::{DIGEST, Digest, digest, expand_seed, masked};
use super::bytes::{AbeReader, put_length, put_part};
use super::decapsulate::decapsulate;
use super::error::MOST;
use super::header::{AbeHeader, encapsulate};
use super::policy::Policy;
use super::{AbeError, AttributeKey, EncodingFault, PolicyError, PolicyFault, PublicKey};
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::bls12_381::{Bls12_381, Fq12, Fr};
use pairwright_curve::encoding::gt_to_bytes_be;
use pairwright_device::Session;
use pairwright_field::PrimeField;
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// Number of bytes of the seed.
const SEED: usize = 72;
/// The first bytes of ciphertexts whose lengths take four bytes.
const MARK: &[u8] = b"v1.3.8";
/// The first bytes of older ciphertexts: the length of the identity.
const OLDER: &[u8] = &[32, 0];

/// The layout of a ciphertext.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Layout {
    /// The layout of CIRCL before 1.3.8: lengths take two bytes, so that head and message together have less than 64 KiB.
    Older,
    /// The layout of CIRCL since 1.3.8: lengths take four bytes.
    V138,
}

impl Layout {
    /// Number of bytes of the length fields of head and message.
    fn width(self) -> usize {
        match self {
            Self::Older => 2,
            Self::V138 => 4,
        }
    }

    /// The name of the layout: the version of CIRCL that introduced it, or before which it was used.
    pub fn name(self) -> &'static str {
        match self {
            Self::Older => "before v1.3.8",
            Self::V138 => "v1.3.8",
        }
    }
}

/// A message encrypted under a policy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ciphertext {
    layout: Layout,
    id: [u8; DIGEST],
    policy: Policy,
    header: AbeHeader,
    /// The bytes that the authentication code covers: the head, then the masked seed and message, each preceded by its length.
    covered: Vec<u8>,
    /// Number of bytes of the masked seed and message, the last bytes of `covered`.
    masked: usize,
    tag: [u8; DIGEST],
}

impl PublicKey {
    /// Encrypts a message under a policy. The ciphertext reveals the policy and the length of the message.
    ///
    /// Constant time in the random values and in the message, but for its length.
    ///
    /// # Errors
    /// When the policy or the message is too long, or the device fails.
    pub fn encrypt(
        &self,
        on: &mut Session<'_, Bls12_381>,
        policy: &Policy,
        message: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<Ciphertext, AbeError> {
        on.phase("abe encrypt");
        let most = LONGEST;
        if message.len() > most {
            return Err(AbeError::Message { found: message.len(), most });
        }
        let policy_bytes = policy.to_bytes();
        if policy_bytes.len() > MOST {
            // Not reached: the parser and the decoder limit the length.
            return Err(PolicyError { line: 1, column: 1, fault: PolicyFault::Long }.into());
        }
        let mut plain = Zeroizing::new(vec![0; SEED.saturating_add(message.len())]);
        let (seed, rest) = plain.split_at_mut(SEED);
        rng.fill_bytes(seed);
        rest.copy_from_slice(message);
        let [id, code_key] = expand_seed(seed);
        let inner = policy.with_identity(identity(&id));
        let (header, shared) = encapsulate(on, self, &inner, rng)?;

        let mut covered = Vec::new();
        let head = header.to_bytes(&policy_bytes);
        put_length(&mut covered, head.len(), Layout::V138.width());
        covered.extend_from_slice(&head);
        let masked = masked(mask_key(&shared).as_slice(), &plain);
        put_length(&mut covered, masked.len(), Layout::V138.width());
        covered.extend_from_slice(&masked);
        let tag = *digest(code_key.as_slice(), &[&covered]);
        let (policy, masked) = (policy.clone(), masked.len());
        Ok(Ciphertext { layout: Layout::V138, id: *id, policy, header, covered, masked, tag })
    }
}

/// Number of bytes of the longest message. With its head, which has less than 2^26 bytes, it fits a length field of four bytes.
const LONGEST: usize = 0xf000_0000;

impl AttributeKey {
    /// Decrypts a ciphertext, if the key's attributes satisfy its policy.
    ///
    /// Constant time in the key's points and in the decrypted bytes.
    ///
    /// # Errors
    /// [`AbeError::Unsatisfied`] when they do not; [`AbeError::Rejected`] when the ciphertext is of another system or was
    /// changed, without further information; and when the device fails.
    pub fn decrypt(
        &self,
        on: &mut Session<'_, Bls12_381>,
        ciphertext: &Ciphertext,
    ) -> Result<Zeroizing<Vec<u8>>, AbeError> {
        on.phase("abe decrypt");
        let policy = ciphertext.inner_policy();
        let chosen = policy.chosen(&self.attributes)?;
        let shared = decapsulate(on, self, &policy, &ciphertext.header, &chosen)?;
        ciphertext.open(&shared)
    }
}

impl Ciphertext {
    /// Reads the encoding of CIRCL, in the layout of 1.3.8 and later or of older versions. Points are checked to be in their
    /// subgroups. Variable time.
    ///
    /// # Errors
    /// When the bytes are not the encoding of a ciphertext.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, AbeError> {
        let mut reader = AbeReader::new("ciphertext", bytes);
        let layout = match bytes {
            _ if bytes.starts_with(MARK) => Layout::V138,
            _ if bytes.starts_with(OLDER) => Layout::Older,
            _ => return Err(reader.fault("version", EncodingFault::Version)),
        };
        if layout == Layout::V138 {
            reader.take(MARK.len(), "version")?;
        }
        let id = reader.exactly("identity")?;
        let body = reader.part(layout.width(), "body")?;
        let tag = reader.exactly("code of authenticity")?;
        reader.end("the end")?;
        let mut inside = body;
        let (policy, header) = AbeHeader::read(inside.part(layout.width(), "head")?)?;
        let message = inside.part(layout.width(), "message")?;
        inside.end("the end of the body")?;
        if message.len() < SEED {
            let left = message.len();
            return Err(message.fault("message", EncodingFault::Short { needed: SEED, left }));
        }
        let (covered, masked) = (body.rest().to_vec(), message.len());
        Ok(Self { layout, id, policy, header, covered, masked, tag })
    }

    /// The encoding of CIRCL, in the layout of [`Self::layout()`].
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.covered.len().saturating_add(80));
        if self.layout == Layout::V138 {
            out.extend_from_slice(MARK);
        }
        put_part(&mut out, &self.id);
        put_length(&mut out, self.covered.len(), self.layout.width());
        out.extend_from_slice(&self.covered);
        put_part(&mut out, &self.tag);
        out
    }

    /// The policy under which the message is encrypted. It is authenticated only by decryption.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The layout of the encoding.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Number of bytes of the message.
    pub fn message_len(&self) -> usize {
        self.masked.saturating_sub(SEED)
    }

    /// Tells whether a key with these attributes satisfies the policy, without a key.
    ///
    /// # Errors
    /// [`AbeError::Unsatisfied`] when it does not.
    pub fn could_be_decrypted_with(&self, attributes: &Attributes) -> Result<(), AbeError> {
        self.policy.satisfied_by(attributes)
    }

    /// The policy extended by the reserved attribute with the ciphertext's identity.
    pub(super) fn inner_policy(&self) -> Policy {
        self.policy.with_identity(identity(&self.id))
    }

    /// The head, for tests.
    #[cfg(test)]
    pub(super) fn header(&self) -> &AbeHeader {
        &self.header
    }

    /// Unmasks and authenticates the message, given the encapsulated element of the target group.
    ///
    /// # Errors
    /// [`AbeError::Rejected`] when it is another element, or the ciphertext was changed.
    pub(super) fn open(&self, shared: &Fq12) -> Result<Zeroizing<Vec<u8>>, AbeError> {
        let behind = self.covered.len().saturating_sub(self.masked);
        let hidden = self.covered.get(behind..).unwrap_or_default();
        let plain = masked(mask_key(shared).as_slice(), hidden);
        let (seed, message) = plain.split_at_checked(SEED).ok_or(AbeError::Rejected)?;
        let [id, code_key] = expand_seed(seed);
        let tag = digest(code_key.as_slice(), &[&self.covered]);
        // Both are compared in constant time, and the error does not tell which of them differs.
        let difference = id.iter().zip(&self.id).chain(tag.iter().zip(&self.tag));
        let difference = difference.fold(0, |sum, (a, b)| sum | core::hint::black_box(a ^ b));
        if difference == 0 { Ok(Zeroizing::new(message.to_vec())) } else { Err(AbeError::Rejected) }
    }
}

/// The identity as the value of the reserved attribute: a big-endian integer, reduced modulo the group order.
fn identity(id: &[u8; DIGEST]) -> Fr {
    Fr::from_limbs_reduced(&big_endian(id))
}

/// The key of the mask: a digest of the element of the target group.
fn mask_key(shared: &Fq12) -> Digest {
    let bytes = Zeroizing::new(gt_to_bytes_be(shared));
    digest(&[], &[&bytes])
}
