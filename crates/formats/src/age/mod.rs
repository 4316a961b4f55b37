//! Files of age (C2SP, `age.md`, version 1): a header of stanzas, each of which holds the file's key for one recipient,
//! and a payload under that key, binary or armoured.
//!
//! Stanzas are bytes here; who makes and opens them is the caller's matter. A file is read and written piece by piece, in
//! memory that does not depend on its length, and no byte of a piece leaves before the piece has been authenticated.

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

/// Bytes of a file's key.
pub const FILE_KEY: usize = 16;
/// A file's key, wiped when it is dropped.
pub type FileKey = Zeroizing<[u8; FILE_KEY]>;

/// A fresh key of a file.
pub fn file_key(rng: &mut dyn CryptoRng) -> FileKey {
    let mut key = Zeroizing::new([0; FILE_KEY]);
    rng.fill_bytes(key.as_mut());
    key
}

/// The source of a file's bytes, out of its armour if it has one.
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

/// A file whose header has been read: its stanzas can be looked at, and its payload opened with the key in one of them.
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

    /// The stanzas in the order of the header, those that nobody here understands among them.
    pub fn stanzas(&self) -> &[Stanza] {
        &self.header.stanzas
    }

    /// Checks the header and decrypts the payload with the file's key; gives the number of bytes that were written. Each
    /// piece is written once it is known to be authentic: whoever reads them before this has returned does not know
    /// whether the file is whole. `progress` gets bytes of payload as they are read.
    ///
    /// # Errors
    /// When header or payload are not what was encrypted, or something cannot be read or written.
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

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgeForm {
    /// Bytes, as short as can be.
    Binary,
    /// Lines of text, a third longer.
    Armored,
}

/// Writes a file: its header with these stanzas, which hold `key`, and the encryption of everything that `from` gives.
/// Gives the number of bytes that were encrypted.
///
/// # Errors
/// When something cannot be read or written.
///
/// # Panics
/// If a stanza has a word that is not of visible ASCII, or there is none: a programming error, not an input error.
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

/// An error of reading: one of ours that has come through a reader, or the system's.
fn read_error(name: &FileName, why: io::Error) -> FormatError {
    match why.downcast::<AgeError>() {
        Ok(ours) => FormatError::Age(ours),
        Err(source) => FormatError::Io { file: name.clone(), doing: "read", source },
    }
}

/// A byte of a file.
fn place(name: &FileName, offset: u64) -> FilePlace {
    FilePlace { file: name.clone(), spot: Spot::Offset(offset) }
}

/// Fills a buffer as far as there are bytes.
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

/// Bytes of a number of a file's bytes.
fn count(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

/// A vector of zeros that is wiped when it is dropped.
fn wiped(length: usize) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(std::vec![0; length])
}
