//! The rule that every package that cargo may fetch has a licence and a source that deny.toml allows.

use super::{Finding, RuleInput};
use crate::tree::SourceFile;
use serde::Deserialize;

#[derive(Deserialize)]
struct Policy {
    licenses: Licenses,
    sources: Sources,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
    #[serde(default)]
    exceptions: Vec<Exception>,
}

/// Licences that are allowed for one package.
#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    package: String,
    allow: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Sources {
    allow_registry: Vec<String>,
}

/// Compares all packages of the lock file with `deny.toml`.
pub(crate) fn check(view: &RuleInput<'_>) -> Vec<Finding> {
    let finding = |what: String| Finding::at("deny.toml", 1, what);
    let Some(text) = view.tree.get("deny.toml").and_then(SourceFile::text) else {
        return vec![finding("missing".to_owned())];
    };
    let policy: Policy = match toml::from_str(text) {
        Ok(policy) => policy,
        Err(error) => return vec![finding(error.to_string())],
    };
    let mut findings = Vec::new();
    for package in &view.metadata.packages {
        let name = format!("{} {}", package.name, package.version);
        match &package.license {
            None => findings.push(finding(format!("{name} states no licence"))),
            Some(terms) if !is_allowed(terms, &allowed(&policy.licenses, &package.name)) => {
                findings.push(finding(format!("{name} is licensed `{terms}`, which is not allowed")));
            }
            Some(_) => {}
        }
        let registry = package.source.as_deref().map(|source| source.trim_start_matches("registry+"));
        if registry
            .is_some_and(|registry| !policy.sources.allow_registry.iter().any(|known| known == registry))
        {
            findings.push(finding(format!("{name} comes from an unknown source")));
        }
    }
    findings
}

/// The licences that a package may have.
fn allowed(licenses: &Licenses, package: &str) -> Vec<String> {
    let own = licenses.exceptions.iter().filter(|exception| exception.package == package);
    licenses.allow.iter().chain(own.flat_map(|exception| &exception.allow)).cloned().collect()
}

/// Evaluates an SPDX expression: one branch of an `OR` suffices, all branches of an `AND` are needed.
/// A slash is the old way to write `OR`. An expression that does not parse is not allowed.
fn is_allowed(terms: &str, allow: &[String]) -> bool {
    let spaced = terms.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let verdict = any_of(&words, &mut at, allow);
    at == words.len() && verdict == Some(true)
}

fn any_of(words: &[&str], at: &mut usize, allow: &[String]) -> Option<bool> {
    let mut verdict = all_of(words, at, allow)?;
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        verdict |= all_of(words, at, allow)?;
    }
    Some(verdict)
}

fn all_of(words: &[&str], at: &mut usize, allow: &[String]) -> Option<bool> {
    let mut verdict = term(words, at, allow)?;
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        verdict &= term(words, at, allow)?;
    }
    Some(verdict)
}

fn term(words: &[&str], at: &mut usize, allow: &[String]) -> Option<bool> {
    let word = *words.get(*at)?;
    *at += 1;
    if word == "(" {
        let verdict = any_of(words, at, allow)?;
        let closed = words.get(*at) == Some(&")");
        *at += 1;
        return closed.then_some(verdict);
    }
    let mut licence = word.to_owned();
    if words.get(*at) == Some(&"WITH") {
        licence = format!("{word} WITH {}", words.get(*at + 1)?);
        *at += 2;
    }
    Some(allow.contains(&licence))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::bench::said_with;
    use crate::tidy::metadata::{Metadata, Package};

    #[test]
    fn expressions_are_read_as_spdx_means_them() {
        let allow = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned);
        for (terms, expected) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("MIT OR GPL-3.0", true),
            ("MIT AND GPL-3.0", false),
            ("MIT/GPL-3.0", true),
            ("(MIT OR GPL-3.0) AND Apache-2.0", true),
            ("(MIT OR GPL-3.0) AND BSL-1.0", false),
            ("GPL-3.0 OR MIT AND Apache-2.0", true),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("GPL-3.0 WITH LLVM-exception", false),
            ("MIT OR", false),
            ("(MIT", false),
            ("MIT MIT", false),
            ("", false),
        ] {
            assert_eq!(is_allowed(terms, &allow), expected, "{terms}");
        }
    }

    const POLICY: (&str, &str) = (
        "deny.toml",
        "[licenses]\nallow = [\"MIT\"]\n[sources]\nallow-registry = [\"https://example.org\"]\n",
    );

    const WITH_EXCEPTION: (&str, &str) = (
        "deny.toml",
        "[licenses]\nallow = [\"MIT\"]\nexceptions = [{ crate = \"p\", allow = [\"MPL-2.0\"] }]\n[sources]\nallow-registry = []\n",
    );

    #[test]
    fn an_exception_is_for_one_package() {
        let package = |name: &str| Package {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            license: Some("MPL-2.0".to_owned()),
            ..Package::default()
        };
        let packages = vec![package("p"), package("q")];
        let said = said_with(check, &[WITH_EXCEPTION], &Metadata { packages, ..Metadata::default() });
        assert_eq!(said, ["deny.toml:1: q 1.0.0 is licensed `MPL-2.0`, which is not allowed"]);
    }

    fn one(license: Option<&str>, source: Option<&str>) -> Vec<String> {
        let package = Package {
            name: "p".to_owned(),
            version: "1.0.0".to_owned(),
            license: license.map(str::to_owned),
            source: source.map(str::to_owned),
            ..Package::default()
        };
        said_with(check, &[POLICY], &Metadata { packages: vec![package], ..Metadata::default() })
    }

    #[test]
    fn packages_are_held_to_the_policy() {
        assert_eq!(one(Some("MIT"), None), [""; 0]);
        assert_eq!(one(Some("MIT"), Some("registry+https://example.org")), [""; 0]);
        assert_eq!(one(None, None), ["deny.toml:1: p 1.0.0 states no licence"]);
        assert_eq!(
            one(Some("GPL-3.0"), None),
            ["deny.toml:1: p 1.0.0 is licensed `GPL-3.0`, which is not allowed"]
        );
        let git = one(Some("MIT"), Some("git+https://example.org/p"));
        assert_eq!(git, ["deny.toml:1: p 1.0.0 comes from an unknown source"]);
    }
}
