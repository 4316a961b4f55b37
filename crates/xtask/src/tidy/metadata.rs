//! The fields of `cargo metadata` that the rules read.

use crate::process::{Failure, Outcome, cargo, output};
use serde::Deserialize;

/// Packages of the workspace and of the registry.
#[derive(Default, Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
    pub(crate) workspace_members: Vec<String>,
    pub(crate) resolve: Resolve,
    pub(crate) target_directory: String,
    pub(crate) workspace_root: String,
}

#[derive(Default, Deserialize)]
pub(crate) struct Package {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) license: Option<String>,
    pub(crate) source: Option<String>,
    pub(crate) manifest_path: String,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) targets: Vec<Target>,
    /// The registries to which it may be published; `None` for any.
    pub(crate) publish: Option<Vec<String>>,
}

/// A dependency as declared in a manifest.
#[derive(Default, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `None` for a normal dependency, else `dev` or `build`.
    pub(crate) kind: Option<String>,
}

#[derive(Default, Deserialize)]
pub(crate) struct Target {
    pub(crate) kind: Vec<String>,
    pub(crate) src_path: String,
    /// Whether `cargo test` builds and runs its unit tests.
    pub(crate) test: bool,
}

impl Target {
    /// A library or a program, not a test, a bench or an example.
    pub(crate) fn is_root(&self) -> bool {
        self.kind.iter().any(|kind| matches!(kind.as_str(), "lib" | "bin" | "proc-macro"))
    }
}

/// The dependency graph as resolved.
#[derive(Default, Deserialize)]
pub(crate) struct Resolve {
    pub(crate) nodes: Vec<Node>,
}

#[derive(Default, Deserialize)]
pub(crate) struct Node {
    pub(crate) id: String,
    pub(crate) deps: Vec<Edge>,
}

#[derive(Default, Deserialize)]
pub(crate) struct Edge {
    pub(crate) pkg: String,
    pub(crate) dep_kinds: Vec<EdgeKind>,
}

#[derive(Default, Deserialize)]
pub(crate) struct EdgeKind {
    pub(crate) kind: Option<String>,
}

impl Dependency {
    pub(crate) fn is_dev(&self) -> bool {
        self.kind.as_deref() == Some("dev")
    }
}

impl Edge {
    /// True when the edge is needed to build what is shipped.
    pub(crate) fn ships(&self) -> bool {
        self.dep_kinds.iter().any(|kind| kind.kind.as_deref() != Some("dev"))
    }
}

impl Metadata {
    /// Asks cargo for the metadata of the workspace.
    pub(crate) fn read() -> Outcome<Self> {
        let json = output(cargo().args(["metadata", "--format-version", "1"]))?;
        serde_json::from_slice(&json).map_err(|error| Failure(format!("cargo metadata: {error}")))
    }

    /// The packages of this workspace.
    pub(crate) fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| self.workspace_members.contains(&package.id))
    }

    /// The names of the packages of this workspace that are not published.
    pub(crate) fn never_published(&self) -> impl Iterator<Item = &str> {
        let kept = |package: &&Package| package.publish.as_ref().is_some_and(Vec::is_empty);
        self.members().filter(kept).map(|package| package.name.as_str())
    }

    /// The package with this id.
    pub(crate) fn package(&self, id: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.id == id)
    }

    /// A path from cargo's output, made relative to the root of the repository and with forward slashes.
    pub(crate) fn relative(&self, path: &str) -> String {
        let rest = path.strip_prefix(&self.workspace_root).unwrap_or(path);
        rest.replace('\\', "/").trim_start_matches('/').to_owned()
    }
}
