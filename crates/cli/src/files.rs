//! Reading and writing of files: reads are bounded in size, a file is written as a whole or not at all, and no file is used in two
//! roles.

use crate::args::{Files, Protocol, STANDARD_INPUT};
use crate::failure::{ArgumentError, Failure};
use crate::output::StandardOutput;
use crate::signals::TemporaryFolder;
use pairwright::formats::{CurveId, FileBytes, FormatError, probe, write_atomically, write_private};
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The largest size of a text file in bytes: a program, a design or a list of proofs.
const MOST_TEXT: u64 = 64 << 20;

/// Reads a text file, of no more than [`MOST_TEXT`] bytes.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    let bytes = read_bytes(path, MOST_TEXT, "a text")?;
    str::from_utf8(&bytes).map(str::to_owned).map_err(|_| {
        let why = io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8");
        Failure::File { path: path.to_owned(), why }
    })
}

/// Opens a file and returns its contents with the curve that it names.
pub(crate) fn open(path: &Path) -> Result<(FileBytes, CurveId), Failure> {
    let (file, curve, _) = open_of_protocol(path)?;
    Ok((file, curve))
}

/// Opens a file and returns its contents with the curve and the protocol that it names.
pub(crate) fn open_of_protocol(path: &Path) -> Result<(FileBytes, CurveId, Protocol), Failure> {
    let file = FileBytes::open(path)?;
    let probe = probe(&file)?;
    Ok((file, probe.curve()?, Protocol::of(&probe)))
}

/// Makes a folder and its parent folders, where they do not exist.
pub(crate) fn make_folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|why| Failure::File { path: path.to_owned(), why })
}

/// The largest size of a secret in bytes: a key, a seed, a password or a keystore.
pub(crate) const MOST_SECRET: u64 = 1 << 20;
/// The largest size in bytes of a message that is signed or hashed.
pub(crate) const MOST_MESSAGE: u64 = 64 << 20;

/// Reads a file of at most `most` bytes into memory that is wiped when it is dropped; `what` names the file's kind in errors.
pub(crate) fn read_bytes(path: &Path, most: u64, what: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let failed = |why| Failure::File { path: path.to_owned(), why };
    let file = File::open(path).map_err(failed)?;
    let known = file.metadata().map_err(failed)?;
    let too_large = || {
        let why = format!("more than {most} bytes: too large for {what}");
        failed(io::Error::new(io::ErrorKind::FileTooLarge, why))
    };
    if known.is_file() && known.len() > most {
        return Err(too_large());
    }
    // The buffer holds the whole secret from the start, so that it never grows and leaves copies behind.
    let room = if known.is_file() { known.len() } else { most.min(MOST_SECRET) };
    let mut bytes = Zeroizing::new(Vec::with_capacity(room as usize + 64));
    let got = file.take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
    if got as u64 > most { Err(too_large()) } else { Ok(bytes) }
}

/// Writes a file as a whole or not at all; to standard output, if that is its name.
pub(crate) fn write<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, FormatError>,
) -> Result<T, Failure> {
    if is_standard_output(path) { to_standard_output(write) } else { Ok(write_atomically(path, write)?) }
}

/// [`write()`] for files that only their owner may read: witnesses, secret keys and proving keys.
pub(crate) fn write_secret<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, FormatError>,
) -> Result<T, Failure> {
    if is_standard_output(path) { to_standard_output(write) } else { Ok(write_private(path, write)?) }
}

/// Whether writing to this path would replace a file. Devices, pipes and standard output do not count.
pub(crate) fn is_there(path: &Path) -> bool {
    !is_standard_output(path) && fs::metadata(path).is_ok_and(|about| about.is_file())
}

/// Fails when a new secret would replace a file: if that holds a secret, everything made with it would become useless. `what`
/// names the new secret in the error, as `a new secret key`.
pub(crate) fn expect_new(path: &Path, what: &'static str) -> Result<(), ArgumentError> {
    if is_there(path) { Err(ArgumentError::SecretThere { path: path.to_owned(), what }) } else { Ok(()) }
}

/// The lock of a document that several processes change. It is released when it is dropped.
pub(crate) struct Locked(File);

impl Locked {
    /// Waits until no other process holds the lock of a file, and takes it. The lock is a separate file beside it, which stays there:
    /// the document itself is replaced as a whole, and a lock on it would be lost.
    pub(crate) fn wait(path: &Path) -> Result<Self, Failure> {
        let mut name = path.as_os_str().to_owned();
        name.push(".lock");
        let path = PathBuf::from(name);
        let open = || {
            let file = File::options().create(true).truncate(false).write(true).open(&path)?;
            file.lock()?;
            Ok(file)
        };
        Ok(Self(open().map_err(|why| Failure::File { path: path.clone(), why })?))
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        // The system releases the lock when the file is closed in any case.
        let _ = self.0.unlock();
    }
}

/// An unnamed temporary file in the folder of an output, for data that is read back before the output is written.
pub(crate) fn spool(output: &Path) -> Result<File, Failure> {
    let made = if is_standard_output(output) {
        tempfile::tempfile()
    } else {
        tempfile::tempfile_in(folder_of(output))
    };
    made.map_err(|why| Failure::File { path: output.to_owned(), why })
}

