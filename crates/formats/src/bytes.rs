//! The bytes of a file and its name.

#[cfg(feature = "std")]
use crate::map;
use crate::{FileName, FilePlace, Spot};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;
#[cfg(feature = "std")]
use zeroize::Zeroizing;

/// The bytes of a file and its name; clones share them.
#[derive(Clone)]
pub struct FileBytes {
    name: FileName,
    data: Arc<Data>,
}

enum Data {
    #[cfg(feature = "std")]
    Opened(map::Opened),
    InMemory(Vec<u8>),
    #[cfg(feature = "std")]
    Secret(Zeroizing<Vec<u8>>),
}

impl FileBytes {
    /// Maps a file. An input that cannot be mapped (a pipe, a device, an empty file) is read into memory up to the largest size
    /// that its format allows, see `stream.rs`: an endless stream costs neither memory nor time.
    ///
    /// A regular file should not change while it is open: see the safety note in the source for what happens if it does.
    ///
    /// # Errors
    /// [`Io`](crate::FormatError::Io) when the file cannot be opened, mapped or read,
    /// [`TooLarge`](crate::FormatError::TooLarge) when an input that cannot be mapped is too large to be read.
    #[cfg(feature = "std")]
    pub fn open(path: impl AsRef<std::path::Path>) -> Result<Self, crate::FormatError> {
        let name = FileName::from(path.as_ref());
        let data = Data::Opened(map::open(&name)?);
        Ok(Self { name, data: Arc::new(data) })
    }

    /// Wraps bytes that are already in memory; `name` is the file name for error messages.
    #[cfg(feature = "std")]
    pub fn from_vec(name: impl AsRef<std::path::Path>, bytes: Vec<u8>) -> Self {
        Self { name: name.as_ref().into(), data: Arc::new(Data::InMemory(bytes)) }
    }

    /// Wraps bytes that are already in memory; `name` is the file name for error messages.
    #[cfg(not(feature = "std"))]
    pub fn from_vec(name: impl AsRef<str>, bytes: Vec<u8>) -> Self {
        Self { name: name.as_ref().into(), data: Arc::new(Data::InMemory(bytes)) }
    }

    /// Wraps secret bytes that are already in memory, such as a witness: they are wiped when the last clone is dropped.
    #[cfg(feature = "std")]
    pub fn from_secret(name: impl AsRef<std::path::Path>, bytes: Zeroizing<Vec<u8>>) -> Self {
        Self { name: name.as_ref().into(), data: Arc::new(Data::Secret(bytes)) }
    }

    /// The file's name.
    pub fn name(&self) -> &FileName {
        &self.name
    }

    /// Bytes from an offset on: a slice of the bytes in memory, or bytes of a mapped file that are read into `room`, so that
    /// reading a file in small steps takes only the memory of one step. `None` if the range ends beyond the file.
    ///
    /// # Errors
    /// [`Io`](crate::FormatError::Io) when the file cannot be read.
    #[cfg(feature = "std")]
    pub(crate) fn part<'a>(
        &'a self,
        start: usize,
        len: usize,
        room: &'a mut Vec<u8>,
    ) -> Result<Option<&'a [u8]>, crate::FormatError> {
        let bytes = self.get(start..).and_then(|rest| rest.get(..len));
        if bytes.is_some() && self.read_mapped(start, len, room)? {
            return Ok(Some(room));
        }
        Ok(bytes)
    }

    /// Replaces the contents of `out` with `len` bytes from offset `start` on, or with none if the range ends beyond the file.
    /// Like [`FileBytes::part`], it leaves no page of a mapped file in memory.
    ///
    /// # Errors
    /// [`Io`](crate::FormatError::Io) when the file cannot be read.
    #[cfg(feature = "std")]
    pub(crate) fn read_into(
        &self,
        start: usize,
        len: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), crate::FormatError> {
        let bytes = self.get(start..).and_then(|rest| rest.get(..len)).unwrap_or_default();
        if !self.read_mapped(start, bytes.len(), out)? {
            out.clear();
            out.extend_from_slice(bytes);
        }
        Ok(())
    }

    /// Reads bytes of a mapped file from the file rather than from the map. Returns false where that is not possible.
    #[cfg(feature = "std")]
    fn read_mapped(&self, start: usize, len: usize, out: &mut Vec<u8>) -> Result<bool, crate::FormatError> {
        let Data::Opened(file) = &*self.data else { return Ok(false) };
        out.resize(len, 0);
        let failed = |source| crate::FormatError::Io { file: self.name.clone(), doing: "read", source };
        file.read_at(crate::sizes::widen(start), out).map_err(failed)
    }

    /// The given position in this file, for an error.
    pub(crate) fn place(&self, spot: Spot) -> FilePlace {
        FilePlace { file: self.name.clone(), spot }
    }
}

impl Deref for FileBytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match &*self.data {
            #[cfg(feature = "std")]
            Data::Opened(file) => file,
            Data::InMemory(bytes) => bytes,
            #[cfg(feature = "std")]
            Data::Secret(bytes) => bytes,
        }
    }
}

impl fmt::Debug for FileBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FileBytes({}, {} bytes)", self.name, self.len())
    }
}
