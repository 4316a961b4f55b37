//! Where operands live: [`Buf`], a host vector that devices may attach copies to; [`View`], a part of one; and
//! [`Source`], operands that are still in a file.

use core::fmt;
use core::ops::{Bound, Deref, DerefMut, Range, RangeBounds};
use std::error::Error;

/// An operand of operators: a host vector.
///
/// Devices with their own memory attach copies to it; the host's copy is the truth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Buf<T> {
    host: Vec<T>,
}

impl<T> Buf<T> {
    /// The whole buffer as a view.
    pub fn view(&self) -> View<'_, T> {
        View { buf: self, range: 0..self.host.len() }
    }
    /// Part of the buffer as a view.
    ///
    /// # Panics
    /// If the range does not lie within the buffer, as slicing does.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> View<'_, T> {
        let start = match range.start_bound() {
            Bound::Included(&s) => s,
            Bound::Excluded(&s) => s + 1,
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&e) => e + 1,
            Bound::Excluded(&e) => e,
            Bound::Unbounded => self.host.len(),
        };
        assert!(start <= end && end <= self.host.len(), "a view lies within its buffer");
        View { buf: self, range: start..end }
    }
    /// The host vector.
    pub fn into_vec(self) -> Vec<T> {
        self.host
    }
}

impl<T> From<Vec<T>> for Buf<T> {
    fn from(host: Vec<T>) -> Self {
        Self { host }
    }
}
impl<T> FromIterator<T> for Buf<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
        Self { host: iter.into_iter().collect() }
    }
}
impl<T> AsRef<[T]> for Buf<T> {
    fn as_ref(&self) -> &[T] {
        &self.host
    }
}
impl<T> Deref for Buf<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.host
    }
}
impl<T> DerefMut for Buf<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.host
    }
}

/// A contiguous part of a [`Buf`]; reads as a slice.
#[derive(Debug)]
pub struct View<'a, T> {
    buf: &'a Buf<T>,
    range: Range<usize>,
}

impl<'a, T> View<'a, T> {
    /// The buffer this is a part of: what a device keys its copies by.
    pub fn buf(&self) -> &'a Buf<T> {
        self.buf
    }
    /// Which part.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }
    /// The elements, for as long as the buffer lives.
    pub fn as_slice(&self) -> &'a [T] {
        &self.buf.host[self.range.clone()]
    }
}
impl<T> Clone for View<'_, T> {
    fn clone(&self) -> Self {
        Self { buf: self.buf, range: self.range.clone() }
    }
}
impl<T> Deref for View<'_, T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.buf.host[self.range.clone()]
    }
}

/// A sequence that is decoded when it is asked for: a section of a mapped file, or a vector.
///
/// Keys hold their points as sources, so that opening a key costs no copy of it.
pub trait Source<T>: Send + Sync {
    /// Number of elements.
    fn len(&self) -> usize;
    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Appends the elements of `range` to `out`.
    ///
    /// # Errors
    /// When the bytes are not valid elements; the error says where.
    fn read(&self, range: Range<usize>, out: &mut Vec<T>) -> Result<(), SourceError>;
}

impl<T: Clone + Send + Sync> Source<T> for Vec<T> {
    fn len(&self) -> usize {
        Vec::len(self)
    }
    fn read(&self, range: Range<usize>, out: &mut Vec<T>) -> Result<(), SourceError> {
        out.extend_from_slice(&self[range]);
        Ok(())
    }
}

/// Why a source could not be read: the typed error of whoever owns the bytes.
#[derive(Debug)]
pub struct SourceError(pub Box<dyn Error + Send + Sync>);

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
impl Error for SourceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}
