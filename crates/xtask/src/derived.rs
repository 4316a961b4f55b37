//! `cargo x gen`: writes or checks the derived files. Constants are printed by the scripts in `derive/`, kernels and the page of the
//! instruction set by `pairwright`, hardware by `rtl`, the header for C by an example of its crate.
//!
//! A new derived file is a new row of the table. Scripts are Python 3 and use only the standard library.

use crate::artifacts::Artifacts;
use crate::process::{Outcome, at, at_root, fail, files_below, output, require, root};
use crate::tidy::target_directory;
use Author::{Program, Script};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A derived file, and the script or program that prints it.
struct Derived {
    by: Author,
    arguments: &'static str,
    path: &'static str,
}

/// The script or program that prints a file to standard output.
#[derive(Clone, Copy)]
enum Author {
    /// A script, by its path.
    Script(&'static str),
    /// A program of the workspace: the name of the built program, and the command that runs it by hand.
    Program { name: &'static str, command: &'static str },
}

const PAIRWRIGHT: Author = Program { name: "pairwright", command: "pairwright" };
/// The program that prints blocks of hardware and diagrams.
const RTL: Author = Program { name: "rtl", command: "cargo rtl" };
/// The program that prints the header of the functions for C, an example of its crate.
const HEADER: Author = Program { name: "header", command: "cargo run -p pairwright-ffi --example header" };

const fn row(by: Author, arguments: &'static str, path: &'static str) -> Derived {
    Derived { by, arguments, path }
}

const TABLE: &[Derived] = &[
    row(Script("derive/cells.py"), "", "crates/sim/src/cells/measured.rs"),
    row(Script("derive/curves.py"), "bls12_377", "crates/curve/src/bls12_377/constants.rs"),
    row(Script("derive/curves.py"), "bls12_381", "crates/curve/src/bls12_381/constants.rs"),
    row(Script("derive/curves.py"), "bn254", "crates/curve/src/bn254/constants.rs"),
    row(Script("derive/curves.py"), "tiny_bls12", "crates/curve/src/tiny_bls12/constants.rs"),
    row(Script("derive/hash_to_curve.py"), "", "crates/curve/src/bls12_381/hash_constants.rs"),
    row(Script("derive/svdw.py"), "", "crates/curve/src/bn254/hash_constants.rs"),
    row(Script("derive/edwards.py"), "bls12381", "circuits/edwards/constants_bls12381.circom"),
    row(Script("derive/edwards.py"), "bn128", "circuits/edwards/constants_bn128.circom"),
    row(Script("derive/zerocheck.py"), "", "crates/protocols/src/zerocheck/vector.rs"),
    row(Script("derive/jubjub.py"), "", "crates/curve/src/jubjub/constants.rs"),
    row(Script("derive/poseidon.py"), "--constants bls12381", "circuits/poseidon/constants_bls12381.circom"),
    row(Script("derive/poseidon.py"), "--constants bn128", "circuits/poseidon/constants_bn128.circom"),
    row(Script("derive/poseidon.py"), "--merkle-input bls12381", "circuits/merkle/bls12381/input.json"),
    row(Script("derive/poseidon.py"), "--merkle-input bn128", "circuits/merkle/bn128/input.json"),
    row(
        PAIRWRIGHT,
        "gen kernel --op mulmod --bits 255 --range twice --target avx512",
        "crates/cpu/src/generated/ifma_255_mulmod.rs",
    ),
    row(
        PAIRWRIGHT,
        "gen kernel --op reduce --bits 255 --range twice --target avx512",
        "crates/cpu/src/generated/ifma_255_reduce.rs",
    ),
    row(
        PAIRWRIGHT,
        "gen kernel --op mulmod --bits 400 --range twice --target avx512",
        "crates/cpu/src/generated/ifma_400_mulmod.rs",
    ),
    row(
        PAIRWRIGHT,
        "gen kernel --op reduce --bits 400 --range twice --target avx512",
        "crates/cpu/src/generated/ifma_400_reduce.rs",
    ),
    row(PAIRWRIGHT, "asm --reference", "docs/book/src/rooms/isa.md"),
    row(RTL, "axis add_sub_381", "rtl/fpga/add_sub_381_axis.sv"),
    row(RTL, "axis keccak", "rtl/fpga/keccak_axis.sv"),
    row(RTL, "axis mm_381_iterative", "rtl/fpga/mm_381_iterative_axis.sv"),
    row(RTL, "print add_sub_255", "rtl/add_sub_255.sv"),
    row(RTL, "print add_sub_381", "rtl/add_sub_381.sv"),
    row(RTL, "print butterfly_255", "rtl/butterfly_255.sv"),
    row(RTL, "print dma_generator", "rtl/dma_generator.sv"),
    row(RTL, "print fp2_381", "rtl/fp2_381.sv"),
    row(RTL, "print keccak", "rtl/keccak.sv"),
    row(RTL, "print mm_255", "rtl/mm_255.sv"),
    row(RTL, "print mm_381", "rtl/mm_381.sv"),
    row(RTL, "print mm_381_iterative", "rtl/mm_381_iterative.sv"),
    row(RTL, "print msm_381", "rtl/msm_381.sv"),
    row(RTL, "print ntt_255", "rtl/ntt_255.sv"),
    row(RTL, "print padd_381", "rtl/padd_381.sv"),
    row(RTL, "print pairing_control", "rtl/pairing_control.sv"),
    row(RTL, "print pairing_processor", "rtl/pairing_processor.sv"),
    row(RTL, "diagram msm_381", "docs/book/src/rooms/rtl/msm_381.svg"),
    row(RTL, "diagram ntt_255", "docs/book/src/rooms/rtl/ntt_255.svg"),
    row(RTL, "diagram pairing_processor", "docs/book/src/rooms/rtl/pairing_processor.svg"),
    row(RTL, "diagram tree_255", "docs/book/src/rooms/rtl/tree_255.svg"),
    row(RTL, "print tree_255", "rtl/tree_255.sv"),
    row(RTL, "print tree_255_4", "rtl/tree_255_4.sv"),
    row(RTL, "print tree_control", "rtl/tree_control.sv"),
    row(RTL, "print tree_element_255", "rtl/tree_element_255.sv"),
    row(HEADER, "", "crates/ffi/include/pairwright.h"),
];

/// The folders from which the programs' output is generated: if one of them changes, [`check_changed`] prints all again.
const PRINTED_FROM: &[&str] = &[
    "crates/moma",
    "crates/chip",
    "crates/mtu",
    "crates/cli/src",
    "crates/ffi",
    "crates/rtl",
    "results/rtl/hierarchy",
];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Compare with the files on disk instead of writing them
    #[arg(long)]
    pub(crate) check: bool,
}

