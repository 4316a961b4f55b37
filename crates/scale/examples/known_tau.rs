//! Writes prepared powers of tau whose τ everybody knows. They are for benchmarks of setups, which would otherwise need an hour
//! of preparation. **Proofs for keys of these powers can be forged by anyone.**
//!
//! ```sh
//! cargo run --release --example known_tau -p pairwright-scale -- bn128 20 known.ptau
//! ```

use pairwright_curve::{Pairing, bls12_381::Bls12_381, bn254::Bn254};
use pairwright_field::Field;
use pairwright_formats::{write_atomically, write_ptau};
use pairwright_testkit::powers::KnownPowers;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use std::error::Error;

fn write<E: Pairing>(
    device: &pairwright_device::Device<E>,
    power: u32,
    path: &str,
) -> Result<(), Box<dyn Error>> {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let known = KnownPowers::new(device, power, [(); 3].map(|()| E::Fr::random(&mut rng)))?;
    Ok(write_atomically(path, |out| write_ptau(out, &known, power, &[0; 4]))?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [curve, power, path] = words.as_slice() else { return Err("CURVE POWER FILE are needed".into()) };
    match curve.as_str() {
        "bn128" => write(&pairwright_cpu::board::<Bn254>(), power.parse()?, path),
        "bls12381" => write(&pairwright_cpu::board::<Bls12_381>(), power.parse()?, path),
        other => Err(format!("{other}: the curves are bn128 and bls12381").into()),
    }
}
