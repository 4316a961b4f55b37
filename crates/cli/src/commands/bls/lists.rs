//! Lists of signers and of signatures: one entry per line, as words or in JSON.

use crate::args::STANDARD_INPUT;
use crate::args::bls::Given;
use crate::commands::proof_list::words;
use crate::failure::{ArgumentError, Failure};
use crate::files::read_text;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A line of a list.
pub(super) struct Entry {
    /// The number of the line, from 1.
    pub(super) line: usize,
    pub(super) key: Given,
    pub(super) message: PathBuf,
    /// The signature, which lists of signatures have and lists of signers do not.
    pub(super) signature: Option<Given>,
}

/// A line in JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    key: PathBuf,
    message: PathBuf,
    signature: Option<PathBuf>,
}

/// Reads a list of at least one entry; `with_signature` says whether its lines have signatures.
pub(super) fn read(list: &Path, with_signature: bool) -> Result<Vec<Entry>, Failure> {
    let text = read_text(list)?;
    // Paths in a list from standard input are relative to the working directory.
    let folder = list.parent().filter(|_| list != Path::new(STANDARD_INPUT));
    let base = folder.unwrap_or(Path::new(""));
    let given = |path: PathBuf| match Given::of(path) {
        Given::File(path) => Given::File(base.join(path)),
        point => point,
    };
    let mut entries = Vec::new();
    for (index, text) in text.lines().enumerate() {
        let line = index + 1;
        let wrong = |what: String| ArgumentError::ListLine { list: list.to_owned(), line, what };
        let Some(Line { key, message, signature }) = parse(text, with_signature).map_err(wrong)? else {
            continue;
        };
        let signature = signature.map(given);
        entries.push(Entry { line, key: given(key), message: base.join(message), signature });
    }
    if entries.is_empty() {
        return Err(ArgumentError::NothingListed(list.to_owned()).into());
    }
    Ok(entries)
}

/// Parses a line: its entry, `None` for an empty line, or the error in it.
fn parse(text: &str, with_signature: bool) -> Result<Option<Line>, String> {
    if text.trim_start().starts_with('{') {
        let line: Line = serde_json::from_str(text).map_err(|why| why.to_string())?;
        return match (line.signature.is_some(), with_signature) {
            (true, false) => Err("a signature, where the aggregate alone has one".to_owned()),
            (false, true) => Err("missing field `signature`".to_owned()),
            _ => Ok(Some(line)),
        };
    }
    let words = words(text)?;
    let count = words.len();
    let mut words = words.into_iter().map(PathBuf::from);
    match (count, with_signature, words.next(), words.next()) {
        (0, ..) => Ok(None),
        (2, false, Some(key), Some(message)) => Ok(Some(Line { key, message, signature: None })),
        (3, true, Some(key), Some(message)) => Ok(Some(Line { key, message, signature: words.next() })),
        (_, false, ..) => Err(format!("a key and a message are needed, and {count} words are given")),
        (_, true, ..) => {
            Err(format!("a key, a message and a signature are needed, and {count} words are given"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_what_is_needed() {
        let of =
            |text: &str, with| parse(text, with).map(|line| line.map(|l| (l.key, l.message, l.signature)));
        let path = PathBuf::from;
        assert_eq!(of("k m # c", false), Ok(Some((path("k"), path("m"), None))));
        assert_eq!(of("k m s", true), Ok(Some((path("k"), path("m"), Some(path("s"))))));
        assert_eq!(
            of("{\"key\": \"k\", \"message\": \"a m\"}", false),
            Ok(Some((path("k"), path("a m"), None)))
        );
        assert_eq!([of("", true), of(" # nothing", false)], [Ok(None), Ok(None)]);
        for (line, with, why) in [
            ("k", false, "1 words"),
            ("k m s", false, "3 words"),
            ("k m", true, "2 words"),
            ("k m s t", true, "4 words"),
            ("{\"key\": \"k\", \"message\": \"m\"}", true, "missing field `signature`"),
            ("{\"key\": \"k\", \"message\": \"m\", \"signature\": \"s\"}", false, "the aggregate alone"),
            ("{\"key\": \"k\", \"massage\": \"m\"}", false, "unknown field"),
        ] {
            assert!(of(line, with).unwrap_err().contains(why), "{line}");
        }
    }
}
