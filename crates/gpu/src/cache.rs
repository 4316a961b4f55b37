//! The cache of compiled kernels on disk: each text is compiled once per architecture, options and compiler.
//!
//! A file is named by the SHA-256 of everything that the result depends on, and contains the digest of its own content,
//! so that a truncated or altered file is recompiled and never loaded. Files are written under a temporary name and
//! renamed, so readers see a whole file or none. The folder belongs to its user; the digest protects against accidents,
//! not against somebody who can write to the folder.

use crate::error::GpuError;
use crate::nvrtc::{Compiled, Nvrtc, Options};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// First bytes of a file; changed when the format changes.
const MAGIC: &[u8; 8] = b"PWKERN02";

/// Bytes before the content: the magic, the digest of all that follows it, the length of the log.
const HEADER: usize = 8 + 32 + 8;

/// A folder of compiled kernels.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

/// Whether a kernel was in the cache or was compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The kernel was on disk.
    Found,
    /// The kernel was compiled by this call.
    Compiled,
}

impl Cache {
    /// The user's cache: `pairwright/kernels` below `XDG_CACHE_HOME`, else below `.cache` in the home folder, else
    /// below the system's folder for temporary files.
    pub fn of_user() -> Self {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let base = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
        Self::at(base.unwrap_or_else(std::env::temp_dir).join("pairwright").join("kernels"))
    }

    /// A cache in the given folder, which is created at the first write.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The compiled text: from disk if it is there, else compiled and written to disk.
    ///
    /// # Errors
    /// Those of [`Nvrtc::compile`]. A cache that cannot be written is not an error: the kernel is then compiled every
    /// time.
    pub fn get(
        &self,
        nvrtc: &Nvrtc,
        name: &str,
        source: &str,
        options: &Options,
    ) -> Result<(Compiled, Origin), GpuError> {
        let path = self.path(&key(nvrtc.version()?, source, options));
        if let Some(compiled) = std::fs::read(&path).ok().and_then(|bytes| decode(&bytes)) {
            return Ok((compiled, Origin::Found));
        }
        let compiled = nvrtc.compile(name, source, options)?;
        // A failed write costs only time.
        let _ = self.write(&path, &encode(&compiled));
        Ok((compiled, Origin::Compiled))
    }

    /// Stores a compiled text, as [`Self::get`] does for texts that it compiles.
    ///
    /// # Errors
    /// [`GpuError::File`], and those of [`Nvrtc::version`].
    pub fn keep(
        &self,
        nvrtc: &Nvrtc,
        source: &str,
        options: &Options,
        compiled: &Compiled,
    ) -> Result<(), GpuError> {
        let path = self.path(&key(nvrtc.version()?, source, options));
        self.write(&path, &encode(compiled)).map_err(|cause| GpuError::File { path, cause })
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(key)
    }

    /// Writes a temporary file in the folder, then renames it.
    fn write(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        std::fs::create_dir_all(&self.folder)?;
        let turn = COUNT.fetch_add(1, Ordering::Relaxed);
        let temporary = path.with_extension(format!("{}-{turn}.part", std::process::id()));
        let done = std::fs::write(&temporary, bytes).and_then(|()| std::fs::rename(&temporary, path));
        if done.is_err() {
            let _ = std::fs::remove_file(&temporary);
        }
        done
    }
}

/// The SHA-256 of the compiler's version, the options and the source, each preceded by its length.
fn key(version: (u32, u32), source: &str, options: &Options) -> String {
    let mut hash = Sha256::new();
    hash.update(MAGIC);
    let version = format!("{}.{}", version.0, version.1);
    let options = options.arguments().join("\n");
    for part in [&version, &options, source] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hex(&hash.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn encode(compiled: &Compiled) -> Vec<u8> {
    let mut rest = (compiled.log.len() as u64).to_le_bytes().to_vec();
    rest.extend_from_slice(compiled.log.as_bytes());
    rest.extend_from_slice(&compiled.image);
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&Sha256::digest(&rest));
    bytes.extend_from_slice(&rest);
    bytes
}

/// Parses a file; `None` for anything that [`encode`] did not write.
fn decode(bytes: &[u8]) -> Option<Compiled> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (digest, rest) = rest.split_at_checked(HEADER - 8 - 8)?;
    if Sha256::digest(rest).as_slice() != digest {
        return None;
    }
    let (length, rest) = rest.split_first_chunk::<8>()?;
    let (log, image) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    Some(Compiled { image: image.to_vec(), log: String::from_utf8(log.to_vec()).ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nvrtc::{Arch, Target};

    fn sample() -> Compiled {
        Compiled { image: vec![0x7f, b'E', b'L', b'F', 0, 1, 2], log: "Used 10 registers".to_owned() }
    }

    #[test]
    fn what_was_written_is_read() {
        let back = decode(&encode(&sample())).unwrap();
        assert_eq!((back.image, back.log), (sample().image, sample().log));
    }

    #[test]
    fn a_file_cut_short_or_altered_is_not_read() {
        let whole = encode(&sample());
        for end in 0..whole.len() {
            assert!(decode(&whole[..end]).is_none(), "{end} bytes of {}", whole.len());
        }
        for at in 0..whole.len() {
            let mut altered = whole.clone();
            altered[at] ^= 1;
            assert!(decode(&altered).is_none(), "byte {at}");
        }
    }

    #[test]
    fn the_key_depends_on_everything() {
        let at =
            |version, source, target, max_registers| key(version, source, &Options { target, max_registers });
        let sm = |n| Target::Cubin(Arch(n));
        let keys = [
            at((13, 0), "a", sm(90), None),
            at((13, 1), "a", sm(90), None),
            at((13, 0), "b", sm(90), None),
            at((13, 0), "a", sm(80), None),
            at((13, 0), "a", Target::Ptx(Arch(90)), None),
            at((13, 0), "a", sm(90), Some(64)),
        ];
        let distinct: std::collections::BTreeSet<&String> = keys.iter().collect();
        assert_eq!(distinct.len(), keys.len());
        assert_eq!(keys[0], at((13, 0), "a", sm(90), None));
        assert_eq!(keys[0].len(), 64);
    }

    #[test]
    fn writing_leaves_one_whole_file() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("deep/er"));
        let path = cache.path("k");
        cache.write(&path, &encode(&sample())).unwrap();
        cache.write(&path, &encode(&sample())).unwrap();
        assert_eq!(std::fs::read_dir(&cache.folder).unwrap().count(), 1);
        assert!(decode(&std::fs::read(&path).unwrap()).is_some());
    }
}
