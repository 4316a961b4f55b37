//! Operands that are decoded on demand.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::ops::Range;

/// A sequence whose elements are decoded on demand: a section of a mapped file, or a vector.
///
/// Keys hold their points as sources, so that opening a key does not copy it.
pub trait Source<T>: Send + Sync {
    /// Number of elements.
    fn len(&self) -> usize;
    /// Whether there are no elements.
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

/// The error of a source that could not be read: the typed error of the owner of its bytes.
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
