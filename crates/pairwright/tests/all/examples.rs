//! Runs all examples to their ends.

use std::collections::BTreeSet;
use std::path::Path;

#[allow(dead_code, reason = "a test has no use for main")]
#[path = "../../examples/batch.rs"]
mod batch;
#[allow(dead_code, reason = "a test has no use for main")]
#[path = "../../examples/blobs.rs"]
mod blobs;
#[allow(dead_code, reason = "a test has no use for main")]
#[path = "../../examples/board.rs"]
mod board;
#[allow(dead_code, reason = "a test has no use for main")]
#[path = "../../examples/circuit.rs"]
mod circuit;
#[allow(dead_code, reason = "a test has no use for main")]
#[path = "../../examples/credit_score.rs"]
mod credit_score;
#[allow(dead_code, reason = "a test has no use for main")]
#[path = "../../examples/signatures.rs"]
mod signatures;
#[allow(dead_code, reason = "a test has no use for main")]
#[path = "../../examples/timelock.rs"]
mod timelock;

#[test]
fn batch_verification() {
    batch::run().unwrap();
}
#[test]
fn blobs_and_their_cells() {
    blobs::run(None).unwrap();
}
#[test]
fn board_with_the_chip() {
    board::run().unwrap();
}
#[test]
fn circuit_of_ones_own() {
    circuit::run().unwrap();
}
#[test]
fn credit_score_of_attested_figures() {
    credit_score::run().unwrap();
}
#[test]
fn signatures_of_many() {
    signatures::run().unwrap();
}
#[test]
fn timelock_encryption() {
    timelock::run().unwrap();
}

/// Every example in the folder is run by a test.
#[test]
fn none_is_left_out() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let names: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    let tested =
        ["batch", "blobs", "board", "circuit", "credit_score", "signatures", "timelock", "zerocheck"];
    assert!(names.iter().eq(tested), "{names:?}");
}
