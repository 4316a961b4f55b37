//! What a release needs of every shipped crate: it packages, the package builds, its documentation has no warning, and
//! neither has its code for other processors.

use crate::process::{Outcome, add_targets, cargo, run as run_command};

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

/// A processor that our code in lanes is not for.
const OTHER: &str = "aarch64-unknown-linux-gnu";

/// The provers and the host device for another processor, checked and linted: tests run the portable code here, but do not compile
/// what stands in place of the lanes.
pub(crate) fn other_processors() -> Outcome {
    if !add_targets(&[OTHER]) {
        println!("NOT CHECKED: the host device for {OTHER}: `rustup target add` cannot add it here");
        return Ok(());
    }
    let facade = ["--package", "pairwright", "--no-default-features", "--features", "prover"];
    run_command(
        cargo().args(["clippy", "--quiet", "--target", OTHER]).args(facade).args(["--", "-D", "warnings"]),
    )
}
