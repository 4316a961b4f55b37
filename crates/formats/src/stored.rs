//! Decoders for section bytes that the caller has read: points and matrix entries of a `.zkey`, values of a `.wtns`. They are
//! for programs that read ranges of a file without mapping it.

use crate::container::widen;
use crate::points::{decode, point_bytes, push_point};
use crate::zkey::{EntryBounds, entry_bytes};
use crate::{FilePlace, FormatError, Spot};
use alloc::vec::Vec;
use pairwright_curve::{Affine, Curve};
use pairwright_device::Entry;
use pairwright_field::{Extension, PrimeField};
use std::path::Path;

/// Length in bytes of a point in `.zkey` files: two coordinates in Montgomery form.
pub const fn stored_point_bytes<C: Curve>() -> usize {
    point_bytes::<C>()
}

/// Length in bytes of an entry of the constraint matrices in `.zkey` files: matrix, row, wire and value.
pub const fn stored_entry_bytes<F: PrimeField>() -> usize {
    entry_bytes::<F>()
}

/// The origin of the bytes, for error messages.
#[derive(Clone, Copy, Debug)]
pub struct ReadAt<'a> {
    /// The file that the bytes come from.
    pub file: &'a Path,
    /// Offset of the first byte in the file.
    pub offset: u64,
}

impl ReadAt<'_> {
    fn place(&self, bytes: usize) -> FilePlace {
        FilePlace { file: self.file.into(), spot: Spot::Offset(self.offset.saturating_add(widen(bytes))) }
    }
}

/// Decodes the points of a part of a section and appends them. Coordinates are checked to be below the modulus; whether a point
/// is on the curve is not checked. Bytes after the last whole point are ignored.
///
/// # Errors
/// [`FormatError::NotReduced`] names the first coordinate that is not below the modulus.
pub fn decode_points<C: Curve>(
    bytes: &[u8],
    at: ReadAt<'_>,
    out: &mut Vec<Affine<C>>,
) -> Result<(), FormatError> {
    let size = point_bytes::<C>();
    for (i, bytes) in bytes.chunks_exact(size.max(1)).enumerate() {
        let point = decode(bytes).ok_or_else(|| FormatError::NotReduced {
            at: at.place(i.saturating_mul(size)),
            index: widen(i),
            field: <<C::Base as Extension>::Prime as PrimeField>::NAME,
        })?;
        out.push(point);
    }
    Ok(())
}

/// Appends a point in the encoding of `.zkey` files.
pub fn encode_point<C: Curve>(point: &Affine<C>, out: &mut Vec<u8>) {
    push_point(out, point);
}

/// Calls `each` for every entry of a part of a section. Rows and wires have to be below the given bounds.
///
/// # Errors
/// When the matrix, row or wire of an entry does not exist, or its value is not below the modulus.
pub fn decode_entries<F: PrimeField>(
    bytes: &[u8],
    at: ReadAt<'_>,
    (rows, wires): (usize, usize),
    each: &mut dyn FnMut(Entry<F>) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    let (bounds, size) = (EntryBounds { rows, wires }, entry_bytes::<F>());
    for (i, bytes) in bytes.chunks_exact(size.max(1)).enumerate() {
        let place = || at.place(i.saturating_mul(size));
        each(bounds.decode(bytes).map_err(|wrong| bounds.error::<F>(place(), i, wrong))?)?;
    }
    Ok(())
}

/// Decodes one value of a witness.
///
/// # Errors
/// [`FormatError::NotReduced`] unless the value is below the modulus.
pub fn decode_value<F: PrimeField>(bytes: &[u8], at: ReadAt<'_>, index: usize) -> Result<F, FormatError> {
    F::read_le(bytes).map_err(|_| FormatError::NotReduced {
        at: at.place(0),
        index: widen(index),
        field: F::NAME,
    })
}
