//! Sections of keys, of which machines keep copies between proofs.

use crate::{Buf, Copies, Source, SourceError};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

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
    pub fn buf(&self, elements: impl Into<Buf<T>>) -> Buf<T> {
        elements.into().with_copies(self.copies.clone())
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
