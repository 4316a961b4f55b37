//! The words on which a run computes: field elements, digests, or nothing where only the time is needed.

use pairwright_field::Field;
use std::borrow::Cow;

/// The arithmetic of a workload's nodes, and access to its operands and results. The clocked parts are the same for every
/// datapath; in a timing run words have no size.
pub(crate) trait Datapath {
    /// A word of the machine: a field element, a digest, or nothing.
    type Word: Copy;
    /// A leaf of an inverted tree.
    fn leaf(&self, index: u64) -> Self::Word;
    /// The digest of a leaf that is hashed first; once it is stored, [`Datapath::leaf`] returns it.
    fn hash_leaf(&self, index: u64) -> Self::Word;
    /// The node of level `level + 1` whose children are two nodes of `level`.
    fn combine(&self, level: u32, left: Self::Word, right: Self::Word) -> Self::Word;
    /// The two nodes of level `level` that are children of `parent`.
    fn split(&self, level: u32, parent: Self::Word) -> [Self::Word; 2];
    /// The highest two nodes of a forward tree, on `level`; for level 0 the only node, twice.
    fn top(&self, level: u32) -> [Self::Word; 2];
    /// Stores a node that leaves the unit: the root, or every inner node where the workload keeps them.
    fn store(&mut self, level: u32, index: u64, word: Self::Word);
}

/// With this, the clocked parts are compiled once for each word type and not for each operation.
impl<T: Copy> Datapath for &mut dyn Datapath<Word = T> {
    type Word = T;
    fn leaf(&self, index: u64) -> T {
        (**self).leaf(index)
    }
    fn hash_leaf(&self, index: u64) -> T {
        (**self).hash_leaf(index)
    }
    fn combine(&self, level: u32, left: T, right: T) -> T {
        (**self).combine(level, left, right)
    }
    fn split(&self, level: u32, parent: T) -> [T; 2] {
        (**self).split(level, parent)
    }
    fn top(&self, level: u32) -> [T; 2] {
        (**self).top(level)
    }
    fn store(&mut self, level: u32, index: u64, word: T) {
        (**self).store(level, index, word);
    }
}

/// Words without values, for timing runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing;

impl Datapath for Timing {
    type Word = ();
    fn leaf(&self, _: u64) {}
    fn hash_leaf(&self, _: u64) {}
    fn combine(&self, _: u32, (): (), (): ()) {}
    fn split(&self, _: u32, (): ()) -> [(); 2] {
        [(); 2]
    }
    fn top(&self, _: u32) -> [(); 2] {
        [(); 2]
    }
    fn store(&mut self, _: u32, _: u64, (): ()) {}
}

/// An inverted tree with values: its leaves, the operation of its nodes, and the nodes stored so far.
pub(crate) struct Inverting<'a, T: Clone, C> {
    pub(crate) leaves: Cow<'a, [T]>,
    /// The hash of a leaf, where leaves are hashed first.
    pub(crate) leaf_hash: Option<fn(T) -> T>,
    /// The operation of a node: `combine(level, left, right)`.
    pub(crate) combine: C,
    /// The inner nodes from level 2 on, or only the root.
    pub(crate) nodes: Vec<Option<T>>,
    /// log2 of the number of leaves.
    pub(crate) log_leaves: u32,
}

impl<'a, T: Copy, C: Fn(u32, T, T) -> T> Inverting<'a, T, C> {
    /// The same tree with leaves that are hashed first.
    pub(crate) fn hashing(self, leaf_hash: fn(T) -> T) -> Self {
        Self { leaf_hash: Some(leaf_hash), ..self }
    }

    /// A tree with room for every inner node, or only for the root.
    pub(crate) fn new(leaves: &'a [T], levels: bool, combine: C) -> Self {
        let room = if levels { leaves.len() - 1 } else { 1 };
        let log_leaves = leaves.len().ilog2();
        Self { leaves: Cow::Borrowed(leaves), leaf_hash: None, combine, nodes: vec![None; room], log_leaves }
    }
}

impl<T: Copy, C: Fn(u32, T, T) -> T> Datapath for Inverting<'_, T, C> {
    type Word = T;
    fn leaf(&self, index: u64) -> T {
        self.leaves[index as usize]
    }
    fn hash_leaf(&self, index: u64) -> T {
        let leaf = self.leaf(index);
        self.leaf_hash.map_or(leaf, |hash| hash(leaf))
    }
    fn combine(&self, level: u32, left: T, right: T) -> T {
        (self.combine)(level, left, right)
    }
    fn split(&self, _: u32, _: T) -> [T; 2] {
        unreachable!("an inverted tree splits nothing")
    }
    fn top(&self, _: u32) -> [T; 2] {
        unreachable!("an inverted tree ends at its top")
    }
    fn store(&mut self, level: u32, index: u64, word: T) {
        if level == 1 && self.leaf_hash.is_some() {
            self.leaves.to_mut()[index as usize] = word;
        }
        if self.nodes.len() == 1 {
            if level == self.log_leaves + 1 {
                self.nodes[0] = Some(word);
            }
        } else if level > 1 {
            let len = 1u64 << (self.log_leaves + 1 - level);
            self.nodes[((1 << self.log_leaves) - 2 * len + index) as usize] = Some(word);
        }
    }
}

/// The forward tree of Build MLE.
pub(crate) struct Building<'a, F: Clone> {
    pub(crate) r: Cow<'a, [F]>,
    pub(crate) leaves: Vec<Option<F>>,
}

impl<F: Field> Datapath for Building<'_, F> {
    type Word = F;
    fn leaf(&self, _: u64) -> F {
        unreachable!("a forward tree reads no leaves")
    }
    fn hash_leaf(&self, _: u64) -> F {
        unreachable!("a forward tree reads no leaves")
    }
    fn combine(&self, _: u32, _: F, _: F) -> F {
        unreachable!("a forward tree combines nothing")
    }
    fn split(&self, level: u32, parent: F) -> [F; 2] {
        let one = parent * self.r[level as usize - 1];
        [parent - one, one]
    }
    fn top(&self, level: u32) -> [F; 2] {
        match level.checked_sub(1) {
            None => [F::ONE; 2],
            Some(i) => [F::ONE - self.r[i as usize], self.r[i as usize]],
        }
    }
    fn store(&mut self, level: u32, index: u64, word: F) {
        if level == 1 {
            self.leaves[index as usize] = Some(word);
        }
    }
}
