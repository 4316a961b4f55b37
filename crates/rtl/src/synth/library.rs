//! A library of cells in the Liberty format, as far as reports need it; Yosys reads the rest.

use crate::error::RtlError;
use crate::tools::read;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The library that the repository holds: cells of SkyWater's 130 nm process.
pub const BUILT_IN: &str = "rtl/lib/sky130_fd_sc_hd.lib";

/// A library of cells.
#[derive(Clone, Debug)]
pub struct Library {
    /// File that holds it.
    pub path: PathBuf,
    /// Its name in the file.
    pub name: String,
    /// Area of each cell in µm².
    pub areas: BTreeMap<String, f64>,
    /// Cells with a state.
    pub flip_flops: Vec<String>,
}

impl Library {
    /// Reads a file.
    ///
    /// # Errors
    /// [`RtlError::File`]; [`RtlError::Output`] if the file has no cells or no NAND gate of two inputs.
    pub fn read(path: &Path) -> Result<Self, RtlError> {
        let library = Self::parse(&read(path)?, path);
        if library.nand2().is_none() {
            return Err(RtlError::Output {
                tool: "Liberty".to_owned(),
                what: path.display().to_string(),
                missing: "NAND gate of two inputs".to_owned(),
            });
        }
        Ok(library)
    }

    fn parse(text: &str, path: &Path) -> Self {
        let mut library =
            Self { path: path.to_owned(), name: String::new(), areas: BTreeMap::new(), flip_flops: Vec::new() };
        let mut cell = String::new();
        for line in text.lines() {
            let line = line.trim();
            if let Some(name) = group(line, "library") {
                library.name = name;
            } else if let Some(name) = group(line, "cell") {
                cell = name;
            } else if line.starts_with("ff ") || line.starts_with("ff(") {
                library.flip_flops.push(cell.clone());
            } else if let Some(area) = attribute(line, "area") {
                library.areas.insert(cell.clone(), area);
            }
        }
        library
    }

    /// Area of the smallest NAND gate of two inputs in µm², the unit of gate equivalents.
    pub fn nand2(&self) -> Option<f64> {
        let gates = self.areas.iter().filter(|(name, _)| name.to_lowercase().contains("nand2_"));
        gates.map(|(_, area)| *area).min_by(f64::total_cmp)
    }
}

/// The name of a group that a line opens.
fn group(line: &str, kind: &str) -> Option<String> {
    let rest = line.strip_prefix(kind)?.trim_start().strip_prefix('(')?;
    let (name, _) = rest.split_once(')')?;
    Some(name.trim().trim_matches('"').to_owned())
}

/// The number of an attribute.
fn attribute(line: &str, name: &str) -> Option<f64> {
    let value = line.strip_prefix(name)?.trim_start().strip_prefix(':')?;
    value.trim().trim_end_matches(';').trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "library (tiny) {\n  cell (\"NAND2_X1\") {\n    area : 0.8;\n  }\n  cell (NAND2_X2) {\n    area : 1.3;\n  }\n  \
                        cell (DFF_X1) {\n    area : 4.5;\n    ff (\"IQ\", \"IQN\") {\n    }\n  }\n}\n";

    #[test]
    fn cells_are_read_with_their_areas() {
        let library = Library::parse(TEXT, Path::new("tiny.lib"));
        assert_eq!((library.name.as_str(), library.areas.len()), ("tiny", 3));
        assert_eq!((library.nand2(), &library.flip_flops[..]), (Some(0.8), &["DFF_X1".to_owned()][..]));
    }

    #[test]
    fn the_library_of_the_repository_has_gates_and_flip_flops() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(BUILT_IN);
        let library = Library::read(&path).unwrap();
        assert_eq!(library.nand2(), Some(3.7536));
        assert!(library.areas.len() > 90 && library.flip_flops.len() == 3, "{:?}", library.flip_flops);
    }

    #[test]
    fn a_library_without_gates_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "library (none) {\n}\n").unwrap();
        let error = Library::read(file.path()).unwrap_err().to_string();
        assert!(error.contains("NAND gate"), "{error}");
    }
}
