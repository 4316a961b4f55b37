//! The rule that doc comments have at least three words and do not begin with certain sentence fragments or inversions.

use super::{Finding, RuleInput};
use crate::derived;
use crate::tree::SourceFile;

/// The smallest number of words in a doc comment.
const LEAST_WORDS: usize = 3;

/// First words of comments that lack a noun.
const FRAGMENTS: &[&str] = &["In which", "Of", "So many", "That which", "Which", "Whose"];

/// Participles that begin an inverted sentence if a form of "to be" follows.
const PARTICIPLES: &[&str] = &[
    "Checked", "Counted", "Given", "Held", "Kept", "Left", "Measured", "Printed", "Read", "Returned", "Said",
    "Taken", "Told", "Written",
];

/// Finds doc comments that violate the rule.
pub(crate) fn check(view: &RuleInput<'_>) -> Vec<Finding> {
    view.tree.files.iter().filter(|file| is_hand_written(file)).flat_map(findings).collect()
}

fn is_hand_written(file: &SourceFile) -> bool {
    file.is_rust() && !file.path.contains("/generated/") && !derived::is_output(&file.path)
}

fn findings(file: &SourceFile) -> Vec<Finding> {
    let text = file.text().unwrap_or_default();
    comments(text)
        .into_iter()
        .filter_map(|(line, words)| Some(Finding::at(&file.path, line, complaint(&words)?)))
        .collect()
}

/// The doc comments of a Rust source: the line on which each begins, and its words.
fn comments(text: &str) -> Vec<(usize, Vec<&str>)> {
    let mut found: Vec<(usize, Vec<&str>)> = Vec::new();
    let mut marker = None;
    for (index, line) in text.lines().enumerate() {
        let here = ["///", "//!"].into_iter().find(|marker| is_doc(line.trim_start(), marker));
        if let Some(here) = here {
            if marker != Some(here) {
                found.push((index + 1, Vec::new()));
            }
            if let Some((_, words)) = found.last_mut() {
                words.extend(line.trim_start()[here.len()..].split_whitespace());
            }
        }
        marker = here;
    }
    found
}

/// Four slashes make an ordinary comment, not a doc comment.
fn is_doc(line: &str, marker: &str) -> bool {
    line.strip_prefix(marker).is_some_and(|rest| !rest.starts_with('/'))
}

fn complaint(words: &[&str]) -> Option<String> {
    let text = words.join(" ");
    let first = text.split(". ").next().unwrap_or_default();
    if words.len() < LEAST_WORDS {
        return Some(format!(
            "`{text}` is too short: say what the item is, its unit or its range, or nothing"
        ));
    }
    let opens = |with: &str| text.strip_prefix(with).is_some_and(|rest| rest.starts_with(' '));
    let fragment = FRAGMENTS.iter().any(|opening| opens(opening)) || (opens("Where") && !first.contains(','));
    if fragment {
        return Some(format!("`{first}` is no sentence: begin with the noun or the verb"));
    }
    let inverted = PARTICIPLES.contains(&words[0]) && ["is", "are", "was", "were"].contains(&words[1]);
    inverted.then(|| format!("`{first}` is inverted: put the subject first"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(text: &str) -> Vec<String> {
        let file = SourceFile::new("a.rs", text.as_bytes().to_vec());
        findings(&file).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn short_comments_are_refused_and_longer_ones_pass() {
        let short =
            "a.rs:2: `The file.` is too short: say what the item is, its unit or its range, or nothing";
        assert_eq!(complaints("struct S {\n    /// The file.\n    f: F,\n}\n"), [short]);
        assert_eq!(complaints("/// The file's length.\n///\nfn f() {}\n"), [""; 0]);
        assert_eq!(complaints("/// The length\n/// in bytes.\nfn f() {}\n"), [""; 0]);
        assert_eq!(complaints("// Two words\n//// Two words\n"), [""; 0]);
    }

    #[test]
    fn a_module_comment_ends_where_another_comment_begins() {
        assert_eq!(complaints("//! A module.\n/// Adds two numbers.\nfn f() {}\n").len(), 1);
        assert_eq!(complaints("/// One two.\n\n/// Three four.\n").len(), 2);
    }

    #[test]
    fn fragments_and_inversions_are_refused() {
        for opening in
            ["Which bank it is in.", "Where the points begin.", "Whose slot it is.", "Of the leaf alone."]
        {
            let expected = format!("a.rs:1: `{opening}` is no sentence: begin with the noun or the verb");
            assert_eq!(complaints(&format!("/// {opening}\n")), [expected]);
        }
        let inverted = complaints("/// Printed is a carry of zero. It is wrong.\n");
        assert_eq!(inverted, ["a.rs:1: `Printed is a carry of zero` is inverted: put the subject first"]);
        assert_eq!(complaints("/// Where the processor has AVX-512, eight lanes are used.\n"), [""; 0]);
        assert_eq!(complaints("/// Reads one row of a table.\n"), [""; 0]);
    }

    #[test]
    fn hand_written_sources_are_checked_and_generated_ones_are_not() {
        let said = crate::tidy::bench::said(check, &[("crates/a/src/x.rs", "/// One.\n\n/// Two.\n")]);
        assert_eq!(said.len(), 2);
        assert!(said[1].starts_with("crates/a/src/x.rs:3: `Two.` is too short"), "{said:?}");
        assert_eq!(crate::tidy::bench::said(check, &[("crates/a/generated/z.rs", "/// One.\n")]), [""; 0]);
    }
}
