//! The rule that protocols and file formats depend on devices, never on a machine, and that machines know no protocol.

use super::unsafety::has_word;
use super::{Finding, RuleInput};

/// Checks both directions of the rule.
pub(crate) fn check(view: &RuleInput<'_>) -> Vec<Finding> {
    let mut findings = machines_in_protocols(view);
    findings.extend(protocols_in_machines(view));
    findings
}

/// Searches for the library names of machine crates in the sources of the crates that must not know them.
fn machines_in_protocols(view: &RuleInput<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let machines: Vec<String> =
        view.house.machines.crates.iter().map(|name| name.replace('-', "_")).collect();
    for folder in &view.house.machines.blind {
        let sources = format!("{folder}/src");
        for file in view.tree.files.iter().filter(|file| file.is_rust() && file.is_in(&sources)) {
            findings.extend(Finding::in_lines(&file.path, file.code(), |line| {
                let named = machines.iter().filter(|machine| has_word(line, machine));
                named.map(|machine| format!("names the machine `{machine}`; ask the session instead"))
            }));
        }
    }
    findings
}

/// Searches for the names of protocols in the sources of machines, including comments and strings. The name of a curve, as in
/// `bls12_381` or BLS12-381, is a different word from the name of the signature. Tests of machines may run protocols.
fn protocols_in_machines(view: &RuleInput<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for folder in &view.house.machines.folders {
        let sources = format!("{folder}/src");
        let is_test = |path: &str| path.ends_with("/tests.rs") || path.contains("/tests/");
        let files = view.tree.files.iter();
        for file in files.filter(|file| file.is_rust() && file.is_in(&sources) && !is_test(&file.path)) {
            findings.extend(Finding::in_lines(&file.path, file.text().unwrap_or_default(), |line| {
                let line = line.to_lowercase();
                let words = view.house.machines.protocols.iter().filter(move |word| has_word(&line, word));
                words.map(|word| format!("names the protocol `{word}`, which a machine must not know"))
            }));
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

    #[test]
    fn machines_do_not_name_protocols() {
        let code =
            "//! Runs Groth16 on BLS12-381.\nuse curve::bls12_381;\nconst WHAT: &str = \"BLS signatures\";\n";
        let found = said(check, &[("crates/machine/src/a.rs", code)]);
        let says = |at, word| {
            format!(
                "crates/machine/src/a.rs:{at}: names the protocol `{word}`, which a machine must not know"
            )
        };
        assert_eq!(found, [says(1, "groth16"), says(3, "bls")]);
        for path in ["crates/machine/src/a/tests.rs", "crates/machine/tests/all/a.rs", "crates/door/src/a.rs"]
        {
            assert_eq!(said(check, &[(path, code)]), [""; 0], "{path}");
        }
    }
}
