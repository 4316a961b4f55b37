//! The rule that the pages for contributors are complete: the files that they list are those that contain their example.
//!
//! A block that begins with "```places NAME ..." lists, one path per line, the files that contain the names of the example. The rule
//! searches the sources for these names and compares, so a page with a missing or an unnecessary step fails.
//! Files in a folder of that name belong to the example and are not listed.

use super::unsafety::has_word;
use super::{Finding, RuleInput};
use crate::tree::{Block, SourceFile};

const PAGES: &str = "docs/book/src/contribute";
/// The page that follows no example.
const WITHOUT_EXAMPLE: &str = "docs/book/src/contribute/where.md";
/// The word that marks a block as a list of files.
const MARK: &str = "places ";

/// Compares every list of files with the sources, and checks that the paths that the pages name exist.
pub(crate) fn check(view: &RuleInput<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for page in view.tree.files.iter().filter(|file| file.is_in(PAGES) && file.path.ends_with(".md")) {
        let lists: Vec<List<'_>> = page.blocks().into_iter().filter_map(List::new).collect();
        if lists.is_empty() && page.path != WITHOUT_EXAMPLE {
            findings.push(Finding::at(&page.path, 1, "no list of places: name an example and its files"));
        }
        for list in &lists {
            let files = view.tree.files.iter().filter(|file| names(file, &list.names));
            let found: Vec<&str> = files.map(|file| file.path.as_str()).collect();
            for path in found.iter().filter(|path| !list.paths.contains(path)) {
                let what = format!("`{path}` names {} and is not listed", list.names.join(" or "));
                findings.push(Finding::at(&page.path, list.line, what));
            }
            for path in list.paths.iter().filter(|path| !found.contains(path)) {
                let what = format!("`{path}` is listed and does not name {}", list.names.join(" or "));
                findings.push(Finding::at(&page.path, list.line, what));
            }
        }
        findings.extend(Finding::in_lines(&page.path, page.text().unwrap_or_default(), |line| {
            let gone = paths(line).filter(|path| !view.tree.holds(path));
            gone.map(|path| format!("`{path}` does not exist")).collect::<Vec<_>>()
        }));
    }
    findings
}

/// A list of the files that name an example.
struct List<'a> {
    line: usize,
    names: Vec<&'a str>,
    paths: Vec<&'a str>,
}

impl<'a> List<'a> {
    /// Parses a block as a list; `None` if it is another block.
    fn new(Block { line, info, lines }: Block<'a>) -> Option<Self> {
        let names = info.strip_prefix(MARK)?.split_whitespace().collect();
        Some(Self { line, names, paths: lines })
    }
}

/// Whether a source outside of the tests and of the example's own folder has one of the names, as a whole word, in its
/// path or its text.
fn names(file: &SourceFile, names: &[&str]) -> bool {
    let source = [".rs", ".py", ".toml", ".csv"].iter().any(|ending| file.path.ends_with(ending));
    let shipped = (file.is_in("crates") || file.is_in("derive") || !file.path.contains('/'))
        && !file.path.split('/').any(|part| {
            part == "tests" || part == "tests.rs" || part == "generated" || names.contains(&part)
        });
    source
        && shipped
        && names
            .iter()
            .any(|name| has_word(&file.path, name) || has_word(file.text().unwrap_or_default(), name))
}

/// The paths of the repository between backticks in a line, except those with a `<placeholder>`.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split('`').skip(1).step_by(2);
    quoted.filter(|text| {
        ["crates/", "derive/", "docs/", "results/"].iter().any(|folder| text.starts_with(folder))
            && !text.contains(['<', '*', ' '])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::bench::said;

    const SOURCES: [(&str, &str); 5] = [
        ("crates/a/src/neon/part.rs", "struct neon;\n"),
        ("crates/a/machines/neon.toml", "word = 32\n"),
        ("crates/a/src/list.rs", "const ALL: &[&str] = &[\"c\", \"neon\"];\n"),
        ("crates/a/src/other.rs", "fn neon_like() {}\n"),
        ("crates/a/tests/all/x.rs", "run(\"neon\");\n"),
    ];

    fn page(text: &str) -> Vec<String> {
        let mut files = SOURCES.to_vec();
        files.push(("docs/book/src/contribute/machine.md", text));
        said(check, &files)
    }

    #[test]
    fn a_true_list_passes() {
        let text = "Look at `crates/a/src/list.rs` and `crates/a/<name>`.\n```places neon\ncrates/a/machines/neon.toml\n\
                    crates/a/src/list.rs\n```\n";
        assert_eq!(page(text), [""; 0]);
    }

    #[test]
    fn missing_and_surplus_places_are_found() {
        let text = "```places neon\ncrates/a/machines/neon.toml\ncrates/a/src/other.rs\n```\n";
        let at = "docs/book/src/contribute/machine.md:1:";
        assert_eq!(
            page(text),
            [
                format!("{at} `crates/a/src/list.rs` names neon and is not listed"),
                format!("{at} `crates/a/src/other.rs` is listed and does not name neon"),
            ]
        );
    }

    #[test]
    fn a_page_without_a_list_and_a_dead_path_are_found() {
        let at = "docs/book/src/contribute/machine.md:1:";
        assert_eq!(
            page("See `crates/a/src/gone.rs`.\n"),
            [
                format!("{at} no list of places: name an example and its files"),
                format!("{at} `crates/a/src/gone.rs` does not exist"),
            ]
        );
    }
}
