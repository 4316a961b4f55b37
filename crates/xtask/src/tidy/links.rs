//! The rule that links between documents refer to files that exist.

use super::{Finding, RuleInput};
use crate::tree::SourceFile;

/// Checks every relative Markdown link; web addresses and anchors within a page are not checked.
pub(crate) fn check(view: &RuleInput<'_>) -> Vec<Finding> {
    let pages = view.tree.files.iter().filter(|file| file.path.ends_with(".md"));
    let dead = |page: &SourceFile| {
        let text = page.text().unwrap_or_default();
        let in_line = |line| {
            let dead = targets(line).filter(|target| !view.tree.holds(&resolve(&page.path, target)));
            dead.map(|target| format!("the link to `{target}` is dead")).collect::<Vec<_>>()
        };
        Finding::in_lines(&page.path, text, in_line).collect::<Vec<_>>()
    };
    pages.flat_map(dead).collect()
}

/// The relative targets of `[text](target)` in a line, without their anchors.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    let after = line.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    after
        .filter(|target| !target.contains("://") && !target.starts_with("mailto:"))
        .map(|target| target.split('#').next().unwrap_or_default())
        .filter(|target| !target.is_empty())
}

/// The path from the root of a target that is written relative to `from`.
fn resolve(from: &str, target: &str) -> String {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::bench::said;

    #[test]
    fn dead_links_are_found() {
        let page = "[a](b.md) [c](../README.md#part)\n[d](gone.md) [e](https://example.org/x) [f](#here) [g](../docs)\n";
        let files = [("docs/a.md", page), ("docs/b.md", ""), ("README.md", "")];
        assert_eq!(said(check, &files), ["docs/a.md:2: the link to `gone.md` is dead"]);
    }
}
