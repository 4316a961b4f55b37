//! The type of ciphertexts and its encoding.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::{IbeError, LONGEST, SHORTEST};
use crate::schemes::KeyGroups;
use alloc::vec::Vec;
use pairwright_curve::Affine;
use pairwright_curve::encoding::PointEncoding;

/// An encrypted message, which is a key of 16 to 32 bytes: a point of the subgroup and two strings of the message's length.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ciphertext<V: KeyGroups> {
    pub(super) u: Affine<V::Keys>,
    pub(super) v: Vec<u8>,
    pub(super) w: Vec<u8>,
}

impl<V: KeyGroups> Ciphertext<V> {
    /// Reads `U ‖ V ‖ W`, where the point has the encoding of the [`KeyGroups`]. Variable time.
    ///
    /// # Errors
    /// When the length is wrong, or the point is not in the subgroup.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, IbeError> {
        let wrong = IbeError::CiphertextLength { found: bytes.len() };
        let Some((u, rest)) = bytes.split_at_checked(V::Encoding::len::<V::Keys>()) else {
            return Err(wrong);
        };
        let (v, w) = rest.split_at(rest.len() / 2);
        if v.len() != w.len() || !(SHORTEST..=LONGEST).contains(&v.len()) {
            return Err(wrong);
        }
        Ok(Self { u: V::Encoding::read(u)?, v: v.to_vec(), w: w.to_vec() })
    }

    /// The bytes `U ‖ V ‖ W`, where the point has the encoding of the [`KeyGroups`].
    pub fn to_bytes(&self) -> Vec<u8> {
        [V::Encoding::to_vec(&self.u).as_slice(), &self.v, &self.w].concat()
    }

    /// The point `U = r·G`.
    pub fn u(&self) -> Affine<V::Keys> {
        self.u
    }

    /// The string `V`: σ under its mask.
    pub fn v(&self) -> &[u8] {
        &self.v
    }

    /// The string `W`: the message under its mask.
    pub fn w(&self) -> &[u8] {
        &self.w
    }
}
