//! The encodings of keys and ciphertexts, in the format of [`crate::schemes::fe::wire`].

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::ddh_group::{DdhGroup, kind};
use super::{CiphertextOver, FunctionKeyOver, MasterKeyOver, PublicKeyOver};
use crate::schemes::fe::FeError;
use crate::schemes::fe::logarithm::Group;
use crate::schemes::fe::wire::{SCALAR, WireReader, head, put_scalars};
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// Index of a kind in [`DdhGroup::NAMES`]; the same for the following constants.
const MASTER: u8 = 0;
const PUBLIC: u8 = 1;
const FUNCTION: u8 = 2;
const CIPHERTEXT: u8 = 3;

/// Reads a point; the neutral element is refused unless `neutral` is set.
fn point<G: DdhGroup>(from: &mut WireReader<'_>, neutral: bool) -> Result<G::Point, FeError> {
    from.point_by(G::POINT, G::read, |point| !neutral && point.is_neutral())
}

fn put<'a, G: DdhGroup>(out: &mut Vec<u8>, points: impl IntoIterator<Item = &'a G::Point>) {
    points.into_iter().for_each(|point| out.extend(G::write(point)));
}

impl<G: DdhGroup> MasterKeyOver<G> {
    /// Reads a master key: the head, `s` and `t`.
    ///
    /// # Errors
    /// When the head or the length is not that of a master key, or a scalar is not below the group order.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FeError> {
        let (mut from, n) = WireReader::new(kind::<G>(MASTER), bytes, |n| 2 * SCALAR * n)?;
        Ok(Self { s: from.scalars(n)?, t: from.scalars(n)? })
    }

    /// The encoding: the head, `s` and `t`.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let mut out = Zeroizing::new(Vec::with_capacity(6 + 2 * SCALAR * self.s.len()));
        out.extend(head(kind::<G>(MASTER), self.s.len()));
        put_scalars(&mut out, self.s.iter().chain(&self.t));
        out
    }
}

impl<G: DdhGroup> PublicKeyOver<G> {
    /// Reads a public key: the head and `h_i`. Variable time.
    ///
    /// # Errors
    /// When the head or the length is not that of a public key, or a point is not in the subgroup or is neutral.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FeError> {
        let (mut from, n) = WireReader::new(kind::<G>(PUBLIC), bytes, |n| G::POINT * n)?;
        let points: Result<_, _> = (0..n).map(|_| point::<G>(&mut from, false)).collect();
        Ok(Self { points: points? })
    }

    /// The encoding: the head and `h_i`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = head(kind::<G>(PUBLIC), self.points.len());
        put::<G>(&mut out, &self.points);
        out
    }
}

impl<G: DdhGroup> FunctionKeyOver<G> {
    /// Reads a function key: the head, the entries of `y` as eight bytes each, `s_y` and `t_y`.
    ///
    /// # Errors
    /// When the head or the length is not that of a function key, or a scalar is not below the group order.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FeError> {
        let (mut from, n) = WireReader::new(kind::<G>(FUNCTION), bytes, |n| 8 * n + 2 * SCALAR)?;
        let y: Result<_, _> = (0..n).map(|_| from.integer()).collect();
        Ok(Self { y: y?, s: from.scalar()?, t: from.scalar()? })
    }

    /// The encoding: the head, the entries of `y` as eight bytes each, `s_y` and `t_y`.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let mut out = Zeroizing::new(Vec::with_capacity(6 + 8 * self.y.len() + 2 * SCALAR));
        out.extend(head(kind::<G>(FUNCTION), self.y.len()));
        self.y.iter().for_each(|y| out.extend(y.to_be_bytes()));
        put_scalars(&mut out, [&self.s, &self.t]);
        out
    }
}

impl<G: DdhGroup> CiphertextOver<G> {
    /// Reads a ciphertext: the head, `C`, `D` and `E_i`. Variable time.
    ///
    /// # Errors
    /// When the head or the length is not that of a ciphertext, or a point is not in the subgroup.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FeError> {
        let (mut from, n) = WireReader::new(kind::<G>(CIPHERTEXT), bytes, |n| G::POINT * (n + 2))?;
        let (c, d) = (point::<G>(&mut from, true)?, point::<G>(&mut from, true)?);
        let e: Result<_, _> = (0..n).map(|_| point::<G>(&mut from, true)).collect();
        Ok(Self { c, d, e: e? })
    }

    /// The encoding: the head, `C`, `D` and `E_i`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = head(kind::<G>(CIPHERTEXT), self.e.len());
        put::<G>(&mut out, [&self.c, &self.d].into_iter().chain(&self.e));
        out
    }
}
