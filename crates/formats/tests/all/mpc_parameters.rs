//! Checks the fuzzing properties of `fuzz/` on their seeds and on modified seeds.

#[path = "../../../../fuzz/properties/mpc_parameters.rs"]
mod properties;

use properties::mpc_parameters;
use std::fs;
use std::path::Path;

#[test]
fn hold_on_the_seeds_and_around_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/mpc_parameters");
    let mut taken = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let seed = fs::read(&path).unwrap();
        if mpc_parameters(&seed) {
            taken.push(path.file_name().unwrap().to_str().unwrap().to_owned());
        }
        // Every byte at the end, where the records are, and every eleventh byte of the points.
        for at in (0..seed.len()).filter(|at| at % 11 == 0 || seed.len() - at < 80) {
            let mut changed = seed.clone();
            changed[at] ^= 1 << (at % 8);
            mpc_parameters(&changed);
            mpc_parameters(&seed[..at]);
        }
    }
    taken.sort_unstable();
    assert_eq!(taken, ["infinity_with_its_bit", "response", "snarkjs"]);
}
