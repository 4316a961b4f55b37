//! Commitments and openings, and their verifiers.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::indices::{IndexError, check, missing};
use crate::Compress;
use alloc::vec::Vec;
use thiserror::Error;

/// A commitment to a vector: the root *and* the length.
///
/// The root alone does not bind the vector: the level above the leaves, taken as a vector of half the length, has the same
/// root, and so has the vector with its padding. A verifier must therefore get root and length together, from the prover's
/// message or from the transcript that absorbed [`Commitment::to_bytes`], and not the length from another source. The length
/// determines the height, and with it the exact length of every path. At a given height, two vectors with the same root, or
/// two values opened at the same index, are a collision of the compression. An index in the padding is refused, because a
/// padding node is not a value of the vector.
///
/// For the same reason it does no harm that [`crate::Sha3::leaf`] of 64 bytes is also the parent of two digests: a node is
/// accepted as a leaf only at the height of the leaves.
///
/// The commitment is not hiding: whoever sees the opening of a leaf can test guesses of its sibling. If that matters, put
/// randomness into the leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commitment<N> {
    /// The root of the tree.
    pub root: N,
    /// Number of leaves without padding, which determines the height of the tree.
    pub len: usize,
}

/// An opening of one leaf: the siblings of the nodes on its path, from the leaf up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening<N> {
    pub(super) siblings: Vec<N>,
}

/// An opening of several leaves: the siblings of the nodes on their paths without those that the verifier computes, from the
/// leaves up and each level from the left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultiOpening<N> {
    pub(super) nodes: Vec<N>,
}

/// Reasons for which an opening is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// No vector has this length.
    #[error("no tree has {len} leaves")]
    Len {
        /// Number of leaves that the root commits to.
        len: usize,
    },
    /// The indices of the leaves are not valid for this tree.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The opening has too few or too many nodes.
    #[error("{found} nodes, the opening takes {expected}")]
    Nodes {
        /// Number of nodes of an opening of these leaves of this tree.
        expected: usize,
        /// Number of nodes that were given.
        found: usize,
    },
    /// The leaves and nodes give a different root.
    #[error("the leaves and nodes do not lead to the root")]
    Root,
}

impl<N: Copy + PartialEq> Commitment<N> {
    fn height(&self) -> Result<u32, VerifyError> {
        super::height(self.len).ok_or(VerifyError::Len { len: self.len })
    }

    fn accept(&self, root: N) -> Result<(), VerifyError> {
        if root == self.root { Ok(()) } else { Err(VerifyError::Root) }
    }
}

impl<N: Copy + PartialEq> Opening<N> {
    /// The siblings, from the leaf up.
    pub fn siblings(&self) -> &[N] {
        &self.siblings
    }

    /// Verifies that `leaf` is the value at `index` of the committed vector.
    ///
    /// # Errors
    /// See [`VerifyError`].
    pub fn verify<H: Compress<Node = N>>(
        &self,
        hash: &H,
        commitment: &Commitment<N>,
        index: usize,
        leaf: &N,
    ) -> Result<(), VerifyError> {
        let expected = commitment.height()? as usize;
        check([index], commitment.len)?;
        if self.siblings.len() != expected {
            return Err(VerifyError::Nodes { expected, found: self.siblings.len() });
        }
        let up = |(node, index): (N, usize), sibling: &N| {
            let parent =
                if index & 1 == 1 { hash.compress(sibling, &node) } else { hash.compress(&node, sibling) };
            (parent, index >> 1)
        };
        let (root, _) = self.siblings.iter().fold((*leaf, index), up);
        commitment.accept(root)
    }
}

impl<N: Copy + PartialEq> MultiOpening<N> {
    /// The nodes, from the leaves up, each level from the left.
    pub fn nodes(&self) -> &[N] {
        &self.nodes
    }

    /// Verifies that `leaves` are the values at their indices of the committed vector. Every node is used exactly once.
    ///
    /// # Errors
    /// See [`VerifyError`].
    pub fn verify<H: Compress<Node = N>>(
        &self,
        hash: &H,
        commitment: &Commitment<N>,
        leaves: &[(usize, N)],
    ) -> Result<(), VerifyError> {
        let height = commitment.height()?;
        let indices: Vec<usize> = leaves.iter().map(|(index, _)| *index).collect();
        check(indices.iter().copied(), commitment.len)?;
        // The number of nodes is checked before anything is hashed.
        let (expected, found) = (missing(&indices, height).len(), self.nodes.len());
        let wrong = VerifyError::Nodes { expected, found };
        if expected != found {
            return Err(wrong);
        }
        let mut nodes = self.nodes.iter();
        let mut level = leaves.to_vec();
        for _ in 0..height {
            let mut above = Vec::with_capacity(level.len());
            let mut known = level.into_iter().peekable();
            while let Some((index, node)) = known.next() {
                let neighbour = known.next_if(|(other, _)| index & 1 == 0 && *other == index ^ 1);
                let sibling = match neighbour {
                    Some((_, neighbour)) => neighbour,
                    None => *nodes.next().ok_or(wrong)?,
                };
                let parent = if index & 1 == 1 {
                    hash.compress(&sibling, &node)
                } else {
                    hash.compress(&node, &sibling)
                };
                above.push((index >> 1, parent));
            }
            level = above;
        }
        // All paths have met in one node, the root.
        level.into_iter().try_for_each(|(_, root)| commitment.accept(root))
    }
}
