//! Reads and writes the parts of an encoding. Every length is compared with the number of remaining bytes before it is used for
//! allocation.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::algebra::{Matrix, SCALAR};
use super::{AbeError, EncodingFault};
use alloc::vec::Vec;
use pairwright_curve::bls12_381::{Fq12, Fr};
use pairwright_curve::encoding::{PointEncoding, ZcashUncompressed, gt_from_bytes_be, gt_to_bytes_be};
use pairwright_curve::{Affine, Curve};
use pairwright_field::{Field, PrimeField};

/// A reader of a part of an encoding, from its first byte on. It is `Copy`, so that a copy can report an error at an earlier position.
#[derive(Clone, Copy)]
pub(super) struct AbeReader<'b> {
    /// Name of the whole encoding, for errors.
    what: &'static str,
    /// Offset of the next byte in the whole encoding.
    at: usize,
    left: &'b [u8],
}

impl<'b> AbeReader<'b> {
    /// A reader of a whole encoding; `what` is its name in errors.
    pub(super) fn new(what: &'static str, bytes: &'b [u8]) -> Self {
        Self { what, at: 0, left: bytes }
    }

    /// Number of unread bytes of the part.
    pub(super) fn len(&self) -> usize {
        self.left.len()
    }

    /// The unread bytes of the part.
    pub(super) fn rest(self) -> &'b [u8] {
        self.left
    }

    /// The error of a fault at the offset of the next byte.
    pub(super) fn fault(&self, field: &'static str, fault: impl Into<EncodingFault>) -> AbeError {
        AbeError::Bytes { what: self.what, field, offset: self.at, fault: fault.into() }
    }

    /// Takes the next `needed` bytes.
    pub(super) fn take(&mut self, needed: usize, field: &'static str) -> Result<&'b [u8], AbeError> {
        let Some((taken, left)) = self.left.split_at_checked(needed) else {
            return Err(self.fault(field, EncodingFault::Short { needed, left: self.left.len() }));
        };
        self.left = left;
        self.at = self.at.saturating_add(needed);
        Ok(taken)
    }

    /// Reads the next byte.
    pub(super) fn byte(&mut self, field: &'static str) -> Result<u8, AbeError> {
        Ok(self.take(1, field)?.first().copied().unwrap_or_default())
    }

    /// Reads a flag: a byte 0 or 1.
    pub(super) fn flag(&mut self, field: &'static str) -> Result<bool, AbeError> {
        let before = *self;
        match self.byte(field)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(before.fault(field, EncodingFault::Flag(other))),
        }
    }

    /// Reads a little-endian integer of two bytes.
    pub(super) fn u16(&mut self, field: &'static str) -> Result<usize, AbeError> {
        Ok(little_endian(self.take(2, field)?))
    }

    /// Reads the length of a part, which takes `width` bytes, and returns a reader of the part.
    pub(super) fn part(&mut self, width: usize, field: &'static str) -> Result<Self, AbeError> {
        let length = little_endian(self.take(width, field)?);
        let at = self.at;
        Ok(Self { what: self.what, at, left: self.take(length, field)? })
    }

    /// Reads a part of `N` bytes, preceded by its length of two bytes.
    pub(super) fn exactly<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], AbeError> {
        let part = self.part(2, field)?;
        let wrong = part.fault(field, EncodingFault::Length { expected: N, found: part.len() });
        part.rest().try_into().map_err(|_| wrong)
    }

    /// Reads a name: a part that is valid UTF-8 and not empty.
    pub(super) fn name(&mut self, field: &'static str) -> Result<&'b str, AbeError> {
        let part = self.part(2, field)?;
        let wrong = part.fault(field, EncodingFault::Name);
        core::str::from_utf8(part.rest()).ok().filter(|name| !name.is_empty()).ok_or(wrong)
    }

    /// Fails if there are unread bytes.
    pub(super) fn end(&self, field: &'static str) -> Result<(), AbeError> {
        match self.left.len() {
            0 => Ok(()),
            left => Err(self.fault(field, EncodingFault::Trailing { left })),
        }
    }

    /// Reads a scalar, big-endian.
    pub(super) fn scalar(&mut self, field: &'static str) -> Result<Fr, AbeError> {
        let before = *self;
        Fr::read_be(self.take(SCALAR, field)?).map_err(|_| before.fault(field, EncodingFault::Scalar))
    }

    /// Reads the length and the shape of a matrix, whose entries take `size` bytes each, checks both, and returns a reader of the
    /// entries.
    fn matrix(&mut self, expected: [usize; 2], size: usize, field: &'static str) -> Result<Self, AbeError> {
        let mut part = self.part(2, field)?;
        let before = part;
        let found = [part.u16(field)?, part.u16(field)?];
        if found != expected {
            return Err(before.fault(field, EncodingFault::Shape { expected, found }));
        }
        let entries = expected.iter().product::<usize>();
        if part.len() != entries.saturating_mul(size) {
            let expected = entries.saturating_mul(size);
            return Err(part.fault(field, EncodingFault::Length { expected, found: part.len() }));
        }
        Ok(part)
    }

    /// Reads a matrix of scalars.
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

    /// Reads a matrix of points of the subgroup, uncompressed.
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

    /// Reads a column of points of the subgroup, uncompressed.
    pub(super) fn column<G: Curve, const R: usize>(
        &mut self,
        field: &'static str,
    ) -> Result<[Affine<G>; R], AbeError> {
        let points: [[Affine<G>; 1]; R] = self.points(field)?;
        Ok(points.map(|[point]| point))
    }

    /// Reads a column of elements of the target group.
    pub(super) fn targets<const R: usize>(&mut self, field: &'static str) -> Result<[Fq12; R], AbeError> {
        let mut part = self.matrix([R, 1], TARGET, field)?;
        let mut elements = [Fq12::ONE; R];
        for element in &mut elements {
            let before = part;
            let read: Option<Fq12> = gt_from_bytes_be(part.take(TARGET, field)?).ok();
            // The target group has prime order r, and consists of all elements of the field whose r-th power is one.
            *element = read
                .filter(|f| f.pow_vartime(Fr::MODULUS.as_ref()) == Fq12::ONE)
                .ok_or_else(|| before.fault(field, EncodingFault::Target))?;
        }
        Ok(elements)
    }
}

