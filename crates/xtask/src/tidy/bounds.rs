//! The rule that a public `where` clause has at most three lines; longer ones mean that a trait is missing.

use super::{Finding, RuleInput};

const MOST: usize = 3;

/// Checks the head of every public item and of every `impl`.
pub(crate) fn check(view: &RuleInput<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in view.tree.files.iter().filter(|file| file.is_rust()) {
        let mut offset = 0;
        for (index, line) in file.code().split_inclusive('\n').enumerate() {
            if begins_item(line) {
                let lines = where_lines(&file.code()[offset..]);
                if lines > MOST {
                    let what = format!("a `where` clause of {lines} lines; at most {MOST} on a public item");
                    findings.push(Finding::at(&file.path, index + 1, what));
                }
            }
            offset += line.len();
        }
    }
    findings
}

fn begins_item(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("pub ") || line.starts_with("impl ") || line.starts_with("impl<")
}

/// The number of lines of bounds between `where` and the body of the item that begins here.
fn where_lines(item: &str) -> usize {
    let head = &item[..head_end(item)];
    let clause = head.match_indices("where").find(|(at, word)| {
        head[..*at].ends_with(char::is_whitespace) && head[at + word.len()..].starts_with(char::is_whitespace)
    });
    clause.map_or(0, |(at, word)| {
        head[at + word.len()..].lines().filter(|line| !line.trim().is_empty()).count()
    })
}

/// The position at which the head of an item ends: the first `{` or `;` outside of brackets.
fn head_end(item: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in item.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '{' | ';' if depth == 0 => return at,
            _ => {}
        }
    }
    item.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::bench::said;

    fn clause(head: &str, bounds: usize) -> String {
        let bounds: String = (0..bounds).map(|i| format!("    T{i}: [u8; 4] + Into<String>,\n")).collect();
        format!("// A line.\n{head}\nwhere\n{bounds}{{\n}}\n")
    }

    #[test]
    fn three_lines_pass_and_four_do_not() {
        for head in ["pub fn f(x: [u8; 3])", "impl<T> Tr for S<T>", "    pub fn g()", "pub struct S<T>"] {
            assert_eq!(said(check, &[("a.rs", &clause(head, 3))]), [""; 0], "{head}");
            let found = said(check, &[("a.rs", &clause(head, 4))]);
            assert_eq!(found, ["a.rs:2: a `where` clause of 4 lines; at most 3 on a public item"], "{head}");
        }
    }

    #[test]
    fn private_items_and_bodies_do_not_count() {
        assert_eq!(said(check, &[("a.rs", &clause("pub(crate) fn f()", 4))]), [""; 0]);
        let body = format!("pub fn f() {{\n{}}}\n", clause("fn inner()", 4));
        assert_eq!(said(check, &[("a.rs", &body)]), [""; 0]);
    }
}
