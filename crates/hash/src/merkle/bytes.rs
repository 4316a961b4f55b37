//! The byte encodings of commitments and openings.
//!
//! Numbers are little-endian. A length or a number of nodes takes 8 bytes, a node [`TreeHash::NODE_BYTES`]. Each value has
//! exactly one encoding.

#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects, clippy::cast_possible_truncation))]
#![cfg_attr(not(test), deny(clippy::cast_possible_wrap, clippy::cast_sign_loss, clippy::expect_used))]
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::iter_over_hash_type, clippy::panic))]
#![cfg_attr(not(test), deny(clippy::string_slice, clippy::unreachable, clippy::unwrap_used))]

use super::{Commitment, MAX_HEIGHT, MultiOpening, Opening, height};
use crate::{Compress, Digest, Sha3};
use alloc::vec::Vec;
use thiserror::Error;

/// A compression for Merkle trees, with the node that pads them and the encoding of nodes.
pub trait TreeHash: Compress {
    /// The node that fills the positions behind the last leaf, up to a power of two.
    const PADDING: Self::Node;
    /// The number of bytes of a node, at least 1.
    const NODE_BYTES: usize;
    /// Appends the encoding of a node, [`Self::NODE_BYTES`] bytes.
    fn write(node: &Self::Node, out: &mut Vec<u8>);
    /// Decodes a node; `None` if [`Self::write`] writes these bytes for no node.
    fn read(bytes: &[u8]) -> Option<Self::Node>;
}

/// Trees are padded with 32 zero bytes; a node is encoded as its digest.
impl TreeHash for Sha3 {
    const PADDING: Digest = [0; 32];
    const NODE_BYTES: usize = 32;
    fn write(node: &Digest, out: &mut Vec<u8>) {
        out.extend_from_slice(node);
    }
    fn read(bytes: &[u8]) -> Option<Digest> {
        bytes.try_into().ok()
    }
}

/// Reasons for which bytes are not the encoding of a commitment or an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// There are too few bytes for the number at the start.
    #[error("{found} bytes, a number takes 8")]
    Short {
        /// Number of bytes that were given.
        found: usize,
    },
    /// The bytes after the number are not as long as the announced nodes.
    #[error("{found} bytes for {nodes} nodes of {each} bytes")]
    Length {
        /// Number of nodes that the encoding announces.
        nodes: u64,
        /// Number of bytes of a node.
        each: usize,
        /// Number of bytes that were given.
        found: usize,
    },
    /// The bytes of a node are not the encoding of a node of this hash.
    #[error("node {position} is not a valid node of this hash")]
    Node {
        /// Index of the node in the encoding, from 0.
        position: usize,
    },
    /// The path is longer than the height of the highest tree.
    #[error("a path of {siblings} nodes; no tree is higher than {MAX_HEIGHT}")]
    Height {
        /// Number of siblings that the encoding announces.
        siblings: u64,
    },
    /// No vector has this length: the number of leaves is 1 to 2^40.
    #[error("no tree has {len} leaves")]
    Len {
        /// Number of leaves in the encoding.
        len: u64,
    },
}

/// The number in the first 8 bytes, and the bytes after it.
fn number(bytes: &[u8]) -> Result<(u64, &[u8]), DecodeError> {
    let (number, rest) = bytes.split_first_chunk().ok_or(DecodeError::Short { found: bytes.len() })?;
    Ok((u64::from_le_bytes(*number), rest))
}

/// Decodes the announced number of nodes from exactly these bytes.
fn nodes<H: TreeHash>(announced: u64, bytes: &[u8]) -> Result<Vec<H::Node>, DecodeError> {
    const { assert!(H::NODE_BYTES > 0) };
    let each = H::NODE_BYTES;
    let whole = usize::try_from(announced).ok().and_then(|nodes| nodes.checked_mul(each));
    if whole != Some(bytes.len()) {
        return Err(DecodeError::Length { nodes: announced, each, found: bytes.len() });
    }
    let chunks = bytes.chunks_exact(each).enumerate();
    chunks.map(|(position, node)| H::read(node).ok_or(DecodeError::Node { position })).collect()
}

fn write<H: TreeHash>(number: usize, nodes: &[H::Node]) -> Vec<u8> {
    let mut out = Vec::with_capacity(nodes.len().saturating_mul(H::NODE_BYTES).saturating_add(8));
    out.extend_from_slice(&(number as u64).to_le_bytes());
    for node in nodes {
        H::write(node, &mut out);
    }
    out
}

impl<N: Copy> Commitment<N> {
    /// The encoding `len ‖ root`, which is published and which transcripts absorb.
    pub fn to_bytes<H: TreeHash<Node = N>>(&self) -> Vec<u8> {
        write::<H>(self.len, &[self.root])
    }

    /// Decodes `len ‖ root`.
    ///
    /// # Errors
    /// On any other number of bytes, a root that is not a valid node, and a length that no tree has.
    pub fn from_bytes<H: TreeHash<Node = N>>(bytes: &[u8]) -> Result<Self, DecodeError> {
        let (announced, rest) = number(bytes)?;
        let root = nodes::<H>(1, rest)?;
        let len = usize::try_from(announced).ok().filter(|len| height(*len).is_some());
        match (root.first(), len) {
            (Some(root), Some(len)) => Ok(Self { root: *root, len }),
            _ => Err(DecodeError::Len { len: announced }),
        }
    }
}

impl<N: Copy> Opening<N> {
    /// The encoding: the number of siblings, then the siblings from the leaf up.
    pub fn to_bytes<H: TreeHash<Node = N>>(&self) -> Vec<u8> {
        write::<H>(self.siblings.len(), &self.siblings)
    }

    /// Decodes the output of [`Self::to_bytes`].
    ///
    /// # Errors
    /// On bytes that are missing or left over, invalid nodes, and more nodes than any path has.
    pub fn from_bytes<H: TreeHash<Node = N>>(bytes: &[u8]) -> Result<Self, DecodeError> {
        let (siblings, rest) = number(bytes)?;
        if siblings > u64::from(MAX_HEIGHT) {
            return Err(DecodeError::Height { siblings });
        }
        Ok(Self { siblings: nodes::<H>(siblings, rest)? })
    }
}

impl<N: Copy> MultiOpening<N> {
    /// The encoding: the number of nodes, then the nodes in the order of [`MultiOpening::nodes()`].
    pub fn to_bytes<H: TreeHash<Node = N>>(&self) -> Vec<u8> {
        write::<H>(self.nodes.len(), &self.nodes)
    }

    /// Decodes the output of [`Self::to_bytes`]. The number of nodes is checked by the verifier, who can compute it: it is at
    /// most one for each opened leaf and level.
    ///
    /// # Errors
    /// On bytes that are missing or left over, and on invalid nodes.
    pub fn from_bytes<H: TreeHash<Node = N>>(bytes: &[u8]) -> Result<Self, DecodeError> {
        let (announced, rest) = number(bytes)?;
        Ok(Self { nodes: nodes::<H>(announced, rest)? })
    }
}
