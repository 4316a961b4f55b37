//! The encodings of keys and ciphertexts, in the format of [`crate::schemes::fe::wire`].

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::matrix::Matrix;
use super::{Ciphertext, FunctionKey, MOST_DIMENSION, MasterKey};
use crate::schemes::fe::FeError;
use crate::schemes::fe::wire::{Kind, SCALAR, WireReader, head, put_points, put_scalars};
use alloc::vec::Vec;
use zeroize::Zeroizing;

const MASTER: Kind = Kind { what: "master key of KLMMRW", byte: 17, most: MOST_DIMENSION };
const FUNCTION: Kind = Kind { what: "function key of KLMMRW", byte: 18, most: MOST_DIMENSION };
const CIPHERTEXT: Kind = Kind { what: "ciphertext of KLMMRW", byte: 19, most: MOST_DIMENSION };

impl MasterKey {
    /// Reads a master key: the head and the matrix by rows. Inverts the matrix.
    ///
    /// # Errors
    /// When the head or the length is not that of a master key, the dimension is one, a scalar is not below the group order, or
    /// the matrix has no inverse.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FeError> {
        let (mut from, n) = WireReader::new(MASTER, bytes, |n| SCALAR * n * n)?;
        Self::of_matrix(Matrix::new(n, from.scalars(n * n)?))
    }

    /// The encoding: the head and the matrix by rows.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let n = self.dimension();
        let mut out = Zeroizing::new(Vec::with_capacity(6 + SCALAR * n * n));
        out.extend(head(MASTER, n));
        put_scalars(&mut out, &self.matrix.entries);
        out
    }
}

impl FunctionKey {
    /// Reads a function key: the head, `K1` and `K2`. Variable time.
    ///
    /// # Errors
    /// When the head or the length is not that of a function key, a point is not in the subgroup, or the first is neutral.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FeError> {
        let (mut from, n) = WireReader::new(FUNCTION, bytes, |n| 48 * (n + 1))?;
        Ok(Self { first: from.finite_point()?, rest: from.points(n)? })
    }

    /// The encoding: the head, `K1` and `K2`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = head(FUNCTION, self.rest.len());
        put_points(&mut out, [&self.first].into_iter().chain(&self.rest));
        out
    }
}

impl Ciphertext {
    /// Reads a ciphertext: the head, `C1` and `C2`. Variable time.
    ///
    /// # Errors
    /// When the head or the length is not that of a ciphertext, a point is not in the subgroup, or the first is neutral.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FeError> {
        let (mut from, n) = WireReader::new(CIPHERTEXT, bytes, |n| 96 * (n + 1))?;
        Ok(Self { first: from.finite_point()?, rest: from.points(n)? })
    }

    /// The encoding: the head, `C1` and `C2`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = head(CIPHERTEXT, self.rest.len());
        put_points(&mut out, [&self.first].into_iter().chain(&self.rest));
        out
    }
}
