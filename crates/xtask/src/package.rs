//! The release checks of every shipped crate: it can be packaged, the package builds, and neither its documentation nor its code for
//! other processors has warnings.

use crate::process::{Outcome, add_targets, cargo, run as run_command};
use crate::tidy::Metadata;

/// Runs `cargo package` for all crates that are published: the archives are unpacked and built from their own contents only.
pub(crate) fn packages() -> Outcome {
    let workspace = Metadata::read()?;
    let mut package = cargo();
    package.args(["package", "--quiet", "--workspace", "--allow-dirty"]);
    run_command(package.args(workspace.never_published().flat_map(|name| ["--exclude", name])))
}

/// Runs `cargo doc` for all crates, with warnings as errors.
pub(crate) fn documentation() -> Outcome {
    let mut doc = cargo();
    run_command(doc.args(["doc", "--quiet", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
}

/// A target without the code in lanes.
const OTHER: &str = "aarch64-unknown-linux-gnu";

/// Checks and lints the provers and the host device for another processor: the tests on this machine run the portable code, but do not
/// compile the replacement of the lanes.
pub(crate) fn other_processors() -> Outcome {
    if !add_targets(&[OTHER]) {
        println!("NOT CHECKED: the host device for {OTHER}: `rustup target add` cannot add it here");
        return Ok(());
    }
    let facade = ["--package", "pairwright", "--no-default-features", "--features", "prover"];
    let mut clippy = cargo();
    clippy.args(["clippy", "--quiet", "--target", OTHER]).args(facade).args(["--", "-D", "warnings"]);
    // Nothing is linked, so `blake3` does not need its C for this processor, for which a compiler would have to be there.
    run_command(clippy.env("CARGO_FEATURE_NO_NEON", "1"))
}
