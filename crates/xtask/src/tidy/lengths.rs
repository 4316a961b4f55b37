//! The rule that files are not too long. Generated and derived text is exempt.

use super::{Finding, RuleInput};
use crate::derived;
use crate::tree::SourceFile;

const SOFT: usize = 600;
const HARD: usize = 1000;

/// Documents with a lower limit, in lines.
const PROMISES: &[(&str, usize)] = &[("README.md", 120), ("ARCHITECTURE.md", 140)];

const HAND_WRITTEN: &[&str] = &[".rs", ".py", ".mjs", ".js", ".circom", ".md", ".toml", ".sh"];

/// Warns above 600 lines and refuses more than 1,000.
pub(crate) fn check(view: &RuleInput<'_>) -> Vec<Finding> {
    view.tree.files.iter().filter(|file| is_hand_written(file)).filter_map(finding).collect()
}

fn finding(file: &SourceFile) -> Option<Finding> {
    let lines = file.text()?.lines().count();
    let promise = PROMISES.iter().find(|(path, _)| *path == file.path).map(|(_, most)| *most);
    let hard = promise.unwrap_or(HARD);
    if lines > hard {
        Some(Finding::at(&file.path, hard + 1, format!("{lines} lines; at most {hard} here")))
    } else if lines > SOFT {
        Some(Finding::warn(
            &file.path,
            SOFT + 1,
            format!("{lines} lines; {SOFT} is the aim, {HARD} the limit"),
        ))
    } else {
        None
    }
}

fn is_hand_written(file: &SourceFile) -> bool {
    HAND_WRITTEN.iter().any(|ending| file.path.ends_with(ending))
        && !file.path.contains("/generated/")
        && !file.path.starts_with("vectors/")
        && !derived::is_output(&file.path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::bench::said;

    fn of_length(path: &str, lines: usize) -> Vec<String> {
        said(check, &[(path, &"x\n".repeat(lines))])
    }

    #[test]
    fn six_hundred_warns_and_a_thousand_fails() {
        assert_eq!(of_length("crates/a/src/b.rs", 600), [""; 0]);
        let soft = ["crates/a/src/b.rs:601: warning: 601 lines; 600 is the aim, 1000 the limit"];
        assert_eq!(of_length("crates/a/src/b.rs", 601), soft);
        assert_eq!(of_length("derive/b.py", 1001), ["derive/b.py:1001: 1001 lines; at most 1000 here"]);
    }

    #[test]
    fn generated_text_and_data_are_exempt() {
        for path in ["crates/a/src/generated/b.rs", "vectors/a/b.md", "a.json"] {
            assert_eq!(of_length(path, 2000), [""; 0], "{path}");
        }
    }

    #[test]
    fn short_documents_keep_their_promise() {
        assert_eq!(of_length("README.md", 121), ["README.md:121: 121 lines; at most 120 here"]);
    }
}
