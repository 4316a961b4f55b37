//! Tests the decoder of zerocheck proofs by the fuzzer's property, on its seeds and on slightly changed seeds.

#[path = "../../../../fuzz/properties/zerocheck.rs"]
mod property;

use std::path::Path;

/// The fuzzer's seeds, and each seed with a flipped bit.
#[test]
fn seeds_of_the_fuzzer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/zerocheck");
    let mut seeds = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let mut seed = std::fs::read(entry.unwrap().path()).unwrap();
        property::zerocheck(&seed);
        for bit in 0..8 * seed.len() {
            seed[bit / 8] ^= 1 << (bit % 8);
            property::zerocheck(&seed);
            seed[bit / 8] ^= 1 << (bit % 8);
        }
        seeds += 1;
    }
    assert!(seeds > 5);
}
