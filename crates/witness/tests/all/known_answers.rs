//! Witnesses of the repository's circuits, byte for byte as snarkjs and circom's own calculators write them.

use crate::support::{asserts, bytes, calculator, path, wtns};
use pairwright_curve::{bls12_381, bn254};
use pairwright_field::{Field, PrimeField};
use pairwright_witness::{Calculator, Engine, Inputs, Limits, WitnessError};
use std::cell::RefCell;
use std::rc::Rc;

fn on_both_curves(circuit: &str, name: &str, input: impl Fn(&str) -> String) {
    fn one<F: PrimeField>(circuit: &str, curve: &str, name: &str, input: &str) {
        let calculator = calculator(circuit, curve, name);
        assert_eq!(calculator.prime(), F::MODULUS.as_ref());
        assert_eq!(calculator.version(), [2, 2, 3]);
        let inputs = Inputs::open(path(input)).unwrap();
        let values: usize = inputs.signals().map(|(_, values)| values).sum();
        assert_eq!(calculator.input_len() as usize, values);
        let witness: Vec<F> = calculator.witness(&inputs).unwrap();
        assert_eq!(calculator.witness_len() as usize, witness.len());
        assert_eq!(witness[0], F::ONE);
        let expected = bytes(&format!("vectors/witness/{name}.{curve}.wtns"));
        assert!(wtns(&witness) == expected, "{name} on {curve}");
        // A second run is not influenced by the first.
        assert_eq!(calculator.witness::<F>(&inputs).unwrap(), witness);
    }
    one::<bn254::Fr>(circuit, "bn128", name, &input("bn128"));
    one::<bls12_381::Fr>(circuit, "bls12381", name, &input("bls12381"));
}

#[test]
fn cube() {
    on_both_curves("cube", "cube", |curve| format!("circuits/cube/{curve}/input.json"));
}

#[test]
fn chain() {
    on_both_curves("chain", "chain250", |curve| format!("circuits/chain/{curve}/input.json"));
}

#[test]
fn merkle() {
    on_both_curves("merkle", "merkle20", |curve| format!("circuits/merkle/{curve}/input.json"));
}

#[test]
fn arrays_buses_and_values_of_every_form() {
    on_both_curves("asserts", "asserts", |_| "vectors/witness/asserts.json".to_owned());
}

#[test]
fn a_bus_may_be_given_flat_and_an_empty_array_left_out() {
    let calculator = asserts();
    let expected = bytes("vectors/witness/asserts.bn128.wtns");
    for json in [
        r#"{"in":7,"table":[1,2,3,-4,1,9],"p":[12,0,9,15]}"#,
        r#"{"p":[[{"x":12,"y":0}],[{"x":9,"y":15}]],"none":[],"table":[[1,2,3],[-4,1,9]],"in":[[7]]}"#,
    ] {
        let result = calculator.witness::<bn254::Fr>(&Inputs::from_json(json).unwrap());
        // The second nests the bus one level too deep, so its signals have other names.
        match json.contains("[[{") {
            false => assert!(wtns(&result.unwrap()) == expected, "{json}"),
            true => {
                assert!(matches!(result.unwrap_err(), WitnessError::UnknownSignal { signal, expected: 11 }
                    if signal == "p[0][0].x"))
            }
        }
    }
}

