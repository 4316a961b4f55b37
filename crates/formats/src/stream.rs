//! Reads inputs that cannot be mapped: pipes and devices, which may be endless.
//!
//! The first bytes decide how far to read. A container declares its length section by section; a JSON document has at most
//! [`MOST_JSON`] bytes; any other input has no supported format, which its first bytes suffice to report.

use crate::sizes::MOST_JSON;
use crate::sizes::widen;
use crate::{FileName, FormatError};
use alloc::vec::Vec;
use std::io::{self, Read};

/// The magic bytes of the containers.
pub(crate) const MAGICS: [&[u8]; 4] = [b"r1cs", b"wtns", b"zkey", b"ptau"];
/// Bound on the number of sections, above that of any format.
pub(crate) const MAX_SECTIONS: u64 = 256;
/// Length in bytes of a section header: type and size.
pub(crate) const SECTION_HEAD: u64 = 12;
/// Largest size in bytes of a container that is read into memory. Larger ones have to be files, which are mapped.
const MOST_IN_MEMORY: u64 = 4 << 30;
/// Bytes that are read at a time while only whitespace has been found.
const BLANKS: u64 = 1 << 12;
/// Length in bytes of a container's header: magic bytes, version and number of sections.
const HEAD: u64 = 12;

/// Reads a stream as far as a file of its kind can reach, and one byte more, by which surplus bytes are noticed.
pub(crate) fn read(from: &mut dyn Read, name: &FileName) -> Result<Vec<u8>, FormatError> {
    let mut stream = Stream { from, name, bytes: Vec::new() };
    stream.more(HEAD)?;
    if MAGICS.iter().any(|magic| stream.bytes.starts_with(magic)) {
        stream.sections()?;
    } else {
        // Whitespace may come first.
        let most = MOST_JSON;
        let mut seen = 0;
        while stream.bytes.get(seen..).unwrap_or_default().iter().all(u8::is_ascii_whitespace) {
            seen = stream.bytes.len();
            if !stream.more(BLANKS)? {
                break;
            }
            stream.at_most(most, "JSON")?;
        }
        let first = stream.bytes.iter().skip(seen).find(|b| !b.is_ascii_whitespace());
        if first.is_some_and(|b| b"[{".contains(b)) {
            stream.more(most.saturating_sub(widen(stream.bytes.len())).saturating_add(1))?;
            stream.at_most(most, "JSON")?;
        }
    }
    Ok(stream.bytes)
}

struct Stream<'a> {
    from: &'a mut dyn Read,
    name: &'a FileName,
    bytes: Vec<u8>,
}

impl Stream<'_> {
    /// Reads `count` more bytes; returns whether there were as many. Memory is allocated for the bytes received, not for
    /// `count`.
    fn more(&mut self, count: u64) -> Result<bool, FormatError> {
        let got = self.from.take(count).read_to_end(&mut self.bytes);
        let failed = |source: io::Error| FormatError::Io { file: self.name.clone(), doing: "read", source };
        got.map(|n| widen(n) == count).map_err(failed)
    }

    /// Reads a container's sections and one byte more. A wrong header or a missing part ends this without an error, which the
    /// reader of the container reports.
    fn sections(&mut self) -> Result<(), FormatError> {
        let declared = self.bytes.last_chunk::<4>().map_or(0, |n| u32::from_le_bytes(*n));
        if u64::from(declared) > MAX_SECTIONS || widen(self.bytes.len()) < HEAD {
            return Ok(());
        }
        for _ in 0..declared {
            if !self.more(SECTION_HEAD)? {
                return Ok(());
            }
            let size = self.bytes.last_chunk::<8>().map_or(0, |n| u64::from_le_bytes(*n));
            if widen(self.bytes.len()).saturating_add(size) > MOST_IN_MEMORY {
                return Err(self.too_large(MOST_IN_MEMORY, "what is not a file on disk"));
            }
            if !self.more(size)? {
                return Ok(());
            }
        }
        self.more(1).map(drop)
    }

    fn at_most(&self, most: u64, what: &'static str) -> Result<(), FormatError> {
        if widen(self.bytes.len()) > most { Err(self.too_large(most, what)) } else { Ok(()) }
    }

    fn too_large(&self, most: u64, what: &'static str) -> FormatError {
        FormatError::TooLarge { file: self.name.clone(), what, most }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that counts the bytes read from it.
    struct Counted<R>(R, u64);
    impl<R: Read> Read for Counted<R> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let n = self.0.read(into)?;
            self.1 += n as u64;
            Ok(n)
        }
    }

    /// Reads a stream; returns the result and the number of bytes taken from the stream.
    fn taken(from: impl Read) -> (Result<Vec<u8>, FormatError>, u64) {
        let mut from = Counted(from, 0);
        let got = read(&mut from, &std::path::Path::new("pipe").into());
        (got, from.1)
    }

    fn container(sizes: &[u64]) -> Vec<u8> {
        let mut bytes = b"r1cs\x01\0\0\0".to_vec();
        bytes.extend((sizes.len() as u32).to_le_bytes());
        for (i, size) in sizes.iter().enumerate() {
            bytes.extend((i as u32).to_le_bytes());
            bytes.extend(size.to_le_bytes());
            bytes.extend(vec![7; (*size).min(1000) as usize]);
        }
        bytes
    }

    #[test]
    fn streams_without_an_end_are_left_early() {
        for endless in [b"".as_slice(), b"y\n", b"\x7fELF", b"r1c"] {
            let (got, taken) = taken(endless.chain(io::repeat(0)));
            assert!(got.unwrap().len() < 64 && taken < 64, "{endless:?}");
        }
        let (got, count) = taken(container(&[100, 3]).chain(io::repeat(0)));
        assert_eq!(got.unwrap().len() as u64, 12 + 2 * 12 + 103 + 1);
        assert_eq!(count, 12 + 2 * 12 + 103 + 1, "one byte more");
        for endless in ["[".as_bytes(), b" \n\t", b"{\"pi_a\":"] {
            let (got, taken) = taken(endless.chain(io::repeat(b' ')));
            assert!(matches!(got, Err(FormatError::TooLarge { what: "JSON", .. })));
            assert!(taken <= MOST_JSON + 64);
        }
    }

    #[test]
    fn a_section_that_memory_cannot_hold_is_refused_before_it_is_read() {
        let (got, taken) = taken(container(&[5, 1 << 40]).chain(io::repeat(0)));
        assert!(matches!(got, Err(FormatError::TooLarge { most: MOST_IN_MEMORY, .. })), "{got:?}");
        assert!(taken < 64);
        let many = [b"zkey\x01\0\0\0".as_slice(), &u32::MAX.to_le_bytes()].concat();
        let (got, taken) = self::taken(many.chain(io::repeat(0)));
        assert_eq!((got.unwrap().len(), taken), (12, 12));
    }

    #[test]
    fn what_ends_is_read_whole() {
        for whole in [container(&[10, 0, 999]), b"[\"1\"]".to_vec(), b" {}\n".to_vec(), b"r".to_vec(), vec![]]
        {
            assert_eq!(taken(whole.as_slice()).0.unwrap(), whole);
        }
    }
}
