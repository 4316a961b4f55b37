//! Checks the indices of the leaves to open, and lists the nodes that a verifier of these leaves cannot compute.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use alloc::vec::Vec;
use thiserror::Error;

/// Reasons for which a set of leaves cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IndexError {
    /// There is no index.
    #[error("no leaf to open")]
    None,
    /// An index is not below the number of leaves.
    #[error("there is no leaf {index} of {len}")]
    Range {
        /// Index of the requested leaf.
        index: usize,
        /// Number of leaves of the tree.
        len: usize,
    },
    /// The same index occurs twice.
    #[error("leaf {index} twice")]
    Repeated {
        /// Index of the leaf.
        index: usize,
    },
    /// The indices are not in increasing order.
    #[error("leaf {index} after leaf {before}")]
    Unsorted {
        /// The larger index, which comes first.
        before: usize,
        /// The lower index, which follows it.
        index: usize,
    },
}

/// Checks that there is at least one index, that they increase strictly, and that all are below `len`.
pub(super) fn check(indices: impl IntoIterator<Item = usize>, len: usize) -> Result<(), IndexError> {
    let mut before = None;
    for index in indices {
        match before {
            _ if index >= len => return Err(IndexError::Range { index, len }),
            Some(before) if before == index => return Err(IndexError::Repeated { index }),
            Some(before) if before > index => return Err(IndexError::Unsorted { before, index }),
            _ => before = Some(index),
        }
    }
    before.map(drop).ok_or(IndexError::None)
}

/// The siblings of the nodes on the paths of these leaves that are not on a path themselves, as pairs of the height above the
/// leaves and the index at that height. They are listed from the leaves up and each level from the left, the order of
/// [`super::MultiOpening`].
pub(super) fn missing(indices: &[usize], height: u32) -> Vec<(u32, usize)> {
    let mut nodes = Vec::new();
    let mut on_path = indices.to_vec();
    for level in 0..height {
        let mut above = Vec::with_capacity(on_path.len());
        let mut indices = on_path.into_iter().peekable();
        while let Some(index) = indices.next() {
            // If a left node and its right sibling are both on paths, neither has to be given.
            if index & 1 == 1 || indices.next_if_eq(&(index ^ 1)).is_none() {
                nodes.push((level, index ^ 1));
            }
            above.push(index >> 1);
        }
        on_path = above;
    }
    nodes
}
