//! The ASCII armour: strictly formatted base64 lines between a begin line and an end line (RFC 7468, restricted as in age's
//! specification).

use super::{AgeError, place};
use crate::FileName;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::io::{self, BufRead, Read, Write};
use std::vec::Vec;

const BEGIN: &[u8] = b"-----BEGIN AGE ENCRYPTED FILE-----";
const END: &[u8] = b"-----END AGE ENCRYPTED FILE-----";
/// Base64 characters of a full line.
const COLUMNS: usize = 64;
/// Bytes that a full line encodes.
const BYTES: usize = 48;
/// Largest number of whitespace bytes that are accepted before the begin line, and again after the end line.
const MOST_BLANKS: u64 = 1024;

/// The part of the armour that a reader has reached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the begin line.
    Before,
    /// Between the begin line and the end line.
    Within,
    /// After a line that was not full: the end line has to follow.
    Last,
    /// After the end line.
    Done,
}

/// A reader that decodes an armour and gives the bytes in it.
pub(super) struct ArmorReader<R> {
    name: FileName,
    from: R,
    state: State,
    /// Offset of the next line in the file, in bytes.
    offset: u64,
    /// Decoded bytes of the last line, and how many of them the caller has consumed.
    line: Vec<u8>,
    given: usize,
}

impl<R: BufRead> ArmorReader<R> {
    pub(super) fn new(name: FileName, from: R) -> Self {
        Self { name, from, state: State::Before, offset: 0, line: Vec::new(), given: 0 }
    }

    fn wrong(&self, at: u64, expected: &'static str) -> io::Error {
        io::Error::other(AgeError::Line { at: place(&self.name, at), expected })
    }

    /// The next line without its line ending, and its offset; a line that is too long comes back truncated.
    fn text(&mut self) -> io::Result<(u64, Vec<u8>)> {
        let at = self.offset;
        let mut text = Vec::new();
        // A full line, a carriage return, a line feed, and one byte more, by which an overlong line is noticed.
        let most = super::count(COLUMNS).saturating_add(3);
        let read = self.from.by_ref().take(most).read_until(b'\n', &mut text)?;
        if read == 0 {
            let expected = "the end of the armour";
            return Err(io::Error::other(AgeError::Ends { at: place(&self.name, at), expected }));
        }
        self.offset = at.saturating_add(super::count(read));
        if text.pop_if(|last| *last == b'\n').is_some() {
            text.pop_if(|last| *last == b'\r');
        }
        Ok((at, text))
    }

    /// Skips whitespace; returns whether a byte of another kind follows.
    fn blanks(&mut self) -> io::Result<bool> {
        let mut passed = 0u64;
        loop {
            match self.from.fill_buf()?.first() {
                None => return Ok(false),
                Some(byte) if !byte.is_ascii_whitespace() => return Ok(true),
                Some(_) => {
                    self.from.consume(1);
                    self.offset = self.offset.saturating_add(1);
                    passed = passed.saturating_add(1);
                }
            }
            if passed > MOST_BLANKS {
                return Err(self.wrong(self.offset, "no more blanks around the armour than 1024"));
            }
        }
    }

    /// Decodes the next line, if there is one.
    fn advance(&mut self) -> io::Result<()> {
        if self.state == State::Before {
            self.blanks()?;
            let (at, text) = self.text()?;
            if text != BEGIN {
                return Err(self.wrong(at, "\"-----BEGIN AGE ENCRYPTED FILE-----\""));
            }
            self.state = State::Within;
        }
        let (at, text) = self.text()?;
        if text == END {
            if self.blanks()? {
                return Err(self.wrong(self.offset, "nothing after the armour"));
            }
            self.state = State::Done;
            return Ok(());
        }
        if self.state == State::Last {
            return Err(self.wrong(at, "\"-----END AGE ENCRYPTED FILE-----\" after a line that is not full"));
        }
        let expected = "64 characters of canonical base64, or fewer in the last line";
        if text.is_empty() || text.len() > COLUMNS {
            return Err(self.wrong(at, expected));
        }
        self.line = STANDARD.decode(&text).map_err(|_| self.wrong(at, expected))?;
        self.given = 0;
        if self.line.len() < BYTES {
            self.state = State::Last;
        }
        Ok(())
    }
}

impl<R: BufRead> Read for ArmorReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut written = 0usize;
        while written < out.len() {
            let held = self.line.get(self.given..).unwrap_or_default();
            if held.is_empty() {
                if self.state == State::Done {
                    break;
                }
                self.advance()?;
                continue;
            }
            let room = out.get_mut(written..).unwrap_or_default();
            let n = held.len().min(room.len());
            room.iter_mut().zip(held).for_each(|(to, from)| *to = *from);
            self.given = self.given.saturating_add(n);
            written = written.saturating_add(n);
        }
        Ok(written)
    }
}

/// A writer that encodes bytes as an armour; [`Self::finish`] writes the last line and the end line.
pub(super) struct ArmorWriter<'a> {
    to: &'a mut dyn Write,
    /// Bytes that do not fill a line yet.
    held: Vec<u8>,
}

impl<'a> ArmorWriter<'a> {
    pub(super) fn new(to: &'a mut dyn Write) -> io::Result<Self> {
        to.write_all(BEGIN)?;
        to.write_all(b"\n")?;
        Ok(Self { to, held: Vec::new() })
    }

    fn line(to: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
        to.write_all(STANDARD.encode(bytes).as_bytes())?;
        to.write_all(b"\n")
    }

    pub(super) fn finish(self) -> io::Result<()> {
        if !self.held.is_empty() {
            Self::line(self.to, &self.held)?;
        }
        self.to.write_all(END)?;
        self.to.write_all(b"\n")
    }
}

impl Write for ArmorWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        let (lines, rest) = self.held.as_chunks::<BYTES>();
        for line in lines {
            Self::line(self.to, line)?;
        }
        self.held = rest.to_vec();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
