//! `cargo x book`: compiles and runs the Rust examples of the book.

use crate::artifacts::Artifacts;
use crate::process::{Outcome, at_root, fail, files_below, root, run as run_command};
use std::collections::BTreeSet;
use std::path::PathBuf;

#[derive(clap::Args, Default)]
pub(crate) struct Args {
    /// Only the pages whose path contains this text
    filter: Option<String>,
}

/// Passes every page with a Rust example to rustdoc, with the libraries.
pub(crate) fn run(args: &Args) -> Outcome {
    let (built, filter) = (Artifacts::of_libraries()?, args.filter.as_deref());
    let mut pages = pages();
    pages.retain(|page| filter.is_none_or(|filter| page.to_string_lossy().contains(filter)));
    if pages.is_empty() {
        return fail("no page of the book has a Rust example");
    }
    let libraries = built.libraries("pairwright");
    // Cargo puts a library into `deps`, or next to that folder if the library itself was requested.
    let folders: BTreeSet<PathBuf> = libraries
        .iter()
        .filter_map(|(_, path)| path.parent())
        .flat_map(|folder| [folder.to_owned(), folder.join("deps")])
        .filter(|folder| folder.is_dir())
        .collect();
    let mut failed = Vec::new();
    for page in &pages {
        let mut rustdoc = at_root("rustdoc");
        rustdoc.args(["--edition", "2024", "--test", "--test-args", "--quiet"]).arg(page);
        for (name, path) in &libraries {
            rustdoc.arg("--extern").arg(format!("{name}={}", path.display()));
        }
        for folder in &folders {
            rustdoc.arg("-L").arg(format!("dependency={}", folder.display()));
        }
        if run_command(&mut rustdoc).is_err() {
            failed.push(page.display().to_string());
        }
    }
    if failed.is_empty() { Ok(()) } else { fail(format!("examples fail in {}", failed.join(", "))) }
}

/// The pages of the book that have a Rust example.
fn pages() -> Vec<PathBuf> {
    let mut pages = files_below(&root().join("docs/book/src"));
    pages.retain(|page| std::fs::read_to_string(page).is_ok_and(|text| text.contains("\n```rust\n")));
    pages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_with_examples_are_found() {
        let pages = pages();
        assert!(pages.iter().any(|page| page.ends_with("rooms/field.md")), "{pages:?}");
        assert!(!pages.iter().any(|page| page.ends_with("glossary.md")), "{pages:?}");
    }
}
