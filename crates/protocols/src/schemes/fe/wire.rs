//! Reads and writes the encoding of keys and ciphertexts: a byte of the version, a byte of the kind, the dimension as four bytes
//! (big-endian), then compressed points and big-endian scalars.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::FeError;
use super::vector::check_dimension;
use alloc::vec::Vec;
use pairwright_curve::encoding::{PointEncoding, PointError, ZcashCompressed};
use pairwright_curve::{Affine, Curve};
use pairwright_field::PrimeField;

/// The version of every encoding.
const VERSION: u8 = 1;
/// Number of bytes of the head: version, kind and dimension.
const HEAD: usize = 6;
/// Number of bytes of a scalar.
pub(super) const SCALAR: usize = 32;

/// A kind of value: its name in messages, its byte and its largest dimension.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub(super) what: &'static str,
    pub(super) byte: u8,
    /// The largest dimension.
    pub(super) most: usize,
}

/// The head of an encoding. The largest dimension of every kind is below 2^32.
pub(super) fn head(kind: Kind, dimension: usize) -> Vec<u8> {
    let [.., a, b, c, d] = (dimension as u64).to_be_bytes();
    [VERSION, kind.byte, a, b, c, d].to_vec()
}

/// Reads an encoding from front to back.
pub(super) struct WireReader<'a> {
    kind: Kind,
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> WireReader<'a> {
    /// Checks the head and the total length, where `length` gives the bytes after the head for a dimension. Returns the reader and the
    /// dimension.
    pub(super) fn new(
        kind: Kind,
        bytes: &'a [u8],
        length: impl Fn(usize) -> usize,
    ) -> Result<(Self, usize), FeError> {
        let what = kind.what;
        let short = FeError::Length { what, found: bytes.len(), expected: HEAD };
        let Some((&[version, byte, a, b, c, d], rest)) = bytes.split_first_chunk::<HEAD>() else {
            return Err(short);
        };
        if version != VERSION || byte != kind.byte {
            return Err(FeError::Kind { what, version, kind: byte });
        }
        let dimension = u32::from_be_bytes([a, b, c, d]);
        let dimension = usize::try_from(dimension).unwrap_or(usize::MAX);
        check_dimension(dimension, kind.most)?;
        let expected = length(dimension).saturating_add(HEAD);
        if bytes.len() != expected {
            return Err(FeError::Length { what, found: bytes.len(), expected });
        }
        Ok((Self { kind, bytes: rest, offset: HEAD }, dimension))
    }

    /// Takes the next `count` bytes, and returns their offset too. They exist, because the length was checked.
    fn take(&mut self, count: usize) -> Result<(usize, &'a [u8]), FeError> {
        let Some((now, rest)) = self.bytes.split_at_checked(count) else {
            let expected = self.offset.saturating_add(count);
            return Err(FeError::Length { what: self.kind.what, found: self.bytes.len(), expected });
        };
        let at = self.offset;
        (self.bytes, self.offset) = (rest, at.saturating_add(count));
        Ok((at, now))
    }

    /// Reads a point of the subgroup. Variable time.
    pub(super) fn point<C: Curve>(&mut self) -> Result<Affine<C>, FeError> {
        let (offset, bytes) = self.take(ZcashCompressed::len::<C>())?;
        ZcashCompressed::read(bytes).map_err(|why| FeError::Point { what: self.kind.what, offset, why })
    }

    /// Reads a point of the subgroup that is not the neutral element. Variable time.
    pub(super) fn finite_point<C: Curve>(&mut self) -> Result<Affine<C>, FeError> {
        let offset = self.offset;
        let point = self.point()?;
        if point.is_infinity() { Err(FeError::Neutral { what: self.kind.what, offset }) } else { Ok(point) }
    }

    /// Reads `count` points of the subgroup. Variable time.
    pub(super) fn points<C: Curve>(&mut self, count: usize) -> Result<Vec<Affine<C>>, FeError> {
        (0..count).map(|_| self.point()).collect()
    }

    /// Reads a point of `size` bytes by `read`; if `refused` is true for it, the error is that it is neutral. Variable time.
    pub(super) fn point_by<P>(
        &mut self,
        size: usize,
        read: impl Fn(&[u8]) -> Result<P, PointError>,
        refused: impl Fn(&P) -> bool,
    ) -> Result<P, FeError> {
        let (offset, bytes) = self.take(size)?;
        let what = self.kind.what;
        let point = read(bytes).map_err(|why| FeError::Point { what, offset, why })?;
        if refused(&point) { Err(FeError::Neutral { what, offset }) } else { Ok(point) }
    }

    /// Reads a scalar below the group order.
    pub(super) fn scalar<F: PrimeField>(&mut self) -> Result<F, FeError> {
        let (offset, bytes) = self.take(SCALAR)?;
        F::read_be(bytes).map_err(|_| FeError::Scalar { what: self.kind.what, offset })
    }

    /// Reads `count` scalars below the group order.
    pub(super) fn scalars<F: PrimeField>(&mut self, count: usize) -> Result<Vec<F>, FeError> {
        (0..count).map(|_| self.scalar()).collect()
    }

    /// Reads a signed integer of eight bytes, big-endian.
    pub(super) fn integer(&mut self) -> Result<i64, FeError> {
        let (_, bytes) = self.take(8)?;
        Ok(bytes.iter().fold(0, |x, byte| x << 8 | i64::from(*byte)))
    }
}

/// Appends scalars, big-endian.
pub(super) fn put_scalars<'a, F: PrimeField>(out: &mut Vec<u8>, scalars: impl IntoIterator<Item = &'a F>) {
    for scalar in scalars {
        let mut bytes = zeroize::Zeroizing::new([0; SCALAR]);
        scalar.write_be(bytes.as_mut());
        out.extend_from_slice(bytes.as_ref());
    }
}

/// Appends points, compressed.
pub(super) fn put_points<'a, C: Curve>(out: &mut Vec<u8>, points: impl IntoIterator<Item = &'a Affine<C>>) {
    points.into_iter().for_each(|point| out.extend(ZcashCompressed::to_vec(point)));
}
