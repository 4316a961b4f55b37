//! Thousands of modified samples, with a changed byte, an extreme word, or a missing end: every reader returns, and allocates
//! only memory in proportion to the file.

mod common;
#[path = "common/surgery.rs"]
mod surgery;

use common::{bytes, file, rng};
use pairwright_curve::bls12_381::{self, Bls12_381};
use pairwright_curve::bn254::{Bn254, Fr};
use pairwright_formats::{FileBytes, FormatError, inspect_bytes, probe};
use peak_alloc::PeakAlloc;
use rand_core::Rng;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

type Reader = fn(FileBytes) -> Result<(), FormatError>;

/// The memory that a reader may allocate: a multiple of the file's size, and a constant for messages and threads.
const TIMES: usize = 4;
const PLUS: usize = 16 << 10;

fn mutate(good: &[u8], rng: &mut impl Rng) -> Vec<u8> {
    let mut out = good.to_vec();
    let below = |rng: &mut dyn FnMut() -> u64, n: usize| (rng() % n as u64) as usize;
    let mut draw = || rng.next_u64();
    // Half of the changes are made in the first part of the file, where headers and counts are.
    let reach = if draw() % 2 == 0 { good.len().min(256) } else { good.len() };
    let at = below(&mut draw, reach);
    match draw() % 8 {
        0 => out.truncate(at),
        1 => out[at] = 0xff,
        2 => {
            let end = out.len().min(at + 4);
            out[at..end].fill(0xff);
        }
        3 => {
            let end = out.len().min(at + 8);
            out[at..end].fill(0xff);
        }
        4 => {
            // Copy one part of the file over another.
            let from = below(&mut draw, good.len());
            let len = below(&mut draw, 64).min(good.len() - from).min(good.len() - at);
            out[at..at + len].copy_from_slice(&good[from..from + len]);
        }
        5 => out.insert(at, draw() as u8),
        _ => out[at] ^= 1 << (draw() % 8),
    }
    out
}

#[test]
fn readers_return_and_stay_small() {
    let bls = "circom/cube/bls12381";
    let samples: [(&str, Reader, usize); 24] = [
        ("circom/cube/bn128/cube.r1cs", surgery::r1cs::<Fr>, 4000),
        (&format!("{bls}/cube.r1cs"), surgery::r1cs::<bls12_381::Fr>, 2000),
        ("circom/cube/bn128/witness.wtns", surgery::wtns::<Fr>, 4000),
        (&format!("{bls}/witness.wtns"), surgery::wtns::<bls12_381::Fr>, 2000),
        ("circom/cube/bn128/cube.zkey", surgery::zkey::<Bn254>, 6000),
        (&format!("{bls}/cube.zkey"), surgery::zkey::<Bls12_381>, 3000),
        (&format!("{bls}/cube.zkey"), surgery::zkey_checked::<Bls12_381>, 200),
        ("circom/cube/bn128/response.mpcparams", surgery::mpc_parameters::<Bn254>, 1500),
        (&format!("{bls}/response.mpcparams"), surgery::mpc_parameters::<Bls12_381>, 200),
        ("circom/plonk/cube_plonk.zkey", surgery::zkey::<Bn254>, 500),
        ("plonk/bn128/cube.zkey", surgery::plonk_zkey::<Bn254>, 2000),
        ("plonk/bls12381/cube.zkey", surgery::plonk_zkey::<Bls12_381>, 1000),
        ("plonk/bn128/cube.vk.json", surgery::plonk_vk::<Bn254>, 1500),
        ("plonk/bn128/cube.proof.json", surgery::plonk_proof::<Bn254>, 2000),
        ("fflonk/cube.zkey", surgery::fflonk_zkey::<Bn254>, 2000),
        ("fflonk/cube.vk.json", surgery::fflonk_vk::<Bn254>, 1500),
        ("fflonk/cube.proof.json", surgery::fflonk_proof::<Bn254>, 2000),
        ("circom/ptau/bn128.4.raw.ptau", surgery::ptau::<Bn254>, 3000),
        ("circom/ptau/bn128.4.prepared.ptau", surgery::ptau::<Bn254>, 3000),
        ("circom/cube/bn128/verification_key.json", surgery::vk::<Bn254>, 1500),
        ("circom/cube/bn128/proof.json", surgery::proof::<Bn254>, 4000),
        (&format!("{bls}/proof.json"), surgery::proof::<Bls12_381>, 2000),
        ("circom/cube/bn128/public.json", surgery::public::<Fr>, 2000),
        ("corrupt/manifest.json", surgery::proof::<Bn254>, 200),
    ];
    let mut rng = rng(20);
    for (path, read, times) in samples {
        let good = bytes(path);
        // A first run allocates threads and tables, which must not be attributed to the file.
        let first = read(file(path, &good)).is_ok();
        let (mut refused, mut worst) = (0, 0);
        for _ in 0..times {
            let bytes = mutate(&good, &mut rng);
            let len = bytes.len();
            let input = FileBytes::from_vec(path, bytes);
            let before = MEMORY.current_usage();
            MEMORY.reset_peak_usage();
            let verdict = read(input.clone());
            // Probing a file comes first, as in every program.
            let about = probe(&input).and_then(|_| inspect_bytes(&input)).map(drop);
            let used = MEMORY.peak_usage().saturating_sub(before);
            assert!(used <= TIMES * len + PLUS, "{path}: {used} bytes for a file of {len}: {verdict:?}");
            worst = worst.max(used);
            for error in [&verdict, &about].into_iter().filter_map(|v| v.as_ref().err()) {
                assert!(error.to_string().contains(path), "{error}");
            }
            refused += usize::from(verdict.is_err());
        }
        println!("{path}: {refused} of {times} refused, at most {worst} bytes for {}", good.len());
        // Most changes are refused; a few affect unused bytes, or give another valid value.
        assert!(!first || (refused > times / 10 && refused < times), "{path}: {refused} of {times}");
    }
}
