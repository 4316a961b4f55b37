//! The rule about text that must not be in the repository: paths of a particular machine, folders outside of the repository, addresses
//! of package registries.

use super::{Finding, RuleInput};

/// Folders at the root of a file system, written in two parts so that this file passes its own rule.
const MACHINE_PATHS: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/tm", "p/"),
    concat!("/ho", "me/"),
    concat!("/ro", "ot/"),
    concat!("/Use", "rs/"),
    concat!("/op", "t/"),
];

/// Text that refers to something outside of the repository or to a registry.
const OUTSIDE: &[&str] = &[
    concat!("../", "shared"),
    concat!("registry.", "npmjs.org"),
    concat!("registry.", "yarnpkg.com"),
    concat!("static.", "crates.io"),
    concat!("index.", "crates.io"),
    concat!("files.", "pythonhosted.org"),
    concat!("pypi.org/", "simple"),
    concat!("proxy.", "golang.org"),
];

/// Searches the bytes of every file, so that compiled artefacts are covered too.
pub(crate) fn check(view: &RuleInput<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in &view.tree.files {
        for word in MACHINE_PATHS {
            findings.extend(hits(&file.bytes, word).filter(|at| begins_path(&file.bytes, *at)).map(|at| {
                let what = format!("`{word}` is a path of one machine");
                Finding::at(&file.path, line_at(&file.bytes, at), what)
            }));
        }
        for word in OUTSIDE {
            findings.extend(hits(&file.bytes, word).map(|at| {
                let what = format!("`{word}` lies outside of the repository");
                Finding::at(&file.path, line_at(&file.bytes, at), what)
            }));
        }
    }
    findings
}

fn hits<'a>(bytes: &'a [u8], word: &'static str) -> impl Iterator<Item = usize> + 'a {
    let word = word.as_bytes();
    bytes.windows(word.len()).enumerate().filter(move |(_, window)| *window == word).map(|(at, _)| at)
}

/// False inside a longer relative path or a web address: `a/home/b`, `../work/b`.
fn begins_path(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    before.is_none_or(|byte| !(byte.is_ascii_alphanumeric() || b"._-~".contains(byte)))
}

fn line_at(bytes: &[u8], at: usize) -> usize {
    bytes[..at].iter().filter(|byte| **byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::bench::said;

    #[test]
    fn machine_paths_are_found_where_a_path_begins() {
        let path = concat!("/ho", "me/");
        let text = format!("first\nopen(\"{path}ada/x\")\n");
        assert_eq!(said(check, &[("a.py", &text)]), [format!("a.py:2: `{path}` is a path of one machine")]);
        assert_eq!(said(check, &[("a.md", &format!("https://example.org{path}x and ..{path}y"))]), [""; 0]);
    }

    #[test]
    fn registries_and_neighbours_are_found() {
        for word in OUTSIDE {
            let found = said(check, &[("a.json", &format!("\n\n https://{word}/x"))]);
            assert_eq!(found, [format!("a.json:3: `{word}` lies outside of the repository")]);
        }
    }
}
