//! Commitments and openings, and their verifiers.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::indices::{IndexError, check, missing};
use crate::Compress;
use alloc::vec::Vec;
use thiserror::Error;

/// What a prover publishes of a vector: the root *and* the length.
///
/// A root alone binds little: the level above the leaves, taken for a vector of half the length, has the same root, and
/// so has a vector with its padding. So a verifier gets both from the prover's message, or from the transcript that
/// absorbed [`Commitment::to_bytes`], and not the length from elsewhere. The length gives the height, each index a path of
/// exactly that many steps, and at a given height two vectors with one root, or two values opened at one index, are a
/// collision of the compression. An index in the padding is refused: a padding node is not a value of the vector.
///
/// For the same reason it does no harm that [`crate::Sha3::leaf`] of 64 bytes is also the node above two digests: nothing
/// is taken for a leaf but at the height of leaves.
///
/// Not protected: a value that can be guessed can be tested against its neighbour's opening, as nothing here hides. Put
/// randomness into the leaf where that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commitment<N> {
    /// The topmost node.
    pub root: N,
    /// Leaves, padding aside. It gives the height; without it a root says nothing of where leaves begin.
    pub len: usize,
}

/// One leaf's path: its sibling on every level, from below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening<N> {
    pub(super) siblings: Vec<N>,
}

/// The paths of several leaves without what their verifier computes: from the leaves up, each level from the left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultiOpening<N> {
    pub(super) nodes: Vec<N>,
}

/// Why an opening was not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// No vector has this length.
    #[error("no tree has {len} leaves")]
    Len {
        /// Number of leaves that the root commits to.
        len: usize,
    },
    /// Not an opening of leaves of this tree.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// Too few or too many nodes.
    #[error("{found} nodes, the opening takes {expected}")]
    Nodes {
        /// By the tree and the leaves.
        expected: usize,
        /// Number of items that were given.
        found: usize,
    },
    /// The nodes lead to another root.
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
    /// The siblings, from below.
    pub fn siblings(&self) -> &[N] {
        &self.siblings
    }

    /// Accepts `leaf` as the value at `index` of the vector, or says why not.
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

    /// Accepts `leaves` as the values at their indices of the vector, or says why not. Every node is used, exactly once.
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
        // Known before anything is hashed.
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
        // Rising indices of one tree meet in one node.
        level.into_iter().try_for_each(|(_, root)| commitment.accept(root))
    }
}
