//! The rule that `unsafe` is used only where floors.toml allows it, and that every other crate forbids it at its root. A crate in
//! which only one file may use it denies it at the root, because a forbidden lint cannot be allowed again.

use super::{Finding, RuleInput};

/// Searches for the word in code, and for the attribute in the root of every library and program.
pub(crate) fn check(view: &RuleInput<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in
        view.tree.files.iter().filter(|file| file.is_rust() && !view.house.may_hold_unsafe(&file.path))
    {
        let what = "`unsafe` outside the crates that may hold it";
        findings.extend(Finding::in_lines(&file.path, file.code(), |line| {
            has_word(line, "unsafe").then_some(what)
        }));
    }
    let roots =
        view.metadata.members().flat_map(|package| package.targets.iter().filter(|target| target.is_root()));
    for path in roots.map(|target| view.metadata.relative(&target.src_path)) {
        let Some(file) = view.tree.get(&path) else { continue };
        let says = |attribute: &str| file.code().lines().any(|line| line.trim() == attribute);
        let forbids = says("#![forbid(unsafe_code)]")
            || view.house.may_deny_only(&path) && says("#![deny(unsafe_code)]");
        if !forbids && !view.house.may_hold_unsafe(&path) {
            findings.push(Finding::at(&path, 1, "the crate root lacks `#![forbid(unsafe_code)]`"));
        }
    }
    findings
}

/// True if `line` contains `word`, and not only as a part of a longer identifier.
pub(crate) fn has_word(line: &str, word: &str) -> bool {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        !line[..at].ends_with(part_of_word) && !line[at + word.len()..].starts_with(part_of_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::bench::{said, said_with};
    use crate::tidy::metadata::{Metadata, Package, Target};

    #[test]
    fn the_word_counts_in_code_only() {
        let prose = "//! unsafe\n#![forbid(unsafe_code)]\nconst S: &str = \"unsafe\";\n";
        assert_eq!(said(check, &[("crates/left/src/lib.rs", prose)]), [""; 0]);
        let code = "fn f() {\n    unsafe { g() }\n}\n";
        let found = said(check, &[("crates/left/tests/t.rs", code), ("crates/machine/src/k.rs", code)]);
        assert_eq!(found, ["crates/left/tests/t.rs:2: `unsafe` outside the crates that may hold it"]);
    }

    #[test]
    fn crate_roots_forbid_it() {
        let target = |kind: &str, path: &str| Target {
            kind: vec![kind.to_owned()],
            src_path: path.to_owned(),
            test: true,
        };
        let targets = vec![
            target("lib", "/r/crates/left/src/lib.rs"),
            target("bin", "/r/crates/left/src/main.rs"),
            target("test", "/r/crates/left/tests/t.rs"),
        ];
        let metadata = Metadata {
            packages: vec![Package { id: "left".to_owned(), targets, ..Package::default() }],
            workspace_members: vec!["left".to_owned()],
            workspace_root: "/r".to_owned(),
            ..Metadata::default()
        };
        let files = [
            ("crates/left/src/lib.rs", "//! #![forbid(unsafe_code)]\n"),
            ("crates/left/src/main.rs", "//! Text.\n#![forbid(unsafe_code)]\n"),
            ("crates/left/tests/t.rs", ""),
        ];
        let found = said_with(check, &files, &metadata);
        assert_eq!(found, ["crates/left/src/lib.rs:1: the crate root lacks `#![forbid(unsafe_code)]`"]);
    }

    #[test]
    fn one_file_may_hold_it_where_the_root_denies_it() {
        let house = crate::tidy::house::HouseRules::parse(
            &crate::tidy::bench::HOUSE.replace("crates/machine\"]", "crates/left/src/map.rs\"]"),
        );
        let house = house.unwrap();
        assert!(house.may_hold_unsafe("crates/left/src/map.rs"));
        assert!(!house.may_hold_unsafe("crates/left/src/lib.rs"));
        assert!(house.may_deny_only("crates/left/src/lib.rs"));
        assert!(!house.may_deny_only("crates/right/src/lib.rs"));
    }
}
