//! Helpers of the tests: paths, and a writer of `.wtns` files that does not use the one under test.

use pairwright_field::PrimeField;
use pairwright_witness::{Calculator, Inputs, WitnessError};
use std::path::PathBuf;

/// A path below the repository's root.
pub(crate) fn path(below_root: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(below_root)
}

/// The bytes of a file of the repository.
pub(crate) fn bytes(below_root: &str) -> Vec<u8> {
    let path = path(below_root);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A calculator of the repository.
pub(crate) fn calculator(circuit: &str, curve: &str, name: &str) -> Calculator {
    Calculator::open(path(&format!("circuits/{circuit}/{curve}/{name}.wasm"))).unwrap()
}

/// The tests' own circuit.
pub(crate) fn asserts() -> Calculator {
    calculator("asserts", "bn128", "asserts")
}

/// The error of reading these inputs or of running `calculator` on them.
pub(crate) fn error<F: PrimeField>(calculator: &Calculator, json: &str) -> WitnessError {
    match Inputs::from_json(json).and_then(|inputs| calculator.witness::<F>(&inputs)) {
        Ok(_) => panic!("a witness for {json}"),
        Err(e) => e,
    }
}

/// A `.wtns` file of version 2, section by section.
pub(crate) fn wtns<F: PrimeField>(witness: &[F]) -> Vec<u8> {
    let width = u32::try_from(F::BYTES).unwrap();
    let length = u32::try_from(witness.len()).unwrap();
    let mut header = width.to_le_bytes().to_vec();
    header.extend(F::MODULUS.as_ref().iter().flat_map(|limb| limb.to_le_bytes()));
    header.extend(length.to_le_bytes());
    let values: Vec<u8> =
        witness.iter().flat_map(|w| w.to_limbs().as_ref().to_vec()).flat_map(u64::to_le_bytes).collect();
    let mut file = b"wtns\x02\0\0\0\x02\0\0\0".to_vec();
    for (id, section) in [(1u32, header), (2, values)] {
        file.extend(id.to_le_bytes());
        file.extend((section.len() as u64).to_le_bytes());
        file.extend(section);
    }
    file
}