/// Writes or compares all files of the table.
pub(crate) fn run(args: &Args) -> Outcome {
    let built = Artifacts::of_printers()?;
    if args.check { check(&built) } else { finish(all(&built, false)?) }
}

/// Compares all files of the table, with the built programs.
fn check(built: &Artifacts) -> Outcome {
    finish(all(built, true)?)?;
    note_checked()
}

/// As [`check`], but quick enough to run between edits: the programs are built and run only if their sources or outputs have
/// changed since the last check. The scripts take seconds and always run.
pub(crate) fn check_changed() -> Outcome {
    if std::fs::read_to_string(stamp()?).is_ok_and(|text| text == fingerprint()) {
        return finish(scripts(true)?);
    }
    check(&Artifacts::of_printers()?)
}

/// The file with the fingerprint of the last successful check.
fn stamp() -> Outcome<PathBuf> {
    Ok(target_directory()?.join("checked-prints"))
}

fn note_checked() -> Outcome {
    let stamp = stamp()?;
    std::fs::write(&stamp, fingerprint()).map_err(at(&stamp))
}

/// A hash over the names and contents of the sources and of the printed files.
fn fingerprint() -> String {
    let mut hasher = DefaultHasher::new();
    let mut files: Vec<PathBuf> =
        PRINTED_FROM.iter().flat_map(|folder| files_below(&root().join(folder))).collect();
    let printed = TABLE.iter().filter(|row| matches!(row.by, Program { .. }));
    files.extend(printed.map(|row| root().join(row.path)));
    files.sort();
    for file in files {
        (&file, std::fs::read(&file).ok()).hash(&mut hasher);
    }
    format!("{:016x}\n", hasher.finish())
}

