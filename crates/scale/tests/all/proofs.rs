//! The proofs of plans equal those of a session in memory, for every division of the work.

use crate::workshop::{Workshop, chain};
use pairwright_curve::{Pairing, bls12_381::Bls12_381, bn254::Bn254};
use pairwright_field::{Field, Ring};
use pairwright_protocols::r1cs::{Constraint, R1cs, Shape};

fn every_division<E: Pairing>(steps: usize, blocks: &[usize], points: &[usize]) {
    let w = chain::<E>(steps);
    let expected = w.in_memory();
    for blocks in blocks {
        for (points, cache) in points.iter().zip([0, 1 << 20, 4096].iter().cycle()) {
            let plan = w.plan(*blocks, *points, *cache);
            assert_eq!(w.run(&plan).unwrap(), expected, "{} {blocks} blocks, {points} points", E::NAME);
            w.clear();
        }
    }
}

#[test]
fn bn254() {
    every_division::<Bn254>(500, &[1, 2, 3], &[1000, 97, 301]);
}

#[test]
fn bls12_381() {
    every_division::<Bls12_381>(200, &[1, 2, 3], &[1000, 61, 77]);
}

#[test]
fn domains_of_every_size() {
    for steps in [1, 2, 5, 12, 30, 62, 126] {
        every_division::<Bn254>(steps, &[1, 2, 3, 1000], &[17]);
    }
}

/// Entries that are not sorted by row, several entries in a row, and wires that are far apart.
#[test]
fn rows_of_many_entries() {
    type F = <Bn254 as Pairing>::Fr;
    let n = 300u32;
    let square = |i: u32| F::from(u64::from(i)).square();
    let mut witness: Vec<F> = (0..n).map(|i| F::from(u64::from(i) + 1)).collect();
    let mut constraints = Vec::new();
    for i in 0..100u32 {
        let side =
            |k: u32| (0..k % 7).map(|t| ((i * 97 + t * 31) % n, square(t) + F::ONE)).collect::<Vec<_>>();
        let (a, b) = (side(i), side(i + 3));
        let dot =
            |side: &[(u32, F)]| side.iter().fold(F::ZERO, |sum, (w, v)| sum + witness[*w as usize] * *v);
        constraints.push((a.clone(), b.clone(), dot(&a) * dot(&b)));
    }
    let constraints = constraints
        .into_iter()
        .map(|(a, b, value)| {
            witness.push(value);
            Constraint { a, b, c: vec![(witness.len() as u32 - 1, F::ONE)] }
        })
        .collect();
    let shape =
        Shape { wires: witness.len(), outputs: 2, public_inputs: 3, private_inputs: 0, constraints: 0 };
    let w = Workshop::<Bn254>::new(&R1cs::new(shape, constraints).unwrap(), witness);
    let expected = w.in_memory();
    for (blocks, cache) in [(1, 0), (2, 1 << 20), (5, 4096)] {
        assert_eq!(w.run(&w.plan(blocks, 50, cache)).unwrap(), expected, "{blocks} blocks");
        w.clear();
    }
}

/// Circuits without constraints, public values or private wires, whose sections are empty.
#[test]
fn circuits_of_nothing() {
    for (wires, outputs) in [(1, 0), (2, 0), (3, 2)] {
        let shape = Shape { wires, outputs, public_inputs: 0, private_inputs: 0, constraints: 0 };
        let witness = (0..wires as u64).map(|i| (i + 1).into()).collect();
        let w = Workshop::<Bn254>::new(&R1cs::new(shape, Vec::new()).unwrap(), witness);
        let expected = w.in_memory();
        for blocks in [1, 2, 3] {
            assert_eq!(w.run(&w.plan(blocks, 2, 0)).unwrap(), expected, "{wires} wires");
            w.clear();
        }
    }
}
