//! `pairwright asm` and `disasm`: their outputs, and one clear line for every invalid file.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const EXAMPLE: &str = pairwright::chip::isa::EXAMPLE;

fn run(dir: &Path, line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pairwright"))
        .args(line.split_whitespace())
        .current_dir(dir)
        .output()
        .unwrap()
}

fn ok(dir: &TempDir, line: &str) -> String {
    let out = run(dir.path(), line);
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success(), "{line}: {text}{}", String::from_utf8_lossy(&out.stderr));
    text
}

/// The message of a command that must fail.
fn fails(dir: &TempDir, line: &str) -> String {
    let out = run(dir.path(), line);
    let said = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(2), "{line}: {said}");
    assert_eq!(said.trim().lines().count(), 1, "one clear line: {said}");
    said.trim().trim_start_matches("pairwright: ").to_owned()
}

#[test]
fn a_program_goes_to_an_image_and_back() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("power.pw"), EXAMPLE).unwrap();
    assert_eq!(
        ok(&dir, "asm power.pw -o power.json").trim(),
        "power.json: 10 L1 words, 2 L2 words, 4 labels"
    );
    let image = fs::read_to_string(dir.path().join("power.json")).unwrap();
    assert_eq!(ok(&dir, "asm power.pw"), image);
    let text = ok(&dir, "disasm power.json -o back.pw");
    assert_eq!(text.trim(), "back.pw: 10 L1 words, 2 L2 words, 0 of them unknown");
    let back = fs::read_to_string(dir.path().join("back.pw")).unwrap();
    assert_eq!(ok(&dir, "disasm power.json"), back);
    assert!(back.contains("\nskip:\n        loop_i      bit, 64"), "{back}");
    assert_eq!(ok(&dir, "asm back.pw"), image);

    let report: Value = serde_json::from_str(&ok(&dir, "--json asm power.pw")).unwrap();
    assert_eq!((&report["l1_words"], &report["labels"]), (&10.into(), &4.into()));
    assert_eq!(report["image"], serde_json::from_str::<Value>(&image).unwrap());
    let report: Value = serde_json::from_str(&ok(&dir, "--json disasm power.json")).unwrap();
    assert_eq!(report["text"], back);
}

#[test]
fn words_that_are_no_instruction_are_kept_and_counted() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("raw.pw"), ".l2\n.word 0xffffffff\nnop last\n").unwrap();
    let image = ok(&dir, "asm raw.pw");
    fs::write(dir.path().join("raw.json"), &image).unwrap();
    let report: Value = serde_json::from_str(&ok(&dir, "--json disasm raw.json")).unwrap();
    assert_eq!(report["unknown"], 1);
    fs::write(dir.path().join("again.pw"), report["text"].as_str().unwrap()).unwrap();
    assert_eq!(ok(&dir, "asm again.pw"), image);
}

#[test]
fn what_is_wrong_is_said_with_file_and_place() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("bad.pw"), ".l1\n  loop_i top, 0\n").unwrap();
    assert_eq!(
        fails(&dir, "asm bad.pw"),
        "bad.pw, line 2, column 15: loop_i: Loop_num is 0, it must be 1 to 65536"
    );
    assert!(fails(&dir, "asm none.pw").starts_with("none.pw: "));
    fs::write(dir.path().join("bad.json"), "{\"l1\": [\"0x12\"]}").unwrap();
    assert!(fails(&dir, "disasm bad.json").starts_with("bad.json: image: `0x12` is not a word"));
    fs::write(dir.path().join("bytes.pw"), [0xff, 0xfe]).unwrap();
    assert!(fails(&dir, "asm bytes.pw").starts_with("bytes.pw: "));
}

#[test]
fn the_reference_is_the_books_page() {
    let dir = tempfile::tempdir().unwrap();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src/rooms/isa.md");
    assert_eq!(ok(&dir, "asm --reference"), fs::read_to_string(page).unwrap());
}
