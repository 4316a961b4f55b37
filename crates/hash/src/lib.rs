//! Hashes that proofs commit with: SHA3-256 and Poseidon as two-to-one compressions, Merkle trees with openings and
//! multi-openings.
//!
//! Knows no curve and no device: a tree's nodes may be computed anywhere. Who has them from elsewhere gives them to
//! [`MerkleTree::from_levels`]:
//!
//! ```
//! use pairwright_curve::bls12_381::Fr;
//! use pairwright_hash::{Commitment, Compress, MerkleTree, MultiOpening, Poseidon};
//! use pairwright_poly::mle;
//!
//! type Tree = MerkleTree<Poseidon<Fr>>;
//! let hash = Poseidon::<Fr>::new();
//! let values: Vec<Fr> = [7, 8, 9].map(Fr::from).into();
//!
//! // A device hashes padded leaves; here a loop does.
//! let mut leaves = values.clone();
//! let len = Tree::pad(&mut leaves)?;
//! let levels = mle::reduce(&leaves, |left, right| hash.compress(left, right));
//! let tree = Tree::from_levels(leaves, len, levels)?;
//!
//! // Over to the verifier.
//! let commitment = tree.commitment().to_bytes::<Poseidon<Fr>>();
//! let opening = tree.open_many(&[0, 2])?.to_bytes::<Poseidon<Fr>>();
//!
//! let commitment = Commitment::from_bytes::<Poseidon<Fr>>(&commitment)?;
//! let opening = MultiOpening::from_bytes::<Poseidon<Fr>>(&opening)?;
//! opening.verify(&hash, &commitment, &[(0, values[0]), (2, values[2])])?;
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod merkle;
mod poseidon;
mod sha3_256;

pub use merkle::{
    Commitment, DecodeError, IndexError, MerkleTree, MultiOpening, Opening, TreeError, TreeHash, VerifyError,
};
pub use poseidon::{FastPoseidon, Poseidon};
pub use sha3_256::Sha3;

/// A node of a tree of byte hashes.
pub type Digest = [u8; 32];

/// Two children to their parent.
pub trait Compress: Send + Sync {
    /// The value at a node of the tree, a digest or a field element.
    type Node: Copy + PartialEq + Send + Sync;
    /// The parent of two nodes.
    fn compress(&self, left: &Self::Node, right: &Self::Node) -> Self::Node;
}
