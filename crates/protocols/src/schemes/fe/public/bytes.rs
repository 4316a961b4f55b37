//! Keys and ciphertexts as bytes, by [`crate::schemes::fe::wire`].

#![cfg_attr(
    not(test),
    deny(
        clippy::cast_possible_truncation,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::iter_over_hash_type,
        clippy::panic,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use super::{Ciphertext, FunctionKey, MOST_DIMENSION, MasterKey, PublicKey};
use crate::schemes::fe::FeError;
use crate::schemes::fe::wire::{Kind, Reader, SCALAR, head, put_points, put_scalars};
use alloc::vec::Vec;
use zeroize::Zeroizing;

const MASTER: Kind = Kind { what: "master key of ALS16", byte: 1, most: MOST_DIMENSION };
const PUBLIC: Kind = Kind { what: "public key of ALS16", byte: 2, most: MOST_DIMENSION };
const FUNCTION: Kind = Kind { what: "function key of ALS16", byte: 3, most: MOST_DIMENSION };
const CIPHERTEXT: Kind = Kind { what: "ciphertext of ALS16", byte: 4, most: MOST_DIMENSION };
/// Bytes of a point.
const POINT: usize = 48;

impl MasterKey {
    /// Reads the head, `s` and `t`.
    ///
    /// # Errors
    /// When the head or the length is not that of a master key, or a scalar is not below the group order.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FeError> {
        let (mut from, n) = Reader::new(MASTER, bytes, |n| 2 * SCALAR * n)?;
        Ok(Self { s: from.scalars(n)?, t: from.scalars(n)? })
    }

    /// The head, `s` and `t`.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let mut out = Zeroizing::new(Vec::with_capacity(6 + 2 * SCALAR * self.s.len()));
        out.extend(head(MASTER, self.s.len()));
        put_scalars(&mut out, self.s.iter().chain(&self.t));
        out
    }
}

impl PublicKey {
    /// Reads the head and `h_i`. Variable time.
    ///
    /// # Errors
    /// When the head or the length is not that of a public key, or a point is not one of the subgroup or is neutral.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FeError> {
        let (mut from, n) = Reader::new(PUBLIC, bytes, |n| POINT * n)?;
        let points: Result<_, _> = (0..n).map(|_| from.finite_point()).collect();
        Ok(Self { points: points? })
    }

    /// The head and `h_i`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = head(PUBLIC, self.points.len());
        put_points(&mut out, &self.points);
        out
    }
}

impl FunctionKey {
    /// Reads the head, `y` as eight bytes each, `s_y` and `t_y`.
    ///
    /// # Errors
    /// When the head or the length is not that of a function key, or a scalar is not below the group order.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FeError> {
        let (mut from, n) = Reader::new(FUNCTION, bytes, |n| 8 * n + 2 * SCALAR)?;
        let y: Result<_, _> = (0..n).map(|_| from.integer()).collect();
        Ok(Self { y: y?, s: from.scalar()?, t: from.scalar()? })
    }

    /// The head, `y` as eight bytes each, `s_y` and `t_y`.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let mut out = Zeroizing::new(Vec::with_capacity(6 + 8 * self.y.len() + 2 * SCALAR));
        out.extend(head(FUNCTION, self.y.len()));
        self.y.iter().for_each(|y| out.extend(y.to_be_bytes()));
        put_scalars(&mut out, [&self.s, &self.t]);
        out
    }
}

impl Ciphertext {
    /// Reads the head, `C`, `D` and `E_i`. Variable time.
    ///
    /// # Errors
    /// When the head or the length is not that of a ciphertext, or a point is not one of the subgroup.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FeError> {
        let (mut from, n) = Reader::new(CIPHERTEXT, bytes, |n| POINT * (n + 2))?;
        Ok(Self { c: from.point()?, d: from.point()?, e: from.points(n)? })
    }

    /// The head, `C`, `D` and `E_i`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = head(CIPHERTEXT, self.e.len());
        put_points(&mut out, [&self.c, &self.d].into_iter().chain(&self.e));
        out
    }
}
