//! The directory that a proof with `--memory` works in.

use crate::failure::Failure;
use crate::signals::TemporaryFolder;
use pairwright::scale::{FileOrigin, Ledger, Plan};
use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf, absolute};

/// A directory for its owner alone: a temporary one, which goes whatever happens, or one that was named, which stays until the
/// proof is finished.
pub(super) struct Workshop {
    path: PathBuf,
    /// Removes a temporary directory when it is dropped.
    temporary: Option<TemporaryFolder>,
}

impl Workshop {
    /// Makes the directory, or goes on in the named one.
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
    /// The file to write a witness to that comes from no file.
    pub(super) fn witness(&self) -> PathBuf {
        self.path.join("witness.wtns")
    }

    /// Removes what belongs to a proof that is finished. A sharded key in a directory that was named stays for the next one.
    pub(super) fn finish(self, plan: &Plan) -> Result<(), Failure> {
        if let Some(made) = self.temporary {
            let path = self.path;
            return made.close().map_err(|why| Failure::File { path, why });
        }
        let made =
            plan.files.values().filter(|file| file.kind == FileOrigin::Made).map(|file| file.path.clone());
        for path in made.chain([self.witness(), self.path.join(Ledger::FILE)]) {
            match fs::remove_file(&path) {
                Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(Failure::File { path, why }),
                _ => {}
            }
        }
        Ok(())
    }
}
