//! Opens files: memory-mapped where possible, otherwise read into memory. The only module of this crate with `unsafe`.

use crate::{FileName, FormatError, stream};
use alloc::vec::Vec;
use core::ops::Deref;
use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::path::Path;

/// The bytes of a file that was opened.
pub(crate) enum Opened {
    /// The map, and the file itself, from which longer ranges are read.
    Mapped(Mmap, File),
    Read(Vec<u8>),
}

impl Opened {
    /// Fills `out` with bytes from offset `start` on by reading the file instead of touching the map, whose pages would stay in
    /// memory. Returns false where the system cannot read at an offset or the bytes are not mapped: the caller then copies them
    /// from the slice.
    pub(crate) fn read_at(&self, start: u64, out: &mut [u8]) -> io::Result<bool> {
        #[cfg(unix)]
        if let Self::Mapped(_, file) = self {
            use std::os::unix::fs::FileExt;
            return file.read_exact_at(out, start).map(|()| true);
        }
        #[cfg(not(unix))]
        let _ = (start, out);
        Ok(false)
    }
}

impl Deref for Opened {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map, _) => map,
            Self::Read(bytes) => bytes,
        }
    }
}

/// The bytes of a file; see [`FileBytes::open`](crate::FileBytes::open).
pub(crate) fn open(name: &FileName) -> Result<Opened, FormatError> {
    let failed = |doing| {
        let file = name.clone();
        move |source| FormatError::Io { file, doing, source }
    };
    let mut file = open_input(name.as_path()).map_err(failed("open"))?;
    let about = file.metadata().map_err(failed("read"))?;
    if about.is_file() && about.len() > 0 {
        let map = map(&file).map_err(failed("map"))?;
        Ok(Opened::Mapped(map, file))
    } else {
        Ok(Opened::Read(stream::read(&mut file, name)?))
    }
}

/// Opens a file. The names of standard input are mapped to the open descriptor itself: a parent process may pass a socket,
/// which cannot be opened by name.
fn open_input(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    if ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].iter().any(|name| path == Path::new(name)) {
        use std::os::fd::AsFd;
        return Ok(io::stdin().as_fd().try_clone_to_owned()?.into());
    }
    File::open(path)
}

#[allow(unsafe_code)]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is private and read-only, so nothing of ours writes to it. Somebody else may still write to the
    // file or cut it short while it is mapped. If they write, bytes may differ between two reads: every reader in
    // this crate copies a value out of the map first, validates the copy and uses only the copy, and takes lengths and
    // ranges from the index made at opening, never from a second look at the map; so the result is a wrong value (a
    // proof that does not verify) or an error, not an access out of bounds. If they cut it, touching a page that is
    // gone stops the process with a bus error: no wrong memory is read. No reference to the map is turned into a type
    // for which some bit patterns are invalid: it is only ever `[u8]`.
    unsafe { memmap2::MmapOptions::new().map_copy_read_only(file) }
}
