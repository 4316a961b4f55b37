//! Hashes that proofs commit with: SHA3-256 and Poseidon as two-to-one compressions, Merkle trees with openings and
//! multi-openings.
//!
//! Knows no curve and no device: a tree's nodes may be computed anywhere, see [`Compress`].
#![forbid(unsafe_code)]

mod poseidon;
mod sha3_256;

pub use poseidon::Poseidon;
pub use sha3_256::Sha3;

/// A node of a tree of byte hashes.
pub type Digest = [u8; 32];

/// Two children to their parent.
pub trait Compress: Send + Sync {
    /// A node.
    type Node: Copy + PartialEq + Send + Sync;
    /// The parent of two nodes.
    fn compress(&self, left: &Self::Node, right: &Self::Node) -> Self::Node;
}
