//! Runs `pairwright batch-verify`, which verifies many proofs under one key.

use super::verify::{proof_points, public_values};
use crate::args::{BatchVerify, Cli, STANDARD_INPUT};
use crate::curves::on_curve;
use crate::failure::{ArgumentError, Failure, RejectedBatch, RejectedProof};
use crate::files::read_text;
use crate::progress::Progress;
use crate::{output, randomness};
use pairwright::Boards;
use pairwright::device::Session;
use pairwright::formats::{FileBytes, probe, read_verifying_key};
use pairwright::protocols::groth16::{PreparedVerifyingKey, VerifyError};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Serialize)]
struct Done {
    curve: &'static str,
    proofs: usize,
    seconds: f64,
}

/// Verifies many proofs together.
pub(crate) fn run(cli: &Cli, args: &BatchVerify) -> Result<(), Failure> {
    let vkey = FileBytes::open(&args.vkey)?;
    let curve = probe(&vkey)?.curve()?;
    on_curve!(curve, accept(cli, args, vkey, curve.name()))
}

fn accept<E: Boards>(
    cli: &Cli,
    args: &BatchVerify,
    vkey: FileBytes,
    curve: &'static str,
) -> Result<(), Failure> {
    let device = args.machines.board::<E>()?;
    let vk = read_verifying_key::<E>(vkey)?;
    args.keys.judge(cli, &args.vkey, &vk)?;
    let items = read_list(&args.list)?;
    let progress = Progress::new(0, "batch-verify");
    // In parallel: the points of every proof are checked where they are read.
    let read = items
        .par_iter()
        .map(|item| Ok((public_values::<E>(&item.public, vk.ic.len())?, proof_points::<E>(&item.proof)?)))
        .collect::<Vec<Result<_, Failure>>>();
    // What cannot be read ends everything; what is read and is no proof is a proof that is rejected.
    let (mut listed, mut batch, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for (item, read) in items.iter().zip(read) {
        match read {
            Ok(proof) => {
                listed.push(item);
                batch.push(proof);
            }
            Err(Failure::Rejected(why)) => failed.push(item.rejected(&why)),
            Err(other) => return Err(other),
        }
    }
    let start = Instant::now();
    let mut rng = randomness::system()?;
    let mut on = Session::new(&device);
    // The key was judged above.
    let key = PreparedVerifyingKey::of_unsafe_key(&mut on, &vk)?;
    match key.batch_verify(&mut on, &batch, &mut rng) {
        Ok(()) => {}
        // All that come before it were found to be good.
        Err(VerifyError::InBatch { index: first, .. }) => {
            for (item, (public, proof)) in listed.iter().zip(&batch).skip(first) {
                match key.verify(&mut on, public, proof) {
                    Ok(()) => {}
                    Err(VerifyError::Device(why)) => return Err(why.into()),
                    Err(why) => failed.push(item.rejected(&why)),
                }
            }
        }
        Err(other) => return Err(other.into()),
    }
    drop(progress);
    let seconds = start.elapsed().as_secs_f64();
    if !failed.is_empty() {
        failed.sort_by_key(|bad| bad.index);
        return Err(Failure::RejectedInBatch(RejectedBatch { proofs: items.len(), failed }));
    }
    let done = Done { curve, proofs: batch.len(), seconds };
    output::print_done(cli, &done, |d| {
        format!("OK: {} proofs are valid ({}), {}", d.proofs, d.curve, output::seconds(d.seconds))
    })
}

/// A proof of the list.
#[derive(Debug, PartialEq, Eq)]
struct Item {
    index: usize,
    /// Line of the list, from 1.
    line: usize,
    public: PathBuf,
    proof: PathBuf,
}

impl Item {
    fn rejected(&self, why: &impl ToString) -> RejectedProof {
        RejectedProof {
            index: self.index,
            line: self.line,
            public: self.public.display().to_string(),
            proof: self.proof.display().to_string(),
            error: why.to_string(),
        }
    }
}

/// A line of the list in JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    public: PathBuf,
    proof: PathBuf,
}

/// Pairs of public values and proof, paths relative to the list's directory; at least one.
fn read_list(list: &Path) -> Result<Vec<Item>, Failure> {
    let text = read_text(list)?;
    // A list from standard input has no folder of its own.
    let folder = list.parent().filter(|_| list != Path::new(STANDARD_INPUT));
    let base = folder.unwrap_or(Path::new(""));
    let mut items = Vec::new();
    for (i, text) in text.lines().enumerate() {
        let line = i + 1;
        let wrong = |what: String| ArgumentError::ListLine { list: list.to_owned(), line, what };
        let Some(Line { public, proof }) = read_line(text).map_err(wrong)? else { continue };
        items.push(Item { index: items.len(), line, public: base.join(public), proof: base.join(proof) });
    }
    if items.is_empty() {
        return Err(ArgumentError::EmptyList(list.to_owned()).into());
    }
    Ok(items)
}

/// The paths in a line, `None` in one that is empty; or what is wrong with it.
fn read_line(text: &str) -> Result<Option<Line>, String> {
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).map(Some).map_err(|why| why.to_string());
    }
    match <[String; 2]>::try_from(words(text)?) {
        Ok([public, proof]) => Ok(Some(Line { public: public.into(), proof: proof.into() })),
        Err(words) if words.is_empty() => Ok(None),
        Err(words) => {
            Err(format!("two paths are needed, public values and proof, and {} are given", words.len()))
        }
    }
}

/// The words of a line: between blanks or in double quotes, where a backslash takes the next sign as it is. A `#` that
/// begins a word begins a comment.
fn words(line: &str) -> Result<Vec<String>, String> {
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
