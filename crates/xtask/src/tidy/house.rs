//! Reads `floors.toml`, the configuration of the rules.

use crate::process::{Failure, Outcome};
use crate::tree::{Tree, is_below};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The content of `floors.toml`; the file itself explains each part.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HouseRules {
    pub(crate) floors: BTreeMap<String, i32>,
    pub(crate) sideways: BTreeMap<String, Vec<String>>,
    pub(crate) beside: BTreeMap<String, i32>,
    pub(crate) oracles: Oracles,
    pub(crate) machines: Machines,
    #[serde(rename = "unsafe")]
    pub(crate) unsafety: Unsafety,
    #[serde(default, rename = "tier")]
    pub(crate) tiers: Vec<Tier>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Oracles {
    crates: Vec<String>,
    #[serde(default)]
    bridges: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Machines {
    pub(crate) crates: Vec<String>,
    pub(crate) blind: Vec<String>,
    pub(crate) folders: Vec<String>,
    pub(crate) protocols: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Unsafety {
    pub(crate) allowed: Vec<String>,
}

/// A tier: files that must deny a set of clippy lints.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tier {
    pub(crate) name: String,
    pub(crate) files: Vec<String>,
    pub(crate) lints: Vec<String>,
}

impl HouseRules {
    /// Reads `floors.toml` from the tree.
    pub(crate) fn read(tree: &Tree) -> Outcome<Self> {
        let text = tree.get("floors.toml").and_then(|file| file.text());
        Self::parse(text.ok_or_else(|| Failure("floors.toml is missing".to_owned()))?)
    }

    pub(crate) fn parse(text: &str) -> Outcome<Self> {
        toml::from_str(text).map_err(|error| Failure(format!("floors.toml: {error}")))
    }

    /// True for another project's implementation, against which this project is tested, but which must not be shipped with it.
    pub(crate) fn is_oracle(&self, name: &str) -> bool {
        self.oracles.crates.iter().any(|pattern| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == pattern,
        })
    }

    /// True for a crate that connects to another project's implementation, and so ships it.
    pub(crate) fn is_bridge(&self, name: &str) -> bool {
        self.oracles.bridges.iter().any(|bridge| bridge == name)
    }

    pub(crate) fn may_hold_unsafe(&self, path: &str) -> bool {
        self.unsafety.allowed.iter().any(|allowed| path == allowed || is_below(path, allowed))
    }

    /// True for the root of a crate in which only some files may contain `unsafe`: the root denies unsafe code, because it cannot forbid
    /// it.
    pub(crate) fn may_deny_only(&self, root: &str) -> bool {
        let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
        self.unsafety.allowed.iter().any(|allowed| is_below(allowed, folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::bench::HOUSE;

    #[test]
    fn oracles_are_matched_by_name_or_by_beginning() {
        let house = HouseRules::parse(HOUSE).unwrap();
        for (name, expected) in [("ark-ff", true), ("blst", true), ("blst-extra", false), ("spark-ff", false)]
        {
            assert_eq!(house.is_oracle(name), expected, "{name}");
        }
    }

    #[test]
    fn a_misspelt_key_is_refused() {
        assert!(HouseRules::parse(&HOUSE.replace("[sideways]", "[sidewise]")).is_err());
    }
}
