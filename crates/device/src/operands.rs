//! Operands of operators other than buffers: directions of transforms, sparse matrices, fixed arguments of pairings.

use crate::DeviceError;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;
use pairwright_curve::{G1Affine, G2Affine, Pairing};
use pairwright_field::PrimeField;
use pairwright_poly::{Copies, SourceError};

/// The direction of a number-theoretic transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From coefficients to values.
    Forward,
    /// From values to coefficients.
    Inverse,
}

/// The number of sparse matrices and the number of rows of each. The number of columns is the length of the vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SparseShape {
    /// Number of matrices of this shape.
    pub matrices: usize,
    /// Number of rows of each matrix.
    pub rows: usize,
}

/// One non-zero entry of one of several sparse matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<F> {
    /// Index of the matrix that the entry belongs to.
    pub matrix: u32,
    /// Row of the entry, from zero.
    pub row: u32,
    /// Column of the entry, from zero.
    pub column: u32,
    /// Value of the entry.
    pub value: F,
}

impl SparseShape {
    /// Checks that an entry lies inside one of the matrices, which have `columns` columns; `index` names the entry in the error.
    ///
    /// # Errors
    /// [`DeviceError::EntryOutOfRange`].
    pub fn check<F>(self, index: usize, entry: &Entry<F>, columns: usize) -> Result<(), DeviceError> {
        let &Entry { matrix, row, column, .. } = entry;
        let inside = (matrix as usize) < self.matrices && (row as usize) < self.rows;
        if inside && (column as usize) < columns {
            return Ok(());
        }
        Err(DeviceError::EntryOutOfRange { index, row, column, rows: self.rows, columns })
    }
}

/// A sequence of sparse entries, in memory or decoded on demand, in any order. Entries at the same position are added.
pub trait EntrySource<F>: Send + Sync {
    /// Number of entries.
    fn len(&self) -> usize;
    /// Whether there are no entries.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Calls `each` on the entries of `range` in order.
    ///
    /// # Errors
    /// When the stored bytes are not a valid entry.
    fn read(&self, range: Range<usize>, each: &mut dyn FnMut(Entry<F>)) -> Result<(), SourceError>;
    /// As [`Self::read`], but the values still have to be multiplied by [`Self::factor`]. A sum of many products is multiplied once.
    ///
    /// # Errors
    /// As [`Self::read`].
    fn read_stored(&self, range: Range<usize>, each: &mut dyn FnMut(Entry<F>)) -> Result<(), SourceError> {
        self.read(range, each)
    }
    /// The factor of the values that [`Self::read_stored`] gives; `None` for one.
    fn factor(&self) -> Option<F> {
        None
    }
    /// The copies of the entries that machines keep from one product to the next; `None` for entries that are used once.
    fn copies(&self) -> Option<&Copies> {
        None
    }
}

impl<F: PrimeField> EntrySource<F> for Vec<Entry<F>> {
    fn len(&self) -> usize {
        Vec::len(self)
    }
    fn read(&self, range: Range<usize>, each: &mut dyn FnMut(Entry<F>)) -> Result<(), SourceError> {
        self[range].iter().for_each(|e| each(*e));
        Ok(())
    }
}

/// The sparse entries of a proving key. Machines keep copies of them between proofs.
pub struct KeyEntries<F> {
    source: Box<dyn EntrySource<F>>,
    copies: Copies,
}

impl<F> KeyEntries<F> {
    /// Entries that no machine has a copy of.
    pub fn new(source: impl EntrySource<F> + 'static) -> Self {
        Self { source: Box::new(source), copies: Copies::default() }
    }
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.source.len()
    }
    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.source.is_empty()
    }
    /// Calls `each` on the entries of `range` in order.
    ///
    /// # Errors
    /// When the stored bytes are not a valid entry.
    pub fn read(&self, range: Range<usize>, each: &mut dyn FnMut(Entry<F>)) -> Result<(), SourceError> {
        self.source.read(range, each)
    }
}

impl<F> EntrySource<F> for KeyEntries<F> {
    fn len(&self) -> usize {
        self.len()
    }
    fn read(&self, range: Range<usize>, each: &mut dyn FnMut(Entry<F>)) -> Result<(), SourceError> {
        self.read(range, each)
    }
    fn read_stored(&self, range: Range<usize>, each: &mut dyn FnMut(Entry<F>)) -> Result<(), SourceError> {
        self.source.read_stored(range, each)
    }
    fn factor(&self) -> Option<F> {
        self.source.factor()
    }
    fn copies(&self) -> Option<&Copies> {
        Some(&self.copies)
    }
}

/// A fixed second argument of many pairings: the point and its line coefficients, which the host computes. A machine uses
/// whichever of the two suits it.
#[derive(Clone, Debug)]
pub struct FixedG2<E: Pairing> {
    point: G2Affine<E>,
    lines: E::G2Prepared,
}

impl<E: Pairing> FixedG2<E> {
    /// Computes the line coefficients of a point, which has to be infinity or in the prime-order subgroup.
    pub fn new(point: G2Affine<E>) -> Self {
        Self { point, lines: E::prepare_fixed_g2(&point) }
    }
    /// The point whose coefficients these are.
    pub fn point(&self) -> &G2Affine<E> {
        &self.point
    }
    /// The host's line coefficients of the point.
    pub fn lines(&self) -> &E::G2Prepared {
        &self.lines
    }
    /// Both kinds of pairs as pairs of points, for machines that do not use the line coefficients of the host.
    pub fn to_point_pairs(
        pairs: &[(G1Affine<E>, G2Affine<E>)],
        fixed: &[(G1Affine<E>, &Self)],
    ) -> Vec<(G1Affine<E>, G2Affine<E>)> {
        pairs.iter().copied().chain(fixed.iter().map(|(p, q)| (*p, q.point))).collect()
    }
}
