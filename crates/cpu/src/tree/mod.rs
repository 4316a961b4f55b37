//! Tree operators over vectors on all cores, level by level or subtree by subtree.

mod steps;
mod walk;

use crate::lanes::poseidon::Hashes;
use crate::lanes::tree::Nodes;
use crate::{NAME, bytes_of};
use pairwright_device::{Done, HashOp, OpCount, Traffic, TreeOp, log_leaves, same_length, table_size, timed};
use pairwright_field::PrimeField;
use pairwright_hash::{Digest, Poseidon};
use pairwright_poly::{Buf, Levels, View};
use steps::{Coordinates, Line, PoseidonNodes, Product, Sha3Nodes, Split};
use walk::LevelStep;

/// The order in which the nodes of a tree are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Traversal {
    /// Level by level: all threads compute one level before the next, and every level goes through memory.
    Bfs,
    /// Subtree by subtree, the fastest order: every thread computes a static share of the subtrees, each of which fits the caches; the
    /// tree above them is computed at the end.
    #[default]
    Dfs,
}

/// The tree operators of the host device. Results have the same bits for every traversal and number of threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trees {
    traversal: Traversal,
    one_by_one: bool,
}

impl Trees {
    /// Tree operators with a given traversal.
    pub fn with(traversal: Traversal) -> Self {
        Self { traversal, one_by_one: false }
    }
    /// The same operators without lanes on every processor, for comparison; results have the same bits.
    pub fn without_lanes(self) -> Self {
        Self { one_by_one: true, ..self }
    }

    /// The code in lanes, unless it is disabled or not available.
    fn in_lanes<T>(self, new: impl FnOnce() -> Option<T>) -> Option<T> {
        if self.one_by_one { None } else { new() }
    }

    /// The root, with the cost of a tree whose nodes take `ops` each.
    fn root<T: Copy + Send + Sync>(
        self,
        op: &'static str,
        step: &impl LevelStep<T>,
        leaves: &[T],
        ops: OpCount,
    ) -> Done<T> {
        log_leaves(op, leaves.len())?;
        let bytes = Traffic { read: bytes_of::<T>(leaves.len()), written: bytes_of::<T>(1) };
        Ok(timed(NAME, bytes, ops.times(leaves.len() - 1), || walk::root(self.traversal, step, leaves)))
    }

    /// Every inner node, with the cost of a tree whose nodes take `ops` each.
    fn nodes<T: Copy + Send + Sync>(
        self,
        op: &'static str,
        step: &impl LevelStep<T>,
        leaves: &[T],
        ops: OpCount,
    ) -> Done<Levels<T>> {
        log_leaves(op, leaves.len())?;
        let nodes = leaves.len() - 1;
        let bytes = Traffic { read: bytes_of::<T>(leaves.len()), written: bytes_of::<T>(nodes) };
        Ok(timed(NAME, bytes, ops.times(nodes), || {
            let nodes = walk::nodes(self.traversal, step, leaves);
            Levels::new(nodes).expect("one node less than leaves, which are a power of two")
        }))
    }
}

/// The field operations of a hash of bytes: none.
const NONE: OpCount = OpCount { field_mul: 0, field_add: 0, point_add: 0 };
const MUL: OpCount = OpCount { field_mul: 1, ..NONE };
/// The field operations of a value on a line: a product and two sums.
const LINE: OpCount = OpCount { field_mul: 1, field_add: 2, ..NONE };

impl<F: PrimeField> TreeOp<F> for Trees {
    fn build_eq(&self, r: &[F]) -> Done<Buf<F>> {
        let size = table_size("build_eq", r.len())?;
        let bytes = Traffic { read: bytes_of::<F>(r.len()), written: bytes_of::<F>(size) };
        let Some((last, rest)) = r.split_last() else {
            return Ok(timed(NAME, bytes, NONE, || vec![F::ONE].into()));
        };
        // The two nodes of the last coordinate have no product; every other node has its children's.
        let inner = size as u64 - 2;
        let ops = OpCount { field_mul: inner, field_add: inner + 1, ..NONE };
        Ok(timed(NAME, bytes, ops, || {
            let split = Split(Coordinates::new(rest, self.in_lanes(Nodes::new)));
            walk::leaves(self.traversal, &split, &[F::ONE - *last, *last], rest.len()).into()
        }))
    }
    fn mle_eval(&self, table: View<'_, F>, r: &[F]) -> Done<F> {
        same_length("mle_eval", table.len(), table_size("mle_eval", r.len())?)?;
        let line = Line(Coordinates::new(r, self.in_lanes(Nodes::new)));
        let (value, mut cost) = self.root("mle_eval", &line, table.host()?, LINE)?;
        cost.bytes.read += bytes_of::<F>(r.len());
        Ok((value, cost))
    }
    fn product(&self, leaves: View<'_, F>) -> Done<F> {
        self.root("product", &Product(self.in_lanes(Nodes::new)), leaves.host()?, MUL)
    }
    fn product_tree(&self, leaves: View<'_, F>) -> Done<Levels<F>> {
        self.nodes("product_tree", &Product(self.in_lanes(Nodes::new)), leaves.host()?, MUL)
    }
    fn sha3_root(&self, leaves: View<'_, Digest>) -> Done<Digest> {
        self.root("sha3_root", &Sha3Nodes { lanes: !self.one_by_one }, leaves.host()?, NONE)
    }
    fn sha3_tree(&self, leaves: View<'_, Digest>) -> Done<Levels<Digest>> {
        self.nodes("sha3_tree", &Sha3Nodes { lanes: !self.one_by_one }, leaves.host()?, NONE)
    }
}

impl Trees {
    fn poseidon<'a, F: PrimeField>(&self, hash: &'a Poseidon<F>) -> (PoseidonNodes<'a, F>, OpCount) {
        let lanes = self.in_lanes(|| Hashes::new(hash));
        let (field_mul, field_add) = (hash.products() as u64, hash.sums() as u64);
        (PoseidonNodes { hash, lanes }, OpCount { field_mul, field_add, ..NONE })
    }
}

impl<F: PrimeField> HashOp<F> for Trees {
    fn poseidon_root(&self, hash: &Poseidon<F>, leaves: View<'_, F>) -> Done<F> {
        let (step, ops) = self.poseidon(hash);
        self.root("poseidon_root", &step, leaves.host()?, ops)
    }
    fn poseidon_tree(&self, hash: &Poseidon<F>, leaves: View<'_, F>) -> Done<Levels<F>> {
        let (step, ops) = self.poseidon(hash);
        self.nodes("poseidon_tree", &step, leaves.host()?, ops)
    }
}
