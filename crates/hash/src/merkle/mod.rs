//! Merkle trees: a commitment to a vector, openings that prove one of its values, and multi-openings that prove several.

mod bytes;
mod indices;
mod opening;

use alloc::vec::Vec;
pub use bytes::{DecodeError, TreeHash};
pub use indices::IndexError;
pub use opening::{Commitment, MultiOpening, Opening, VerifyError};

use crate::Compress;
use indices::{check, missing};
use pairwright_poly::{Levels, mle};
use thiserror::Error;

/// The greatest height of a tree, which then has 2^40 leaves.
const MAX_HEIGHT: u32 = 40;

/// Reasons for which leaves and inner nodes are not a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TreeError {
    /// There is no leaf, or there are more than 2^40.
    #[error("a tree has 1 to 2^{MAX_HEIGHT} leaves, not {len}")]
    Len {
        /// Number of leaves that were given.
        len: usize,
    },
    /// The leaves are not padded to the next power of two.
    #[error("{len} leaves are padded to {expected}, not to {found}")]
    Padded {
        /// Number of leaves, padding excluded.
        len: usize,
        /// Number of leaves expected, padding included.
        expected: usize,
        /// Number of leaves that were given.
        found: usize,
    },
    /// A leaf behind the last of the vector is not the padding node.
    #[error("leaf {index} is behind the last and not the padding node")]
    NotPadding {
        /// Index of the leaf.
        index: usize,
    },
    /// The number of inner nodes does not match the number of leaves.
    #[error("{found} inner nodes above {leaves} leaves")]
    Levels {
        /// Number of leaves, padding included.
        leaves: usize,
        /// Number of inner nodes that were given.
        found: usize,
    },
}

/// The height of the tree over `len` leaves: the base-2 logarithm of their number with padding. `None` if there is no such tree.
fn height(len: usize) -> Option<u32> {
    let height = len.checked_next_power_of_two()?.ilog2();
    (len > 0 && height <= MAX_HEIGHT).then_some(height)
}

/// A vector with all nodes above it.
///
/// A vector of `len >= 1` nodes is padded with [`TreeHash::PADDING`] to the next power of two; the parent of two nodes
/// is their [`Compress::compress`]. Leaves are nodes (byte strings are hashed to nodes first, by [`crate::Sha3::leaf`]), and
/// there is no domain separation between leaves and inner nodes: the tree is exactly what a device computes, with one
/// compression per inner node. [`Commitment`] says what this means for those who rely on a root.
///
/// ```
/// use pairwright_hash::{MerkleTree, Sha3};
///
/// let leaves: Vec<_> = ["a", "b", "c", "d", "e"].map(|s| Sha3::leaf(s.as_bytes())).into();
/// let tree = MerkleTree::new(&Sha3, leaves.clone())?;
/// let commitment = tree.commitment();
///
/// let opening = tree.open(4)?;
/// opening.verify(&Sha3, &commitment, 4, &leaves[4])?;
/// assert!(opening.verify(&Sha3, &commitment, 3, &leaves[4]).is_err());
///
/// // Two neighbours and another: two nodes instead of three paths of three.
/// let opening = tree.open_many(&[0, 1, 2])?;
/// opening.verify(&Sha3, &commitment, &[(0, leaves[0]), (1, leaves[1]), (2, leaves[2])])?;
/// assert_eq!(opening.nodes().len(), 2);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MerkleTree<H: Compress> {
    len: usize,
    leaves: Vec<H::Node>,
    levels: Levels<H::Node>,
}

impl<H: TreeHash> MerkleTree<H> {
    /// Pads the leaves and computes the tree on one thread.
    ///
    /// # Errors
    /// On no leaves, or more than 2^40.
    pub fn new(hash: &H, mut leaves: Vec<H::Node>) -> Result<Self, TreeError> {
        let len = Self::pad(&mut leaves)?;
        let levels = mle::reduce(&leaves, |left, right| hash.compress(left, right));
        Ok(Self { len, leaves, levels })
    }

    /// Appends padding up to the next power of two, for a device that is to compute the inner nodes. Returns the number of leaves
    /// without padding.
    ///
    /// # Errors
    /// On no leaves, or more than 2^40.
    pub fn pad(leaves: &mut Vec<H::Node>) -> Result<usize, TreeError> {
        let len = leaves.len();
        let height = height(len).ok_or(TreeError::Len { len })?;
        leaves.resize(1 << height, H::PADDING);
        Ok(len)
    }

    /// Makes a tree of padded leaves, of which the first `len` are the vector, and of inner nodes that a device has computed. The
    /// values of the inner nodes are not checked.
    ///
    /// # Errors
    /// When the lengths do not match, or a leaf behind the vector is not the padding node.
    pub fn from_levels(leaves: Vec<H::Node>, len: usize, levels: Levels<H::Node>) -> Result<Self, TreeError> {
        let expected = 1 << height(len).ok_or(TreeError::Len { len })?;
        if leaves.len() != expected {
            return Err(TreeError::Padded { len, expected, found: leaves.len() });
        }
        if let Some(i) = leaves[len..].iter().position(|leaf| *leaf != H::PADDING) {
            return Err(TreeError::NotPadding { index: len + i });
        }
        if levels.nodes().len() != leaves.len() - 1 {
            return Err(TreeError::Levels { leaves: leaves.len(), found: levels.nodes().len() });
        }
        Ok(Self { len, leaves, levels })
    }

    /// The number of leaves without padding; at least 1.
    #[expect(clippy::len_without_is_empty, reason = "no tree is empty")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The leaves without padding.
    pub fn leaves(&self) -> &[H::Node] {
        &self.leaves[..self.len]
    }

    /// The root; in a tree of a single leaf, that leaf.
    pub fn root(&self) -> H::Node {
        *self.levels.root().unwrap_or(&self.leaves[0])
    }

    /// The commitment to the vector, which a verifier of openings needs.
    pub fn commitment(&self) -> Commitment<H::Node> {
        Commitment { root: self.root(), len: self.len }
    }

    /// Opens one leaf: the siblings of the nodes on its path, from the leaf up.
    ///
    /// # Errors
    /// On an index in the padding or beyond.
    pub fn open(&self, index: usize) -> Result<Opening<H::Node>, IndexError> {
        check([index], self.len)?;
        let siblings = (0..self.levels.log_leaves()).map(|level| self.node(level, index >> level ^ 1));
        Ok(Opening { siblings: siblings.collect() })
    }

    /// Opens several leaves at once; the opening has every node that their verifier cannot compute, once.
    ///
    /// # Errors
    /// On no indices, indices that do not increase strictly, or an index in the padding or beyond.
    pub fn open_many(&self, indices: &[usize]) -> Result<MultiOpening<H::Node>, IndexError> {
        check(indices.iter().copied(), self.len)?;
        let nodes = missing(indices, self.levels.log_leaves());
        Ok(MultiOpening { nodes: nodes.into_iter().map(|(level, i)| self.node(level, i)).collect() })
    }

    /// The node at a height above the leaves and an index at that height.
    fn node(&self, above: u32, index: usize) -> H::Node {
        let level = if above == 0 { &self.leaves } else { self.levels.level(above + 1) };
        level[index]
    }
}
