//! The names of files in error messages.

use alloc::sync::Arc;
use core::fmt;
#[cfg(feature = "std")]
use std::path::Path;

/// The name of a file in error messages; clones share it. With the feature `std` it is a path, otherwise any text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileName(#[cfg(feature = "std")] Arc<Path>, #[cfg(not(feature = "std"))] Arc<str>);

#[cfg(feature = "std")]
impl FileName {
    /// The path that the file was opened by.
    pub fn as_path(&self) -> &Path {
        &self.0
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(feature = "std")]
        return self.0.display().fmt(f);
        #[cfg(not(feature = "std"))]
        return self.0.fmt(f);
    }
}

#[cfg(feature = "std")]
impl From<&Path> for FileName {
    fn from(path: &Path) -> Self {
        Self(path.into())
    }
}

#[cfg(not(feature = "std"))]
impl From<&str> for FileName {
    fn from(name: &str) -> Self {
        Self(name.into())
    }
}
