//! The rule that TOML files can be parsed. Descriptions of machines that are built into a crate are parsed at run time, so a syntax
//! error would be found only by the first user of that machine. The meaning of the values is tested in the crates.

use super::{Finding, RuleInput};

/// Parses every `.toml` file.
pub(crate) fn check(view: &RuleInput<'_>) -> Vec<Finding> {
    let files = view.tree.files.iter().filter(|file| file.path.ends_with(".toml"));
    let finding = |path: &str, text: &str| {
        let why = text.parse::<toml::Table>().err()?;
        let at = why.span().map_or(0, |span| span.start.min(text.len()));
        let line = text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        Some(Finding::at(path, line, format!("is no TOML: {}", why.message())))
    };
    files
        .filter_map(|file| match file.text() {
            Some(text) => finding(&file.path, text),
            None => Some(Finding::at(&file.path, 1, "is no TOML: it is not text".to_owned())),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::bench::said;

    #[test]
    fn a_machine_that_cannot_be_read_is_found() {
        let path = "crates/machine/specs/best.toml";
        assert_eq!(said(check, &[(path, "[dram]\nlatency = 40\n")]), [""; 0]);
        let found = said(check, &[(path, "[dram]\nlatency = 40\nlatency = 41\n"), ("a.rs", "= =")]);
        let [one] = &found[..] else { panic!("{found:?}") };
        assert!(one.starts_with("crates/machine/specs/best.toml:3: is no TOML: duplicate key"), "{one}");
    }
}
