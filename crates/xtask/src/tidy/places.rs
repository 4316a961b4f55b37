//! The contributor's pages are followed: the files that they list are those that an example already there needed.
//!
//! A block that begins with "```places NAME ..." lists, a path a line, the files that name the example. The rule
//! searches the sources for these names and compares, so a page that misses a step, or tells one too many, fails.
//! Files in a folder of that name belong to the example and are not listed.

use super::{Finding, View};
use crate::tree::SourceFile;

const PAGES: &str = "docs/book/src/contribute";
const FENCE: &str = "```places ";

/// Compares every list of places with the sources, and looks for the paths that the pages name.
pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for page in view.tree.files.iter().filter(|file| file.is_in(PAGES) && file.path.ends_with(".md")) {
        let text = page.text().unwrap_or_default();
        let lists = lists(text);
        if lists.is_empty() {
            findings.push(Finding::at(&page.path, 1, "no list of places: name an example and its files"));
        }
        for list in &lists {
            let found: Vec<&str> = view
                .tree
                .files
                .iter()
                .filter(|file| names(file, &list.names))
                .map(|f| f.path.as_str())
                .collect();
            for path in found.iter().filter(|path| !list.paths.contains(path)) {
                let what = format!("`{path}` names {} and is not listed", list.names.join(" or "));
                findings.push(Finding::at(&page.path, list.line, what));
            }
            for path in list.paths.iter().filter(|path| !found.contains(path)) {
                let what = format!("`{path}` is listed and does not name {}", list.names.join(" or "));
                findings.push(Finding::at(&page.path, list.line, what));
            }
        }
        for (index, line) in text.lines().enumerate() {
            for path in paths(line) {
                if !view
                    .tree
                    .files
                    .iter()
                    .any(|file| file.path == path || file.is_in(path.trim_end_matches('/')))
                {
                    findings.push(Finding::at(&page.path, index + 1, format!("`{path}` does not exist")));
                }
            }
        }
    }
    findings
}

/// A list of the files that name an example.
struct List<'a> {
    line: usize,
    names: Vec<&'a str>,
    paths: Vec<&'a str>,
}

fn lists(text: &str) -> Vec<List<'_>> {
    let mut lists = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        if let Some(names) = line.strip_prefix(FENCE) {
            let paths =
                lines.by_ref().map(|(_, line)| line.trim()).take_while(|line| *line != "```").collect();
            lists.push(List { line: index + 1, names: names.split_whitespace().collect(), paths });
        }
    }
    lists
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
            .any(|name| has_name(&file.path, name) || has_name(file.text().unwrap_or_default(), name))
}

/// Whether a name stands in a text with no letter, digit or underscore beside it.
fn has_name(text: &str, name: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(joins)
            && !text[at + name.len()..].chars().next().is_some_and(joins)
    })
}

/// The paths of the repository that stand between backticks in a line, those with a `<placeholder>` left out.
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
