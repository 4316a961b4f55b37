//! Links between documents lead to files that exist.

use super::{Finding, View};

/// Follows every relative Markdown link; web addresses and anchors within a page are left alone.
pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in view.tree.files.iter().filter(|file| file.path.ends_with(".md")) {
        for (index, line) in file.text().unwrap_or_default().lines().enumerate() {
            for target in targets(line) {
                let path = resolve(&file.path, target);
                let exists = view.tree.files.iter().any(|other| other.path == path || other.is_in(&path));
                if !exists {
                    findings.push(Finding::at(
                        &file.path,
                        index + 1,
                        format!("the link to `{target}` is dead"),
                    ));
                }
            }
        }
    }
    findings
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
