//! circom's `.sym` file: one line for each signal, with its label, its wire, its component and its name.

use crate::{FileBytes, FormatError, Spot};
use alloc::borrow::ToOwned;
use alloc::string::String;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A `.sym` file, whose lines are read when names are asked for.
#[derive(Clone, Debug)]
pub struct SymFile {
    file: FileBytes,
}

/// One line of a `.sym` file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol<'a> {
    /// Number of the signal before the compiler merged signals into wires.
    pub label: u64,
    /// Index of the signal's wire in the witness; `None` if the compiler has removed the signal.
    pub wire: Option<u32>,
    /// Number of the component that the signal belongs to.
    pub component: u64,
    /// Full name of the signal, such as `main.hash.in[0]`: printable ASCII characters without spaces.
    pub name: &'a str,
}

impl SymFile {
    /// Opens a file without reading its lines.
    ///
    /// # Errors
    /// [`FormatError::Io`] when it cannot be opened, mapped or read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        Ok(Self::new(FileBytes::open(path)?))
    }

    /// Uses a file that is already open or in memory.
    pub fn new(file: FileBytes) -> Self {
        Self { file }
    }

    /// Iterates over the symbols in the order of the file.
    ///
    /// # Errors
    /// The iterator yields [`FormatError::SymLine`] for a line that does not have the format.
    pub fn symbols(&self) -> impl Iterator<Item = Result<Symbol<'_>, FormatError>> {
        let lines = self.file.split(|&byte| byte == b'\n');
        lines.zip(1u64..).filter(|(line, _)| !line.trim_ascii().is_empty()).map(|(line, number)| {
            symbol(line)
                .ok_or_else(|| FormatError::SymLine { at: self.file.place(Spot::Whole), line: number })
        })
    }

    /// The names of the given wires. If a wire has several names, the first in the file is used, which is the outermost.
    ///
    /// # Errors
    /// [`FormatError::SymLine`] when a line does not have the format.
    pub fn names(&self, wires: &BTreeSet<u32>) -> Result<BTreeMap<u32, String>, FormatError> {
        let mut names = BTreeMap::new();
        for symbol in self.symbols() {
            let symbol = symbol?;
            if let Some(wire) = symbol.wire.filter(|wire| wires.contains(wire)) {
                names.entry(wire).or_insert_with(|| symbol.name.to_owned());
            }
        }
        Ok(names)
    }
}

fn symbol(line: &[u8]) -> Option<Symbol<'_>> {
    let mut parts = core::str::from_utf8(line).ok()?.trim_end_matches('\r').splitn(4, ',');
    let label = parts.next()?.parse().ok()?;
    let wire = match parts.next()? {
        "-1" => None,
        wire => Some(wire.parse().ok()?),
    };
    let component = parts.next()?.parse().ok()?;
    let name = parts.next()?;
    // Names are printed on terminals, which would interpret control characters.
    let printable = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic());
    printable.then_some(Symbol { label, wire, component, name })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sym(text: &str) -> SymFile {
        SymFile::new(FileBytes::from_vec("c.sym", text.as_bytes().to_vec()))
    }

    #[test]
    fn lines_of_circom() {
        let file = sym("1,1,3,main.out\n2,2,3,main.in[0]\r\n3,-1,2,main.h.a\n4,2,2,main.h.b\n");
        let symbols: Vec<_> = file.symbols().map(Result::unwrap).collect();
        assert_eq!(symbols[1], Symbol { label: 2, wire: Some(2), component: 3, name: "main.in[0]" });
        assert_eq!(symbols[2].wire, None);
        let names = file.names(&[1, 2, 9].into()).unwrap();
        assert_eq!(names, [(1, "main.out".to_owned()), (2, "main.in[0]".to_owned())].into());
    }

    #[test]
    fn lines_of_nobody() {
        for line in
            ["1,1,3", "x,1,3,main.a", "1,-2,3,main.a", "1,1,3,", "1,1,3,main.\u{1b}[2J", "1,4294967296,0,m"]
        {
            let file = sym(&format!("1,1,1,main.b\n{line}\n"));
            let e = file.names(&[1].into()).unwrap_err();
            assert!(matches!(e, FormatError::SymLine { line: 2, .. }), "{line}: {e}");
            assert_eq!(e.to_string(), "c.sym: line 2 is not LABEL,WIRE,COMPONENT,NAME");
        }
    }
}
