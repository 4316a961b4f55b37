//! The documents of BLS keys and signatures: JSON objects that say what they are (`format`), in which version, and of which
//! variant or ciphersuite; points and scalars in hexadecimal, compressed as Zcash does.
//!
//! A reader checks the form: kind, version, members, lengths. Whether points are in their subgroups is checked when they are made
//! keys and signatures of `protocols`. A secret document that is malformed is refused without a word of its contents.

mod documents;
mod suite;

pub use documents::{
    PartialDocument, PublicDocument, SecretDocument, ShareDocument, SignatureDocument, ThresholdDocument,
};
pub use suite::{Ciphersuite, VariantName};

use crate::hexadecimal::from_hex;
use crate::json::{expect_at_most, member};
use crate::{FileBytes, FilePlace, FormatError, Spot};
use alloc::string::String;
use alloc::vec::Vec;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::Write;
use thiserror::Error;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// The version that is written, and the only one that is read.
const VERSION: u64 = 1;
/// Most bytes of a document: one with 65535 points.
const MOST: u64 = 16 << 20;

/// Why a file is no such document.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// The file is too large, or cannot be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The JSON is malformed, or a member is missing, unknown or of another type. What stands there is not repeated: it may be
    /// secret.
    #[error("{at}: no JSON of {what}: line {line}, column {column}")]
    Json {
        /// The file as a whole.
        at: FilePlace,
        /// The kind of document that is read.
        what: &'static str,
        /// Line of the fault, from 1.
        line: usize,
        /// Column of the fault, from 1.
        column: usize,
    },
    /// Another kind of document.
    #[error("{at}: expected \"{expected}\"; the file is another kind of document")]
    Kind {
        /// The place of the kind.
        at: FilePlace,
        /// The kind that is read.
        expected: &'static str,
    },
    /// A version that is not known here.
    #[error("{at}: version {VERSION} is read here, this is version {found}")]
    Version {
        /// The place of the version.
        at: FilePlace,
        /// The version of the file.
        found: u64,
    },
    /// A member is not what it should be.
    #[error("{at}: expected {expected}")]
    Member {
        /// The place of the member.
        at: FilePlace,
        /// What should stand there.
        expected: &'static str,
    },
}

/// What every document begins with.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u64,
}

/// A text that is wiped when it is dropped.
#[derive(Deserialize, Serialize, Zeroize, ZeroizeOnDrop)]
#[serde(transparent)]
struct Text(String);

/// The file as a place.
fn whole(file: &FileBytes) -> FilePlace {
    file.place(Spot::Whole)
}

/// Parses JSON, and says of what is wrong with it the place alone.
fn parse<T: DeserializeOwned>(file: &FileBytes, what: &'static str) -> Result<T, DocumentError> {
    serde_json::from_slice(file).map_err(|why| DocumentError::Json {
        at: whole(file),
        what,
        line: why.line(),
        column: why.column(),
    })
}

/// Reads a document of a kind and of our version.
fn read<T: DeserializeOwned>(file: &FileBytes, kind: &'static str) -> Result<T, DocumentError> {
    expect_at_most(file, MOST, "a document of keys or signatures")?;
    let head: Head = parse(file, kind)?;
    if head.format != kind {
        return Err(DocumentError::Kind { at: member(file, "format"), expected: kind });
    }
    if head.version != VERSION {
        return Err(DocumentError::Version { at: member(file, "version"), found: head.version });
    }
    parse(file, kind)
}

/// Writes a document, indented, in one piece.
fn write<T: Serialize>(out: &mut dyn Write, document: &T) -> Result<(), FormatError> {
    let mut text = Zeroizing::new(Vec::with_capacity(1 << 12));
    serde_json::to_writer_pretty(&mut *text, document).map_err(std::io::Error::from)?;
    text.push(b'\n');
    Ok(out.write_all(&text)?)
}

/// Bytes of a member, as many as its variant has there.
fn bytes(file: &FileBytes, path: &str, text: &str, length: usize) -> Result<Vec<u8>, DocumentError> {
    let expected = match length {
        48 => "48 bytes in hexadecimal",
        96 => "96 bytes in hexadecimal",
        _ => "32 bytes in hexadecimal",
    };
    let found = from_hex(text).filter(|bytes| bytes.len() == length);
    found.ok_or_else(|| DocumentError::Member { at: member(file, path), expected })
}