#[test]
fn values_are_reduced_modulo_the_prime() {
    let calculator = calculator("cube", "bn128", "cube");
    let run = |json: &str| calculator.witness::<bn254::Fr>(&Inputs::from_json(json).unwrap()).unwrap();
    let three = run(r#"{"x": "3"}"#);
    // p + 3, 3 - p, and 256 p.
    for x in [
        "3",
        r#""0x3""#,
        "[3]",
        "21888242871839275222246405745257275088548364400416034343698204186575808495620",
        r#""21888242871839275222246405745257275088548364400416034343698204186575808495620""#,
        "-21888242871839275222246405745257275088548364400416034343698204186575808495614",
        r#""0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000004""#,
    ] {
        assert_eq!(run(&format!("{{\"x\": {x}}}")), three, "{x}");
    }
    assert_eq!(run("\u{feff}{\"x\": 3}"), three);
    let zero = run(r#"{"x": 0}"#);
    assert_eq!(run(r#"{"x": "0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f000000100"}"#), zero);
    assert_eq!(run(r#"{"x": false}"#), zero);
    assert_eq!(run(r#"{"x": true}"#), run(r#"{"x": "+1"}"#));
    let minus_one = run(r#"{"x": -1}"#);
    // y = x³ + x + 5 = 3
    assert_eq!(minus_one[1], bn254::Fr::from(3));
    let mut by_value = Inputs::new();
    by_value.insert("x", &[-bn254::Fr::ONE]).unwrap();
    assert_eq!(calculator.witness::<bn254::Fr>(&by_value).unwrap(), minus_one);
    assert!(matches!(by_value.insert("x", &[bn254::Fr::ONE]), Err(WitnessError::Duplicate(s)) if s == "x"));
}

#[test]
fn what_the_circuit_logs_is_handed_on_line_by_line() {
    let lines = Rc::new(RefCell::new(Vec::new()));
    let into = Rc::clone(&lines);
    let inputs = Inputs::open(path("vectors/witness/asserts.json")).unwrap();
    asserts()
        .witness_with_log::<bn254::Fr>(&inputs, move |line| into.borrow_mut().push(line.to_owned()))
        .unwrap();
    assert_eq!(*lines.borrow(), ["below 10 7", "done"]);
}

#[test]
fn a_calculator_is_shared_between_threads() {
    let calculator = calculator("chain", "bn128", "chain250");
    let witnesses: Vec<Vec<bn254::Fr>> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0u64..4)
            .map(|x| {
                let calculator: &Calculator = &calculator;
                scope.spawn(move || {
                    calculator.witness(&Inputs::from_json(&format!(r#"{{"x":{x}}}"#)).unwrap()).unwrap()
                })
            })
            .collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    for (x, witness) in (0u64..).zip(witnesses) {
        let y = (0..250).fold(bn254::Fr::from(x), |x, _| x * x + bn254::Fr::from(5));
        assert_eq!(witness[1], y);
    }
}

/// Computes a witness on all engines, and checks that a compiler is the default.
fn all_engines<F: PrimeField>(folder: &str, curve: &str, name: &str) -> Vec<F> {
    let wasm = bytes(&format!("circuits/{folder}/{curve}/{name}.wasm"));
    let inputs = Inputs::open(path(&format!("circuits/{folder}/{curve}/input.json"))).unwrap();
    let on = |engine| {
        let calculator = Calculator::from_bytes_with(&wasm, engine, Limits::default()).unwrap();
        assert_eq!(calculator.engine(), engine);
        calculator.witness::<F>(&inputs).unwrap()
    };
    let interpreted = on(Engine::Interpreted);
    for engine in [Engine::Compiled, Engine::Baseline].into_iter().filter(|engine| engine.is_here()) {
        assert!(on(engine) == interpreted, "{name} on {curve}: {engine}");
    }
    let chosen = Calculator::from_bytes(&wasm).unwrap();
    assert!(chosen.engine() != Engine::Interpreted && chosen.fallback().is_none());
    interpreted
}

#[test]
fn the_engines_agree_on_every_bundled_circuit() {
    for (folder, name) in [
        ("cube", "cube"),
        ("chain", "chain250"),
        ("merkle", "merkle20"),
        ("apps/merkle", "tree8"),
        ("apps/sudoku", "sudoku1"),
    ] {
        all_engines::<bn254::Fr>(folder, "bn128", name);
        all_engines::<bls12_381::Fr>(folder, "bls12381", name);
    }
    let witness = all_engines::<bls12_381::Fr>("apps/rollup", "bls12381", "rollup1");
    assert_eq!(witness.len(), 10_788);
}

#[test]
fn fuel_does_not_change_the_witness() {
    let inputs = Inputs::open(path("circuits/chain/bn128/input.json")).unwrap();
    let expected = bytes("vectors/witness/chain250.bn128.wtns");
    for engine in Engine::ALL.into_iter().filter(|engine| engine.is_here()) {
        let run = |fuel| {
            let limits = Limits { fuel: Some(fuel), ..Limits::default() };
            Calculator::open_with(path("circuits/chain/bn128/chain250.wasm"), engine, limits)
                .and_then(|calculator| calculator.witness::<bn254::Fr>(&inputs))
        };
        assert!(wtns(&run(1 << 32).unwrap()) == expected, "{engine}");
        let e = run(20_000).unwrap_err();
        assert!(matches!(e.cause(), WitnessError::Fuel(20_000)), "{engine}: {e}");
    }
}
