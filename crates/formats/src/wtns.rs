//! circom's `.wtns` file: header (section 1) and values (section 2).

use crate::container::{Container, ContainerWriter, Format, Section, count_u32, narrow, widen};
use crate::r1cs::push_le;
use crate::{FileBytes, FormatError};
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::Range;
use pairwright_device::parallel;
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, Pages, Piece};
use std::io::Write;
use std::path::Path;

pub(crate) const FORMAT: Format =
    Format { magic: "wtns", version: 2, sections: &[(1, "header"), (2, "values")] };

/// Number of values that one task decodes.
const CHUNK: usize = 1 << 12;

/// A `.wtns` file: one value for each wire, beginning with the constant one.
#[derive(Debug)]
pub struct WtnsFile<F> {
    len: usize,
    values: Section,
    field: PhantomData<F>,
}

impl<F: PrimeField> WtnsFile<F> {
    /// Maps a file and reads its header.
    ///
    /// # Errors
    /// When the container, the prime or the number of values is wrong, or the first value is not one. The other values are not
    /// read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        Self::read(FileBytes::open(path)?)
    }

    /// Reads the header of bytes.
    ///
    /// # Errors
    /// As [`WtnsFile::open`].
    #[inline(never)]
    pub fn read(file: FileBytes) -> Result<Self, FormatError> {
        let container = Container::open(file, &FORMAT)?;
        let head = container.section(1)?;
        let mut cursor = head.cursor();
        cursor.modulus::<F>()?;
        let count = u64::from(cursor.u32("the number of values")?);
        head.expect_size(Some(widen(cursor.position())))?;
        let values = container.section(2)?;
        values.expect_size(count.checked_mul(widen(F::BYTES)))?;
        let out = Self { len: narrow(count), values, field: PhantomData };
        let first = out.values.cursor().take(F::BYTES, "the constant one")?;
        if out.value(0, first)? != F::ONE {
            return Err(FormatError::NotOne { at: out.values.place(0) });
        }
        Ok(out)
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no values, which is never the case for a file that could be opened.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The mapped bytes of the file.
    pub fn file(&self) -> &FileBytes {
        self.values.file()
    }

    /// The section that holds the values.
    pub fn values(&self) -> &Section {
        &self.values
    }

    /// Appends the canonical little-endian bytes of the values of a range, each of which is checked to be below the modulus.
    ///
    /// # Errors
    /// [`FormatError::NotReduced`] for the first value that is not below the modulus; [`FormatError::OutOfRange`] when the
    /// range goes beyond the values.
    pub fn read_bytes(&self, range: Range<usize>, out: &mut Vec<u8>) -> Result<(), FormatError> {
        self.values.for_each((0, F::BYTES, self.len), range, |i, bytes| {
            // The test is that of a value in Montgomery form, which needs no conversion.
            F::read_montgomery_le(bytes).map_err(|_| self.not_reduced(i))?;
            out.extend_from_slice(bytes);
            Ok(())
        })
    }

    /// Fails unless the number of values is `wires`, the number of wires that the file `other` has.
    ///
    /// # Errors
    /// [`FormatError::WitnessLength`] when the numbers differ.
    pub fn expect_wires(&self, wires: usize, other: &FileBytes) -> Result<(), FormatError> {
        if self.len == wires {
            return Ok(());
        }
        let at = self.values.place(0);
        Err(FormatError::WitnessLength { at, found: self.len, other: other.name().clone(), wires })
    }

    /// Decodes all values, in parallel.
    ///
    /// # Errors
    /// [`FormatError::NotReduced`] names the first value not below the modulus.
    #[inline(never)]
    pub fn witness(&self) -> Result<Buf<F>, FormatError> {
        // The section's size was compared with this number at opening.
        let values = Pages::of_pieces(self.len, CHUNK, |pieces| {
            let bytes = self.values.bytes().chunks(CHUNK.saturating_mul(F::BYTES));
            let decode = |i: usize, (piece, bytes): (Piece<'_, F>, &[u8])| {
                let indices = i.saturating_mul(CHUNK)..;
                let values = indices.zip(bytes.chunks_exact(F::BYTES)).map(|(i, bytes)| self.value(i, bytes));
                values.collect::<Result<Vec<F>, _>>().map(|values| piece.write(&values))
            };
            parallel::try_map(pieces.into_iter().zip(bytes), decode).map(drop)
        })?;
        Ok(Buf::from(values))
    }

    fn value(&self, index: usize, bytes: &[u8]) -> Result<F, FormatError> {
        F::read_le(bytes).map_err(|_| self.not_reduced(index))
    }

    fn not_reduced(&self, index: usize) -> FormatError {
        let at = self.values.place(index.saturating_mul(F::BYTES));
        FormatError::NotReduced { at, index: widen(index), field: F::NAME }
    }
}

/// Writes a `.wtns` file.
///
/// # Errors
/// When there are too many values or `out` fails.
#[inline(never)]
pub fn write_wtns<F: PrimeField>(out: &mut dyn Write, witness: &[F]) -> Result<(), FormatError> {
    let mut file = ContainerWriter::new(out, &FORMAT, 2)?;
    file.section(1, widen(F::BYTES).saturating_add(8))?;
    file.put_modulus::<F>()?;
    file.put_u32(count_u32("values", witness.len())?)?;
    file.section(2, widen(F::BYTES).saturating_mul(widen(witness.len())))?;
    let mut bytes = Vec::new();
    for chunk in witness.chunks(CHUNK) {
        bytes.clear();
        chunk.iter().for_each(|x| push_le(&mut bytes, x));
        file.put(&bytes)?;
    }
    file.finish()
}
