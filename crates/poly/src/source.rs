//! Operands that are decoded when they are needed.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::ops::Range;

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
