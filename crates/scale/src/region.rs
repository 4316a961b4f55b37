//! Reads and writes regions of files at fixed offsets.

use crate::digest::{Digest, Digester, PieceDigester};
use crate::{Region, ScaleError};
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// A file from which regions are read.
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    file: File,
}

impl Input {
    pub(crate) fn open(path: &Path) -> Result<Self, ScaleError> {
        let file = File::open(path).map_err(ScaleError::io(path, "open"))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Fills `out` with the bytes from an offset on.
    pub(crate) fn read(&self, offset: u64, out: &mut [u8]) -> Result<(), ScaleError> {
        match read_at(&self.file, offset, out) {
            Ok(()) => Ok(()),
            Err(why) if why.kind() == io::ErrorKind::UnexpectedEof => {
                let size = self.file.metadata().map_err(ScaleError::io(&self.path, "read"))?.len();
                Err(ScaleError::Truncated { path: self.path.clone(), offset, length: out.len() as u64, size })
            }
            Err(why) => Err(ScaleError::io(&self.path, "read")(why)),
        }
    }

    /// Reads a whole region, and checks its digest if it has one.
    pub(crate) fn read_region(&self, region: &Region) -> Result<Vec<u8>, ScaleError> {
        let mut bytes = Vec::new();
        self.steps(region, self.length(region)?.max(1), |_, read| {
            bytes.extend_from_slice(read);
            Ok(())
        })?;
        Ok(bytes)
    }

    /// Passes the bytes of a region to `each` in steps of a given length, with the offset of the step in the region. The digest
    /// is checked only at the end.
    pub(crate) fn steps(
        &self,
        region: &Region,
        step: usize,
        mut each: impl FnMut(u64, &[u8]) -> Result<(), ScaleError>,
    ) -> Result<(), ScaleError> {
        self.length(region)?;
        let (mut bytes, mut check, mut at) = (Vec::new(), Check::of(region), 0);
        while at < region.length {
            let length = (region.length - at).min(step as u64);
            bytes.resize(length as usize, 0);
            self.read(region.offset + at, &mut bytes)?;
            check.add(&bytes);
            each(at, &bytes)?;
            at += length;
        }
        if check.finish() == region.digest { Ok(()) } else { Err(self.damaged(region)) }
    }

    /// The length of a region, which is checked to lie within the file before memory is allocated for it.
    pub(crate) fn length(&self, region: &Region) -> Result<usize, ScaleError> {
        let size = self.file.metadata().map_err(ScaleError::io(&self.path, "read"))?.len();
        let (path, offset, length) = (self.path.clone(), region.offset, region.length);
        let inside = offset.checked_add(length).is_some_and(|end| end <= size);
        match usize::try_from(length) {
            Ok(length) if inside => Ok(length),
            _ => Err(ScaleError::Truncated { path, offset, length, size }),
        }
    }

    fn damaged(&self, region: &Region) -> ScaleError {
        ScaleError::Damaged { path: self.path.clone(), offset: region.offset, length: region.length }
    }
}

/// The check of a region's digest while it is read.
enum Check {
    /// The region has no digest.
    Nothing,
    /// The digest is that of the bytes.
    Whole(Digester),
    /// The digest is that of the digests of the pieces.
    Pieces(PieceDigester),
}

impl Check {
    fn of(region: &Region) -> Self {
        match (region.digest, region.piece) {
            (None, _) => Self::Nothing,
            (Some(_), None) => Self::Whole(Digester::default()),
            (Some(_), Some(piece)) => Self::Pieces(PieceDigester::new(piece)),
        }
    }
    fn add(&mut self, bytes: &[u8]) {
        match self {
            Self::Nothing => {}
            Self::Whole(all) => all.add(bytes),
            Self::Pieces(pieces) => pieces.add(bytes),
        }
    }
    fn finish(self) -> Option<Digest> {
        match self {
            Self::Nothing => None,
            Self::Whole(all) => Some(all.finish()),
            Self::Pieces(pieces) => Some(pieces.finish().iter().collect()),
        }
    }
}

/// A file to which regions are written, readable by its owner only. Other regions of the file stay unchanged.
pub(crate) struct Output {
    path: PathBuf,
    file: File,
}

impl Output {
    /// Opens a file, which is created if it does not exist.
    pub(crate) fn create(path: &Path) -> Result<Self, ScaleError> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path).map_err(ScaleError::io(path, "create"))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Opens an existing file.
    pub(crate) fn open(path: &Path) -> Result<Self, ScaleError> {
        let file = OpenOptions::new().write(true).open(path).map_err(ScaleError::io(path, "open"))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Writes bytes at an offset.
    pub(crate) fn write(&self, offset: u64, bytes: &[u8]) -> Result<(), ScaleError> {
        write_at(&self.file, offset, bytes).map_err(ScaleError::io(&self.path, "write"))
    }

    /// Waits until all written bytes are on the disk.
    pub(crate) fn sync(&self) -> Result<(), ScaleError> {
        self.file.sync_data().map_err(ScaleError::io(&self.path, "write"))
    }
}

#[cfg(unix)]
fn read_at(file: &File, offset: u64, out: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, out, offset)
}
#[cfg(unix)]
fn write_at(file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

/// For systems without positioned reads: reads are serialised, so that no other thread moves the file position.
#[cfg(not(unix))]
fn read_at(file: &File, offset: u64, out: &mut [u8]) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _one = ONE.lock();
    let mut file = file;
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(out)
}
#[cfg(not(unix))]
fn write_at(file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
    use std::io::{Seek, SeekFrom, Write};
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _one = ONE.lock();
    let mut file = file;
    file.seek(SeekFrom::Start(offset))?;
    file.write_all(bytes)
}
