//! The parts of a Plonk or fflonk key that are read on demand: additions, wires and polynomials.

use crate::FormatError;
use crate::container::{Section, narrow, widen};
use crate::sizes::chunks;
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::Range;
use pairwright_device::parallel;
use pairwright_field::PrimeField;
use pairwright_poly::{Source, SourceError};
use pairwright_protocols::plonk::Addition;

/// Length of a wire number in bytes.
const WIRE: usize = 4;

/// Number of elements that one task decodes.
const CHUNK: usize = 1 << 14;

/// Consecutive elements of equal size in a section.
#[derive(Clone, Debug)]
struct Elements {
    section: Section,
    offset: usize,
    size: usize,
    len: usize,
}

impl Elements {
    /// Decodes the elements of a range; an error of `decode` is reported with the position of its element.
    fn decode<T>(
        &self,
        range: Range<usize>,
        out: &mut Vec<T>,
        decode: impl Fn(usize, &[u8]) -> Result<T, Wrong>,
    ) -> Result<(), FormatError> {
        out.reserve(range.len().min(self.len));
        self.section.for_each((self.offset, self.size, self.len), range, |i, bytes| {
            out.push(decode(i, bytes).map_err(|wrong| {
                let at = self.section.place(i.saturating_mul(self.size).saturating_add(self.offset));
                let index = widen(i);
                match wrong {
                    Wrong::NotReduced(field) => FormatError::NotReduced { at, index, field },
                    Wrong::Wire { wire, wires } => {
                        FormatError::NoSuchWire { at, index, wire, wires: widen(wires) }
                    }
                }
            })?);
            Ok(())
        })
    }
}

/// The fault of an element.
enum Wrong {
    NotReduced(&'static str),
    Wire { wire: u32, wires: usize },
}

fn scalar<F: PrimeField>(bytes: &[u8]) -> Result<F, Wrong> {
    F::read_montgomery_le(bytes).map_err(|_| Wrong::NotReduced(F::NAME))
}

/// Decodes a wire number, which has to be below `wires`.
fn wire(bytes: &[u8], wires: usize) -> Result<u32, Wrong> {
    let wire = bytes.first_chunk().map_or(u32::MAX, |bytes| u32::from_le_bytes(*bytes));
    if narrow(wire.into()) < wires { Ok(wire) } else { Err(Wrong::Wire { wire, wires }) }
}

/// Decodes all elements of a source on all threads, only to find errors.
pub(super) fn check_all<T: Send, S: Source<T>>(
    source: &S,
    decode: impl Fn(&S, Range<usize>, &mut Vec<T>) -> Result<(), FormatError> + Sync,
) -> Result<(), FormatError> {
    parallel::try_map(chunks(source.len(), CHUNK), |_, range| decode(source, range, &mut Vec::new()))
        .map(drop)
}

/// Section 3: the additions, each with two wires and their factors.
#[derive(Clone, Debug)]
pub(super) struct AdditionSource<F> {
    elements: Elements,
    /// Number of wires before that of the first addition.
    before: usize,
    field: PhantomData<F>,
}

impl<F: PrimeField> AdditionSource<F> {
    pub(super) fn new(section: Section, len: usize, wires: usize) -> Result<Self, FormatError> {
        let size = WIRE.saturating_add(F::BYTES).saturating_mul(2);
        section.expect_size(widen(len).checked_mul(widen(size)))?;
        let elements = Elements { section, offset: 0, size, len };
        Ok(Self { elements, before: wires.saturating_sub(len), field: PhantomData })
    }
    pub(super) fn section(&self) -> &Section {
        &self.elements.section
    }
    pub(super) fn decode(&self, range: Range<usize>, out: &mut Vec<Addition<F>>) -> Result<(), FormatError> {
        self.elements.decode(range, out, |i, bytes| {
            let (left, rest) = bytes.split_at_checked(WIRE).unwrap_or_default();
            let (right, factors) = rest.split_at_checked(WIRE).unwrap_or_default();
            let (left_factor, right_factor) = factors.split_at_checked(F::BYTES).unwrap_or_default();
            let wires = self.before.saturating_add(i);
            Ok(Addition {
                left: wire(left, wires)?,
                right: wire(right, wires)?,
                left_factor: scalar(left_factor)?,
                right_factor: scalar(right_factor)?,
            })
        })
    }
}

/// Sections 4 to 6: the wires of a column, one for each gate.
#[derive(Clone, Debug)]
pub(super) struct WireSource {
    elements: Elements,
    wires: usize,
}

impl WireSource {
    pub(super) fn new(section: Section, len: usize, wires: usize) -> Result<Self, FormatError> {
        section.expect_size(widen(len).checked_mul(widen(WIRE)))?;
        Ok(Self { elements: Elements { section, offset: 0, size: WIRE, len }, wires })
    }
    pub(super) fn section(&self) -> &Section {
        &self.elements.section
    }
    pub(super) fn decode(&self, range: Range<usize>, out: &mut Vec<u32>) -> Result<(), FormatError> {
        self.elements.decode(range, out, |_, bytes| wire(bytes, self.wires))
    }
}

/// The coefficients of a polynomial; in the file they are followed by its `4n` values.
#[derive(Clone, Debug)]
pub(super) struct ScalarSource<F> {
    elements: Elements,
    field: PhantomData<F>,
}

impl<F: PrimeField> ScalarSource<F> {
    /// The coefficients of a section that holds no values.
    pub(super) fn bare(section: Section, len: usize) -> Result<Self, FormatError> {
        section.expect_size(widen(len).checked_mul(widen(F::BYTES)))?;
        Ok(Self { elements: Elements { section, offset: 0, size: F::BYTES, len }, field: PhantomData })
    }

    /// One of `count` polynomials of a section.
    pub(super) fn one_of(
        section: Section,
        n: usize,
        index: usize,
        count: usize,
    ) -> Result<Self, FormatError> {
        let each = n.saturating_mul(5).saturating_mul(F::BYTES);
        section.expect_size(widen(each).checked_mul(widen(count)))?;
        let offset = each.saturating_mul(index);
        Ok(Self { elements: Elements { section, offset, size: F::BYTES, len: n }, field: PhantomData })
    }
    pub(super) fn section(&self) -> &Section {
        &self.elements.section
    }
    pub(super) fn decode(&self, range: Range<usize>, out: &mut Vec<F>) -> Result<(), FormatError> {
        self.elements.decode(range, out, |_, bytes| scalar(bytes))
    }
}

macro_rules! source {
    ($([$($generics:tt)*] $source:ty => $element:ty;)*) => {$(
        impl<$($generics)*> Source<$element> for $source {
            fn len(&self) -> usize {
                self.elements.len
            }
            fn read(&self, range: Range<usize>, out: &mut Vec<$element>) -> Result<(), SourceError> {
                self.decode(range, out).map_err(FormatError::boxed)
            }
        }
    )*};
}
source! {
    [F: PrimeField] AdditionSource<F> => Addition<F>;
    [] WireSource => u32;
    [F: PrimeField] ScalarSource<F> => F;
}
