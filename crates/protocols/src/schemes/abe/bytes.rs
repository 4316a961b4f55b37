//! Reading and writing the parts of an encoding. Every length is compared with the bytes that are there before anything
//! is made of it.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::algebra::{Matrix, SCALAR};
use super::{AbeError, Fault};
use alloc::vec::Vec;
use pairwright_curve::bls12_381::{Fq12, Fr};
use pairwright_curve::encoding::{PointEncoding, ZcashUncompressed, gt_from_bytes_be, gt_to_bytes_be};
use pairwright_curve::{Affine, Curve};
use pairwright_field::{Field, PrimeField};

/// A part of some bytes, read from its first byte on.
#[derive(Clone, Copy)]
pub(super) struct AbeReader<'b> {
    /// What the whole is.
    what: &'static str,
    /// Place of the next byte in the whole.
    at: usize,
    left: &'b [u8],
}

impl<'b> AbeReader<'b> {
    /// Begins at the first of all bytes.
    pub(super) fn new(what: &'static str, bytes: &'b [u8]) -> Self {
        Self { what, at: 0, left: bytes }
    }

    /// Number of bytes that are left.
    pub(super) fn len(&self) -> usize {
        self.left.len()
    }

    /// The bytes that are left.
    pub(super) fn rest(self) -> &'b [u8] {
        self.left
    }

    /// An error at the next byte.
    pub(super) fn fault(&self, field: &'static str, fault: impl Into<Fault>) -> AbeError {
        AbeError::Bytes { what: self.what, field, offset: self.at, fault: fault.into() }
    }

    /// The next `needed` bytes.
    pub(super) fn take(&mut self, needed: usize, field: &'static str) -> Result<&'b [u8], AbeError> {
        let Some((taken, left)) = self.left.split_at_checked(needed) else {
            return Err(self.fault(field, Fault::Short { needed, left: self.left.len() }));
        };
        self.left = left;
        self.at = self.at.saturating_add(needed);
        Ok(taken)
    }

    /// The next byte.
    pub(super) fn byte(&mut self, field: &'static str) -> Result<u8, AbeError> {
        Ok(self.take(1, field)?.first().copied().unwrap_or_default())
    }

    /// A flag: a byte 0 or 1.
    pub(super) fn flag(&mut self, field: &'static str) -> Result<bool, AbeError> {
        let before = *self;
        match self.byte(field)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(before.fault(field, Fault::Flag(other))),
        }
    }

    /// A little-endian integer of two bytes.
    pub(super) fn u16(&mut self, field: &'static str) -> Result<usize, AbeError> {
        Ok(little_endian(self.take(2, field)?))
    }

    /// A part that follows its length, which takes `width` bytes.
    pub(super) fn part(&mut self, width: usize, field: &'static str) -> Result<Self, AbeError> {
        let length = little_endian(self.take(width, field)?);
        let at = self.at;
        Ok(Self { what: self.what, at, left: self.take(length, field)? })
    }

    /// A part of which the length is known, and is there too.
    pub(super) fn exactly<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], AbeError> {
        let part = self.part(2, field)?;
        let wrong = part.fault(field, Fault::Length { expected: N, found: part.len() });
        part.rest().try_into().map_err(|_| wrong)
    }

    /// A name: a part that is a text and not empty.
    pub(super) fn name(&mut self, field: &'static str) -> Result<&'b str, AbeError> {
        let part = self.part(2, field)?;
        let wrong = part.fault(field, Fault::Name);
        core::str::from_utf8(part.rest()).ok().filter(|name| !name.is_empty()).ok_or(wrong)
    }

    /// Fails if there is more.
    pub(super) fn end(&self, field: &'static str) -> Result<(), AbeError> {
        match self.left.len() {
            0 => Ok(()),
            left => Err(self.fault(field, Fault::Trailing { left })),
        }
    }

    /// A scalar, big-endian.
    pub(super) fn scalar(&mut self, field: &'static str) -> Result<Fr, AbeError> {
        let before = *self;
        Fr::read_be(self.take(SCALAR, field)?).map_err(|_| before.fault(field, Fault::Scalar))
    }

    /// A part that is a matrix of this shape, whose entries take `size` bytes each: the part behind the shape.
    fn matrix(&mut self, expected: [usize; 2], size: usize, field: &'static str) -> Result<Self, AbeError> {
        let mut part = self.part(2, field)?;
        let before = part;
        let found = [part.u16(field)?, part.u16(field)?];
        if found != expected {
            return Err(before.fault(field, Fault::Shape { expected, found }));
        }
        let entries = expected.iter().product::<usize>();
        if part.len() != entries.saturating_mul(size) {
            let expected = entries.saturating_mul(size);
            return Err(part.fault(field, Fault::Length { expected, found: part.len() }));
        }
        Ok(part)
    }

    /// A part that is a matrix of scalars.
    pub(super) fn scalars<const R: usize, const C: usize>(
        &mut self,
        field: &'static str,
    ) -> Result<Matrix<R, C>, AbeError> {
        let mut part = self.matrix([R, C], SCALAR, field)?;
        let mut matrix = Matrix([[Fr::ZERO; C]; R]);
        for entry in matrix.0.iter_mut().flatten() {
            *entry = part.scalar(field)?;
        }
        Ok(matrix)
    }

    /// A part that is a matrix of points of the subgroup, without compression.
    pub(super) fn points<G: Curve, const R: usize, const C: usize>(
        &mut self,
        field: &'static str,
    ) -> Result<[[Affine<G>; C]; R], AbeError> {
        let size = ZcashUncompressed::len::<G>();
        let mut part = self.matrix([R, C], size, field)?;
        let mut points = [[Affine::INFINITY; C]; R];
        for point in points.iter_mut().flatten() {
            let before = part;
            *point = ZcashUncompressed::read(part.take(size, field)?).map_err(|e| before.fault(field, e))?;
        }
        Ok(points)
    }

    /// A part that is a column of points.
    pub(super) fn column<G: Curve, const R: usize>(
        &mut self,
        field: &'static str,
    ) -> Result<[Affine<G>; R], AbeError> {
        let points: [[Affine<G>; 1]; R] = self.points(field)?;
        Ok(points.map(|[point]| point))
    }

    /// A part that is a column of elements of the target group.
    pub(super) fn targets<const R: usize>(&mut self, field: &'static str) -> Result<[Fq12; R], AbeError> {
        let mut part = self.matrix([R, 1], TARGET, field)?;
        let mut elements = [Fq12::ONE; R];
        for element in &mut elements {
            let before = part;
            let read: Option<Fq12> = gt_from_bytes_be(part.take(TARGET, field)?).ok();
            // The group has prime order, and its elements are all roots of one of that order.
            *element = read
                .filter(|f| f.pow_vartime(Fr::MODULUS.as_ref()) == Fq12::ONE)
                .ok_or_else(|| before.fault(field, Fault::Target))?;
        }
        Ok(elements)
    }
}

