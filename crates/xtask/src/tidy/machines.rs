//! Protocols and file formats know devices, never a machine.

use super::unsafety::has_word;
use super::{Finding, View};

/// Looks for the library names of machine crates in the sources of the crates that must not know them.
pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for folder in &view.house.machines.blind {
        let sources = format!("{folder}/src");
        for file in view.tree.files.iter().filter(|file| file.is_rust() && file.is_in(&sources)) {
            for (index, line) in file.code().lines().enumerate() {
                for machine in view.house.machines.crates.iter().map(|name| name.replace('-', "_")) {
                    if has_word(line, &machine) {
                        let what = format!("names the machine `{machine}`; ask the session instead");
                        findings.push(Finding::at(&file.path, index + 1, what));
                    }
                }
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::bench::said;

    #[test]
    fn blind_crates_do_not_name_machines() {
        let code = "//! machine\nuse machine::board;\n";
        let found = said(check, &[("crates/left/src/a.rs", code)]);
        assert_eq!(found, ["crates/left/src/a.rs:2: names the machine `machine`; ask the session instead"]);
        for path in ["crates/left/tests/a.rs", "crates/door/src/a.rs"] {
            assert_eq!(said(check, &[(path, code)]), [""; 0], "{path}");
        }
    }
}
