//! The work directory of a proof with `--memory`.

use crate::failure::Failure;
use crate::signals::TemporaryFolder;
use pairwright::scale::{FileOrigin, Ledger, Plan};
use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf, absolute};

/// A directory that only its owner can read: a temporary one, which is removed in any case, or the one that `--work` names, which
/// stays until the proof is finished.
pub(super) struct Workshop {
    path: PathBuf,
    /// Removes a temporary directory when it is dropped.
    temporary: Option<TemporaryFolder>,
}

impl Workshop {
    /// Makes a temporary directory, or opens the named one, where an earlier run may have stopped.
    pub(super) fn open(named: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = named else {
            let made = TemporaryFolder::make(None);
            let made = made.map_err(|why| Failure::File { path: std::env::temp_dir(), why })?;
            return Ok(Self { path: made.path().to_owned(), temporary: Some(made) });
        };
        let failed = |why| Failure::File { path: path.to_owned(), why };
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(path).map_err(failed)?;
        Ok(Self { path: absolute(path).map_err(failed)?, temporary: None })
    }

    pub(super) fn path(&self) -> &PathBuf {
        &self.path
    }
    /// Whether the directory stays when the process ends.
    pub(super) fn is_kept(&self) -> bool {
        self.temporary.is_none()
    }
    /// The directory of the sharded key, if none was given.
    pub(super) fn shards(&self) -> PathBuf {
        self.path.join("shards")
    }
    /// The path for a witness that is computed or read from a stream.
    pub(super) fn witness(&self) -> PathBuf {
        self.path.join("witness.wtns")
    }

    /// Removes the files of a finished proof. A sharded key in a named directory stays for the next proof.
    pub(super) fn finish(self, plan: &Plan) -> Result<(), Failure> {
        if let Some(made) = self.temporary {
            let path = self.path;
            return made.close().map_err(|why| Failure::File { path, why });
        }
        let made =
            plan.files.values().filter(|file| file.origin == FileOrigin::Made).map(|file| file.path.clone());
        for path in made.chain([self.witness(), self.path.join(Ledger::FILE)]) {
            match fs::remove_file(&path) {
                Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(Failure::File { path, why }),
                _ => {}
            }
        }
        Ok(())
    }
}
