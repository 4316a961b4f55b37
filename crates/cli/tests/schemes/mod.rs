//! Schemes on pairings from the command line, and the commands that their pages of the book and their help show.

mod bbs;
mod fe;
mod payment;

use crate::common::Bench;
use std::fs;
use std::path::Path;

/// Runs every example of a command's help, one after the other in a folder.
fn run_help(b: &Bench, command: &str, least: usize) {
    let help = b.ok(&format!("{command} --help"));
    let examples = help.split_once("Examples:").unwrap().1;
    let lines: Vec<_> = examples.lines().filter_map(|line| line.trim().strip_prefix("pairwright ")).collect();
    assert!(lines.len() >= least, "{help}");
    lines.iter().for_each(|line| drop(b.ok(line)));
}

/// Runs every shell block of a page of the book as it is, and returns the outputs of the blocks.
#[cfg(unix)]
fn run_page(b: &Bench, page: &str) -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src/howto").join(page);
    let page = fs::read_to_string(page).unwrap();
    let blocks = page.split("```sh\n").skip(1).map(|block| block.split_once("```").unwrap().0);
    let run = |block: &str| {
        let script = format!("pairwright() {{ {} \"$@\"; }}\n{block}", env!("CARGO_BIN_EXE_pairwright"));
        let mut shell = std::process::Command::new("sh");
        let out = shell.args(["-e", "-c", &script]).current_dir(b.dir.path()).output().unwrap();
        assert!(out.status.success(), "{block}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap()
    };
    blocks.map(run).collect()
}

/// Changes a member of a document and writes it to `changed.json`.
fn change(b: &Bench, from: &str, member: &str, value: serde_json::Value) {
    let mut document = b.json(from);
    document[member] = value;
    b.write("changed.json", document.to_string());
}

#[cfg(unix)]
fn assert_private(b: &Bench, name: &str) {
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(fs::metadata(b.path(name)).unwrap().permissions().mode() & 0o777, 0o600, "{name}");
}

#[cfg(not(unix))]
fn assert_private(_: &Bench, _: &str) {}
