//! `cargo x gen`: constants are printed by the scripts in `derive/`, kernels and the instruction set's page by
//! `pairwright`, hardware by `rtl`, the header for C by an example of its crate; nothing of it is pasted.
//!
//! A new derived file is a new row here. Scripts are Python 3, standard library only.

use crate::artifacts::Artifacts;
use crate::interop::no_program;
use crate::process::{Failure, Outcome, at_root, fail, output, require, root};
use crate::tidy::target_directory;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A script and what it makes.
struct Script {
    path: &'static str,
    how: How,
}

/// How a script hands over its text.
enum How {
    /// It knows its own output files: `--write` writes them, `--check` compares them.
    Writes(&'static [&'static str]),
    /// It prints one file per set of arguments: (arguments, output file).
    Prints(&'static [(&'static str, &'static str)]),
}

const SCRIPTS: &[Script] = &[
    Script { path: "derive/cells.py", how: How::Prints(&[("", "crates/sim/src/cells/measured.rs")]) },
    Script {
        path: "derive/curves.py",
        how: How::Prints(&[
            ("bls12_377", "crates/curve/src/bls12_377/constants.rs"),
            ("bls12_381", "crates/curve/src/bls12_381/constants.rs"),
            ("bn254", "crates/curve/src/bn254/constants.rs"),
            ("tiny_bls12", "crates/curve/src/tiny_bls12/constants.rs"),
        ]),
    },
    Script {
        path: "derive/hash_to_curve.py",
        how: How::Prints(&[("", "crates/curve/src/bls12_381/hash_constants.rs")]),
    },
    Script { path: "derive/svdw.py", how: How::Prints(&[("", "crates/curve/src/bn254/hash_constants.rs")]) },
    Script {
        path: "derive/edwards.py",
        how: How::Writes(&[
            "circuits/edwards/constants_bls12381.circom",
            "circuits/edwards/constants_bn128.circom",
        ]),
    },
    Script {
        path: "derive/zerocheck.py",
        how: How::Prints(&[("", "crates/protocols/src/zerocheck/vector.rs")]),
    },
    Script { path: "derive/jubjub.py", how: How::Prints(&[("", "crates/curve/src/jubjub/constants.rs")]) },
    Script {
        path: "derive/poseidon.py",
        how: How::Writes(&[
            "circuits/poseidon/constants_bls12381.circom",
            "circuits/poseidon/constants_bn128.circom",
        ]),
    },
];

/// The program that prints the header of the functions for C, and the header. It is an example of its crate.
const HEADER: (&str, &str) = ("header", "crates/ffi/include/pairwright.h");
/// How one runs that program by hand.
const HEADER_COMMAND: &str = "cargo run -p pairwright-ffi --example header";

/// The blocks of hardware and the diagrams that the program `rtl` prints: (arguments, output file).
const HARDWARE: &[(&str, &str)] = &[
    ("axis add_sub_381", "rtl/fpga/add_sub_381_axis.sv"),
    ("axis keccak", "rtl/fpga/keccak_axis.sv"),
    ("axis mm_381_iterative", "rtl/fpga/mm_381_iterative_axis.sv"),
    ("print add_sub_255", "rtl/add_sub_255.sv"),
    ("print add_sub_381", "rtl/add_sub_381.sv"),
    ("print butterfly_255", "rtl/butterfly_255.sv"),
    ("print dma_generator", "rtl/dma_generator.sv"),
    ("print fp2_381", "rtl/fp2_381.sv"),
    ("print keccak", "rtl/keccak.sv"),
    ("print mm_255", "rtl/mm_255.sv"),
    ("print mm_381", "rtl/mm_381.sv"),
    ("print mm_381_iterative", "rtl/mm_381_iterative.sv"),
    ("print msm_381", "rtl/msm_381.sv"),
    ("print ntt_255", "rtl/ntt_255.sv"),
    ("print padd_381", "rtl/padd_381.sv"),
    ("print pairing_control", "rtl/pairing_control.sv"),
    ("print pairing_processor", "rtl/pairing_processor.sv"),
    ("diagram msm_381", "docs/book/src/rooms/rtl/msm_381.svg"),
    ("diagram ntt_255", "docs/book/src/rooms/rtl/ntt_255.svg"),
    ("diagram pairing_processor", "docs/book/src/rooms/rtl/pairing_processor.svg"),
    ("diagram tree_255", "docs/book/src/rooms/rtl/tree_255.svg"),
    ("print tree_255", "rtl/tree_255.sv"),
    ("print tree_255_4", "rtl/tree_255_4.sv"),
    ("print tree_control", "rtl/tree_control.sv"),
    ("print tree_element_255", "rtl/tree_element_255.sv"),
];

/// What `pairwright` prints and is checked in: (arguments, output file).
const PRINTED: &[(&str, &str)] = &[
    (
        "gen kernel --op mulmod --bits 255 --range twice --target avx512",
        "crates/cpu/src/generated/ifma_255_mulmod.rs",
    ),
    (
        "gen kernel --op reduce --bits 255 --range twice --target avx512",
        "crates/cpu/src/generated/ifma_255_reduce.rs",
    ),
    (
        "gen kernel --op mulmod --bits 400 --range twice --target avx512",
        "crates/cpu/src/generated/ifma_400_mulmod.rs",
    ),
    (
        "gen kernel --op reduce --bits 400 --range twice --target avx512",
        "crates/cpu/src/generated/ifma_400_reduce.rs",
    ),
    ("asm --reference", "docs/book/src/rooms/isa.md"),
];

/// What the text that programs of ours print is made from: folders whose change makes [`check_changed`] print it again.
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

/// Writes or compares everything that the table names.
pub(crate) fn run(args: &Args) -> Outcome {
    let built = Artifacts::of_printers()?;
    if args.check { check(&built) } else { finish(all(&built, false)?) }
}

