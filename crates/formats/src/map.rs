//! The bytes of a file: mapped, or in memory. The one place of this crate with `unsafe`.

use crate::{FilePlace, FormatError, Spot, stream};
use core::fmt;
use core::ops::Deref;
use memmap2::Mmap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// The bytes of a file and its name; clones share them.
#[derive(Clone)]
pub struct FileBytes {
    name: Arc<Path>,
    data: Arc<Data>,
}

enum Data {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl FileBytes {
    /// Maps a file. What cannot be mapped (a pipe, a device, an empty file) is read as far as a file of these formats
    /// can go, see `stream.rs`: an endless one costs neither memory nor time.
    ///
    /// A regular file should not change while it is open here: see the safety note in the source for what happens
    /// if it does.
    ///
    /// # Errors
    /// [`FormatError::Io`] when the file cannot be opened, mapped or read, [`FormatError::TooLarge`] when what cannot be
    /// mapped is too large to be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        let name: Arc<Path> = path.as_ref().into();
        let failed = |doing| {
            let file = name.clone();
            move |source| FormatError::Io { file, doing, source }
        };
        let mut file = File::open(&name).map_err(failed("open"))?;
        let about = file.metadata().map_err(failed("read"))?;
        let data = if about.is_file() && about.len() > 0 {
            Data::Mapped(map(&file).map_err(failed("map"))?)
        } else {
            Data::Owned(stream::read(&mut file, &name)?)
        };
        Ok(Self { name, data: Arc::new(data) })
    }

    /// Bytes that are already in memory, under the name that messages shall use.
    pub fn from_vec(name: impl AsRef<Path>, bytes: Vec<u8>) -> Self {
        Self { name: name.as_ref().into(), data: Arc::new(Data::Owned(bytes)) }
    }

    /// The file's name.
    pub fn name(&self) -> &Arc<Path> {
        &self.name
    }

    /// A place in this file.
    pub(crate) fn place(&self, spot: Spot) -> FilePlace {
        FilePlace { file: self.name.clone(), spot }
    }
}

#[allow(unsafe_code)]
fn map(file: &File) -> std::io::Result<Mmap> {
    // SAFETY: the map is private and read-only, so nothing of ours writes to it. Somebody else may still write to the
    // file or cut it short while it is mapped. If they write, bytes may differ between two reads: every reader in
    // this crate copies a value out of the map first, validates the copy and uses only the copy, and takes lengths and
    // ranges from the index made at opening, never from a second look at the map; so the result is a wrong value (a
    // proof that does not verify) or an error, not an access out of bounds. If they cut it, touching a page that is
    // gone stops the process with a bus error: no wrong memory is read. No reference to the map is turned into a type
    // for which some bit patterns are invalid: it is only ever `[u8]`.
    unsafe { memmap2::MmapOptions::new().map_copy_read_only(file) }
}

impl Deref for FileBytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match &*self.data {
            Data::Mapped(map) => map,
            Data::Owned(bytes) => bytes,
        }
    }
}

impl fmt::Debug for FileBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FileBytes({}, {} bytes)", self.name.display(), self.len())
    }
}
