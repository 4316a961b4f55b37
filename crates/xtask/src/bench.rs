//! `cargo x bench NAME`: one benchmark of the `bench/` workspace. That workspace has its own lock file, so that the peers that it
//! measures never enter the lock file of the product.

use crate::process::{Outcome, cargo, fail, root, run as run_command};
use std::path::Path;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The name of a benchmark, which is a file in bench/src/bin; without a name, they are listed
    name: Option<String>,
    /// Handed on to the benchmark
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Builds a benchmark with optimisation and runs it.
pub(crate) fn run(args: &Args) -> Outcome {
    let names = benchmarks(&root().join("bench/src/bin"));
    match &args.name {
        Some(name) if names.contains(name) => run_command(
            cargo()
                .args(["run", "--release", "--manifest-path", "bench/Cargo.toml", "--bin", name, "--"])
                .args(&args.rest),
        ),
        Some(name) => fail(format!("no benchmark `{name}`; there are: {}", names.join(", "))),
        None => {
            println!("{}", names.join("\n"));
            Ok(())
        }
    }
}

/// Names of the benchmarks: `name.rs` or `name/main.rs`.
fn benchmarks(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension().is_some_and(|ending| ending == "rs") || path.join("main.rs").is_file()
        })
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn benchmarks_are_the_sources_of_a_folder() {
        let here = benchmarks(&root().join("crates/xtask/src"));
        assert!(here.contains(&"bench".to_owned()), "{here:?}");
        assert!(!here.contains(&"tidy/".to_owned()) && benchmarks(&root().join("no-such-folder")).is_empty());
    }
}
