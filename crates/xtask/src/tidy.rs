//! `cargo x tidy`: the house rules, one file per rule.

mod bounds;
mod circles;
mod derived_text;
mod floors;
mod house;
mod leftovers;
mod lengths;
mod licences;
mod links;
mod machines;
pub(crate) mod mask;
mod metadata;
mod places;
mod quotes;
mod sentences;
mod sources;
mod tiers;
mod toml_files;
mod unsafety;
mod untested;
mod words;

use crate::process::{Outcome, cargo, fail, run as run_command};
use crate::tree::Tree;
use house::HouseRules;
pub(crate) use metadata::Metadata;
use std::fmt;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only the rules that read text: leave out rustfmt and clippy
    #[arg(long)]
    text_only: bool,
}

/// A violation of a rule.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    path: String,
    line: usize,
    what: String,
    /// A warning is printed but does not fail the chore.
    warning: bool,
}

impl Finding {
    /// A violation at a line, counted from one.
    fn at(path: &str, line: usize, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, what: what.into(), warning: false }
    }

    /// The violations that `what` finds in each line of a text.
    fn in_lines<'a, I>(
        path: &'a str,
        text: &'a str,
        what: impl Fn(&'a str) -> I + 'a,
    ) -> impl Iterator<Item = Self> + 'a
    where
        I: IntoIterator<Item: Into<String>> + 'a,
    {
        text.lines().enumerate().flat_map(move |(index, line)| {
            what(line).into_iter().map(move |what| Self::at(path, index + 1, what))
        })
    }

    fn warn(path: &str, line: usize, what: impl Into<String>) -> Self {
        Self { warning: true, ..Self::at(path, line, what) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.warning { "warning: " } else { "" };
        write!(f, "{}:{}: {kind}{}", self.path, self.line, self.what)
    }
}

/// The inputs of a rule.
pub(crate) struct RuleInput<'a> {
    tree: &'a Tree,
    house: &'a HouseRules,
    metadata: &'a Metadata,
}

/// A rule, which returns its violations.
type Rule = fn(&RuleInput<'_>) -> Vec<Finding>;

const RULES: &[Rule] = &[
    floors::check,
    licences::check,
    unsafety::check,
    untested::check,
    lengths::check,
    bounds::check,
    words::check,
    sentences::check,
    leftovers::check,
    sources::check,
    links::check,
    places::check,
    quotes::check,
    circles::check,
    derived_text::check,
    machines::check,
    toml_files::check,
    tiers::check,
];

/// Runs every rule, then rustfmt and clippy, and fails when any of them complains.
pub(crate) fn run(args: &Args) -> Outcome {
    if args.text_only {
        return rules();
    }
    text()?;
    run_command(cargo().args(["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

/// Runs every rule and rustfmt, but not clippy, which can run as part of a build (`artifacts.rs`).
pub(crate) fn text() -> Outcome {
    rules()?;
    run_command(cargo().args(["fmt", "--all", "--check"]))
}

/// Runs the rules that read text.
pub(crate) fn rules() -> Outcome {
    let tree = Tree::read()?;
    let house = HouseRules::read(&tree)?;
    let metadata = Metadata::read()?;
    let view = RuleInput { tree: &tree, house: &house, metadata: &metadata };
    let findings: Vec<Finding> = RULES.iter().flat_map(|rule| rule(&view)).collect();
    for finding in &findings {
        eprintln!("{finding}");
    }
    match findings.iter().filter(|finding| !finding.warning).count() {
        0 => Ok(()),
        broken => fail(format!("{broken} house rules broken; CONTRIBUTING.md gives the reasons")),
    }
}

/// The folder that cargo builds into.
pub(crate) fn target_directory() -> Outcome<PathBuf> {
    Ok(Metadata::read()?.target_directory.into())
}

/// The test bench of the rules: invented repositories, and the violations that a rule finds in them.
#[cfg(test)]
pub(crate) mod bench {
    use super::*;

    /// The configuration of the invented repositories.
    pub(crate) const HOUSE: &str = r#"
        [floors]
        ground = 0
        left = 1
        right = 1
        machine = 1
        door = 2
        [sideways]
        left = ["right"]
        [beside]
        kit = 1
        [oracles]
        crates = ["ark-*", "blst"]
        bridges = ["door"]
        [machines]
        crates = ["machine"]
        blind = ["crates/left"]
        folders = ["crates/machine"]
        protocols = ["groth16", "bls"]
        [unsafe]
        allowed = ["crates/machine"]
        [[tier]]
        name = "decoder"
        files = ["crates/left/src/lib.rs"]
        lints = ["panic", "unwrap_used"]
    "#;

    /// The violations that `rule` finds in a repository with these files.
    pub(crate) fn said(rule: Rule, files: &[(&str, &str)]) -> Vec<String> {
        said_with(rule, files, &Metadata::default())
    }

    /// As [`said`], for a repository with packages.
    pub(crate) fn said_with(rule: Rule, files: &[(&str, &str)], metadata: &Metadata) -> Vec<String> {
        let house = HouseRules::parse(HOUSE).unwrap();
        let view = RuleInput { tree: &Tree::of(files), house: &house, metadata };
        rule(&view).iter().map(Finding::to_string).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_read_like_compiler_messages() {
        assert_eq!(Finding::at("a/b.rs", 7, "too long").to_string(), "a/b.rs:7: too long");
        assert_eq!(Finding::warn("a/b.rs", 7, "long").to_string(), "a/b.rs:7: warning: long");
    }
}
