//! Products of sparse matrices and a vector; entries are read from a source that decodes them on demand.

use crate::lanes::memory::zeros;
use crate::lanes::vectors::VectorsInLanes;
use crate::{NAME, bytes_of};
use pairwright_device::{
    DeviceError, Done, Entry, EntrySource, OpCount, SparseOp, SparseShape, Traffic, parallel, timed,
};
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, SourceError, View};
use zeroize::Zeroize;

/// The sparse matrix operators of the host device.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sparse;

impl<F: PrimeField> SparseOp<F> for Sparse {
    fn sparse_mul(
        &self,
        shape: SparseShape,
        entries: &dyn EntrySource<F>,
        x: View<'_, F>,
    ) -> Done<Vec<Buf<F>>> {
        let written = shape.matrices as u64 * bytes_of::<F>(shape.rows);
        let bytes = Traffic { read: bytes_of::<F>(x.len()), written };
        let (n, x) = (entries.len() as u64, x.host()?);
        let ops = OpCount { field_mul: n, field_add: n, point_add: 0 };
        let (out, cost) = timed(NAME, bytes, ops, || multiply(shape, entries, x));
        Ok((out?, cost))
    }
}

/// Number of entries in one task.
const CHUNK: usize = 1 << 13;
/// Number of entries whose products are computed together.
const GROUP: usize = 1 << 8;

/// The sum of a run of consecutive entries of one row.
struct RowSum<F> {
    matrix: u32,
    row: u32,
    sum: F,
}

/// The result of one task: its row sums, grouped by the share that their row belongs to, and the error of the first entry outside
/// of its matrix.
struct RowShare<F> {
    sums: Vec<Vec<RowSum<F>>>,
    bad: Option<DeviceError>,
}

/// The division of the rows of every matrix into shares of consecutive rows.
#[derive(Clone, Copy)]
struct Shares {
    count: usize,
    rows: usize,
}

impl Shares {
    /// One share per thread.
    fn of(rows: usize) -> Self {
        let rows = rows.div_ceil(rayon::current_num_threads()).max(1);
        Self { count: rayon::current_num_threads(), rows }
    }
}

/// The products of all matrices with `x`.
///
/// Waves of tasks read entries and multiply. Their row sums are then added in order, each share of the rows by a task of its own,
/// so entries may be in any order. Temporary memory holds the row sums of a wave, at most `4·threads·CHUNK` of them.
///
/// # Errors
/// The error of the source if it cannot be read, otherwise that of the first entry that lies outside of its matrix.
fn multiply<F: PrimeField>(
    shape: SparseShape,
    entries: &dyn EntrySource<F>,
    x: &[F],
) -> Result<Vec<Buf<F>>, DeviceError> {
    let shares = Shares::of(shape.rows);
    let mut out: Vec<Vec<F>> = (0..shape.matrices).map(|_| zeros(shape.rows)).collect();
    let n = entries.len();
    let wave = 4 * CHUNK * rayon::current_num_threads();
    let mut bad = None;
    for start in (0..n).step_by(wave) {
        let end = n.min(start + wave);
        let mut parts = parallel::try_map((start..end).step_by(CHUNK), |_, at| {
            part(shape, shares, entries, x, at, end.min(at + CHUNK))
        })?;
        bad = bad.or(parts.iter_mut().find_map(|part| part.bad.take()));
        let mut of_share: Vec<Vec<&mut [F]>> = (0..shares.count).map(|_| Vec::new()).collect();
        for matrix in &mut out {
            let rows = matrix.chunks_mut(shares.rows);
            of_share.iter_mut().zip(rows).for_each(|(share, rows)| share.push(rows));
        }
        parallel::for_each(of_share, |share, mut rows| {
            for run in parts.iter().flat_map(|part| &part.sums[share]) {
                rows[run.matrix as usize][run.row as usize - share * shares.rows] += run.sum;
            }
        });
    }
    if let Some(error) = bad {
        return Err(error);
    }
    if let Some(factor) = entries.factor() {
        let lanes = VectorsInLanes::<F>::new();
        parallel::for_each(out.iter_mut().flat_map(|matrix| matrix.chunks_mut(CHUNK)), |_, rows| {
            let done = lanes.map_or(0, |lanes| lanes.scale(rows, factor));
            rows[done..].iter_mut().for_each(|row| *row *= factor);
        });
    }
    Ok(out.into_iter().map(Buf::from).collect())
}

/// Products of entries and elements of the vector that are still to be computed, up to [`GROUP`] of them, and the sums of the ones
/// before. The copies of elements, which may be a witness, are wiped when it is dropped.
struct Products<F: PrimeField> {
    shares: Shares,
    /// Matrix and row of each entry.
    places: Vec<(u32, u32)>,
    values: Vec<F>,
    elements: Vec<F>,
    lanes: Option<VectorsInLanes<F>>,
    /// The sums by the share that their row belongs to.
    sums: Vec<Vec<RowSum<F>>>,
}

impl<F: PrimeField> Products<F> {
    fn new(shares: Shares) -> Self {
        Self {
            shares,
            places: Vec::with_capacity(GROUP),
            values: Vec::with_capacity(GROUP),
            elements: Vec::with_capacity(GROUP),
            lanes: VectorsInLanes::new(),
            sums: (0..shares.count).map(|_| Vec::new()).collect(),
        }
    }

    /// Adds the product of an entry and its element of the vector.
    fn add(&mut self, entry: &Entry<F>, element: F) {
        self.places.push((entry.matrix, entry.row));
        self.values.push(entry.value);
        self.elements.push(element);
        if self.places.len() == GROUP {
            self.compute();
        }
    }

    fn compute(&mut self) {
        let Self { values, elements, .. } = self;
        let done = self.lanes.map_or(0, |lanes| lanes.multiply(values, elements));
        values[done..].iter_mut().zip(&elements[done..]).for_each(|(value, element)| *value *= *element);
        // Entries of one row mostly follow each other.
        let mut products = self.places.drain(..).zip(values.drain(..)).peekable();
        while let Some((place, mut sum)) = products.next() {
            while let Some((_, product)) = products.next_if(|(next, _)| *next == place) {
                sum += product;
            }
            let (matrix, row) = place;
            self.sums[row as usize / self.shares.rows].push(RowSum { matrix, row, sum });
        }
        elements.clear();
    }
}

impl<F: PrimeField> Drop for Products<F> {
    fn drop(&mut self) {
        self.elements.zeroize();
    }
}

/// The row sums of the entries `start..end`.
fn part<F: PrimeField>(
    shape: SparseShape,
    shares: Shares,
    entries: &dyn EntrySource<F>,
    x: &[F],
    start: usize,
    end: usize,
) -> Result<RowShare<F>, SourceError> {
    let mut products = Products::new(shares);
    let mut bad = None;
    let mut index = start;
    entries.read_stored(start..end, &mut |e| {
        match shape.check(index, &e, x.len()) {
            Ok(()) => products.add(&e, x[e.column as usize]),
            Err(error) => bad = bad.take().or(Some(error)),
        }
        index += 1;
    })?;
    products.compute();
    Ok(RowShare { sums: core::mem::take(&mut products.sums), bad })
}
