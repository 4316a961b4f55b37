//! The rule that every folder of test vectors states its origin and licence.

use super::{Finding, RuleInput};
use std::collections::BTreeSet;

/// Checks that each folder directly below `vectors/` has a `SOURCE.md` that names a licence.
pub(crate) fn check(view: &RuleInput<'_>) -> Vec<Finding> {
    let folders: BTreeSet<&str> = view
        .tree
        .files
        .iter()
        .filter_map(|file| file.path.strip_prefix("vectors/")?.split_once('/').map(|(folder, _)| folder))
        .collect();
    folders
        .iter()
        .filter_map(|folder| {
            let path = format!("vectors/{folder}/SOURCE.md");
            match view.tree.get(&path).and_then(|file| file.text()) {
                None => {
                    Some(Finding::at(&path, 1, "missing: say origin, version and licence of these vectors"))
                }
                Some(text) if !names_licence(text) => Some(Finding::at(&path, 1, "names no licence")),
                Some(_) => None,
            }
        })
        .collect()
}

/// Words of which a `SOURCE.md` must contain one: the word licence itself, or the name of a usual licence.
const TERMS: &[&str] = &["licence", "license", "CC0", "MIT", "Apache-2.0", "BSD", "public domain"];

fn names_licence(text: &str) -> bool {
    TERMS.iter().any(|term| text.contains(term))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::bench::said;

    #[test]
    fn each_folder_tells_its_source() {
        let data = ("vectors/a/deep/x.json", "{}");
        let missing = "vectors/a/SOURCE.md:1: missing: say origin, version and licence of these vectors";
        assert_eq!(said(check, &[data]), [missing]);
        let silent = ("vectors/a/SOURCE.md", "From somewhere.");
        assert_eq!(said(check, &[data, silent]), ["vectors/a/SOURCE.md:1: names no licence"]);
        let good = ("vectors/a/SOURCE.md", "From somewhere, under the MIT licence.");
        assert_eq!(said(check, &[data, good, ("vectors/README.md", "")]), [""; 0]);
    }
}
