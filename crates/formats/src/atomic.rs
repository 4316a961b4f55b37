//! Output files that are complete or not there.

use crate::FormatError;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Writes a file under a temporary name in its folder, makes it durable and renames it: whoever looks at `path` sees
/// what was there before or the whole new file. When `write` fails, or the program stops, nothing appears (a stopped
/// program may leave the temporary file, whose name begins with that of the output and ends in `.tmp`). A symbolic
/// link is followed; a path that is a device or a pipe is written directly.
///
/// # Errors
/// What `write` returns, or [`FormatError::Io`] naming the file.
pub fn write_atomically<T>(
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut dyn Write) -> Result<T, FormatError>,
) -> Result<T, FormatError> {
    let path = path.as_ref();
    let name: Arc<Path> = path.into();
    let failed = |doing| {
        let file = name.clone();
        move |source| FormatError::Io { file, doing, source }
    };
    // What could not be written has no name yet.
    let named = |error| match error {
        FormatError::Write(source) => failed("write")(source),
        other => other,
    };
    let target = match fs::metadata(path) {
        Ok(about) if about.is_file() => fs::canonicalize(path).map_err(failed("resolve"))?,
        Ok(about) if about.is_dir() => {
            return Err(failed("write")(io::ErrorKind::IsADirectory.into()));
        }
        Ok(_) => {
            let file = OpenOptions::new().write(true).open(path).map_err(failed("open"))?;
            let mut out = BufWriter::new(file);
            let result = write(&mut out).map_err(named)?;
            out.flush().map_err(failed("write"))?;
            return Ok(result);
        }
        Err(_) => path.to_owned(),
    };
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let mut prefix = target.file_name().unwrap_or_default().to_owned();
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file: the process' mask is applied.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let temporary = builder.tempfile_in(&folder).map_err(failed("create"))?;
    let mut out = BufWriter::with_capacity(1 << 20, temporary);
    let result = write(&mut out).map_err(named)?;
    let temporary = out.into_inner().map_err(|e| failed("write")(e.into_error()))?;
    temporary.as_file().sync_all().map_err(failed("write"))?;
    temporary.persist(&target).map_err(|e| failed("rename")(e.error))?;
    // The rename itself becomes durable with the folder. Not every file system can do that, and the file is there.
    let _ = File::open(&folder).and_then(|folder| folder.sync_all());
    Ok(result)
}
