//! Checks the indices of the leaves to open, and lists the nodes that their verifier lacks.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use alloc::vec::Vec;
use thiserror::Error;

/// Why these leaves cannot be opened, or cannot have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IndexError {
    /// An opening of nothing.
    #[error("no leaf to open")]
    None,
    /// Not one of the leaves.
    #[error("there is no leaf {index} of {len}")]
    Range {
        /// Index of the leaf that was asked for.
        index: usize,
        /// Number of leaves of the tree.
        len: usize,
    },
    /// The same leaf twice.
    #[error("leaf {index} twice")]
    Repeated {
        /// Index of the leaf.
        index: usize,
    },
    /// Indices do not rise.
    #[error("leaf {index} after leaf {before}")]
    Unsorted {
        /// The larger index, which comes first.
        before: usize,
        /// The lower that follows it.
        index: usize,
    },
}

/// Whether these are strictly rising indices of `len` leaves, at least one.
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

/// The siblings on the paths of these leaves that are on no path themselves, from the leaves up and each level from the
/// left: height above the leaves, and index there. The order in which [`super::MultiOpening`] holds them.
pub(super) fn missing(indices: &[usize], height: u32) -> Vec<(u32, usize)> {
    let mut nodes = Vec::new();
    let mut on_path = indices.to_vec();
    for level in 0..height {
        let mut above = Vec::with_capacity(on_path.len());
        let mut indices = on_path.into_iter().peekable();
        while let Some(index) = indices.next() {
            // A left node and its right neighbour, both on paths, need no sibling.
            if index & 1 == 1 || indices.next_if_eq(&(index ^ 1)).is_none() {
                nodes.push((level, index ^ 1));
            }
            above.push(index >> 1);
        }
        on_path = above;
    }
    nodes
}
