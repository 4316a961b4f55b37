//! The computation of a node for each kind of tree.

use super::walk::LevelStep;
use crate::lanes::poseidon::Hashes;
use crate::lanes::tree::{Factor, Nodes};
use crate::lanes::{keccak, memory};
use pairwright_field::PrimeField;
use pairwright_hash::{Compress, Digest, Poseidon, Sha3};

/// Number of field elements at the leaves of a subtree, which takes 32 KiB with its levels, for the first-level cache.
const ELEMENTS: usize = 1 << 9;

/// A node is the product of its children.
pub(super) struct Product<F>(pub(super) Option<Nodes<F>>);

impl<F: PrimeField> LevelStep<F> for Product<F> {
    const SUBTREE: usize = ELEMENTS;
    fn step(&self, _: usize, from: &[F], to: &mut [F]) {
        let done = self.0.map_or(0, |lanes| lanes.products(from, to));
        for (node, [a, b]) in to[done..].iter_mut().zip(from[2 * done..].as_chunks().0) {
            *node = *a * *b;
        }
    }
    fn zeros(len: usize) -> Vec<F> {
        memory::zeros(len)
    }
}

/// The coordinates of a point, beginning with that of the leaves; also as factors in lanes.
pub(super) struct Coordinates<'a, F> {
    plain: &'a [F],
    lanes: Option<(Nodes<F>, Vec<Factor>)>,
}

impl<'a, F: PrimeField> Coordinates<'a, F> {
    pub(super) fn new(r: &'a [F], lanes: Option<Nodes<F>>) -> Self {
        let lanes = lanes.map(|nodes| (nodes, r.iter().map(|r| nodes.factor(*r)).collect()));
        Self { plain: r, lanes }
    }
}

/// A node is the value of the line through its children at a coordinate.
pub(super) struct Line<'a, F>(pub(super) Coordinates<'a, F>);

impl<F: PrimeField> LevelStep<F> for Line<'_, F> {
    const SUBTREE: usize = ELEMENTS;
    fn step(&self, level: usize, from: &[F], to: &mut [F]) {
        let done = self.0.lanes.as_ref().map_or(0, |(lanes, r)| lanes.lines(&r[level], from, to));
        let r = self.0.plain[level];
        for (node, [f0, f1]) in to[done..].iter_mut().zip(from[2 * done..].as_chunks().0) {
            *node = *f0 + r * (*f1 - *f0);
        }
    }
    fn zeros(len: usize) -> Vec<F> {
        memory::zeros(len)
    }
}

/// Children are `(1 - r)` and `r` times their parent, with one product for both.
pub(super) struct Split<'a, F>(pub(super) Coordinates<'a, F>);

impl<F: PrimeField> LevelStep<F> for Split<'_, F> {
    const SUBTREE: usize = ELEMENTS;
    fn step(&self, level: usize, from: &[F], to: &mut [F]) {
        let done = self.0.lanes.as_ref().map_or(0, |(lanes, r)| lanes.splits(&r[level], from, to));
        let r = self.0.plain[level];
        for (parent, [zero, one]) in from[done..].iter().zip(to[2 * done..].as_chunks_mut().0) {
            *one = r * *parent;
            *zero = *parent - *one;
        }
    }
    fn zeros(len: usize) -> Vec<F> {
        memory::zeros(len)
    }
}

/// A node is SHA3-256 of its children.
pub(super) struct Sha3Nodes {
    /// Whether several nodes are computed at a time.
    pub(super) lanes: bool,
}

impl LevelStep<Digest> for Sha3Nodes {
    const SUBTREE: usize = 1 << 9;
    fn step(&self, _: usize, from: &[Digest], to: &mut [Digest]) {
        let done = if self.lanes { keccak::nodes(from, to) } else { 0 };
        for (node, [a, b]) in to[done..].iter_mut().zip(from[2 * done..].as_chunks().0) {
            *node = Sha3.compress(a, b);
        }
    }
    fn zeros(len: usize) -> Vec<Digest> {
        memory::digests(len)
    }
}

/// A node is Poseidon of its children.
pub(super) struct PoseidonNodes<'a, F> {
    pub(super) hash: &'a Poseidon<F>,
    /// The code that computes eight nodes at a time, if available.
    pub(super) lanes: Option<Hashes<F>>,
}

impl<F: PrimeField> LevelStep<F> for PoseidonNodes<'_, F> {
    const SUBTREE: usize = 1 << 6;
    fn step(&self, _: usize, from: &[F], to: &mut [F]) {
        let done = self.lanes.as_ref().map_or(0, |lanes| lanes.nodes(from, to));
        for (node, [a, b]) in to[done..].iter_mut().zip(from[2 * done..].as_chunks().0) {
            *node = self.hash.compress(a, b);
        }
    }
    fn zeros(len: usize) -> Vec<F> {
        memory::zeros(len)
    }
}
