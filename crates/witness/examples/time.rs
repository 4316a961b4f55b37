//! Times a calculator: `cargo run --release -p pairwright-witness --example time -- CIRCUIT.wasm INPUT.json [ENGINE]`.
//!
//! Prints, for each of three runs, milliseconds to load (and compile) and to compute. ENGINE is `compiled`,
//! `baseline` or `interpreted`; circuits are over bn128 or bls12381.

use pairwright_curve::{bls12_381, bn254};
use pairwright_field::PrimeField;
use pairwright_witness::{Calculator, Engine, Inputs, Limits, WitnessError};
use std::time::{Duration, Instant};

fn main() -> Result<(), WitnessError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (wasm, json, engine) = match &arguments[..] {
        [wasm, json] => (wasm, json, Engine::Fastest),
        [wasm, json, name] if let Some(engine) = Engine::ALL.into_iter().find(|e| e.to_string() == *name) => {
            (wasm, json, engine)
        }
        _ => {
            eprintln!("usage: time CIRCUIT.wasm INPUT.json [compiled|baseline|interpreted]");
            std::process::exit(2);
        }
    };
    let inputs = Inputs::open(json)?;
    for _ in 0..3 {
        let start = Instant::now();
        let calculator = Calculator::open_with(wasm, engine, Limits::default())?;
        let loaded = start.elapsed();
        let wires = if calculator.prime() == bn254::Fr::MODULUS.as_ref() {
            calculator.witness::<bn254::Fr>(&inputs)?.len()
        } else {
            calculator.witness::<bls12_381::Fr>(&inputs)?.len()
        };
        let milliseconds = |d: Duration| d.as_secs_f64() * 1e3;
        let computed = milliseconds(start.elapsed() - loaded);
        let engine = calculator.engine();
        println!("{engine}, {wires} wires: load {:.1} ms, witness {computed:.1} ms", milliseconds(loaded));
    }
    Ok(())
}
