//! Positions in files, as error messages state them.

use crate::FileName;
use alloc::string::String;
use core::fmt;

/// A position in a file, with the file's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePlace {
    /// Path of the file that was being read.
    pub file: FileName,
    /// Position within that file.
    pub spot: Spot,
}

/// A position within a file, as exact as the format allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spot {
    /// The file as a whole.
    Whole,
    /// A byte outside of any section.
    Offset(u64),
    /// A byte of a section.
    Section {
        /// The section's type number.
        id: u32,
        /// The section's name.
        name: &'static str,
        /// Offset in bytes from the beginning of the file.
        offset: u64,
    },
    /// A member of a JSON document, such as `pi_a[1]`.
    Member(String),
}

impl fmt::Display for FilePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        match &self.spot {
            Spot::Whole => Ok(()),
            Spot::Offset(offset) => write!(f, ": offset {offset}"),
            Spot::Section { id, name, offset } => write!(f, ": section {id} ({name}), offset {offset}"),
            Spot::Member(path) => write!(f, ": {path}"),
        }
    }
}
