//! The armour: strict lines of base64 between two marks (RFC 7468, as age has it).

use super::{AgeError, place};
use crate::FileName;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::io::{self, BufRead, Read, Write};
use std::vec::Vec;

const BEGIN: &[u8] = b"-----BEGIN AGE ENCRYPTED FILE-----";
const END: &[u8] = b"-----END AGE ENCRYPTED FILE-----";
/// Characters of a full line.
const COLUMNS: usize = 64;
/// Bytes of a full line.
const BYTES: usize = 48;
/// Most blanks before and after the marks.
const MOST_BLANKS: u64 = 1024;

/// The place of a reader.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the first mark.
    Before,
    /// Between the marks.
    Within,
    /// After a line that was not full: the second mark has to follow.
    Last,
    /// After the second mark.
    Done,
}

/// Takes bytes out of their armour.
pub(super) struct ArmorReader<R> {
    name: FileName,
    from: R,
    state: State,
    /// Offset of the next line.
    offset: u64,
    /// Bytes of the line before, and how many of them have been given away.
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

    /// The next line without its end, and its offset; one that is too long comes back cut.
    fn text(&mut self) -> io::Result<(u64, Vec<u8>)> {
        let at = self.offset;
        let mut text = Vec::new();
        // A line, a carriage return, a line feed, and one byte that is too many.
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

    /// Passes over blanks; whether a byte of another kind follows.
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

/// Puts bytes into an armour; [`Self::finish`] closes it.
pub(super) struct ArmorWriter<'a> {
    to: &'a mut dyn Write,
    /// Bytes that are not a full line yet.
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
