//! Tests of the program `rtl`, without the parts that need external tools.

use std::process::{Command, Output};

fn rtl(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtl")).args(arguments).output().unwrap()
}

#[test]
fn blocks_are_listed_and_printed() {
    let list = String::from_utf8(rtl(&["list"]).stdout).unwrap();
    assert!(list.lines().any(|line| line.starts_with("mm_381") && line.contains("latency 16")), "{list}");
    for line in list.lines() {
        let name = line.split_whitespace().next().unwrap();
        let text = String::from_utf8(rtl(&["print", name]).stdout).unwrap();
        assert!(text.contains(&format!("module {name} (")), "{name}");
    }
}

#[test]
fn an_unknown_block_is_an_error() {
    let output = rtl(&["print", "nothing"]);
    assert!(!output.status.success());
    assert!(String::from_utf8(output.stderr).unwrap().contains("no block `nothing`"));
}

#[test]
fn a_missing_tool_names_its_package() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtl"));
    command.args(["lockstep", "add_sub_255"]).env("PAIRWRIGHT_RTL_TOOLS", "/nowhere");
    let output = command.output().unwrap();
    assert!(!output.status.success());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("cargo x rtl") && error.contains("pyosys"), "{error}");
}
