//! The rule that a crate imports only crates of lower floors (layers); crates beside the floors and oracles are for tests only.

use super::house::HouseRules;
use super::metadata::{Metadata, Package};
use super::{Finding, RuleInput};
use std::collections::BTreeSet;

/// Checks every dependency between crates of the workspace, and that no oracle is shipped.
pub(crate) fn check(view: &RuleInput<'_>) -> Vec<Finding> {
    let mut findings = unplaced(view);
    for package in view.metadata.members() {
        let manifest = view.metadata.relative(&package.manifest_path);
        for dependency in &package.dependencies {
            if let Some(what) = objection(view.house, &package.name, &dependency.name, dependency.is_dev()) {
                let line = view.tree.get(&manifest).map_or(1, |file| file.line_of(&dependency.name));
                findings.push(Finding::at(&manifest, line, what));
            }
        }
        if view.house.floors.contains_key(&package.name) && !view.house.is_bridge(&package.name) {
            findings.extend(shipped_oracles(view, package, &manifest));
        }
    }
    findings
}

/// Checks that every crate is listed in floors.toml, and every listed crate exists.
fn unplaced(view: &RuleInput<'_>) -> Vec<Finding> {
    let house = view.house;
    let members: BTreeSet<&str> = view.metadata.members().map(|package| package.name.as_str()).collect();
    let placed: BTreeSet<&str> = house.floors.keys().chain(house.beside.keys()).map(String::as_str).collect();
    let missing = members.difference(&placed).map(|name| format!("crate {name} has no floor"));
    let stale = placed.difference(&members).map(|name| format!("there is no crate {name}"));
    missing.chain(stale).map(|what| Finding::at("floors.toml", 1, what)).collect()
}

/// The reason why `from` may not import `to`, if there is one.
fn objection(house: &HouseRules, from: &str, to: &str, dev: bool) -> Option<String> {
    if let Some(ceiling) = house.beside.get(from) {
        let floor = house.floors.get(to)?;
        return (floor > ceiling)
            .then(|| format!("{from} stands beside floors up to {ceiling}; {to} is on {floor}"));
    }
    let floor = house.floors.get(from)?;
    if house.is_oracle(to) {
        let allowed = dev || house.is_bridge(from);
        return (!allowed).then(|| format!("{to} is an oracle: a dev-dependency only"));
    }
    if house.beside.contains_key(to) {
        return (!dev).then(|| format!("{to} is never shipped: a dev-dependency only"));
    }
    let other = house.floors.get(to)?;
    if other > floor {
        return Some(format!("upward import: {from} is on floor {floor}, {to} on floor {other}"));
    }
    let written = house.sideways.get(from).is_some_and(|list| list.iter().any(|name| name == to));
    (other == floor && !dev && !written).then(|| {
        format!(
            "sideways import: {from} and {to} are both on floor {floor}, and floors.toml does not allow it"
        )
    })
}

/// Finds oracles on which a shipped crate depends indirectly, through other packages.
fn shipped_oracles(view: &RuleInput<'_>, package: &Package, manifest: &str) -> Vec<Finding> {
    reached(view.metadata, &package.id)
        .into_iter()
        .filter_map(|id| view.metadata.package(id))
        .filter(|reached| view.house.is_oracle(&reached.name))
        .filter(|reached| package.dependencies.iter().all(|direct| direct.name != reached.name))
        .map(|reached| {
            Finding::at(
                manifest,
                1,
                format!("{} would be shipped with the oracle {}", package.name, reached.name),
            )
        })
        .collect()
}

