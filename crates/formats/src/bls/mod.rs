//! The documents of BLS keys and signatures: JSON objects that state their kind (`format`), their version, and their variant or
//! ciphersuite. Points and scalars are hexadecimal strings; points are in Zcash's compressed encoding.
//!
//! A reader checks the kind, the version, the members and their lengths. Whether points are in their subgroups is checked when
//! they are converted to the keys and signatures of `pairwright-protocols`. The error for a malformed secret document repeats
//! nothing of its contents.

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

/// The document version that is written, and the only one that is read.
const VERSION: u64 = 1;
/// Largest size of a document in bytes, which suffices for one with 65535 points.
const MOST: u64 = 16 << 20;

/// Why a file is not a valid document of this module.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// The file is too large, or cannot be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The JSON is malformed, or a member is missing, unknown or of another type. The text at fault is not repeated: it may be
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
    /// The file is a document of another kind.
    #[error("{at}: expected \"{expected}\"; the file is another kind of document")]
    Kind {
        /// Position of the member that states the kind.
        at: FilePlace,
        /// The kind that is read.
        expected: &'static str,
    },
    /// The document has a version that is not supported.
    #[error("{at}: version {VERSION} is read here, this is version {found}")]
    Version {
        /// Position of the member that states the version.
        at: FilePlace,
        /// The version of the file.
        found: u64,
    },
    /// A member does not have the form or the value that it has to have.
    #[error("{at}: expected {expected}")]
    Member {
        /// Position of the member.
        at: FilePlace,
        /// Description of the valid contents.
        expected: &'static str,
    },
}

/// The members that every document begins with.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u64,
}

/// A string that is wiped when it is dropped.
#[derive(Deserialize, Serialize, Zeroize, ZeroizeOnDrop)]
#[serde(transparent)]
struct Text(String);

/// The position that stands for the file as a whole.
fn whole(file: &FileBytes) -> FilePlace {
    file.place(Spot::Whole)
}

/// Parses JSON; an error holds only line and column, since the text may be secret.
fn parse<T: DeserializeOwned>(file: &FileBytes, what: &'static str) -> Result<T, DocumentError> {
    serde_json::from_slice(file).map_err(|why| DocumentError::Json {
        at: whole(file),
        what,
        line: why.line(),
        column: why.column(),
    })
}

/// Reads a document of the given kind and of version [`VERSION`].
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

/// Writes a document as indented JSON with a single write.
fn write<T: Serialize>(out: &mut dyn Write, document: &T) -> Result<(), FormatError> {
    let mut text = Zeroizing::new(Vec::with_capacity(1 << 12));
    serde_json::to_writer_pretty(&mut *text, document).map_err(std::io::Error::from)?;
    text.push(b'\n');
    Ok(out.write_all(&text)?)
}

/// Decodes a hexadecimal member, which has to have `length` bytes.
fn bytes(file: &FileBytes, path: &str, text: &str, length: usize) -> Result<Vec<u8>, DocumentError> {
    let expected = match length {
        48 => "48 bytes in hexadecimal",
        96 => "96 bytes in hexadecimal",
        _ => "32 bytes in hexadecimal",
    };
    let found = from_hex(text).filter(|bytes| bytes.len() == length);
    found.ok_or_else(|| DocumentError::Member { at: member(file, path), expected })
}
