//! JSON documents of schemes: a type, a version, and bytes in hexadecimal. They may hold secrets, so that errors say where
//! something is wrong and not what stands there, and memory is wiped.

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
/// Most bytes of a document.
const MOST: u64 = 64 << 20;

/// Why a file is not the document that is wanted.
#[derive(Debug, Error)]
pub(crate) enum SchemeDocumentError {
    /// The file is no JSON, or members are missing, of another type or unknown.
    #[error("{}: no JSON of a {what}: line {line}, column {column}", .path.display())]
    Json { path: PathBuf, what: &'static str, line: usize, column: usize },
    /// The document is of another type.
    #[error("{}: a document of another type, a {what} is wanted", .path.display())]
    Type { path: PathBuf, what: &'static str },
    /// The document is of a version that is not known.
    #[error("{}: version {found} of a {what}, version {VERSION} is known", .path.display())]
    Version { path: PathBuf, what: &'static str, found: u32 },
    /// A member is not bytes in hexadecimal.
    #[error("{}: {member}: bytes in hexadecimal are needed", .path.display())]
    Hex { path: PathBuf, member: String },
    /// A member has a value that means nothing.
    #[error("{}: {member}: {why}", .path.display())]
    Value { path: PathBuf, member: &'static str, why: String },
    /// The bytes in a document are not what they should be.
    #[error("{}: {why}", .path.display())]
    Content { path: PathBuf, why: Box<dyn Error + Send + Sync> },
    /// Documents that do not go together.
    #[error("{}: {found}, where {wanted} is wanted", .path.display())]
    Apart { path: PathBuf, found: String, wanted: String },
}

impl From<SchemeDocumentError> for Failure {
    fn from(e: SchemeDocumentError) -> Self {
        Self::bad(e)
    }
}

/// A document's first members.
#[derive(Deserialize)]
struct Head {
    #[serde(rename = "type")]
    kind: String,
    version: u32,
}

/// What a document of a type holds.
pub(crate) trait Document: Serialize + DeserializeOwned {
    /// The document's type as it stands in the file.
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

/// Reads a document of a type.
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

/// Reads a file of so many bytes at most into memory that is wiped.
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

/// Writes a document, for its owner alone where it is secret.
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

/// Bytes that a member holds in hexadecimal, with or without 0x.
pub(crate) fn from_hex(
    path: &Path,
    member: &str,
    text: &str,
) -> Result<Zeroizing<Vec<u8>>, SchemeDocumentError> {
    let hex = || SchemeDocumentError::Hex { path: path.to_owned(), member: member.to_owned() };
    secret_from_hex(text).ok_or_else(hex)
}

/// What is wrong with a document's content.
pub(crate) fn content(path: &Path, why: impl Error + Send + Sync + 'static) -> SchemeDocumentError {
    SchemeDocumentError::Content { path: path.to_owned(), why: why.into() }
}
