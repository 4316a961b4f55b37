//! The error type of keys, ciphertexts, tables and decryptions.

use pairwright_curve::encoding::PointError;
use pairwright_device::DeviceError;
use thiserror::Error;

/// Why a value was not made or not decoded, or a result was not found.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FeError {
    /// A dimension is zero or too large for the scheme.
    #[error("dimension {found}, it is from 1 to {most}")]
    Dimension {
        /// The dimension that was asked for, or read.
        found: usize,
        /// The largest dimension.
        most: usize,
    },
    /// Vectors, keys and ciphertexts are of different dimensions.
    #[error("{what} of dimension {found}, where {expected} is wanted")]
    Mismatch {
        /// Name of the value with the wrong dimension.
        what: &'static str,
        /// The dimension of that value.
        found: usize,
        /// The required dimension.
        expected: usize,
    },
    /// The dimension is one: keys and ciphertexts of the function-hiding scheme would reveal the entry.
    #[error("vectors of one entry cannot be hidden: their points are multiples of each other by the entry")]
    OneEntry,
    /// The vector is zero: a key or ciphertext of the function-hiding scheme would reveal that.
    #[error("the zero vector cannot be hidden")]
    ZeroVector,
    /// The first bytes are not those of this kind of value.
    #[error("these bytes are no {what}: they begin with version {version} and kind {kind}")]
    Kind {
        /// Name of the expected kind.
        what: &'static str,
        /// The byte of the version that was found.
        version: u8,
        /// The byte of the kind that was found.
        kind: u8,
    },
    /// An encoding does not have the length that its head says.
    #[error("{what} of {found} bytes, where its head says {expected}")]
    Length {
        /// Name of the kind of value.
        what: &'static str,
        /// Number of bytes that were given.
        found: usize,
        /// Number of bytes that the head implies.
        expected: usize,
    },
    /// The bytes at an offset are not a point of the subgroup.
    #[error("{what}, byte {offset}: {why}")]
    Point {
        /// Name of the kind of value.
        what: &'static str,
        /// Offset of the first byte of the point.
        offset: usize,
        /// The reason for which the point is refused.
        why: PointError,
    },
    /// A point is the neutral element, which it must not be.
    #[error("{what}, byte {offset}: the neutral element")]
    Neutral {
        /// Name of the kind of value.
        what: &'static str,
        /// Offset of the first byte of the point.
        offset: usize,
    },
    /// The bytes at an offset are not a scalar below the group order.
    #[error("{what}, byte {offset}: not a scalar below the group order")]
    Scalar {
        /// Name of the kind of value.
        what: &'static str,
        /// Offset of the first byte of the scalar.
        offset: usize,
    },
    /// The matrix has no inverse, or a leading minor is zero; a random matrix is so with probability about 2^-247.
    #[error("the matrix of the master key has no inverse")]
    Singular,
    /// The number of steps of a table of logarithms is zero or too large.
    #[error("a table of {found} steps, it has from 1 to {most}")]
    Steps {
        /// Number of steps that was asked for, or read.
        found: u64,
        /// The largest number of steps.
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
    /// A table of logarithms is for another base, or the base is the neutral element.
    #[error("the table is for another base")]
    Base,
    /// The digest at the end of a table is not that of its bytes.
    #[error("the table is damaged: its digest is not that of its bytes")]
    Digest,
    /// The result is not in the given range.
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
