//! A circuit of any size: `x_{i+1} = x_i² + 5`, where the last value is public.
//!
//! Its witness consists of full-width field elements, the worst case for provers that are faster with small scalars.

use pairwright_field::PrimeField;
use pairwright_protocols::r1cs::{Constraint, R1cs, Shape};

/// The circuit with `steps` constraints. Its wires are: one, output, input, then the intermediate values.
///
/// # Panics
/// If `steps` is zero.
pub fn chain<F: PrimeField>(steps: usize) -> R1cs<F> {
    assert!(steps > 0, "a chain has a step");
    let shape = Shape { wires: steps + 2, outputs: 1, public_inputs: 0, private_inputs: 1, constraints: 0 };
    let wire = |i: usize| if i == steps { 1 } else { i as u32 + 2 };
    let five = F::from(5);
    let constraints = (0..steps)
        .map(|i| Constraint {
            a: vec![(wire(i), F::ONE)],
            b: vec![(wire(i), F::ONE)],
            c: vec![(wire(i + 1), F::ONE), (0, -five)],
        })
        .collect();
    match R1cs::new(shape, constraints) {
        Ok(system) => system,
        Err(why) => panic!("a chain is a constraint system: {why}"),
    }
}

/// The witness of [`chain`] for an input.
pub fn chain_witness<F: PrimeField>(steps: usize, input: F) -> Vec<F> {
    let mut w = vec![F::ONE, F::ZERO, input];
    let mut x = input;
    for i in 0..steps {
        x = x.square() + F::from(5);
        if i + 1 < steps { w.push(x) } else { w[1] = x }
    }
    w
}
