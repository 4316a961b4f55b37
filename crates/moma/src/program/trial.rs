//! Runs device programs on integers modulo a small prime, for the tests of programs.

use super::interp::{Data, FieldRule, run};
use super::lang::{ArrayKernel, Element};
use num_bigint::BigUint;

/// An element of one word, in which [`Q`] fits.
pub(super) const ELEMENT: Element = Element { word_bits: 32, words: 1 };
/// The modulus of all numbers in this module.
pub(super) const Q: u64 = 1_000_003;

/// `n` numbers below [`Q`], which depend on the seed.
pub(super) fn numbers(seed: u64, n: u64) -> Vec<u64> {
    (0..n).map(|i| (i + 3) * (i * i + seed) * 7919 % Q).collect()
}

/// Numbers as a buffer of a program.
pub(super) fn data(of: &[u64]) -> Data {
    Data::of(&of.iter().map(|x| BigUint::from(*x)).collect::<Vec<_>>())
}

/// The contents of a program's first buffers, which are given as `first`, after a run with the operands as its other
/// buffers.
pub(super) fn outs(
    kernel: &ArrayKernel,
    scalars: &[u64],
    first: Vec<Data>,
    operands: &[&[u64]],
) -> Vec<Vec<u64>> {
    let written = first.len();
    let mut buffers = first;
    buffers.extend(operands.iter().map(|operand| data(operand)));
    run(kernel, &FieldRule::plain(&BigUint::from(Q)), scalars, &mut buffers).unwrap();
    let number = |x: &BigUint| x.iter_u64_digits().next().unwrap_or(0);
    let numbers = |of: &Data| of.elements().unwrap().iter().map(number).collect();
    buffers[..written].iter().map(numbers).collect()
}

/// The contents of a program's first buffer, which is given as `first`, after a run with the operands as its other
/// buffers.
pub(super) fn out(kernel: &ArrayKernel, scalars: &[u64], first: Data, operands: &[&[u64]]) -> Vec<u64> {
    outs(kernel, scalars, vec![first], operands).remove(0)
}
