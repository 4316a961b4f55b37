//! What the nodes of the trees are made of.

use super::walk::Step;
use pairwright_field::PrimeField;
use pairwright_hash::{Compress, Digest, Poseidon, Sha3};

/// Zeros, to be written over. For bytes the system gives pages that are zero already.
fn zeros<F: PrimeField>(len: usize) -> Vec<F> {
    vec![F::ZERO; len]
}

/// Field elements of a subtree: 32 KiB with its levels, for the first-level cache.
const ELEMENTS: usize = 1 << 9;

/// A node is the product of its children.
pub(super) struct Product;

impl<F: PrimeField> Step<F> for Product {
    const SUBTREE: usize = ELEMENTS;
    fn step(&self, _: usize, from: &[F], to: &mut [F]) {
        for (node, [a, b]) in to.iter_mut().zip(from.as_chunks().0) {
            *node = *a * *b;
        }
    }
    fn room(len: usize) -> Vec<F> {
        zeros(len)
    }
}

/// A node is the value at a coordinate of the line through its children; the coordinates, the leaves' first.
pub(super) struct Line<'a, F>(pub(super) &'a [F]);

impl<F: PrimeField> Step<F> for Line<'_, F> {
    const SUBTREE: usize = ELEMENTS;
    fn step(&self, level: usize, from: &[F], to: &mut [F]) {
        let r = self.0[level];
        for (node, [f0, f1]) in to.iter_mut().zip(from.as_chunks().0) {
            *node = *f0 + r * (*f1 - *f0);
        }
    }
    fn room(len: usize) -> Vec<F> {
        zeros(len)
    }
}

/// Children are `(1 - r)` and `r` times their parent, with one product for both.
pub(super) struct Split<'a, F>(pub(super) &'a [F]);

impl<F: PrimeField> Step<F> for Split<'_, F> {
    const SUBTREE: usize = ELEMENTS;
    fn step(&self, level: usize, from: &[F], to: &mut [F]) {
        let r = self.0[level];
        for (parent, [zero, one]) in from.iter().zip(to.as_chunks_mut().0) {
            *one = r * *parent;
            *zero = *parent - *one;
        }
    }
    fn room(len: usize) -> Vec<F> {
        zeros(len)
    }
}

/// Children are `(1 - r)` and `r` times their parent, with a product for each; both factors of every coordinate.
pub(super) struct SplitTwice<F>(pub(super) Vec<[F; 2]>);

impl<F: PrimeField> Step<F> for SplitTwice<F> {
    const SUBTREE: usize = ELEMENTS;
    fn step(&self, level: usize, from: &[F], to: &mut [F]) {
        let [without, with] = self.0[level];
        for (parent, [zero, one]) in from.iter().zip(to.as_chunks_mut().0) {
            *zero = without * *parent;
            *one = with * *parent;
        }
    }
    fn room(len: usize) -> Vec<F> {
        zeros(len)
    }
}

/// A node is the hash of its children.
impl Step<Digest> for Sha3 {
    const SUBTREE: usize = 1 << 9;
    fn step(&self, _: usize, from: &[Digest], to: &mut [Digest]) {
        for (node, [a, b]) in to.iter_mut().zip(from.as_chunks().0) {
            *node = self.compress(a, b);
        }
    }
    fn room(len: usize) -> Vec<Digest> {
        vec![[0; 32]; len]
    }
}

impl<F: PrimeField> Step<F> for Poseidon<F> {
    const SUBTREE: usize = 1 << 6;
    fn step(&self, _: usize, from: &[F], to: &mut [F]) {
        for (node, [a, b]) in to.iter_mut().zip(from.as_chunks().0) {
            *node = self.compress(a, b);
        }
    }
    fn room(len: usize) -> Vec<F> {
        zeros(len)
    }
}
