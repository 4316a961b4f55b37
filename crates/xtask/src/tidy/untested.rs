//! The rule that a library or program whose manifest says `test = false` has no unit tests, since they would not run.

use super::{Finding, RuleInput};

/// Searches for unit tests in the folders of such targets.
pub(crate) fn check(view: &RuleInput<'_>) -> Vec<Finding> {
    let targets = view.metadata.members().flat_map(|package| &package.targets);
    let untested = targets.filter(|target| !target.test && target.is_root());
    let folders: Vec<String> = untested
        .filter_map(|target| {
            Some(view.metadata.relative(&target.src_path).rsplit_once('/')?.0.to_owned() + "/")
        })
        .collect();
    let hidden =
        view.tree.files.iter().filter(|file| folders.iter().any(|folder| file.path.starts_with(folder)));
    hidden
        .filter(|file| file.is_rust())
        .filter_map(|file| {
            let at = file.code().lines().position(|line| line.contains("#[cfg(test)]"))?;
            Some(Finding::at(
                &file.path,
                at + 1,
                "unit tests that never run: the manifest says `test = false`",
            ))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::bench::said_with;
    use crate::tidy::metadata::{Metadata, Package, Target};

    #[test]
    fn unit_tests_of_a_library_that_is_not_tested_are_found() {
        let target =
            |path: &str, test| Target { kind: vec!["lib".to_owned()], src_path: path.to_owned(), test };
        let targets =
            vec![target("/r/crates/door/src/lib.rs", false), target("/r/crates/left/src/lib.rs", true)];
        let metadata = Metadata {
            packages: vec![Package { id: "door".to_owned(), targets, ..Package::default() }],
            workspace_members: vec!["door".to_owned()],
            workspace_root: "/r".to_owned(),
            ..Metadata::default()
        };
        let tested = "#[cfg(test)]\nmod tests {}\n";
        let files = [
            ("crates/door/src/lib.rs", "//! `#[cfg(test)]`\n"),
            ("crates/door/src/plan.rs", tested),
            ("crates/door/tests/a.rs", tested),
            ("crates/left/src/lib.rs", tested),
        ];
        let found = said_with(check, &files, &metadata);
        assert_eq!(
            found,
            ["crates/door/src/plan.rs:1: unit tests that never run: the manifest says `test = false`"]
        );
    }
}
