//! Output files that appear only when they are complete.

use crate::{FileName, FormatError};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempPath;

/// Who may read an output file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Readers {
    /// Everyone whom the process' file mask and the permissions of the replaced file allow.
    Usual,
    /// Only the owner.
    Owner,
}

/// The temporary files of writes in progress, for [`remove_unfinished`].
struct Unfinished {
    files: BTreeSet<PathBuf>,
    /// Whether new writes are refused.
    stopped: bool,
}

static UNFINISHED: Mutex<Unfinished> = Mutex::new(Unfinished { files: BTreeSet::new(), stopped: false });

/// A panic while the list was locked cannot have left it half changed.
fn unfinished() -> MutexGuard<'static, Unfinished> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all writes in progress and makes every later write to a file fail. A program calls this when
/// it receives a signal to stop, and then exits.
pub fn remove_unfinished() {
    let mut list = unfinished();
    list.stopped = true;
    for path in &list.files {
        // The file may already have been renamed to its final name, so the error is ignored.
        let _ = fs::remove_file(path);
    }
}

/// The entry of a temporary file in the list, which is removed when this is dropped.
struct Listed(PathBuf);

impl Drop for Listed {
    fn drop(&mut self) {
        unfinished().files.remove(&self.0);
    }
}

/// Writes a file under a temporary name in its folder, syncs it to storage and renames it, so that a reader of `path` sees
/// either the previous file or the complete new one. When `write` fails, no file appears and the temporary file is removed; a
/// program that is told to stop calls [`remove_unfinished`]. (A killed program may leave the temporary file, whose name begins
/// with that of the output and ends in `.tmp`.) The new file takes over the permissions of a file that it replaces. A symbolic
/// link is followed; a path that is a device, a pipe or an open descriptor (`/dev/fd/3`) is written directly.
///
/// # Errors
/// The error that `write` returns, or [`FormatError::Io`] naming the file.
pub fn write_atomically<T>(
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut dyn Write) -> Result<T, FormatError>,
) -> Result<T, FormatError> {
    written(Readers::Usual, path.as_ref(), write)
}

/// [`write_atomically`] for files that may be secret, such as witnesses and keys: on Unix only the owner can read the file
/// (mode 0600), and a stricter mode of a replaced file is kept.
///
/// # Errors
/// As [`write_atomically`].
pub fn write_private<T>(
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut dyn Write) -> Result<T, FormatError>,
) -> Result<T, FormatError> {
    written(Readers::Owner, path.as_ref(), write)
}

/// [`write_for`] with the value that `write` returns. `write_for` is not generic, so it is compiled once rather than for every
/// closure.
fn written<T>(
    readers: Readers,
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, FormatError>,
) -> Result<T, FormatError> {
    let (mut write, mut result) = (Some(write), None);
    write_for(readers, path, &mut |out| {
        result = write.take().map(|write| write(out)).transpose()?;
        Ok(())
    })?;
    result.ok_or_else(|| FormatError::Write(io::Error::other("nothing was written")))
}

