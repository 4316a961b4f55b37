//! `cargo x verifier`: checks that the facade crate without its features is small, needs no operating system, and verifies in
//! WebAssembly.

use crate::artifacts::Artifacts;
use crate::process::{Outcome, add_targets, cargo, fail, output, run as run_command};
use crate::tidy::target_directory;
use std::collections::BTreeSet;
use std::process::Command;

/// A target without an operating system.
const BARE: &str = "thumbv7em-none-eabihf";
/// The WebAssembly target without a system interface.
const WASM: &str = "wasm32-unknown-unknown";
/// The crate that is compiled to a module, and the name of the module.
const MODULE: [&str; 2] = ["pairwright-wasm-verifier", "pairwright_wasm_verifier.wasm"];
/// The test that runs the module.
const TEST: &str = "inside_wasm";
/// Exclusive upper limit of the number of crates in the dependency tree of the verifier, including itself and procedural macros.
const CRATES: usize = 40;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where rustup cannot add the targets, say what is left out instead of failing
    #[arg(long)]
    optional: bool,
}

/// Counts, builds and runs the verifier.
pub(crate) fn run(args: &Args) -> Outcome {
    count()?;
    if add_targets(&[WASM, BARE]) {
        return build();
    }
    let missing = format!("`rustup target add` cannot add {WASM} and {BARE} here");
    if !args.optional {
        return fail(missing);
    }
    println!("NOT CHECKED: the verifier on these targets: {missing}");
    Ok(())
}

/// Arguments with which cargo selects the facade without its features.
const FACADE: [&str; 3] = ["--package", "pairwright", "--no-default-features"];

/// Counts the crates of the verifier.
fn count() -> Outcome {
    for target in [WASM, BARE] {
        let tree = ["tree", "--edges", "normal", "--prefix", "none", "--target", target];
        let listed = output(cargo().args(tree).args(FACADE))?;
        let count = crates(&String::from_utf8_lossy(&listed));
        println!("the verifier has {count} crates for {target}");
        if count >= CRATES {
            return fail(format!(
                "the verifier has {count} crates for {target}, fewer than {CRATES} are wanted"
            ));
        }
    }
    Ok(())
}

/// Builds the verifier for both targets and runs its module.
fn build() -> Outcome {
    // `cargo check` finds dependencies on a system without generating code.
    run_command(cargo().args(["check", "--quiet", "--target", BARE]).args(FACADE))?;
    let [package, module] = MODULE;
    run_command(cargo().args(["build", "--quiet", "--target", WASM, "--package", package]))?;
    let module = target_directory()?.join(WASM).join("debug").join(module);
    // The test from the workspace's build is used, because a separate build would compile the interpreter again.
    let tests = Artifacts::of_named_tests(package, &[TEST])?;
    let test = tests.test(TEST)?;
    run_command(Command::new(test).env("PAIRWRIGHT_VERIFIER", module))
}

/// Number of different crates that `cargo tree` lists; it marks those it has shown before.
fn crates(tree: &str) -> usize {
    let names = tree.lines().map(|line| line.split_whitespace().take(2).collect::<Vec<_>>());
    names.filter(|name| name.len() == 2).collect::<BTreeSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_counts_once_a_version() {
        let tree = "a v1.0.0 (/somewhere)\nb v0.1.0\n\nb v0.2.0 (proc-macro)\na v1.0.0 (/somewhere) (*)\nb v0.1.0 (*)\n";
        assert_eq!(crates(tree), 3);
    }
}
