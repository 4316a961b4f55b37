//! What a release needs of every shipped crate: it packages, the package builds, and its documentation has no warning.

use crate::process::{Outcome, cargo, run as run_command};

/// Crates beside the floors, which are never shipped.
const BESIDE: [&str; 3] = ["pairwright-testkit", "pairwright-lab", "xtask"];

/// `cargo package` of all shipped crates: the archives are unpacked and built from what is inside them alone.
pub(crate) fn packages() -> Outcome {
    let mut package = cargo();
    package.args(["package", "--quiet", "--workspace", "--allow-dirty"]);
    run_command(package.args(BESIDE.iter().flat_map(|name| ["--exclude", name])))
}

/// `cargo doc` of all crates, with warnings as errors.
pub(crate) fn documentation() -> Outcome {
    let mut doc = cargo();
    run_command(doc.args(["doc", "--quiet", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
}
