//! Files encrypted with age (C2SP, `age.md`, version 1), binary or armoured: a header of stanzas, each of which holds the file
//! key encrypted for one recipient, and a payload encrypted under a key that is derived from the file key.
//!
//! This module treats the contents of a stanza as bytes; the caller makes and opens them. A file is read and written piece by
//! piece, in memory that does not depend on its length, and no byte of a piece is given out before the piece has been
//! authenticated.

mod armor;
mod error;
mod header;
mod payload;
#[cfg(test)]
mod tests;

pub use error::AgeError;
pub use header::{MOST_HEADER, Stanza};

use crate::{FileName, FilePlace, FormatError, Spot};
use armor::{ArmorReader, ArmorWriter};
use header::AgeHeader;
use rand_core::CryptoRng;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::vec::Vec;
use zeroize::Zeroizing;

/// Length of a file key in bytes.
pub const FILE_KEY: usize = 16;
/// A file key, which is wiped when it is dropped.
pub type FileKey = Zeroizing<[u8; FILE_KEY]>;

/// Draws a fresh file key.
pub fn file_key(rng: &mut dyn CryptoRng) -> FileKey {
    let mut key = Zeroizing::new([0; FILE_KEY]);
    rng.fill_bytes(key.as_mut());
    key
}

/// The source of a file's bytes, decoded from the armour if the file has one.
enum Source<R: Read> {
    Binary(BufReader<R>),
    Armored(BufReader<ArmorReader<BufReader<R>>>),
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Binary(from) => from.read(out),
            Self::Armored(from) => from.read(out),
        }
    }
}

impl<R: Read> BufRead for Source<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self {
            Self::Binary(from) => from.fill_buf(),
            Self::Armored(from) => from.fill_buf(),
        }
    }
    fn consume(&mut self, n: usize) {
        match self {
            Self::Binary(from) => from.consume(n),
            Self::Armored(from) => from.consume(n),
        }
    }
}

/// A file whose header has been read. The caller looks at its stanzas, recovers the file key from one of them and decrypts the
/// payload with it.
pub struct AgeFile<R: Read> {
    name: FileName,
    header: AgeHeader,
    rest: Source<R>,
}

impl<R: Read> AgeFile<R> {
    /// Reads the header, of at most [`MOST_HEADER`] bytes.
    ///
    /// # Errors
    /// When the bytes cannot be read, or are not those of a header.
    pub fn read(name: FileName, from: R) -> Result<Self, FormatError> {
        let mut from = BufReader::new(from);
        let first = from.fill_buf().map_err(|why| read_error(&name, why))?.first().copied();
        let mut rest = if first.is_some_and(|byte| byte == b'-' || byte.is_ascii_whitespace()) {
            let armored = ArmorReader::new(name.clone(), from);
            Source::Armored(BufReader::with_capacity(1 << 16, armored))
        } else {
            Source::Binary(from)
        };
        let header = AgeHeader::read(&name, &mut rest)?;
        Ok(Self { name, header, rest })
    }

    /// The stanzas in the order of the header, including those of unknown types.
    pub fn stanzas(&self) -> &[Stanza] {
        &self.header.stanzas
    }

    /// Checks the header and decrypts the payload with the file key; returns the number of bytes that were written. A piece is
    /// written as soon as it is known to be authentic; only when this function has returned without error is it known that the
    /// file is complete. `progress` is called with the number of payload bytes after each read.
    ///
    /// # Errors
    /// When the header or the payload is not authentic or malformed, or a read or a write fails.
    pub fn decrypt(
        mut self,
        key: &FileKey,
        to: &mut dyn Write,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, FormatError> {
        self.header.authenticate(&self.name, key)?;
        payload::decrypt(&self.name, self.header.length, key, &mut self.rest, to, progress)
    }
}

/// The encoding in which a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgeForm {
    /// Binary, without any overhead.
    Binary,
    /// Lines of base64 text, about a third longer.
    Armored,
}

/// Writes a file: a header with these stanzas, which hold the file key `key`, and the encryption of all bytes of `from`.
/// Returns the number of bytes that were encrypted.
///
/// # Errors
/// When something cannot be read or written.
///
/// # Panics
/// If a stanza has a word that is empty or not visible ASCII, or if there is no stanza: a programming error, not an input
/// error.
pub fn encrypt_age(
    (name, from): (&FileName, &mut dyn Read),
    to: &mut dyn Write,
    form: AgeForm,
    (key, stanzas): (&FileKey, &[Stanza]),
    rng: &mut dyn CryptoRng,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, FormatError> {
    let header = header::write(stanzas, key);
    let mut nonce = [0; payload::NONCE];
    rng.fill_bytes(&mut nonce);
    let mut all = |to: &mut dyn Write| {
        to.write_all(&header)?;
        to.write_all(&nonce)?;
        payload::encrypt(name, key, &nonce, from, to, progress)
    };
    match form {
        AgeForm::Binary => all(to),
        AgeForm::Armored => {
            let mut armor = ArmorWriter::new(to)?;
            let bytes = all(&mut armor)?;
            armor.finish()?;
            Ok(bytes)
        }
    }
}

/// The error of a failed read: an [`AgeError`] that passed through a reader, or an error of the system.
fn read_error(name: &FileName, why: io::Error) -> FormatError {
    match why.downcast::<AgeError>() {
        Ok(ours) => FormatError::Age(ours),
        Err(source) => FormatError::Io { file: name.clone(), doing: "read", source },
    }
}

/// The position of a byte of a file.
fn place(name: &FileName, offset: u64) -> FilePlace {
    FilePlace { file: name.clone(), spot: Spot::Offset(offset) }
}

/// Fills a buffer as far as the source has bytes; returns the number of bytes read.
fn fill(from: &mut (impl Read + ?Sized), buffer: &mut [u8]) -> io::Result<usize> {
    let mut rest: &mut [u8] = buffer;
    let mut filled = 0usize;
    while !rest.is_empty() {
        match from.read(rest) {
            Ok(0) => break,
            Ok(n) => {
                filled = filled.saturating_add(n);
                rest = rest.get_mut(n..).unwrap_or_default();
            }
            Err(why) if why.kind() == io::ErrorKind::Interrupted => {}
            Err(why) => return Err(why),
        }
    }
    Ok(filled)
}

/// Converts a number of bytes to `u64`.
fn count(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

/// A vector of zeros that is wiped when it is dropped.
fn wiped(length: usize) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(std::vec![0; length])
}
