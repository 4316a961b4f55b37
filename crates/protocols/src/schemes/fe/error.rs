//! Why something is no key or ciphertext, or has no result.

use pairwright_curve::encoding::PointError;
use pairwright_device::DeviceError;
use thiserror::Error;

/// Why a value was not made, not read, or a result not found.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FeError {
    /// A dimension that the scheme does not take.
    #[error("dimension {found}, it is from 1 to {most}")]
    Dimension {
        /// The dimension that was asked for, or read.
        found: usize,
        /// The largest one.
        most: usize,
    },
    /// Vectors, keys and ciphertexts are of different dimensions.
    #[error("{what} of dimension {found}, where {expected} is wanted")]
    Mismatch {
        /// What has the wrong dimension.
        what: &'static str,
        /// Its own dimension.
        found: usize,
        /// The dimension of the others.
        expected: usize,
    },
    /// Vectors of one entry, which keys and ciphertexts of the scheme that hides vectors would give away.
    #[error("vectors of one entry cannot be hidden: their points are multiples of each other by the entry")]
    OneEntry,
    /// The zero vector, which a key or ciphertext that hides vectors would give away.
    #[error("the zero vector cannot be hidden")]
    ZeroVector,
    /// The first bytes are not those of this kind of value.
    #[error("these bytes are no {what}: they begin with version {version} and kind {kind}")]
    Kind {
        /// The kind that is wanted.
        what: &'static str,
        /// The version's byte.
        version: u8,
        /// The kind's byte.
        kind: u8,
    },
    /// An encoding does not have the length that its head says.
    #[error("{what} of {found} bytes, where its head says {expected}")]
    Length {
        /// The kind of value.
        what: &'static str,
        /// Number of bytes that were given.
        found: usize,
        /// Number of bytes of a whole one.
        expected: usize,
    },
    /// The bytes at an offset are not a point of the subgroup.
    #[error("{what}, byte {offset}: {why}")]
    Point {
        /// The kind of value.
        what: &'static str,
        /// Offset of the first byte of the point.
        offset: usize,
        /// What is wrong with it.
        why: PointError,
    },
    /// A point is the neutral element, which it must not be.
    #[error("{what}, byte {offset}: the neutral element")]
    Neutral {
        /// The kind of value.
        what: &'static str,
        /// Offset of the first byte of the point.
        offset: usize,
    },
    /// The bytes at an offset are not a scalar below the group order.
    #[error("{what}, byte {offset}: not a scalar below the group order")]
    Scalar {
        /// The kind of value.
        what: &'static str,
        /// Offset of the first byte of the scalar.
        offset: usize,
    },
    /// A matrix without an inverse, which a random one is with probability about 2^-247.
    #[error("the matrix of the master key has no inverse")]
    Singular,
    /// A table of logarithms has no steps, or too many.
    #[error("a table of {found} steps, it has from 1 to {most}")]
    Steps {
        /// Number of steps that was asked for, or read.
        found: u64,
        /// The largest number.
        most: u64,
    },
    /// The bound of a result is too large.
    #[error("results up to {bound} cannot be searched, at most up to {most}")]
    Bound {
        /// The bound that was asked for.
        bound: u64,
        /// The largest bound.
        most: u64,
    },
    /// A table of logarithms is to another base.
    #[error("the table is for another base")]
    Base,
    /// The digest at the end of a table is not that of its bytes.
    #[error("the table is damaged: its digest is not that of its bytes")]
    Digest,
    /// No number in the range is the result.
    #[error(
        "the result is not between -{bound} and {bound}, or the key and the ciphertext do not belong together"
    )]
    OutOfRange {
        /// The bound of the range.
        bound: u64,
    },
    /// An operator failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
}