fn write_for(
    readers: Readers,
    path: &Path,
    write: &mut dyn FnMut(&mut dyn Write) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    let name = FileName::from(path);
    let failed = |doing| {
        let file = name.clone();
        move |source| FormatError::Io { file, doing, source }
    };
    // A write error does not carry the file's name yet; it is added here.
    let named = |error| match error {
        FormatError::Write(source) => failed("write")(source),
        other => other,
    };
    let before = match fs::metadata(path) {
        Ok(about) if about.is_dir() => return Err(failed("write")(io::ErrorKind::IsADirectory.into())),
        Ok(about) if about.is_file() && !is_descriptor(path) => Some(about.permissions()),
        Ok(_) => {
            let file = OpenOptions::new().append(true).open(path).map_err(failed("open"))?;
            let mut out = BufWriter::new(file);
            write(&mut out).map_err(named)?;
            return out.flush().map_err(failed("write"));
        }
        Err(_) => None,
    };
    let target = match before {
        Some(_) => fs::canonicalize(path).map_err(failed("resolve"))?,
        None => path.to_owned(),
    };
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let (listed, file, temporary) = create(readers, &target, &folder).map_err(failed("create"))?;
    if let Some(before) = before {
        hand_down(readers, &file, before).map_err(failed("set the mode of"))?;
    }
    let mut out = BufWriter::with_capacity(1 << 20, file);
    write(&mut out).map_err(named)?;
    let file = out.into_inner().map_err(|e| failed("write")(e.into_error()))?;
    file.sync_all().map_err(failed("write"))?;
    temporary.persist(&target).map_err(|e| failed("rename")(e.error))?;
    drop(listed);
    // The rename becomes durable when the folder is synced. Some file systems cannot do that; the file exists all the same.
    let _ = File::open(&folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Makes a temporary file beside its target and lists it before it is returned, so that it can be removed at any moment.
fn create(readers: Readers, target: &Path, folder: &Path) -> io::Result<(Listed, File, TempPath)> {
    let mut prefix = target.file_name().unwrap_or_default().to_owned();
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The mode of any new file; the system applies the process' mask to it.
        let mode = if readers == Readers::Owner { 0o600 } else { 0o666 };
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    let mut list = unfinished();
    if list.stopped {
        return Err(io::Error::other("the program was told to stop"));
    }
    let (file, path) = builder.tempfile_in(folder)?.into_parts();
    list.files.insert(path.to_path_buf());
    let listed = Listed(path.to_path_buf());
    Ok((listed, file, path))
}

/// Gives a file the permissions of the file that it replaces; for [`Readers::Owner`] no permissions of others are taken over.
fn hand_down(readers: Readers, file: &File, before: fs::Permissions) -> io::Result<()> {
    #[cfg(unix)]
    let before = {
        use std::os::unix::fs::PermissionsExt;
        let most = if readers == Readers::Owner { 0o600 } else { 0o777 };
        fs::Permissions::from_mode(before.mode() & most)
    };
    #[cfg(not(unix))]
    let _ = readers;
    file.set_permissions(before)
}

/// Whether a path names an open descriptor of this process rather than a file of its own. The file behind a descriptor belongs
/// to whoever opened it and must not be replaced while it is in use.
fn is_descriptor(path: &Path) -> bool {
    ["/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd", "/proc/self/fd"]
        .iter()
        .any(|name| path.starts_with(name))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn secrets_are_their_owners_and_replaced_files_hand_down_their_mode() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let write = |bytes: &'static [u8]| move |out: &mut dyn Write| Ok(out.write_all(bytes)?);
        write_private(&path, write(b"secret")).unwrap();
        assert_eq!(mode(&path), 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        write_atomically(&path, write(b"public")).unwrap();
        assert_eq!(mode(&path), 0o644, "as it was");
        write_private(&path, write(b"secret")).unwrap();
        assert_eq!(mode(&path), 0o600, "no looser than a new one");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
        write_private(&path, write(b"secret")).unwrap();
        assert_eq!(mode(&path), 0o400, "stricter stays");
        assert_eq!(fs::read(&path).unwrap(), b"secret");
    }

    #[test]
    fn a_file_under_way_is_listed_and_leaves_the_list() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let listed = || unfinished().files.iter().any(|p| p.starts_with(folder.path()));
        let seen = write_atomically(&path, |_| Ok(listed())).unwrap();
        assert!(seen && !listed());
        let fails = write_atomically(&path, |_| Err::<(), _>(io::Error::other("no").into()));
        assert!(fails.is_err() && !listed());
        let files = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(files, 1, "only the first");
    }

    #[test]
    fn descriptors_are_not_files() {
        assert!(is_descriptor(Path::new("/dev/stdout")) && is_descriptor(Path::new("/dev/fd/1")));
        assert!(!is_descriptor(Path::new("/dev/stdout2")) && !is_descriptor(Path::new("proof.json")));
    }
}
