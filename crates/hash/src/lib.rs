//! Hash functions for commitments: SHA3-256 and Poseidon as two-to-one compressions, and Merkle trees with openings and
//! multi-openings.
//!
//! The crate depends on no curve and no device. The inner nodes of a tree may be computed by any device, and
//! [`MerkleTree::from_levels`] makes a tree of them:
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

/// A node of a Merkle tree over byte strings: a digest of 32 bytes.
pub type Digest = [u8; 32];

/// A two-to-one compression, which computes the parent of two nodes of a tree.
pub trait Compress: Send + Sync {
    /// The value at a node of the tree, a digest or a field element.
    type Node: Copy + PartialEq + Send + Sync;
    /// The parent of two nodes.
    fn compress(&self, left: &Self::Node, right: &Self::Node) -> Self::Node;
}
