//! The header of an age file: version line, stanzas and authentication code.

use super::{AgeError, FileKey, count, place, read_error};
use crate::{FileName, FormatError};
use alloc::borrow::ToOwned;
use alloc::string::String;
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use hkdf::Hkdf;
use hmac::{Hmac, Mac};
use sha2::Sha256;
use std::io::{BufRead, Read};
use std::vec::Vec;
use zeroize::Zeroizing;

/// Largest length of a header that is read, in bytes.
pub const MOST_HEADER: u64 = 1 << 20;

/// The version line, which is the first line of a file.
const VERSION: &[u8; 22] = b"age-encryption.org/v1\n";
/// Base64 characters of a full line of a stanza's body.
const COLUMNS: usize = 64;
/// Prefix of the header's last line, which holds the authentication code.
const END: &[u8] = b"---";

/// A stanza of the header: the file key, encrypted for one recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stanza {
    /// The recipient type, which is the first word of the stanza's first line.
    pub kind: String,
    /// The other words of the first line.
    pub arguments: Vec<String>,
    /// The body, decoded from base64.
    pub body: Vec<u8>,
}

/// A header that has been read.
pub(super) struct AgeHeader {
    pub(super) stanzas: Vec<Stanza>,
    /// Length of the header in bytes, including its last line.
    pub(super) length: u64,
    /// The bytes that the authentication code covers.
    covered: Vec<u8>,
    code: [u8; 32],
}

/// A reader that takes the lines of a header from a file one by one.
struct Lines<'a, R> {
    name: &'a FileName,
    from: &'a mut R,
    /// Offset of the next line in the file, in bytes.
    offset: u64,
}

impl<R: BufRead> Lines<'_, R> {
    /// The next line without its line feed, and its offset.
    fn next(&mut self, expected: &'static str) -> Result<(u64, Vec<u8>), FormatError> {
        let at = self.offset;
        let left = MOST_HEADER.saturating_sub(at);
        let mut line = Vec::new();
        let read = self.from.by_ref().take(left).read_until(b'\n', &mut line);
        let read = count(read.map_err(|why| read_error(self.name, why))?);
        self.offset = at.saturating_add(read);
        if line.pop_if(|last| *last == b'\n').is_some() {
            return Ok((at, line));
        }
        Err(FormatError::Age(if read == left {
            AgeError::LongHeader { at: place(self.name, self.offset), most: MOST_HEADER }
        } else {
            AgeError::Ends { at: place(self.name, self.offset), expected }
        }))
    }
}

impl AgeHeader {
    pub(super) fn read(name: &FileName, from: &mut impl BufRead) -> Result<Self, FormatError> {
        let mut lines = Lines { name, from, offset: 0 };
        let wrong = |offset, expected| AgeError::Line { at: place(name, offset), expected };
        // A file of another kind may have no line feeds at all, so the version line is read by its length.
        let mut first = [0; VERSION.len()];
        let read = super::fill(lines.from, &mut first).map_err(|why| read_error(name, why))?;
        if first != *VERSION {
            return Err(AgeError::Version { at: place(name, 0) }.into());
        }
        lines.offset = count(read);
        let mut covered = first.to_vec();
        let mut stanzas = Vec::new();
        let (at, mut line) = lines.next("a stanza")?;
        let mut here = at;
        while let Some(words) = line.strip_prefix(b"-> ") {
            let (kind, arguments) = words_of(words)
                .ok_or_else(|| wrong(here, "words of visible ASCII, a blank between them, after \"->\""))?;
            push(&mut covered, &line);
            let mut body = Vec::new();
            loop {
                let (at, text) = lines.next("the last line of a stanza")?;
                let expected =
                    "a line of a stanza's body: 64 characters of canonical base64, or fewer in the last one";
                if text.len() > COLUMNS {
                    return Err(wrong(at, expected).into());
                }
                let bytes = STANDARD_NO_PAD.decode(&text).map_err(|_| wrong(at, expected))?;
                body.extend_from_slice(&bytes);
                push(&mut covered, &text);
                if text.len() < COLUMNS {
                    break;
                }
            }
            stanzas.push(Stanza { kind, arguments, body });
            (here, line) = lines.next("a stanza, or the last line of the header")?;
        }
        if stanzas.is_empty() {
            return Err(wrong(here, "a stanza, which begins with \"-> \"").into());
        }
        let expected =
            "a stanza, or the last line of the header: \"--- \" and 43 characters of canonical base64";
        let code = line.strip_prefix(END).and_then(|rest| rest.strip_prefix(b" "));
        let code = code.and_then(|text| STANDARD_NO_PAD.decode(text).ok()?.try_into().ok());
        let code = code.ok_or_else(|| wrong(here, expected))?;
        covered.extend_from_slice(END);
        Ok(Self { stanzas, length: lines.offset, covered, code })
    }

