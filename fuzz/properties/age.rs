//! The property of arbitrary bytes as an age file: it is refused with its name, or its header is the encoding of its stanzas; the
//! payload is returned only as far as it is authentic; and no reader panics.
#![allow(dead_code, unreachable_pub)]

use pairwright_formats::{AgeFile, FileKey, FileName, FormatError};
use std::path::Path;

/// The file key of the seeds.
pub fn key() -> FileKey {
    FileKey::new(*b"YELLOW SUBMARINE")
}

/// Passes bytes to the reader, with the file key of the seeds; returns the payload if all of it is authentic.
pub fn age(data: &[u8]) -> Option<Vec<u8>> {
    let name = FileName::from(Path::new("fuzz"));
    let named = |why: FormatError| assert!(why.to_string().contains("fuzz"), "{why}");
    let file = AgeFile::read(name, data).map_err(named).ok()?;
    assert!(!file.stanzas().is_empty());
    let mut out = Vec::new();
    let verdict = file.decrypt(&key(), &mut out, &mut |_| ()).map_err(named);
    assert!(out.len() <= data.len(), "more came out than went in");
    let written = verdict.ok()?;
    assert_eq!(written, out.len() as u64);
    Some(out)
}
