//! Merkle trees: a root commits to a vector, an opening shows one of its values, a multi-opening several.

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

/// The highest tree: 2^40 leaves.
const MAX_HEIGHT: u32 = 40;

/// Why there is no such tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TreeError {
    /// Nothing to commit to, or more than 2^40 leaves.
    #[error("a tree has 1 to 2^{MAX_HEIGHT} leaves, not {len}")]
    Len {
        /// Number of leaves that were given.
        len: usize,
    },
    /// The leaves are not padded to the power of two that their number asks for.
    #[error("{len} leaves are padded to {expected}, not to {found}")]
    Padded {
        /// Leaves that are not padding.
        len: usize,
        /// Number of leaves expected, padding included.
        expected: usize,
        /// Number of leaves that were given.
        found: usize,
    },
    /// A leaf behind the last is not the padding node.
    #[error("leaf {index} is behind the last and not the padding node")]
    NotPadding {
        /// Index of the leaf.
        index: usize,
    },
    /// The inner nodes are those of another number of leaves.
    #[error("{found} inner nodes above {leaves} leaves")]
    Levels {
        /// Number of leaves, padding included.
        leaves: usize,
        /// Inner nodes given.
        found: usize,
    },
}

/// log2 of the number of leaves with padding.
fn height(len: usize) -> Option<u32> {
    let height = len.checked_next_power_of_two()?.ilog2();
    (len > 0 && height <= MAX_HEIGHT).then_some(height)
}

/// A vector with all nodes above it.
///
/// A vector of `len >= 1` nodes is padded with [`TreeHash::PADDING`] to the next power of two; the node above two others
/// is their [`Compress::compress`]. Leaves enter as they are (bytes are hashed first, [`crate::Sha3::leaf`]), and leaves
/// and inner nodes are not hashed apart: the tree is exactly what a device computes, one compression a node. What that
/// means for who relies on a root, [`Commitment`] says.
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
    /// Pads the leaves and hashes them, on one thread.
    ///
    /// # Errors
    /// On no leaves, or too many.
    pub fn new(hash: &H, mut leaves: Vec<H::Node>) -> Result<Self, TreeError> {
        let len = Self::pad(&mut leaves)?;
        let levels = mle::reduce(&leaves, |left, right| hash.compress(left, right));
        Ok(Self { len, leaves, levels })
    }

    /// Appends padding up to the next power of two: what a device is to hash. Returns the number of leaves before.
    ///
    /// # Errors
    /// On no leaves, or too many.
    pub fn pad(leaves: &mut Vec<H::Node>) -> Result<usize, TreeError> {
        let len = leaves.len();
        let height = height(len).ok_or(TreeError::Len { len })?;
        leaves.resize(1 << height, H::PADDING);
        Ok(len)
    }

    /// From padded leaves, of which the first `len` are the vector, and the inner nodes that a device has computed.
    ///
    /// # Errors
    /// When lengths do not belong together, or something else than padding is behind the vector. The inner nodes are
    /// believed.
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

    /// The number of leaves, padding aside; at least 1.
    #[expect(clippy::len_without_is_empty, reason = "no tree is empty")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The leaves, padding aside.
    pub fn leaves(&self) -> &[H::Node] {
        &self.leaves[..self.len]
    }

    /// The topmost node; of a single leaf, the leaf.
    pub fn root(&self) -> H::Node {
        *self.levels.root().unwrap_or(&self.leaves[0])
    }

    /// What a verifier needs to know of this vector.
    pub fn commitment(&self) -> Commitment<H::Node> {
        Commitment { root: self.root(), len: self.len }
    }

    /// The path of a leaf: its sibling on every level, from below.
    ///
    /// # Errors
    /// On an index in the padding or beyond.
    pub fn open(&self, index: usize) -> Result<Opening<H::Node>, IndexError> {
        check([index], self.len)?;
        let siblings = (0..self.levels.log_leaves()).map(|level| self.node(level, index >> level ^ 1));
        Ok(Opening { siblings: siblings.collect() })
    }

    /// One opening of several leaves: each node that their verifier cannot compute, once.
    ///
    /// # Errors
    /// On no indices, indices that do not rise strictly, or one in the padding or beyond.
    pub fn open_many(&self, indices: &[usize]) -> Result<MultiOpening<H::Node>, IndexError> {
        check(indices.iter().copied(), self.len)?;
        let nodes = missing(indices, self.levels.log_leaves());
        Ok(MultiOpening { nodes: nodes.into_iter().map(|(level, i)| self.node(level, i)).collect() })
    }

    /// A node by its height above the leaves and its index there.
    fn node(&self, above: u32, index: usize) -> H::Node {
        let level = if above == 0 { &self.leaves } else { self.levels.level(above + 1) };
        level[index]
    }
}
