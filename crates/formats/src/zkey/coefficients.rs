//! Section 4: the entries of the constraint matrices A and B.
//!
//! A value `v` is stored as the integer `v·R² mod r` with `R = 2^(8·bytes)`. Interpreted as a Montgomery form, this integer is
//! the element `v·R`, whose canonical value is the Montgomery form of `v`.

use crate::container::{Section, narrow, widen};
use crate::{FilePlace, FormatError};
use core::marker::PhantomData;
use core::ops::Range;
use pairwright_device::{Entry, EntrySource};
use pairwright_field::PrimeField;
use pairwright_poly::SourceError;

/// Length in bytes of the matrix, row and wire numbers before the value.
const POSITION: usize = 12;
/// Length in bytes of the number of entries, which stands before the entries.
const COUNT: usize = 4;

/// Length of an entry in bytes.
pub(crate) const fn entry_bytes<F: PrimeField>() -> usize {
    POSITION.saturating_add(F::BYTES)
}

/// The entries of a `.zkey` file, decoded on demand. Decoding checks that matrix, row and wire exist.
#[derive(Clone, Debug)]
pub struct CoefficientSource<F> {
    section: Section,
    len: usize,
    bounds: EntryBounds,
    field: PhantomData<F>,
}

impl<F: PrimeField> CoefficientSource<F> {
    pub(crate) fn new(section: Section, rows: usize, wires: usize) -> Result<Self, FormatError> {
        let count = u64::from(section.cursor().u32("the number of coefficients")?);
        let body = count.checked_mul(widen(entry_bytes::<F>()));
        section.expect_size(body.and_then(|n| n.checked_add(widen(COUNT))))?;
        Ok(Self { section, len: narrow(count), bounds: EntryBounds { rows, wires }, field: PhantomData })
    }

    /// Decodes a range of entries.
    pub(crate) fn decode(
        &self,
        range: Range<usize>,
        each: &mut dyn FnMut(Entry<F>),
    ) -> Result<(), FormatError> {
        self.decode_by(range, EntryBounds::decode, each)
    }

    /// Decodes a range of entries, each by a function.
    fn decode_by(
        &self,
        range: Range<usize>,
        decode: impl Fn(&EntryBounds, &[u8]) -> Result<Entry<F>, Wrong>,
        each: &mut dyn FnMut(Entry<F>),
    ) -> Result<(), FormatError> {
        self.section.for_each((COUNT, entry_bytes::<F>(), self.len), range, |i, bytes| {
            let place = || self.section.place(i.saturating_mul(entry_bytes::<F>()).saturating_add(COUNT));
            each(decode(&self.bounds, bytes).map_err(|wrong| self.bounds.error::<F>(place(), i, wrong))?);
            Ok(())
        })
    }

    pub(crate) fn section(&self) -> &Section {
        &self.section
    }
}

/// The numbers of rows and wires that exist in a key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryBounds {
    pub(crate) rows: usize,
    pub(crate) wires: usize,
}

impl EntryBounds {
    /// Decodes an entry.
    #[inline]
    pub(crate) fn decode<F: PrimeField>(&self, bytes: &[u8]) -> Result<Entry<F>, Wrong> {
        let entry = self.decode_stored::<F>(bytes)?;
        let value = F::from_montgomery(entry.value.to_limbs()).ok_or(Wrong::Value)?;
        Ok(Entry { value, ..entry })
    }

    /// Decodes an entry, but leaves its value multiplied by R.
    #[inline]
    fn decode_stored<F: PrimeField>(&self, bytes: &[u8]) -> Result<Entry<F>, Wrong> {
        let (position, value) = bytes.split_first_chunk::<POSITION>().ok_or(Wrong::Value)?;
        let [matrix, row, column] = words(position);
        if matrix > 1 {
            return Err(Wrong::Matrix(matrix));
        }
        if narrow(row.into()) >= self.rows {
            return Err(Wrong::Row(row));
        }
        if narrow(column.into()) >= self.wires {
            return Err(Wrong::Wire(column));
        }
        let value = F::read_montgomery_le(value).map_err(|_| Wrong::Value)?;
        Ok(Entry { matrix, row, column, value })
    }

    /// The error for the faulty entry of index `i` at the given position.
    #[cold]
    pub(crate) fn error<F: PrimeField>(&self, at: FilePlace, i: usize, wrong: Wrong) -> FormatError {
        let index = widen(i);
        match wrong {
            Wrong::Matrix(matrix) => FormatError::NoSuchMatrix { at, index, matrix },
            Wrong::Row(row) => FormatError::NoSuchRow { at, index, row, rows: widen(self.rows) },
            Wrong::Wire(wire) => FormatError::NoSuchWire { at, index, wire, wires: widen(self.wires) },
            Wrong::Value => FormatError::NotReduced { at, index, field: F::NAME },
        }
    }
}

/// The faulty part of an entry.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wrong {
    Matrix(u32),
    Row(u32),
    Wire(u32),
    Value,
}

/// Decodes three little-endian words.
fn words(bytes: &[u8; POSITION]) -> [u32; 3] {
    let mut out = [0; 3];
    for (word, bytes) in out.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    out
}

impl<F: PrimeField> EntrySource<F> for CoefficientSource<F> {
    fn len(&self) -> usize {
        self.len
    }
    fn read(&self, range: Range<usize>, each: &mut dyn FnMut(Entry<F>)) -> Result<(), SourceError> {
        self.decode(range, each).map_err(FormatError::boxed)
    }
    fn read_stored(&self, range: Range<usize>, each: &mut dyn FnMut(Entry<F>)) -> Result<(), SourceError> {
        self.decode_by(range, EntryBounds::decode_stored, each).map_err(FormatError::boxed)
    }
    /// The element whose Montgomery form is the integer one, which is `1/R`.
    fn factor(&self) -> Option<F> {
        F::from_montgomery(F::from(1).to_limbs())
    }
}