/// Number of bytes of an encoded element of the target group.
const TARGET: usize = 12 * 48;

/// The value of at most four bytes as a little-endian unsigned integer.
fn little_endian(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | usize::from(*byte))
}

/// Appends a length or a count as `width` bytes, little-endian.
pub(super) fn put_length(out: &mut Vec<u8>, length: usize, width: usize) {
    out.extend(length.to_le_bytes().into_iter().chain(core::iter::repeat(0)).take(width));
}

/// Appends a part, preceded by its length of two bytes.
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

/// Appends a matrix of scalars, preceded by its length and shape.
pub(super) fn put_scalars<const R: usize, const C: usize>(out: &mut Vec<u8>, matrix: &Matrix<R, C>) {
    put_shape([R, C], SCALAR, out);
    matrix.0.iter().flatten().for_each(|scalar| put_scalar(out, scalar));
}

/// Appends a matrix of uncompressed points, preceded by its length and shape.
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

/// Appends a column of uncompressed points, preceded by its length and shape.
pub(super) fn put_column<G: Curve, const R: usize>(out: &mut Vec<u8>, points: &[Affine<G>; R]) {
    put_points(out, &points.map(|point| [point]));
}

/// Appends a column of elements of the target group, preceded by its length and shape.
pub(super) fn put_targets<const R: usize>(out: &mut Vec<u8>, elements: &[Fq12; R]) {
    put_shape([R, 1], TARGET, out);
    elements.iter().for_each(|element| out.extend(gt_to_bytes_be(element)));
}
