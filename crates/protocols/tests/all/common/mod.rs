//! Randomness, devices and test vectors for the tests of the crate, and the comparison of plans with the calls made.

use pairwright_curve::Pairing;
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_device::{Device, Event, Session, reference};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A generator of reproducible values, one stream per test.
pub(crate) fn rng(stream: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(stream)
}

/// The reference board for BLS12-381.
pub(crate) fn device() -> Device<Bls12_381> {
    reference::board()
}

/// Runs `work` in a session, and checks its plan: for every operator in the plan, the sizes of the calls made add up to the planned
/// total.
pub(crate) fn as_planned<E: Pairing, T>(
    device: &Device<E>,
    work: impl FnOnce(&mut Session<'_, E>) -> T,
) -> T {
    let [planned, ran] = [(); 2].map(|()| RefCell::new(BTreeMap::<&str, usize>::new()));
    let mut on = Session::new(device).observed(|event| match event {
        Event::Plan(calls) => {
            calls.iter().for_each(|c| *planned.borrow_mut().entry(c.operator).or_default() += c.size);
        }
        Event::End(record) => *ran.borrow_mut().entry(record.operator).or_default() += record.size,
        _ => {}
    });
    let made = work(&mut on);
    drop(on);
    let (planned, mut ran) = (planned.into_inner(), ran.into_inner());
    ran.retain(|operator, _| planned.contains_key(operator));
    assert!(!planned.is_empty());
    assert_eq!(ran, planned, "what was asked of the session is what was planned");
    made
}

/// Bytes of a hexadecimal string, with or without `0x`.
pub(crate) fn hex(text: &str) -> Vec<u8> {
    let digits = text.trim_start_matches("0x");
    assert!(digits.len().is_multiple_of(2), "whole bytes");
    (0..digits.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&digits[i..i + 2], 16).expect("hexadecimal"))
        .collect()
}

/// The string value of a key of a JSON object.
pub(crate) fn text<'a>(v: &'a Value, key: &str) -> &'a str {
    v[key].as_str().unwrap_or_else(|| panic!("{key} is a string in {v}"))
}

/// The repository's folder of known answers.
pub(crate) fn vectors_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors")
}

/// Public test vectors that are not part of the repository, below the folder that `PAIRWRIGHT_VECTORS` names. `None`, with a message, if
/// the variable is not set.
pub(crate) fn public_root() -> Option<PathBuf> {
    let root = std::env::var_os("PAIRWRIGHT_VECTORS");
    if root.is_none() {
        eprintln!("skipped: PAIRWRIGHT_VECTORS names no folder of public vectors");
    }
    root.map(|root| Path::new(&root).join("public"))
}

/// A JSON file.
pub(crate) fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// Every JSON file of a folder, by name.
pub(crate) fn json_in(folder: &Path) -> Vec<(String, Value)> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("readable").path()).collect();
    paths.sort();
    paths.iter().map(|p| (p.display().to_string(), json(p))).collect()
}