    /// Accepts the header if its authentication code is the one that follows from this file key. Constant time.
    pub(super) fn authenticate(&self, name: &FileName, key: &FileKey) -> Result<(), AgeError> {
        let code = code_of(key, &self.covered);
        code.verify_slice(&self.code).map_err(|_| AgeError::HeaderCode { at: place(name, 0) })
    }
}

fn push(covered: &mut Vec<u8>, line: &[u8]) {
    covered.extend_from_slice(line);
    covered.push(b'\n');
}

/// Splits the first line of a stanza into its first word and the other words.
fn words_of(line: &[u8]) -> Option<(String, Vec<String>)> {
    let mut words = line.split(|byte| *byte == b' ').map(|word| {
        let visible = !word.is_empty() && word.iter().all(u8::is_ascii_graphic);
        visible.then(|| core::str::from_utf8(word).ok().map(ToOwned::to_owned))?
    });
    let kind = words.next()??;
    Some((kind, words.collect::<Option<_>>()?))
}

/// Derives the 32-byte key for a purpose from a file key: HKDF-SHA-256.
pub(super) fn derived(key: &FileKey, salt: Option<&[u8]>, purpose: &[u8]) -> Zeroizing<[u8; 32]> {
    let mut out = Zeroizing::new([0; 32]);
    // HKDF can always give as many bytes as a digest has.
    let _ = Hkdf::<Sha256>::new(salt, key.as_ref()).expand(purpose, out.as_mut());
    out
}

fn code_of(key: &FileKey, covered: &[u8]) -> Hmac<Sha256> {
    let key = derived(key, None, b"header");
    // A key padded to the length of a block is not hashed first and cannot be refused.
    let mut block = hmac::digest::Key::<Hmac<Sha256>>::default();
    block.iter_mut().zip(key.iter()).for_each(|(to, from)| *to = *from);
    let mut code = <Hmac<Sha256> as hmac::digest::KeyInit>::new(&block);
    zeroize::Zeroize::zeroize(block.as_mut_slice());
    code.update(covered);
    code
}

/// Encodes the header with these stanzas, authenticated under a file key.
pub(super) fn write(stanzas: &[Stanza], key: &FileKey) -> Vec<u8> {
    let mut out = VERSION.to_vec();
    assert!(!stanzas.is_empty(), "a header has a stanza");
    for stanza in stanzas {
        out.extend_from_slice(b"->");
        for word in core::iter::once(&stanza.kind).chain(&stanza.arguments) {
            let visible = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_graphic());
            assert!(visible, "words of a stanza are visible ASCII");
            out.push(b' ');
            out.extend_from_slice(word.as_bytes());
        }
        out.push(b'\n');
        let body = STANDARD_NO_PAD.encode(&stanza.body);
        let mut last = 0;
        for line in body.as_bytes().chunks(COLUMNS) {
            push(&mut out, line);
            last = line.len();
        }
        // The last line of a body has to be shorter than the others; if necessary it is empty.
        if last == COLUMNS || body.is_empty() {
            out.push(b'\n');
        }
    }
    out.extend_from_slice(END);
    let code = code_of(key, &out).finalize().into_bytes();
    out.push(b' ');
    out.extend_from_slice(STANDARD_NO_PAD.encode(code).as_bytes());
    out.push(b'\n');
    out
}
