//! JSON documents of schemes: a type, a version, and bytes in hexadecimal. They may hold secrets, so that error messages give the
//! position of an error but no contents, and memory is wiped.

use crate::failure::Failure;
use crate::files;
use pairwright::formats::{FormatError, secret_from_hex};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;
use zeroize::Zeroizing;

/// The version of every document.
const VERSION: u32 = 1;
/// The largest size of a document, in bytes.
const MOST: u64 = 64 << 20;

/// Why a file is not the expected document.
#[derive(Debug, Error)]
pub(crate) enum SchemeDocumentError {
    /// The file is not JSON, or members are missing, of the wrong type or unknown.
    #[error("{}: no JSON of a {what}: line {line}, column {column}", .path.display())]
    Json { path: PathBuf, what: &'static str, line: usize, column: usize },
    /// The document is of another type.
    #[error("{}: a document of another type, a {what} is wanted", .path.display())]
    Type { path: PathBuf, what: &'static str },
    /// The document has an unknown version.
    #[error("{}: version {found} of a {what}, version {VERSION} is known", .path.display())]
    Version { path: PathBuf, what: &'static str, found: u32 },
    /// A member is not bytes in hexadecimal.
    #[error("{}: {member}: bytes in hexadecimal are needed", .path.display())]
    Hex { path: PathBuf, member: String },
    /// A member has an invalid value.
    #[error("{}: {member}: {why}", .path.display())]
    Value { path: PathBuf, member: &'static str, why: String },
    /// The bytes in a document do not decode to a valid value.
    #[error("{}: {why}", .path.display())]
    Content { path: PathBuf, why: Box<dyn Error + Send + Sync> },
    /// The document does not belong with another one.
    #[error("{}: {found}, where {wanted} is wanted", .path.display())]
    Apart { path: PathBuf, found: String, wanted: String },
}

impl From<SchemeDocumentError> for Failure {
    fn from(e: SchemeDocumentError) -> Self {
        Self::bad(e)
    }
}

/// The members that all documents begin with.
#[derive(Deserialize)]
struct Head {
    #[serde(rename = "type")]
    kind: String,
    version: u32,
}

/// The content of a document, which determines its type.
pub(crate) trait Document: Serialize + DeserializeOwned {
    /// The document's type, as its file gives it.
    const TYPE: &'static str;
}

#[derive(Serialize)]
struct Whole<'a, T> {
    #[serde(rename = "type")]
    kind: &'static str,
    version: u32,
    #[serde(flatten)]
    content: &'a T,
}

/// Reads a document of this type.
pub(crate) fn read<T: Document>(path: &Path) -> Result<T, Failure> {
    Ok(parse(path, &bytes(path, MOST)?)?)
}

fn parse<T: Document>(path: &Path, text: &[u8]) -> Result<T, SchemeDocumentError> {
    let (what, owned) = (T::TYPE, || path.to_owned());
    let json = |why: serde_json::Error| SchemeDocumentError::Json {
        path: owned(),
        what,
        line: why.line(),
        column: why.column(),
    };
    let head: Head = serde_json::from_slice(text).map_err(json)?;
    if head.kind != what {
        return Err(SchemeDocumentError::Type { path: owned(), what });
    }
    if head.version != VERSION {
        return Err(SchemeDocumentError::Version { path: owned(), what, found: head.version });
    }
    serde_json::from_slice(text).map_err(json)
}

/// Reads a file of at most `most` bytes into memory that is wiped.
pub(crate) fn bytes(path: &Path, most: u64) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let failed = |why| Failure::File { path: path.to_owned(), why };
    let file = File::open(path).map_err(failed)?;
    let about = file.metadata().map_err(failed)?;
    let room = if about.is_file() { about.len().min(most) as usize + 1 } else { 1 << 16 };
    let mut bytes = Zeroizing::new(Vec::with_capacity(room));
    if file.take(most + 1).read_to_end(&mut bytes).map_err(failed)? as u64 > most {
        let why = format!("more than {most} bytes: too large");
        return Err(failed(io::Error::new(io::ErrorKind::FileTooLarge, why)));
    }
    Ok(bytes)
}

/// Writes a document; a secret one can be read by its owner only.
pub(crate) fn write<T: Document>(path: &Path, content: &T, secret: bool) -> Result<(), Failure> {
    let whole = Whole { kind: T::TYPE, version: VERSION, content };
    let text =
        Zeroizing::new(serde_json::to_vec_pretty(&whole).map_err(|why| Failure::Internal(why.into()))?);
    let put = |out: &mut dyn Write| -> Result<(), FormatError> {
        out.write_all(&text)?;
        Ok(out.write_all(b"\n")?)
    };
    if secret { files::write_secret(path, put) } else { files::write(path, put) }
}

/// Decodes the bytes of a member in hexadecimal, with or without 0x.
pub(crate) fn from_hex(
    path: &Path,
    member: &str,
    text: &str,
) -> Result<Zeroizing<Vec<u8>>, SchemeDocumentError> {
    let hex = || SchemeDocumentError::Hex { path: path.to_owned(), member: member.to_owned() };
    secret_from_hex(text).ok_or_else(hex)
}

/// The error of a document's content, with its file.
pub(crate) fn content(path: &Path, why: impl Error + Send + Sync + 'static) -> SchemeDocumentError {
    SchemeDocumentError::Content { path: path.to_owned(), why: why.into() }
}
