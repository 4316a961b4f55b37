//! Ciphertexts as values and bytes.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::{IbeError, LONGEST, SHORTEST};
use crate::schemes::KeyGroups;
use alloc::vec::Vec;
use pairwright_curve::Affine;
use pairwright_curve::encoding::PointEncoding;

/// An encrypted key: a point of the subgroup and two strings of the key's length.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ciphertext<V: KeyGroups> {
    pub(super) u: Affine<V::Keys>,
    pub(super) v: Vec<u8>,
    pub(super) w: Vec<u8>,
}

impl<V: KeyGroups> Ciphertext<V> {
    /// Reads `U ‖ V ‖ W`, the point in the encoding of the groups. Variable time.
    ///
    /// # Errors
    /// When the length is wrong, or the point is not one of the subgroup.
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

    /// `U ‖ V ‖ W`.
    pub fn to_bytes(&self) -> Vec<u8> {
        [V::Encoding::to_vec(&self.u).as_slice(), &self.v, &self.w].concat()
    }

    /// `U = r·G`.
    pub fn u(&self) -> Affine<V::Keys> {
        self.u
    }

    /// `V`, the masked σ.
    pub fn v(&self) -> &[u8] {
        &self.v
    }

    /// `W`, the masked message.
    pub fn w(&self) -> &[u8] {
        &self.w
    }
}
