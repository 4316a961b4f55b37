//! A reader that goes through a section in windows, so that a mapped file takes only the memory of one window.

use crate::container::{Section, widen};
use crate::{FilePlace, FormatError};
use alloc::vec::Vec;

/// Length of a window in bytes, unless the caller asks for more at once.
const WINDOW: usize = 1 << 18;

/// A reader like [`crate::container::Cursor`] that does not hold a slice of the whole section.
pub(crate) struct Window<'a> {
    section: &'a Section,
    /// The bytes of the section from `start` on that have been read.
    bytes: Vec<u8>,
    start: usize,
    /// Offset of the next byte in the section.
    position: usize,
}

impl<'a> Window<'a> {
    pub(crate) fn new(section: &'a Section) -> Self {
        Self { section, bytes: Vec::new(), start: 0, position: 0 }
    }

    /// Offset of the next byte in the section.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Number of bytes that are not consumed yet.
    pub(crate) fn left(&self) -> usize {
        usize::try_from(self.section.size()).unwrap_or(usize::MAX).saturating_sub(self.position)
    }

    pub(crate) fn place(&self) -> FilePlace {
        self.section.place(self.position)
    }

    /// Consumes the next `len` bytes.
    pub(crate) fn take(&mut self, len: usize, what: &'static str) -> Result<&[u8], FormatError> {
        let left = self.left();
        let truncated = || FormatError::Truncated {
            at: self.section.place(self.position),
            what,
            needed: widen(len),
            left: widen(left),
        };
        if len > left {
            return Err(truncated());
        }
        let at = self.position.saturating_sub(self.start);
        let at = if at.saturating_add(len) <= self.bytes.len() {
            at
        } else {
            self.section.read_into(self.position, len.max(WINDOW.min(left)), &mut self.bytes)?;
            self.start = self.position;
            0
        };
        let taken = self.bytes.get(at..).and_then(|rest| rest.get(..len)).ok_or_else(truncated)?;
        self.position = self.position.saturating_add(len);
        Ok(taken)
    }

    pub(crate) fn u32(&mut self, what: &'static str) -> Result<u32, FormatError> {
        // `take` returns as many bytes as were asked for, so the default is never used.
        let bytes = self.take(4, what)?;
        Ok(u32::from_le_bytes(bytes.first_chunk().copied().unwrap_or_default()))
    }
}
