//! Sparse matrices times a vector, from a source that decodes its entries on demand.

use crate::{NAME, bytes_of};
use pairwright_device::{
    DeviceError, Done, EntrySource, OpCount, SparseOp, SparseShape, Traffic, parallel, timed,
};
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, SourceError, View};

/// The sparse products of the host device.
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

/// Entries of one task.
const CHUNK: usize = 1 << 13;

/// A run of consecutive entries of one row, already summed.
struct RowSum<F> {
    matrix: u32,
    row: u32,
    sum: F,
}

/// What one task found: its row sums, and the first entry that lies outside.
struct Part<F> {
    sums: Vec<RowSum<F>>,
    bad: Option<DeviceError>,
}

/// The products of all matrices with `x`.
///
/// Waves of tasks read and multiply; their row sums are then added up in order, so that the order of entries does
/// not matter. Temporary memory: a wave's row sums, at most `4·threads·CHUNK` of them.
///
/// # Errors
/// The source's if it cannot be read, otherwise the first entry that lies outside of its matrix.
fn multiply<F: PrimeField>(
    shape: SparseShape,
    entries: &dyn EntrySource<F>,
    x: &[F],
) -> Result<Vec<Buf<F>>, DeviceError> {
    let mut out = vec![vec![F::ZERO; shape.rows]; shape.matrices];
    let n = entries.len();
    let wave = 4 * CHUNK * rayon::current_num_threads();
    let mut bad = None;
    for start in (0..n).step_by(wave) {
        let end = n.min(start + wave);
        let parts: Vec<Result<Part<F>, SourceError>> = parallel::map((start..end).step_by(CHUNK), |_, at| {
            part(shape, entries, x, at, end.min(at + CHUNK))
        });
        for part in parts {
            let part = part?;
            bad = bad.or(part.bad);
            for run in part.sums {
                out[run.matrix as usize][run.row as usize] += run.sum;
            }
        }
    }
    match bad {
        None => Ok(out.into_iter().map(Buf::from).collect()),
        Some(error) => Err(error),
    }
}

/// The entries `start..end`.
fn part<F: PrimeField>(
    shape: SparseShape,
    entries: &dyn EntrySource<F>,
    x: &[F],
    start: usize,
    end: usize,
) -> Result<Part<F>, SourceError> {
    let mut sums: Vec<RowSum<F>> = Vec::new();
    let mut bad = None;
    let mut index = start;
    entries.read(start..end, &mut |e| {
        let inside = (e.matrix as usize) < shape.matrices && (e.row as usize) < shape.rows;
        match x.get(e.column as usize) {
            Some(v) if inside => {
                let product = e.value * *v;
                match sums.last_mut() {
                    Some(run) if run.matrix == e.matrix && run.row == e.row => run.sum += product,
                    _ => sums.push(RowSum { matrix: e.matrix, row: e.row, sum: product }),
                }
            }
            _ if bad.is_none() => {
                bad = Some(DeviceError::EntryOutOfRange {
                    index,
                    row: e.row,
                    column: e.column,
                    rows: shape.rows,
                    columns: x.len(),
                });
            }
            _ => {}
        }
        index += 1;
    })?;
    Ok(Part { sums, bad })
}
