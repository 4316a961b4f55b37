//! The lists of proofs that are verified together, and the results of their verification.

use crate::args::{Cli, STANDARD_INPUT};
use crate::failure::{ArgumentError, Failure, RejectedBatch, RejectedProof};
use crate::files::read_text;
use crate::output;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The command's result for a list whose proofs are all valid.
#[derive(Serialize)]
struct Done {
    curve: &'static str,
    proofs: usize,
    seconds: f64,
}

/// Prints that all proofs are valid.
fn print_accepted(cli: &Cli, done: &Done) -> Result<(), Failure> {
    output::print_done(cli, done, |d| {
        format!("OK: {} proofs are valid ({}), {}", d.proofs, d.curve, output::seconds(d.seconds))
    })
}

/// A proof of the list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// Position in the list, from 0.
    pub(super) index: usize,
    /// Line of the list, from 1.
    pub(super) line: usize,
    /// The verification key, if it is not the command's.
    pub(super) key: Option<PathBuf>,
    pub(super) public: PathBuf,
    pub(super) proof: PathBuf,
}

impl Item {
    /// This proof as a rejected one, with the reason.
    pub(super) fn rejected(&self, why: &impl ToString) -> RejectedProof {
        RejectedProof {
            index: self.index,
            line: self.line,
            public: self.public.display().to_string(),
            proof: self.proof.display().to_string(),
            error: why.to_string(),
        }
    }
}

/// The items of a list whose proofs could be read, these proofs, and the rejected ones, which are well-formed but invalid.
pub(super) type Sorted<'a, T> = (Vec<&'a Item>, Vec<T>, Vec<RejectedProof>);

/// Separates the proofs of a list that could be read from the rejected ones. Any other failure is returned.
pub(super) fn sort<'a, T>(
    items: impl Iterator<Item = &'a Item>,
    read: Vec<Result<T, Failure>>,
) -> Result<Sorted<'a, T>, Failure> {
    let (mut listed, mut batch, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for (item, read) in items.zip(read) {
        match read {
            Ok(proof) => {
                listed.push(item);
                batch.push(proof);
            }
            Err(Failure::Rejected(why)) => failed.push(item.rejected(&why)),
            Err(other) => return Err(other),
        }
    }
    Ok((listed, batch, failed))
}

/// Prints that all proofs are valid, or fails with those that are not.
pub(super) fn conclude(
    cli: &Cli,
    curve: &'static str,
    proofs: usize,
    mut failed: Vec<RejectedProof>,
    seconds: f64,
) -> Result<(), Failure> {
    if failed.is_empty() {
        return print_accepted(cli, &Done { curve, proofs, seconds });
    }
    failed.sort_by_key(|bad| bad.index);
    Err(Failure::RejectedInBatch(RejectedBatch { proofs, failed }))
}

/// A line of the list in JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    key: Option<PathBuf>,
    public: PathBuf,
    proof: PathBuf,
}

/// Reads a list of at least one entry: paths of public values and a proof, possibly with a key, relative to the list's directory.
pub(super) fn read_list(list: &Path) -> Result<Vec<Item>, Failure> {
    let text = read_text(list)?;
    // Paths in a list from standard input are relative to the working directory.
    let folder = list.parent().filter(|_| list != Path::new(STANDARD_INPUT));
    let base = folder.unwrap_or(Path::new(""));
    let mut items = Vec::new();
    for (i, text) in text.lines().enumerate() {
        let line = i + 1;
        let wrong = |what: String| ArgumentError::ListLine { list: list.to_owned(), line, what };
        let Some(Line { key, public, proof }) = read_line(text).map_err(wrong)? else { continue };
        items.push(Item {
            index: items.len(),
            line,
            key: key.map(|key| base.join(key)),
            public: base.join(public),
            proof: base.join(proof),
        });
    }
    if items.is_empty() {
        return Err(ArgumentError::EmptyList(list.to_owned()).into());
    }
    Ok(items)
}

/// Parses a line: its paths, `None` for an empty line, or the error in it.
fn read_line(text: &str) -> Result<Option<Line>, String> {
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).map(Some).map_err(|why| why.to_string());
    }
    match <[String; 2]>::try_from(words(text)?) {
        Ok([public, proof]) => Ok(Some(Line { key: None, public: public.into(), proof: proof.into() })),
        Err(words) if words.is_empty() => Ok(None),
        Err(words) => {
            Err(format!("two paths are needed, public values and proof, and {} are given", words.len()))
        }
    }
}

/// Splits a line into words, which are separated by blanks or enclosed in double quotes, where a backslash escapes the next
/// character. A `#` at the beginning of a word begins a comment.
pub(super) fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut signs = line.chars().peekable();
    while let Some(sign) = signs.next() {
        let mut word = String::new();
        match sign {
            blank if blank.is_whitespace() => continue,
            '#' => break,
            '"' => loop {
                match signs.next() {
                    Some('"') => break,
                    Some('\\') => word.extend(signs.next()),
                    Some(sign) => word.push(sign),
                    None => return Err("a quotation mark is not closed".to_owned()),
                }
            },
            first => {
                word.push(first);
                word.extend(std::iter::from_fn(|| signs.next_if(|c| !c.is_whitespace())));
            }
        }
        words.push(word);
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_two_paths() {
        let paths = |line: &str| {
            read_line(line).map(|read| read.map(|l| [l.public, l.proof].map(|p| p.display().to_string())))
        };
        let two = |a: &str, b: &str| Ok(Some([a.to_owned(), b.to_owned()]));
        assert_eq!(paths("a.json  b.json # the first"), two("a.json", "b.json"));
        assert_eq!(paths(r##""a b.json" "c\"#\\.json""##), two("a b.json", "c\"#\\.json"));
        assert_eq!(paths(r#" {"public": "a b", "proof": "c#d"}"#), two("a b", "c#d"));
        assert_eq!([paths(""), paths("  # nothing")], [Ok(None), Ok(None)]);
        for (line, why) in [
            ("a.json", "1 are given"),
            ("a b c", "3 are given"),
            ("\"a b", "not closed"),
            ("{\"public\": \"a\"}", "missing field `proof`"),
            ("{\"public\": \"a\", \"proof\": \"b\", \"x\": 1}", "unknown field `x`"),
        ] {
            assert!(paths(line).unwrap_err().contains(why), "{line}");
        }
    }
}
