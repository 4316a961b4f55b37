//! The error type of BBS keys, signatures and proofs.

use alloc::boxed::Box;
use pairwright_curve::encoding::PointError;
use pairwright_device::DeviceError;
use thiserror::Error;

/// Why a key, signature or proof was not made, not decoded or not accepted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BbsError {
    /// Key material is too short to hold a secret.
    #[error("{found} bytes of key material, at least 32 are needed")]
    ShortMaterial {
        /// Number of bytes that were given.
        found: usize,
    },
    /// The information for a key does not fit its length field.
    #[error("{found} bytes of key information, at most 65535 fit")]
    LongInfo {
        /// Number of bytes that were given.
        found: usize,
    },
    /// A domain separation tag is empty or longer than 255 bytes.
    #[error("a domain separation tag of {found} bytes; it has 1 to 255")]
    Tag {
        /// Number of bytes that were given.
        found: usize,
    },
    /// A secret key is not 32 bytes of an integer from 1 to r - 1.
    #[error("not a secret key: 32 bytes, above zero and below the group order")]
    SecretKey,
    /// The length of an encoding is not possible for its kind.
    #[error("{found} bytes are no {what}")]
    Length {
        /// Name of the kind.
        what: &'static str,
        /// Number of bytes that were given.
        found: usize,
    },
    /// The bytes of a part are not a point of the subgroup.
    #[error("{part}: {why}")]
    Point {
        /// The part's name in the draft.
        part: &'static str,
        /// The reason for which the bytes are refused.
        why: PointError,
    },
    /// A point is the neutral element, which it must not be.
    #[error("{part} is the neutral element")]
    Neutral {
        /// The part's name in the draft.
        part: &'static str,
    },
    /// A scalar is zero or not below the group order.
    #[error("scalar {index} is zero or not below the group order")]
    Scalar {
        /// Position among the scalars of the encoding, from zero.
        index: usize,
    },
    /// There are more messages than generators.
    #[error("{messages} messages, the generators are for {generators}")]
    Generators {
        /// Number of messages.
        messages: usize,
        /// Largest number of messages that the generators support.
        generators: usize,
    },
    /// An index of a disclosed message is not below the number of messages.
    #[error("disclosed index {index} of {messages} messages")]
    Index {
        /// The index that is too large.
        index: usize,
        /// Number of messages.
        messages: usize,
    },
    /// The indexes of disclosed messages do not strictly ascend.
    #[error("disclosed index {index} at position {position} is not above the one before it")]
    Order {
        /// Position in the list, from zero.
        position: usize,
        /// The index at that position.
        index: usize,
    },
    /// The number of indexes is not the number of disclosed messages.
    #[error("{indexes} indexes for {messages} disclosed messages")]
    Disclosed {
        /// Number of indexes.
        indexes: usize,
        /// Number of disclosed messages.
        messages: usize,
    },
    /// The number of random scalars is not the one that the proof needs.
    #[error("{found} random scalars, {needed} are needed")]
    RandomScalars {
        /// Number of scalars that were given.
        found: usize,
        /// Number of scalars that the proof needs.
        needed: usize,
    },
    /// A value without an inverse, or a neutral point or zero scalar that has no encoding, came up; the probability is about 2^-255.
    #[error("a value without an inverse came up: use other randomness or another header")]
    Degenerate,
    /// The challenge in a proof is not the hash of its contents.
    #[error("the challenge is not that of the proof's contents")]
    Challenge,
    /// The pairing equation does not hold.
    #[error("the pairing equation does not hold")]
    Rejected,
    /// An item of a batch is not accepted.
    #[error("item {index}: {why}")]
    InBatch {
        /// Position in the batch, from zero.
        index: usize,
        /// The reason for which the item is refused.
        why: Box<BbsError>,
    },
    /// An operator failed, so there is no verdict.
    #[error(transparent)]
    Device(#[from] DeviceError),
}
