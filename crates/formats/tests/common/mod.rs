//! Helpers of the tests: sample files and small circuits.
#![allow(dead_code, unreachable_pub)]

use pairwright_curve::Pairing;
use pairwright_device::{Event, Session, reference};
use pairwright_field::PrimeField;
use pairwright_formats::FileBytes;
use pairwright_protocols::r1cs::{Constraint, R1cs, Shape};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::path::PathBuf;

pub fn vector(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(path)
}

pub fn bytes(path: &str) -> Vec<u8> {
    std::fs::read(vector(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

pub fn file(name: &str, bytes: &[u8]) -> FileBytes {
    FileBytes::from_vec(name, bytes.to_vec())
}

pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Runs some work and checks that, if it succeeds, it calls these operators with the sizes in the session's plan.
pub fn as_planned<E: Pairing, T, Why>(
    operators: &[&str],
    work: impl FnOnce(&mut Session<'_, E>) -> Result<T, Why>,
) -> Result<T, Why> {
    let (mut planned, mut called) = (BTreeMap::new(), BTreeMap::new());
    let device = reference::board();
    let mut on = Session::new(&device).observed(|event| match event {
        Event::Plan(calls) => calls.iter().for_each(|c| *planned.entry(c.operator).or_insert(0) += c.size),
        Event::End(r) if operators.contains(&r.operator) => *called.entry(r.operator).or_insert(0) += r.size,
        _ => {}
    });
    let done = work(&mut on)?;
    drop(on);
    assert!(called.keys().copied().eq(operators.iter().copied()), "{called:?}");
    assert_eq!(planned, called, "the work that was foretold");
    Ok(done)
}

/// A chain of `constraints` constraints `w_{i+1} = (w_i + k_i)·w_i` with one output and one public input, and its witness.
pub fn chain<F: PrimeField>(constraints: usize, seed: u64) -> (R1cs<F>, Vec<F>) {
    let mut rng = rng(seed);
    let wires = constraints + 2;
    // Wire 1 is the output, which is the last value of the chain; wire 2 is the public input; then follows the chain.
    let wire = |i: usize| if i == constraints { 1 } else { i as u32 + 2 };
    let mut values = vec![F::ZERO; wires];
    values[0] = F::ONE;
    values[2] = F::random(&mut rng);
    let mut list = Vec::new();
    for i in 0..constraints {
        let k = if rng.next_u32().is_multiple_of(4) { -F::ONE } else { F::random(&mut rng) };
        let (x, y) = (wire(i), wire(i + 1));
        values[y as usize] = (values[x as usize] + k) * values[x as usize];
        // Terms in any order.
        let mut a = vec![(x, F::ONE), (0, k)];
        if rng.next_u32().is_multiple_of(2) {
            a.reverse();
        }
        list.push(Constraint { a, b: vec![(x, F::ONE)], c: vec![(y, F::ONE)] });
    }
    let shape = Shape { wires, outputs: 1, public_inputs: 1, private_inputs: 0, constraints };
    (R1cs::new(shape, list).unwrap(), values)
}
