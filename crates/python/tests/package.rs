//! Checks that the package's metadata, its type stubs and the module built here agree. Python's own tests run in `cargo x
//! python`.
#![forbid(unsafe_code)]

use std::collections::BTreeSet;
use std::fs;

fn read(path: &str) -> String {
    fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The names that `pairwright._native` exports, as the source lists them.
fn exported() -> BTreeSet<String> {
    let source = read("src/lib.rs");
    let lists = source.split("use crate::").skip(1);
    let names = lists.flat_map(|list| {
        let list = list.split(';').next().unwrap().rsplit("::").next().unwrap();
        list.split(',').map(|name| name.trim_matches(['{', '}', ' ', '\n']).to_owned()).collect::<Vec<_>>()
    });
    names.filter(|name| !name.is_empty()).collect()
}

#[test]
fn the_stubs_have_every_name_of_the_module() {
    let stubs = read("python/pairwright/_native.pyi");
    let named: BTreeSet<String> = stubs
        .lines()
        .filter_map(|line| line.strip_prefix("def ").or_else(|| line.strip_prefix("class ")))
        .map(|line| line.split(['(', ':']).next().unwrap().to_owned())
        .collect();
    assert_eq!(exported(), named);
}

#[test]
fn the_index_is_told_what_cargo_is_told() {
    let project = read("pyproject.toml");
    assert!(project.contains("dynamic = [\"version\"]"), "the version is Cargo's");
    assert!(project.contains("license = \"MIT OR Apache-2.0\""));
    assert!(project.contains("module-name = \"pairwright._native\""));
}