/// A temporary folder beside an output that only its owner can read; it is removed when it is dropped or the process is stopped.
pub(crate) fn folder_beside(output: &Path) -> Result<TemporaryFolder, Failure> {
    let beside = (!is_standard_output(output)).then(|| folder_of(output));
    TemporaryFolder::make(beside).map_err(|why| Failure::File { path: output.to_owned(), why })
}

/// The folder that contains the file at this path.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes a text as [`write()`] does.
pub(crate) fn write_text(path: &Path, text: &str) -> Result<(), Failure> {
    write(path, |out| Ok(out.write_all(text.as_bytes())?))
}

fn to_standard_output<T>(write: impl FnOnce(&mut dyn Write) -> Result<T, FormatError>) -> Result<T, Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, StandardOutput::new());
    let result = write(&mut out).map_err(|e| match e {
        FormatError::Write(why) => Failure::Output(why),
        other => other.into(),
    })?;
    out.flush().map_err(Failure::Output)?;
    Ok(result)
}

/// Whether a path stands for standard output: `-`, and the names of its descriptor.
pub(crate) fn is_standard_output(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name))
}

impl Files {
    /// The argument that sends a file to standard output, if there is one.
    pub(crate) fn to_standard_output(&self) -> Option<&str> {
        self.outputs.iter().find(|(_, path)| is_standard_output(path)).map(|(what, _)| what.as_str())
    }

    /// The arguments that read standard input.
    pub(crate) fn standard_inputs(&self) -> impl Iterator<Item = &str> {
        let streams = self.inputs.iter().filter(|(_, path)| path == Path::new(STANDARD_INPUT));
        streams.map(|(what, _)| what.as_str())
    }

    /// Fails when a file is named for two outputs, or for an input and an output: one of the two would be lost. Standard input cannot
    /// stand for two files either.
    pub(crate) fn check(&self) -> Result<(), ArgumentError> {
        let mut streams = self.standard_inputs();
        if let (Some(first), Some(second)) = (streams.next(), streams.next()) {
            return Err(ArgumentError::StandardInput { first: first.to_owned(), second: second.to_owned() });
        }
        let mut taken: Vec<(&str, Identity)> = self
            .inputs
            .iter()
            .filter_map(|(what, path)| Some((what.as_str(), Identity::of(path)?)))
            .collect();
        for (what, path) in &self.outputs {
            let Some(identity) = Identity::of(path) else { continue };
            if let Some((other, _)) = taken.iter().find(|(_, known)| *known == identity) {
                let (first, second, path) = ((*other).to_owned(), what.clone(), path.clone());
                return Err(ArgumentError::SameFile { first, second, path });
            }
            taken.push((what, identity));
        }
        Ok(())
    }

    /// Fails when a file that the command writes into a folder, which `argument` names, is one of these files.
    pub(crate) fn check_in_folder(&self, argument: &str, path: &Path) -> Result<(), ArgumentError> {
        let identity = Identity::of(path);
        let same = |(_, named): &&(String, PathBuf)| identity.is_some() && Identity::of(named) == identity;
        match self.inputs.iter().chain(&self.outputs).find(same) {
            None => Ok(()),
            Some((first, _)) => Err(ArgumentError::SameFile {
                first: first.clone(),
                second: format!("a file in {argument}"),
                path: path.to_owned(),
            }),
        }
    }
}

/// The identity of a file: two paths with the same identity name the same file.
#[derive(PartialEq, Eq)]
enum Identity {
    StandardOutput,
    /// Device and inode number of an existing file, which symbolic and hard links share.
    #[cfg(unix)]
    Node(u64, u64),
    /// The path of a file that does not exist yet.
    Path(PathBuf),
}

impl Identity {
    /// `None` for devices and pipes, which may be named several times.
    fn of(path: &Path) -> Option<Self> {
        if is_standard_output(path) {
            return Some(Self::StandardOutput);
        }
        match fs::metadata(path) {
            Ok(about) if !about.is_file() => None,
            #[cfg(unix)]
            Ok(about) => {
                use std::os::unix::fs::MetadataExt;
                Some(Self::Node(about.dev(), about.ino()))
            }
            #[cfg(not(unix))]
            Ok(_) => fs::canonicalize(path).ok().map(Self::Path),
            Err(_) => {
                let folder = folder_of(path);
                let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
                Some(Self::Path(folder.join(path.file_name()?)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(paths: &[&Path]) -> Vec<(String, PathBuf)> {
        paths.iter().map(|path| ("a file".to_owned(), path.to_path_buf())).collect()
    }

    fn same(inputs: &[&Path], outputs: &[&Path]) -> bool {
        Files { inputs: named(inputs), outputs: named(outputs) }.check().is_err()
    }

    #[test]
    fn links_and_spellings_do_not_hide_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), "").unwrap();
        fs::hard_link(at("a"), at("hard")).unwrap();
        assert!(same(&[&at("a")], &[&at("a")]) && same(&[&at("a")], &[&at("hard")]));
        assert!(
            same(&[], &[&at("new"), &at("./new")]) && same(&[], &[Path::new("-"), Path::new("/dev/stdout")])
        );
        assert!(!same(&[&at("a")], &[&at("new"), &at("other")]) && !same(&[&at("a"), &at("a")], &[]));
        assert!(!same(&[], &[Path::new("/dev/null"), Path::new("/dev/null")]));
    }
}
