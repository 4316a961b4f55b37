//! Why something is no key, signature or proof, or was not accepted.

use alloc::boxed::Box;
use pairwright_curve::encoding::PointError;
use pairwright_device::DeviceError;
use thiserror::Error;

/// Why a value was not made, not read or not accepted.
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
    /// An encoding has a length that none of its kind has.
    #[error("{found} bytes are no {what}")]
    Length {
        /// The kind, in words.
        what: &'static str,
        /// Number of bytes that were given.
        found: usize,
    },
    /// The bytes of a part are not a point of the subgroup.
    #[error("{part}: {why}")]
    Point {
        /// The part's name in the draft.
        part: &'static str,
        /// What is wrong with them.
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
        /// Number of messages that the generators are for.
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
    /// Indexes of disclosed messages do not ascend, or one stands there twice.
    #[error("disclosed index {index} at position {position} is not above the one before it")]
    Order {
        /// Position in the list.
        position: usize,
        /// The index there.
        index: usize,
    },
    /// There is not one index for each disclosed message.
    #[error("{indexes} indexes for {messages} disclosed messages")]
    Disclosed {
        /// Number of indexes.
        indexes: usize,
        /// Number of messages.
        messages: usize,
    },
    /// Random scalars for a proof are not as many as it takes.
    #[error("{found} random scalars, {needed} are needed")]
    RandomScalars {
        /// Number of scalars that were given.
        found: usize,
        /// Number of scalars that the proof takes.
        needed: usize,
    },
    /// A value that has no inverse came up, which happens with probability about 2^-255.
    #[error("a value without an inverse came up: use other randomness or another header")]
    Degenerate,
    /// The challenge in a proof is not the one that its contents give.
    #[error("the challenge is not that of the proof's contents")]
    Challenge,
    /// The pairing equation does not hold.
    #[error("the pairing equation does not hold")]
    Rejected,
    /// An item of a batch is not accepted.
    #[error("item {index}: {why}")]
    InBatch {
        /// Position in the batch.
        index: usize,
        /// What is wrong with it.
        why: Box<BbsError>,
    },
    /// An operator failed: no verdict.
    #[error(transparent)]
    Device(#[from] DeviceError),
}