/// Ids of all packages that are built into `start`.
fn reached<'a>(metadata: &'a Metadata, start: &'a str) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::from([start]);
    let mut queue = vec![start];
    while let Some(id) = queue.pop() {
        let node = metadata.resolve.nodes.iter().find(|node| node.id == id);
        for edge in node.map(|node| node.deps.as_slice()).unwrap_or_default() {
            if edge.ships() && seen.insert(&edge.pkg) {
                queue.push(&edge.pkg);
            }
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::bench::{HOUSE, said_with};
    use crate::tidy::metadata::{Dependency, Edge, EdgeKind, Node, Resolve};

    fn house() -> HouseRules {
        HouseRules::parse(HOUSE).unwrap()
    }

    #[test]
    fn only_downward_imports_pass() {
        for (from, to, dev, expected) in [
            ("door", "left", false, None),
            ("left", "ground", false, None),
            ("ground", "left", false, Some("upward")),
            ("ground", "left", true, Some("upward")),
            ("left", "right", false, None),
            ("right", "left", false, Some("sideways")),
            ("right", "machine", false, Some("sideways")),
            ("right", "machine", true, None),
            ("left", "kit", true, None),
            ("left", "kit", false, Some("never shipped")),
            ("left", "ark-ff", false, Some("oracle")),
            ("left", "ark-ff", true, None),
            ("door", "ark-ff", false, None),
            ("kit", "ark-ff", false, None),
            ("kit", "left", false, None),
            ("kit", "door", false, Some("beside floors up to 1")),
            ("left", "serde", false, None),
        ] {
            let what = objection(&house(), from, to, dev);
            match expected {
                None => assert_eq!(what, None, "{from} -> {to}"),
                Some(part) => assert!(what.unwrap().contains(part), "{from} -> {to}"),
            }
        }
    }

    fn package(name: &str, dependencies: &[(&str, Option<&str>)]) -> Package {
        let dependency = |(name, kind): &(&str, Option<&str>)| Dependency {
            name: (*name).to_owned(),
            kind: kind.map(str::to_owned),
        };
        Package {
            id: name.to_owned(),
            name: name.to_owned(),
            manifest_path: format!("/r/crates/{name}/Cargo.toml"),
            dependencies: dependencies.iter().map(dependency).collect(),
            ..Package::default()
        }
    }

    fn edge(to: &str, kind: Option<&str>) -> Edge {
        Edge { pkg: to.to_owned(), dep_kinds: vec![EdgeKind { kind: kind.map(str::to_owned) }] }
    }

    fn repository(left: &[(&str, Option<&str>)], graph: Vec<Node>) -> Metadata {
        let mut packages: Vec<Package> =
            ["ground", "right", "machine", "door", "kit"].iter().map(|name| package(name, &[])).collect();
        packages.push(package("left", left));
        let workspace_members = packages.iter().map(|package| package.id.clone()).collect();
        packages.extend([package("serde", &[]), package("blst", &[])]);
        let resolve = Resolve { nodes: graph };
        Metadata {
            packages,
            workspace_members,
            resolve,
            workspace_root: "/r".to_owned(),
            ..Metadata::default()
        }
    }

    #[test]
    fn a_finding_points_at_the_manifest_line() {
        let manifest = ("crates/left/Cargo.toml", "[package]\n[dependencies]\ndoor.workspace = true\n");
        let said = said_with(check, &[manifest], &repository(&[("door", None)], vec![]));
        assert_eq!(said, ["crates/left/Cargo.toml:3: upward import: left is on floor 1, door on floor 2"]);
    }

    #[test]
    fn an_oracle_behind_another_package_is_found() {
        let node = |id: &str, deps| Node { id: id.to_owned(), deps };
        let graph =
            |kind| vec![node("left", vec![edge("serde", None)]), node("serde", vec![edge("blst", kind)])];
        let direct = [("serde", None)];
        let said = said_with(check, &[], &repository(&direct, graph(None)));
        assert_eq!(said, ["crates/left/Cargo.toml:1: left would be shipped with the oracle blst"]);
        assert_eq!(said_with(check, &[], &repository(&direct, graph(Some("dev")))), [""; 0]);
    }

    #[test]
    fn every_crate_needs_a_place_and_every_place_a_crate() {
        let mut metadata = repository(&[], vec![]);
        metadata.packages[0].name = "cellar".to_owned();
        let said = said_with(check, &[], &metadata);
        assert_eq!(
            said,
            ["floors.toml:1: crate cellar has no floor", "floors.toml:1: there is no crate ground"]
        );
    }
}
