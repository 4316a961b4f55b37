//! The rule that code which processes untrusted bytes denies the lints of its tier at the top of the file.

use super::house::Tier;
use super::{Finding, RuleInput};
use crate::tree::SourceFile;
use std::collections::BTreeSet;

/// Checks that each file of a tier exists and denies all lints of the tier.
pub(crate) fn check(view: &RuleInput<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for tier in &view.house.tiers {
        for path in &tier.files {
            match view.tree.get(path) {
                None => findings.push(Finding::at(
                    "floors.toml",
                    1,
                    format!("tier {}: no file {path}", tier.name),
                )),
                Some(file) => findings.extend(lacking(tier, file)),
            }
        }
    }
    findings
}

fn lacking(tier: &Tier, file: &SourceFile) -> Option<Finding> {
    let denied = denied(file.code());
    let lacking: Vec<&str> =
        tier.lints.iter().map(String::as_str).filter(|lint| !denied.contains(*lint)).collect();
    let what = format!("lint tier `{}` lacks: {}", tier.name, lacking.join(", "));
    (!lacking.is_empty()).then(|| Finding::at(&file.path, 1, what))
}

/// The clippy lints that the inner attributes of a file deny or forbid, at least outside of tests.
fn denied(code: &str) -> BTreeSet<&str> {
    let attributes = code.split("#![").skip(1).map(|rest| rest.split(']').next().unwrap_or(rest));
    attributes
        .filter(|attribute| {
            let packed: String = attribute.split_whitespace().collect();
            let always = packed.starts_with("deny(") || packed.starts_with("forbid(");
            always
                || packed.starts_with("cfg_attr(not(test),deny(")
                || packed.starts_with("cfg_attr(not(test),forbid(")
        })
        .flat_map(|attribute| attribute.split(|c: char| !(c.is_alphanumeric() || c == '_')))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::bench::said;

    #[test]
    fn a_tier_file_denies_its_lints() {
        let path = "crates/left/src/lib.rs";
        for good in [
            "#![cfg_attr(not(test), deny(clippy::panic, clippy::unwrap_used))]",
            "#![cfg_attr(\n    not(test),\n    deny(\n        clippy::panic,\n        clippy::unwrap_used\n    )\n)]",
            "#![deny(clippy::panic)]\n#![forbid(\n    clippy::unwrap_used,\n)]",
        ] {
            assert_eq!(said(check, &[(path, good)]), [""; 0], "{good}");
        }
        for (bad, lacking) in [
            ("#![deny(clippy::panic)]", "unwrap_used"),
            ("// #![deny(clippy::panic, clippy::unwrap_used)]", "panic, unwrap_used"),
            ("#![cfg_attr(windows, deny(clippy::panic, clippy::unwrap_used))]", "panic, unwrap_used"),
            ("#![allow(clippy::panic, clippy::unwrap_used)]", "panic, unwrap_used"),
        ] {
            assert_eq!(
                said(check, &[(path, bad)]),
                [format!("{path}:1: lint tier `decoder` lacks: {lacking}")]
            );
        }
    }

    #[test]
    fn a_tier_names_files_that_exist() {
        assert_eq!(said(check, &[]), ["floors.toml:1: tier decoder: no file crates/left/src/lib.rs"]);
    }
}