/// Compares everything that the table names, with a command that is built.
fn check(built: &Artifacts) -> Outcome {
    finish(all(built, true)?)?;
    note_checked()
}

/// As [`check`], for between two edits: the command is built and asked only when its sources, or what it printed, have
/// changed since the last check. The scripts take seconds and always run.
pub(crate) fn check_changed() -> Outcome {
    if std::fs::read_to_string(stamp()?).is_ok_and(|text| text == fingerprint()) {
        return finish(scripts(true)?);
    }
    check(&Artifacts::of_printers()?)
}

/// The file that remembers what the last successful check has seen.
fn stamp() -> Outcome<PathBuf> {
    Ok(target_directory()?.join("checked-prints"))
}

fn note_checked() -> Outcome {
    let stamp = stamp()?;
    let written = std::fs::write(&stamp, fingerprint());
    written.map_err(|error| Failure(format!("{}: {error}", stamp.display())))
}

/// A hash over the names and contents of the sources and of the printed files.
fn fingerprint() -> String {
    let mut hasher = DefaultHasher::new();
    let mut files = Vec::new();
    PRINTED_FROM.iter().for_each(|folder| collect(&root().join(folder), &mut files));
    files.extend(PRINTED.iter().chain(HARDWARE).map(|(_, path)| root().join(path)));
    files.sort();
    for file in files {
        (&file, std::fs::read(&file).ok()).hash(&mut hasher);
    }
    format!("{:016x}\n", hasher.finish())
}

/// All files below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}

/// Writes or compares everything; the names of what is stale.
fn all(built: &Artifacts, check: bool) -> Outcome<Vec<String>> {
    let program = |name| built.program(name).ok_or_else(|| no_program(name));
    let binary = program("pairwright")?;
    let mut stale = Vec::new();
    for (arguments, path) in PRINTED {
        let text = output(at_root(&binary).args(arguments.split_whitespace()))?;
        place(text, path, check, &mut stale)?;
    }
    let hardware = program("rtl")?;
    for (arguments, path) in HARDWARE {
        let text = output(at_root(&hardware).args(arguments.split_whitespace()))?;
        place(text, path, check, &mut stale)?;
    }
    let (printer, path) = HEADER;
    place(output(&mut at_root(program(printer)?))?, path, check, &mut stale)?;
    stale.extend(scripts(check)?);
    Ok(stale)
}

/// Writes or compares what the scripts in `derive/` make; the names of what is stale.
fn scripts(check: bool) -> Outcome<Vec<String>> {
    require("python3", "the scripts in derive/")?;
    let mut stale = Vec::new();
    for script in SCRIPTS {
        match script.how {
            How::Writes(outputs) => {
                let flag = if check { "--check" } else { "--write" };
                let status = python(script.path).arg(flag).status();
                if !status.is_ok_and(|status| status.success()) {
                    if !check {
                        return fail(format!("`python3 {} --write` failed", script.path));
                    }
                    stale.push(format!("the output of {} ({})", script.path, outputs.join(", ")));
                }
            }
            How::Prints(rows) => {
                for (arguments, path) in rows {
                    let text = output(python(script.path).args(arguments.split_whitespace()))?;
                    place(text, path, check, &mut stale)?;
                }
            }
        }
    }
    Ok(stale)
}

fn finish(stale: Vec<String>) -> Outcome {
    if stale.is_empty() { Ok(()) } else { fail(format!("stale: {}; run `cargo x gen`", stale.join("; "))) }
}

/// Writes a text to its file, or notes the file as stale if it holds another one.
fn place(text: Vec<u8>, path: &str, check: bool, stale: &mut Vec<String>) -> Outcome {
    let file = root().join(path);
    if check {
        if !std::fs::read(&file).is_ok_and(|on_disk| on_disk == text) {
            stale.push(path.to_owned());
        }
    } else if let Err(error) = std::fs::write(&file, &text) {
        return fail(format!("{path}: {error}"));
    }
    Ok(())
}

/// A script run in the root of the repository, without leaving byte code behind.
fn python(script: &str) -> Command {
    let mut command = at_root("python3");
    command.arg("-B").arg(script);
    command
}

/// Every derived text file with the command that its head must state.
pub(crate) fn table() -> Vec<(String, String)> {
    let printed = |(arguments, path): &(&str, &str)| ((*path).to_owned(), format!("pairwright {arguments}"));
    let mut rows: Vec<(String, String)> = PRINTED.iter().map(printed).collect();
    let hardware = |(arguments, path): &(&str, &str)| ((*path).to_owned(), format!("cargo rtl {arguments}"));
    rows.extend(HARDWARE.iter().map(hardware));
    rows.push((HEADER.1.to_owned(), HEADER_COMMAND.to_owned()));
    for script in SCRIPTS {
        match script.how {
            How::Writes(outputs) => {
                let command = format!("python3 {} --write", script.path);
                rows.extend(outputs.iter().map(|path| ((*path).to_owned(), command.clone())));
            }
            How::Prints(outputs) => rows.extend(outputs.iter().map(|(arguments, path)| {
                ((*path).to_owned(), format!("python3 {} {arguments}", script.path).trim_end().to_owned())
            })),
        }
    }
    rows
}

/// The command that makes this file, if there is one.
pub(crate) fn command_for(path: &str) -> Option<String> {
    table().into_iter().find(|(output, _)| output == path).map(|(_, command)| command)
}

/// True for a file that a script or `pairwright` makes.
pub(crate) fn is_output(path: &str) -> bool {
    command_for(path).is_some()
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
        let known: BTreeSet<String> = SCRIPTS.iter().map(|script| script.path.to_owned()).collect();
        assert_eq!(on_disk, known);
    }
}
