//! Checks the fuzzing property of `fuzz/` on its seeds, which other programs wrote, and on modified seeds.

#[path = "../../../../fuzz/properties/age.rs"]
mod properties;

use properties::age;
use std::fs;
use std::path::Path;

#[test]
fn files_of_age_are_given_whole_or_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/age");
    let mut seeds: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    seeds.sort();
    assert_eq!(seeds.len(), 3);
    for path in seeds {
        let seed = fs::read(&path).unwrap();
        let text = age(&seed).unwrap_or_else(|| panic!("{}: not read", path.display()));
        assert!(text.is_empty() || text == b"sixteen bytes of key open this\n", "{}", path.display());
        for at in 0..seed.len() {
            for bit in [1, 1 << (at % 8)] {
                let mut changed = seed.clone();
                changed[at] ^= bit;
                // Whitespace after an armour may change; every other change has to be noticed.
                assert!(age(&changed).is_none_or(|out| out == text), "{}: {at}", path.display());
            }
            assert!(age(&seed[..at]).is_none_or(|out| out == text), "{}: {at}", path.display());
        }
    }
}
