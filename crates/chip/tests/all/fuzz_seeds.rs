//! The properties of the fuzz targets on their seeds, and on inputs one step from a seed.

#[path = "../../../../fuzz/properties/isa.rs"]
mod isa;

use std::path::Path;

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{target} has no seeds");
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// Checks each seed, and each seed with one bit flipped.
fn with_bits_flipped(target: &str, property: fn(&[u8])) {
    for mut seed in seeds(target) {
        property(&seed);
        for bit in 0..8 * seed.len() {
            seed[bit / 8] ^= 1 << (bit % 8);
            property(&seed[bit / 32 * 4..][..4]);
            seed[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn l1_words() {
    with_bits_flipped("l1_words", isa::l1_words);
}

#[test]
fn l2_words() {
    with_bits_flipped("l2_words", isa::l2_words);
}

/// Checks each seed truncated at each byte, and without each of its bytes.
#[test]
fn asm_text() {
    for seed in seeds("asm_text") {
        isa::asm_text(&seed);
        for at in 0..seed.len() {
            isa::asm_text(&seed[..at]);
            isa::asm_text(&[&seed[..at], &seed[at + 1..]].concat());
        }
    }
}