/// Writes or compares all files; returns the names of the stale ones.
fn all(built: &Artifacts, check: bool) -> Outcome<Vec<String>> {
    let mut stale = scripts(check)?;
    for file in TABLE {
        if let Program { name, .. } = file.by {
            place(file, &mut at_root(built.program(name)?), check, &mut stale)?;
        }
    }
    Ok(stale)
}

/// Writes or compares the outputs of the scripts in `derive/`; returns the names of the stale files.
fn scripts(check: bool) -> Outcome<Vec<String>> {
    require("python3", "the scripts in derive/")?;
    let mut stale = Vec::new();
    for file in TABLE {
        if let Script(path) = file.by {
            // `-B` keeps Python from writing byte code.
            place(file, at_root("python3").arg("-B").arg(path), check, &mut stale)?;
        }
    }
    Ok(stale)
}

fn finish(stale: Vec<String>) -> Outcome {
    if stale.is_empty() { Ok(()) } else { fail(format!("stale: {}; run `cargo x gen`", stale.join("; "))) }
}

/// Runs a command with the row's arguments and writes its output to the row's file; when checking, adds the file to `stale` if its text
/// differs.
fn place(row: &Derived, command: &mut Command, check: bool, stale: &mut Vec<String>) -> Outcome {
    let text = output(command.args(row.arguments.split_whitespace()))?;
    let file = root().join(row.path);
    if check {
        if !std::fs::read(&file).is_ok_and(|on_disk| on_disk == text) {
            stale.push(row.path.to_owned());
        }
        return Ok(());
    }
    std::fs::write(&file, &text).map_err(at(Path::new(row.path)))
}

impl Derived {
    /// The command that prints the file, to be run by hand.
    fn command(&self) -> String {
        let author = match self.by {
            Script(path) => format!("python3 {path}"),
            Program { command, .. } => command.to_owned(),
        };
        format!("{author} {}", self.arguments).trim_end().to_owned()
    }
}

/// Every derived text file with the command that its head must state.
pub(crate) fn table() -> Vec<(String, String)> {
    TABLE.iter().map(|row| (row.path.to_owned(), row.command())).collect()
}

/// The command that makes this file, if there is one.
pub(crate) fn command_for(path: &str) -> Option<String> {
    TABLE.iter().find(|row| row.path == path).map(Derived::command)
}

/// True for a file that a script or a program of the project prints.
pub(crate) fn is_output(path: &str) -> bool {
    TABLE.iter().any(|row| row.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_has_one_author() {
        let table = table();
        let paths: BTreeSet<&str> = table.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths.len(), table.len());
    }

    /// A script begins with `#!`; the other files of `derive/` are imported by scripts.
    #[test]
    fn every_script_exists_and_every_script_is_known() {
        let names = std::fs::read_dir(root().join("derive")).unwrap().map(|entry| entry.unwrap().path());
        let on_disk: BTreeSet<String> = names
            .filter(|path| std::fs::read(path).is_ok_and(|bytes| bytes.starts_with(b"#!")))
            .map(|path| format!("derive/{}", path.file_name().unwrap().to_str().unwrap()))
            .collect();
        let script = |row: &Derived| match row.by {
            Script(path) => Some(path.to_owned()),
            Program { .. } => None,
        };
        let known: BTreeSet<String> = TABLE.iter().filter_map(script).collect();
        assert_eq!(on_disk, known);
    }
}
