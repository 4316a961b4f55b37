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
    /// Maps a file. What cannot be mapped (a pipe, a device, an empty file) is read as far as a file of these formats
    /// can go, see `stream.rs`: an endless one costs neither memory nor time.
    ///
    /// A regular file should not change while it is open here: see the safety note in the source for what happens
    /// if it does.
    ///
    /// # Errors
    /// [`Io`](crate::FormatError::Io) when the file cannot be opened, mapped or read,
    /// [`TooLarge`](crate::FormatError::TooLarge) when what cannot be mapped is too large to be read.
    #[cfg(feature = "std")]
    pub fn open(path: impl AsRef<std::path::Path>) -> Result<Self, crate::FormatError> {
        let name = FileName::from(path.as_ref());
        let data = Data::Opened(map::open(&name)?);
        Ok(Self { name, data: Arc::new(data) })
    }

    /// Bytes that are already in memory, under the name that messages shall use.
    #[cfg(feature = "std")]
    pub fn from_vec(name: impl AsRef<std::path::Path>, bytes: Vec<u8>) -> Self {
        Self { name: name.as_ref().into(), data: Arc::new(Data::InMemory(bytes)) }
    }

    /// Bytes that are already in memory, under the name that messages shall use.
    #[cfg(not(feature = "std"))]
    pub fn from_vec(name: impl AsRef<str>, bytes: Vec<u8>) -> Self {
        Self { name: name.as_ref().into(), data: Arc::new(Data::InMemory(bytes)) }
    }

    /// Bytes that are already in memory and that nobody else shall see, such as a witness: they are wiped when the last clone
    /// is dropped.
    #[cfg(feature = "std")]
    pub fn from_secret(name: impl AsRef<std::path::Path>, bytes: Zeroizing<Vec<u8>>) -> Self {
        Self { name: name.as_ref().into(), data: Arc::new(Data::Secret(bytes)) }
    }

    /// The file's name.
    pub fn name(&self) -> &FileName {
        &self.name
    }

    /// Bytes from a place on, as many as `room` shall have: a part of those in memory, or what is read of a mapped file into
    /// `room`. So whoever goes through a file in small steps needs no more memory than for a step. `None` beyond the end.
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

    /// Reads bytes from a place on, so many, in place of what is in `out`; none beyond the end. As [`FileBytes::part`], it leaves
    /// no page of a mapped file in memory.
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

    /// Reads bytes of a mapped file without its map. False where that is not possible.
    #[cfg(feature = "std")]
    fn read_mapped(&self, start: usize, len: usize, out: &mut Vec<u8>) -> Result<bool, crate::FormatError> {
        let Data::Opened(file) = &*self.data else { return Ok(false) };
        out.resize(len, 0);
        let failed = |source| crate::FormatError::Io { file: self.name.clone(), doing: "read", source };
        file.read_at(crate::sizes::widen(start), out).map_err(failed)
    }

    /// A place in this file.
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
