//! The rule that quotations in documents match their source: a block "```LANGUAGE file=PATH" is compared with the file line by line.

use super::{Finding, RuleInput};

/// Searches for every quoted block in its file; indentation is ignored.
pub(crate) fn check(view: &RuleInput<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for page in view.tree.files.iter().filter(|file| file.path.ends_with(".md")) {
        for block in page.blocks() {
            let Some((_, path)) = block.info.split_once(" file=") else { continue };
            let source = view.tree.get(path).and_then(|file| file.text());
            let what = match source {
                None => format!("`{path}` does not exist"),
                Some(text) if !holds(text, &block.lines) => format!("`{path}` has other lines"),
                Some(_) => continue,
            };
            findings.push(Finding::at(&page.path, block.line, what));
        }
    }
    findings
}

/// Whether a text contains these lines consecutively.
fn holds(text: &str, lines: &[&str]) -> bool {
    let text: Vec<&str> = text.lines().map(str::trim).collect();
    text.windows(lines.len().max(1)).any(|window| window == lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::bench::said;

    #[test]
    fn quotes_are_compared_with_their_files() {
        let source = ("src/a.rs", "mod x {\n    fn f() {\n        1\n    }\n}\n");
        let said = |quote: &str| said(check, &[source, ("docs/a.md", &format!("Look:\n{quote}```\n"))]);
        assert_eq!(said("```rust file=src/a.rs\nfn f() {\n    1\n}\n"), [""; 0]);
        assert_eq!(said("```rust\nfn g() {}\n"), [""; 0]);
        assert_eq!(
            said("```rust file=src/a.rs\nfn f() {\n    2\n}\n"),
            ["docs/a.md:2: `src/a.rs` has other lines"]
        );
        assert_eq!(said("```rust file=src/b.rs\n1\n"), ["docs/a.md:2: `src/b.rs` does not exist"]);
    }
}
