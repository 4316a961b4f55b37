//! A cache of netlists in the tools' folder, so that each synthesis runs only once.

use super::report::Measured;
use crate::error::RtlError;
use crate::tools::{Tools, write};
use pairwright_hash::Sha3;
use std::path::PathBuf;

/// The cache entry of a netlist, named by the digest of all that it depends on.
pub(super) struct Cache {
    net: PathBuf,
    measured: PathBuf,
}

impl Cache {
    /// The entry for a Yosys run on these files; `None` if the tools are the system's, which have no folder.
    ///
    /// # Errors
    /// [`RtlError::NoTool`] or [`RtlError::Tool`] if Yosys does not report its version; [`RtlError::File`].
    pub(super) fn of(tools: &Tools, files: &[&str]) -> Result<Option<Self>, RtlError> {
        let Some(folder) = tools.netlists() else { return Ok(None) };
        std::fs::create_dir_all(&folder).map_err(|source| RtlError::File { path: folder.clone(), source })?;
        let said = tools.yosys(&folder, "", "its version")?;
        let version = said.lines().find(|line| line.starts_with("Yosys")).unwrap_or_default();
        let name = digest(version, files);
        let place = |ending: &str| folder.join(format!("{name}.{ending}"));
        Ok(Some(Self { net: place("blif"), measured: place("json") }))
    }

    /// The cached netlist and the cost of its synthesis, if both exist.
    pub(super) fn kept(&self) -> Option<(String, Measured)> {
        let measured = serde_json::from_str(&std::fs::read_to_string(&self.measured).ok()?).ok()?;
        Some((std::fs::read_to_string(&self.net).ok()?, measured))
    }

    /// Stores a netlist. The cost is written last, so that it exists only if the netlist is complete.
    ///
    /// # Errors
    /// [`RtlError::File`].
    pub(super) fn keep(&self, net: &str, measured: &Measured) -> Result<(), RtlError> {
        write(&self.net, net)?;
        let text = serde_json::to_string(measured)
            .map_err(|source| RtlError::File { path: self.measured.clone(), source: source.into() })?;
        write(&self.measured, &text)
    }
}

/// The digest of a version and of files, each preceded by its length, in hexadecimal.
fn digest(version: &str, files: &[&str]) -> String {
    let mut bytes = Vec::new();
    for text in [version].iter().chain(files) {
        bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
    }
    Sha3::leaf(&bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_netlist_depends_on_the_version_and_on_each_file() {
        let base = digest("Yosys 1", &["module", "cells"]);
        assert_eq!(base.len(), 64);
        for other in [
            digest("Yosys 2", &["module", "cells"]),
            digest("Yosys 1", &["modul", "ecells"]),
            digest("Yosys 1", &["module", "cells", ""]),
        ] {
            assert_ne!(base, other);
        }
    }

    #[test]
    fn a_netlist_without_its_times_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let cache = Cache { net: place("a.blif"), measured: place("a.json") };
        std::fs::write(place("a.blif"), "half").unwrap();
        assert!(cache.kept().is_none());
        let measured = Measured { seconds: 909.0, peak_mib: None, tool: "Yosys 0.70".to_owned() };
        cache.keep("whole", &measured).unwrap();
        assert_eq!(cache.kept(), Some(("whole".to_owned(), measured)));
    }
}
