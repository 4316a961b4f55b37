//! Checks the fuzzing property of `fuzz/` on files of circom and snarkjs, and on modified files.

use crate::common::bytes;
use crate::surgery::files;

#[test]
fn decoders_take_files_of_their_kind_and_refuse_others() {
    for path in [
        "circom/cube/bn128/cube.r1cs",
        "circom/cube/bls12381/witness.wtns",
        "circom/cube/bn128/cube.zkey",
        "circom/ptau/bn128.4.raw.ptau",
        "plonk/bls12381/cube.zkey",
        "fflonk/cube.zkey",
        "circom/cube/bn128/verification_key.json",
        "circom/cube/bls12381/proof.json",
        "plonk/bn128/cube.vk.json",
        "plonk/bn128/cube.proof.json",
        "fflonk/cube.vk.json",
        "fflonk/cube.proof.json",
        "circom/cube/bn128/public.json",
    ] {
        let good = bytes(path);
        assert_eq!(files(&good), 1, "{path}: one decoder takes it");
        for at in (0..good.len()).step_by(good.len() / 40 + 1) {
            let mut changed = good.clone();
            changed[at] ^= 1 << (at % 8);
            files(&changed);
            assert_eq!(files(&good[..at]), 0, "{path}: {at} bytes");
        }
    }
}
