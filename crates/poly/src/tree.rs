//! Balanced binary trees over vectors: the numbering and storage of their nodes.

use alloc::vec::Vec;

/// The inner nodes of a balanced binary tree: every level above the leaves.
///
/// Levels are numbered as in \[MTU\]: the leaves are level 1, and a node of level `l + 1` has the nodes `2i` and `2i + 1`
/// of level `l` for children. A tree of `2^μ` leaves has `2^μ - 1` inner nodes, on the levels 2 to `μ + 1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels<T> {
    log_leaves: u32,
    nodes: Vec<T>,
}

impl<T> Levels<T> {
    /// Makes the levels from all inner nodes, level by level from level 2 and each level in the order of its indices; the root is
    /// the last. `None` unless their number is one less than a power of two. A single leaf is its own root and has no inner nodes.
    pub fn new(nodes: Vec<T>) -> Option<Self> {
        let leaves = nodes.len().checked_add(1)?;
        leaves.is_power_of_two().then(|| Self { log_leaves: leaves.ilog2(), nodes })
    }

    /// Base-2 logarithm of the number of leaves.
    pub fn log_leaves(&self) -> u32 {
        self.log_leaves
    }

    /// The nodes of a level from 2 to `log_leaves + 1`; empty for any other level.
    pub fn level(&self, level: u32) -> &[T] {
        if level < 2 || level > self.log_leaves + 1 {
            return &[];
        }
        // Levels 2 to level - 1 hold 2^μ - 2^(μ + 2 - level) nodes.
        let len = 1usize << (self.log_leaves + 1 - level);
        let before = (1usize << self.log_leaves) - 2 * len;
        &self.nodes[before..before + len]
    }

    /// The root; `None` if the tree is a single leaf.
    pub fn root(&self) -> Option<&T> {
        self.nodes.last()
    }

    /// All inner nodes, from level 2 to the root.
    pub fn nodes(&self) -> &[T] {
        &self.nodes
    }

    /// All inner nodes as a vector, from level 2 to the root.
    pub fn into_nodes(self) -> Vec<T> {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_lie_one_after_the_other() {
        let levels = Levels::new((0..7).collect()).unwrap();
        assert_eq!(
            (levels.log_leaves(), levels.level(2), levels.level(3)),
            (3, &[0, 1, 2, 3][..], &[4, 5][..])
        );
        assert_eq!((levels.level(4), levels.root()), (&[6][..], Some(&6)));
        assert!(levels.level(1).is_empty() && levels.level(5).is_empty() && levels.level(0).is_empty());
    }

    #[test]
    fn one_leaf_has_no_inner_nodes() {
        let levels = Levels::<u8>::new(Vec::new()).unwrap();
        assert_eq!((levels.log_leaves(), levels.root(), levels.level(2).len()), (0, None, 0));
        assert!(Levels::new(vec![0; 4]).is_none());
    }
}
