//! Times a calculator: `cargo run --release -p pairwright-witness --example time -- CIRCUIT.wasm INPUT.json`.
//!
//! Prints, for each of three runs, milliseconds to load and to compute. Circuits over bn128 only.

use pairwright_curve::bn254::Fr;
use pairwright_witness::{Calculator, Inputs, WitnessError};
use std::time::Instant;

fn main() -> Result<(), WitnessError> {
    let mut arguments = std::env::args().skip(1);
    let (Some(wasm), Some(json)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: time CIRCUIT.wasm INPUT.json");
        std::process::exit(2);
    };
    let inputs = Inputs::open(json)?;
    for _ in 0..3 {
        let start = Instant::now();
        let calculator = Calculator::open(&wasm)?;
        let loaded = start.elapsed();
        let witness: Vec<Fr> = calculator.witness(&inputs)?;
        let milliseconds = |d: std::time::Duration| d.as_secs_f64() * 1e3;
        let computed = milliseconds(start.elapsed() - loaded);
        println!("{} wires: load {:.1} ms, witness {computed:.1} ms", witness.len(), milliseconds(loaded));
    }
    Ok(())
}
