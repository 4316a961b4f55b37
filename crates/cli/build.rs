//! Compresses the compiled circuits of the demo and of payments, which are part of the command: uncompressed they would be a tenth
//! of it. Sets the commit that the command is built from.
//!
//! The commit comes from a package's own file (`.cargo_vcs_info.json`), from the environment variable `PAIRWRIGHT_COMMIT`, or from
//! git. Builds for development do not ask git, since they would be built again after every commit.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    say_commit();
    compress_circuits()
}

fn compress_circuits() -> io::Result<()> {
    let to = std::env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    let circuits = [
        ("demo/bn128/merkle20", "bn128"),
        ("demo/bls12381/merkle20", "bls12381"),
        ("payment/bls12381/payment12", "payment"),
    ];
    for (from, name) in circuits {
        for extension in ["r1cs", "wasm"] {
            let from = format!("{from}.{extension}");
            println!("cargo::rerun-if-changed={from}");
            let file = File::create(Path::new(&to).join(format!("{name}.{extension}.zlib")))?;
            let mut compressed = ZlibEncoder::new(file, Compression::best());
            compressed.write_all(&fs::read(from)?)?;
            compressed.finish()?;
        }
    }
    Ok(())
}

fn say_commit() {
    println!("cargo::rerun-if-env-changed=PAIRWRIGHT_COMMIT");
    let said = std::env::var("PAIRWRIGHT_COMMIT").ok().or_else(packaged);
    let commit = match said {
        Some(commit) => format!("commit {commit}"),
        None if std::env::var("PROFILE").as_deref() != Ok("release") => "development build".to_owned(),
        None => {
            checked_out().map_or_else(|| "unknown commit".to_owned(), |commit| format!("commit {commit}"))
        }
    };
    println!("cargo::rustc-env=PAIRWRIGHT_COMMIT={commit}");
}

/// The commit in the file that `cargo package` adds to a package.
fn packaged() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, after) = text.split_once("\"sha1\"")?;
    let hash: String = after.chars().skip_while(|c| !c.is_ascii_hexdigit()).take(12).collect();
    (hash.len() == 12).then_some(hash)
}

/// The commit that is checked out, if git tracks this folder.
fn checked_out() -> Option<String> {
    let git = |words: &[&str]| {
        let out = Command::new("git").args(words).output().ok().filter(|out| out.status.success())?;
        Some(String::from_utf8(out.stdout).ok()?.trim().to_owned())
    };
    if git(&["rev-parse", "--show-prefix"])? != "crates/cli/" {
        return None;
    }
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}