/// Bytes of an encoded element of the target group.
const TARGET: usize = 12 * 48;

/// An unsigned integer of at most four bytes.
fn little_endian(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | usize::from(*byte))
}

/// Appends the low bytes of a length or a count.
pub(super) fn put_length(out: &mut Vec<u8>, length: usize, width: usize) {
    out.extend(length.to_le_bytes().into_iter().chain(core::iter::repeat(0)).take(width));
}

/// Appends a part behind its length of two bytes.
pub(super) fn put_part(out: &mut Vec<u8>, part: &[u8]) {
    put_length(out, part.len(), 2);
    out.extend_from_slice(part);
}

/// Appends the length and the shape of a matrix whose entries take `size` bytes each.
fn put_shape([rows, columns]: [usize; 2], size: usize, out: &mut Vec<u8>) {
    for length in [rows.saturating_mul(columns).saturating_mul(size).saturating_add(4), rows, columns] {
        put_length(out, length, 2);
    }
}

/// Appends a scalar, big-endian.
pub(super) fn put_scalar(out: &mut Vec<u8>, scalar: &Fr) {
    let end = out.len();
    out.resize(end.saturating_add(SCALAR), 0);
    scalar.write_be(out.get_mut(end..).unwrap_or_default());
}

/// Appends a part that is a matrix of scalars.
pub(super) fn put_scalars<const R: usize, const C: usize>(out: &mut Vec<u8>, matrix: &Matrix<R, C>) {
    put_shape([R, C], SCALAR, out);
    matrix.0.iter().flatten().for_each(|scalar| put_scalar(out, scalar));
}

/// Appends a part that is a matrix of points, without compression.
pub(super) fn put_points<G: Curve, const R: usize, const C: usize>(
    out: &mut Vec<u8>,
    points: &[[Affine<G>; C]; R],
) {
    let size = ZcashUncompressed::len::<G>();
    put_shape([R, C], size, out);
    for point in points.iter().flatten() {
        let end = out.len();
        out.resize(end.saturating_add(size), 0);
        ZcashUncompressed::write(point, out.get_mut(end..).unwrap_or_default());
    }
}

/// Appends a part that is a column of points.
pub(super) fn put_column<G: Curve, const R: usize>(out: &mut Vec<u8>, points: &[Affine<G>; R]) {
    put_points(out, &points.map(|point| [point]));
}

/// Appends a part that is a column of elements of the target group.
pub(super) fn put_targets<const R: usize>(out: &mut Vec<u8>, elements: &[Fq12; R]) {
    put_shape([R, 1], TARGET, out);
    elements.iter().for_each(|element| out.extend(gt_to_bytes_be(element)));
}
