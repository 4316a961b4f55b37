//! The rule that no unfinished code is committed.

use super::unsafety::has_word;
use super::{Finding, RuleInput};

const MACROS: &[&str] = &["todo", "unimplemented", "dbg"];
const MARKS: &[&str] = &[concat!("FIX", "ME"), concat!("XX", "X:")];
const SOURCES: &[&str] = &[".rs", ".py", ".mjs", ".js", ".circom", ".sh", ".toml", ".md"];

/// Searches for macros of unfinished code in Rust sources, and for marks of unfinished work in every source.
pub(crate) fn check(view: &RuleInput<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in view.tree.files.iter().filter(|file| SOURCES.iter().any(|ending| file.path.ends_with(ending)))
    {
        findings.extend(Finding::in_lines(&file.path, file.text().unwrap_or_default(), |line| {
            let marks = MARKS.iter().filter(|mark| line.contains(**mark));
            marks.map(|mark| format!("`{mark}` left in the text"))
        }));
        if file.is_rust() {
            findings.extend(Finding::in_lines(&file.path, file.code(), |line| {
                let macros = MACROS.iter().filter(|name| calls_macro(line, name));
                macros.map(|name| format!("`{name}!` left in the code"))
            }));
        }
    }
    findings
}

fn calls_macro(line: &str, name: &str) -> bool {
    has_word(line, name) && line.contains(&format!("{name}!"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::bench::said;

    #[test]
    fn unfinished_macros_are_found_in_code() {
        for name in MACROS {
            let found = said(check, &[("a.rs", &format!("fn f() {{\n    {name}!()\n}}\n"))]);
            assert_eq!(found, [format!("a.rs:2: `{name}!` left in the code")]);
            assert_eq!(said(check, &[("a.rs", &format!("// {name}!()\n"))]), [""; 0]);
        }
    }

    #[test]
    fn marks_are_found_in_prose_too() {
        for mark in MARKS {
            let found = said(check, &[("a.py", &format!("# {mark} later\n"))]);
            assert_eq!(found, [format!("a.py:1: `{mark}` left in the text")]);
        }
    }
}
