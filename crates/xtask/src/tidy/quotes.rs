//! What a document quotes from a file stands in that file: a block "```LANGUAGE file=PATH" is compared line by line.

use super::{Finding, View};

/// Looks for every quoted block in its file; indentation does not count.
pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for page in view.tree.files.iter().filter(|file| file.path.ends_with(".md")) {
        for quote in quotes(page.text().unwrap_or_default()) {
            let source = view.tree.get(quote.path).and_then(|file| file.text());
            let what = match source {
                None => format!("`{}` does not exist", quote.path),
                Some(text) if !holds(text, &quote.lines) => format!("`{}` has other lines", quote.path),
                Some(_) => continue,
            };
            findings.push(Finding::at(&page.path, quote.line, what));
        }
    }
    findings
}

/// Lines that a page says to stand in a file.
struct Quote<'a> {
    line: usize,
    path: &'a str,
    lines: Vec<&'a str>,
}

fn quotes(page: &str) -> Vec<Quote<'_>> {
    let mut found = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let path = line.strip_prefix("```").and_then(|info| info.split_once(" file="));
        if let Some((_, path)) = path {
            let block =
                lines.by_ref().map(|(_, line)| line.trim()).take_while(|line| *line != "```").collect();
            found.push(Quote { line: index + 1, path, lines: block });
        }
    }
    found
}

/// Whether these lines follow each other in a text.
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
