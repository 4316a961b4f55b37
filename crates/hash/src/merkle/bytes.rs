//! Commitments and openings as bytes.
//!
//! Little-endian throughout: a length or a number of nodes in 8 bytes, a node in as many as its hash says. Each value has
//! one encoding.

#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects, clippy::cast_possible_truncation))]
#![cfg_attr(not(test), deny(clippy::cast_possible_wrap, clippy::cast_sign_loss, clippy::expect_used))]
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::iter_over_hash_type, clippy::panic))]
#![cfg_attr(not(test), deny(clippy::string_slice, clippy::unreachable, clippy::unwrap_used))]

use super::{Commitment, MAX_HEIGHT, MultiOpening, Opening, height};
use crate::{Compress, Digest, Sha3};
use alloc::vec::Vec;
use thiserror::Error;

/// A compression for trees: what they are padded with, and how nodes are written.
pub trait TreeHash: Compress {
    /// Stands behind the last leaf up to a power of two.
    const PADDING: Self::Node;
    /// The number of bytes of a node, at least 1.
    const NODE_BYTES: usize;
    /// Appends [`Self::NODE_BYTES`] bytes.
    fn write(node: &Self::Node, out: &mut Vec<u8>);
    /// The node of exactly these bytes; none if they are not what [`Self::write`] writes for one.
    fn read(bytes: &[u8]) -> Option<Self::Node>;
}

/// Padded with zeros; a node is its digest.
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

/// Why bytes are not what they are taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// They end too early.
    #[error("{found} bytes, a number takes 8")]
    Short {
        /// Number of bytes that were given.
        found: usize,
    },
    /// The rest is not as long as the announced nodes.
    #[error("{found} bytes for {nodes} nodes of {each} bytes")]
    Length {
        /// Number of nodes that the encoding announces.
        nodes: u64,
        /// Number of bytes of a node.
        each: usize,
        /// Number of bytes that were given.
        found: usize,
    },
    /// A node is not encoded as its hash writes it.
    #[error("node {position} is not a valid node of this hash")]
    Node {
        /// Index of the node in the encoding, from 0.
        position: usize,
    },
    /// A path longer than any tree is high.
    #[error("a path of {siblings} nodes; no tree is higher than {MAX_HEIGHT}")]
    Height {
        /// Number of siblings that the encoding announces.
        siblings: u64,
    },
    /// A vector has at least one leaf, and at most 2^40.
    #[error("no tree has {len} leaves")]
    Len {
        /// Number of leaves that was found.
        len: u64,
    },
}

/// A number in 8 bytes, and the rest.
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
    /// `len ‖ root`: what is published, and what a transcript absorbs.
    pub fn to_bytes<H: TreeHash<Node = N>>(&self) -> Vec<u8> {
        write::<H>(self.len, &[self.root])
    }

    /// Reads `len ‖ root`.
    ///
    /// # Errors
    /// On other lengths, a root that is no node, a length that no tree has.
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
    /// Number of siblings ‖ siblings.
    pub fn to_bytes<H: TreeHash<Node = N>>(&self) -> Vec<u8> {
        write::<H>(self.siblings.len(), &self.siblings)
    }

    /// Reads what [`Self::to_bytes`] writes.
    ///
    /// # Errors
    /// On bytes missing or left over, something that is no node, and more nodes than any path has.
    pub fn from_bytes<H: TreeHash<Node = N>>(bytes: &[u8]) -> Result<Self, DecodeError> {
        let (siblings, rest) = number(bytes)?;
        if siblings > u64::from(MAX_HEIGHT) {
            return Err(DecodeError::Height { siblings });
        }
        Ok(Self { siblings: nodes::<H>(siblings, rest)? })
    }
}

impl<N: Copy> MultiOpening<N> {
    /// Number of nodes ‖ nodes.
    pub fn to_bytes<H: TreeHash<Node = N>>(&self) -> Vec<u8> {
        write::<H>(self.nodes.len(), &self.nodes)
    }

    /// Reads what [`Self::to_bytes`] writes. How many nodes there must be, the verifier knows: at most one for each
    /// opened leaf and level.
    ///
    /// # Errors
    /// On bytes missing or left over, and something that is no node.
    pub fn from_bytes<H: TreeHash<Node = N>>(bytes: &[u8]) -> Result<Self, DecodeError> {
        let (announced, rest) = number(bytes)?;
        Ok(Self { nodes: nodes::<H>(announced, rest)? })
    }
}
