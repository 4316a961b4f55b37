//! Operands that are decoded when they are needed: sources, and sections of keys.

use crate::{Buf, Copies};
use core::fmt;
use core::ops::Range;
use std::error::Error;

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

/// A part of a key: a source, and the copies that machines keep of it from one proof to the next.
pub struct KeySection<T> {
    source: Box<dyn Source<T>>,
    copies: Copies,
}

impl<T> KeySection<T> {
    /// A section that no machine has a copy of.
    pub fn new(source: impl Source<T> + 'static) -> Self {
        Self { source: Box::new(source), copies: Copies::default() }
    }
    /// Its elements, once decoded, as a buffer that shares the machines' copies with every other one.
    pub fn buf(&self, elements: Vec<T>) -> Buf<T> {
        Buf::with_copies(elements, self.copies.clone())
    }
    /// Appends the elements of `range` to `out`.
    ///
    /// # Errors
    /// As [`Source::read`].
    pub fn read(&self, range: Range<usize>, out: &mut Vec<T>) -> Result<(), SourceError> {
        self.source.read(range, out)
    }
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.source.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.source.is_empty()
    }
}

impl<T> AsRef<dyn Source<T>> for KeySection<T> {
    fn as_ref(&self) -> &(dyn Source<T> + 'static) {
        &*self.source
    }
}
