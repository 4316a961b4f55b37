//! What can be wrong with a file of age.

use crate::FilePlace;
use alloc::string::String;
use thiserror::Error;

/// Why a file of age could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AgeError {
    /// The first line is not that of the format.
    #[error("{at}: not a file of age: expected the line \"age-encryption.org/v1\"")]
    Version {
        /// Position of the line.
        at: FilePlace,
    },
    /// The header does not end within the length that is read.
    #[error("{at}: the header has more than {most} bytes")]
    LongHeader {
        /// The file as a whole.
        at: FilePlace,
        /// Most bytes that are read.
        most: u64,
    },
    /// The bytes end within the header or the armour.
    #[error("{at}: the file ends where {expected} should be")]
    Ends {
        /// Position of the end.
        at: FilePlace,
        /// What should be there.
        expected: &'static str,
    },
    /// A line of the header is not what can stand there.
    #[error("{at}: expected {expected}")]
    Line {
        /// Position of the line.
        at: FilePlace,
        /// What can stand there.
        expected: &'static str,
    },
    /// No stanza of the header is meant for these keys.
    #[error("{at}: {why}")]
    NoStanza {
        /// The file as a whole.
        at: FilePlace,
        /// What was looked for, and what there is.
        why: String,
    },
    /// The header's code does not fit its key: header or code have been changed.
    #[error("{at}: the header was changed: its authentication code does not fit")]
    HeaderCode {
        /// The file as a whole.
        at: FilePlace,
    },
    /// A piece of the payload was changed, or is not where it was.
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
        /// Position of the end.
        at: FilePlace,
        /// Number of the piece that is not there, from 0.
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
    /// Whether a well-formed file is not authentic. A program may report it as rejected rather than as unreadable.
    pub fn is_rejection(&self) -> bool {
        matches!(self, Self::HeaderCode { .. } | Self::Changed { .. })
    }
}
