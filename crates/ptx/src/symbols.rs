//! Arrays in shared memory that a text declares.

use crate::error::TextError;
use crate::reader::{Reader, type_bytes};
use std::collections::BTreeMap;

/// Arrays in shared memory: those with a declared size in the order of the text, followed by the one whose size the
/// launch gives.
#[derive(Default)]
pub(crate) struct Symbols {
    places: BTreeMap<String, usize>,
    /// Names of arrays without a size, all of which begin after the others.
    open: Vec<String>,
    bytes: usize,
}

impl Symbols {
    /// Parses `.align 16 .b8 name[size];` after the word `.shared`.
    pub(crate) fn shared(&mut self, reader: &mut Reader<'_>) -> Result<(), TextError> {
        let mut align = 1;
        if reader.take(".align") {
            align = reader.size()?.max(1);
        }
        let kind = reader.next()?;
        let each = type_bytes(kind.token).ok_or_else(|| reader.unexpected(kind, "a type"))?;
        let name = reader.next()?.token.to_owned();
        let mut count = 1;
        if reader.take("[") {
            count = if reader.peek() == "]" { 0 } else { reader.size()? };
            reader.expect("]")?;
        }
        reader.expect(";")?;
        if count == 0 {
            self.open.push(name);
            return Ok(());
        }
        self.bytes = self.bytes.next_multiple_of(align.max(each));
        self.places.insert(name, self.bytes);
        self.bytes += count * each;
        Ok(())
    }

    /// Size of the declared arrays in bytes, rounded up to the alignment of the widest access.
    pub(crate) fn declared(&self) -> usize {
        self.bytes.next_multiple_of(16)
    }

    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        let open = || self.open.iter().any(|other| other == name).then(|| self.declared());
        self.places.get(name).copied().or_else(open)
    }
}
