//! The errors of files encrypted with age.

use crate::FilePlace;
use alloc::string::String;
use thiserror::Error;

/// Why a file encrypted with age could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AgeError {
    /// The first line is not the version line of the format.
    #[error("{at}: not a file of age: expected the line \"age-encryption.org/v1\"")]
    Version {
        /// Position of the line.
        at: FilePlace,
    },
    /// The header is longer than the largest length that is read.
    #[error("{at}: the header has more than {most} bytes")]
    LongHeader {
        /// The file as a whole.
        at: FilePlace,
        /// Largest length of a header that is read, in bytes.
        most: u64,
    },
    /// The bytes end within the header or the armour.
    #[error("{at}: the file ends where {expected} should be")]
    Ends {
        /// Position of the end of the file.
        at: FilePlace,
        /// Description of the item that should follow.
        expected: &'static str,
    },
    /// A line of the header or the armour does not have the form that the format requires at this position.
    #[error("{at}: expected {expected}")]
    Line {
        /// Position of the line.
        at: FilePlace,
        /// Description of the forms that are allowed.
        expected: &'static str,
    },
    /// No stanza of the header can be opened with the given keys.
    #[error("{at}: {why}")]
    NoStanza {
        /// The file as a whole.
        at: FilePlace,
        /// The stanzas that were looked for and those that the header has.
        why: String,
    },
    /// The header's authentication code does not match the file key: the header or the code has been changed.
    #[error("{at}: the header was changed: its authentication code does not fit")]
    HeaderCode {
        /// The file as a whole.
        at: FilePlace,
    },
    /// A piece of the payload is not authentic: it was changed or moved.
    #[error("{at}: piece {piece} of the payload was changed")]
    Changed {
        /// Position of the piece.
        at: FilePlace,
        /// Number of the piece, from 0.
        piece: u64,
    },
    /// The payload ends before its last piece.
    #[error("{at}: the payload was cut off: piece {piece} is missing or not whole")]
    CutOff {
        /// Position of the end of the file.
        at: FilePlace,
        /// Number of the missing piece, from 0.
        piece: u64,
    },
    /// The payload goes on after its last piece.
    #[error("{at}: bytes follow the last piece of the payload")]
    Trailing {
        /// Position of the first such byte.
        at: FilePlace,
    },
}

impl AgeError {
    /// Whether the error means that a well-formed file is not authentic. A program may report such a file as rejected rather
    /// than as unreadable.
    pub fn is_rejection(&self) -> bool {
        matches!(self, Self::HeaderCode { .. } | Self::Changed { .. })
    }
}
