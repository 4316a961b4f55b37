//! Products of sparse matrices with vectors on the device. The entries of a key stay there between proofs, with their
//! order by rows. Long rows are summed in pieces, and the sums of the pieces again in pieces, until each row has one
//! sum.

use crate::elements::{words_in, words_of};
use crate::error::GpuError;
use crate::family::{Family, FieldTuning};
use crate::launch::{Arg, Kernel, Shape};
use crate::memory::{Need, Words};
use crate::workshop::Workshop;
use pairwright_device::{
    DeviceError, Done, EntrySource, OpCount, SparseOp, SparseShape, Traffic, Transfer, once, parallel,
};
use pairwright_field::PrimeField;
use pairwright_moma::program::print::head;
use pairwright_poly::{Buf, SourceError, View};
use std::sync::{Arc, OnceLock};

/// Threads per block.
const THREADS: u32 = 128;

/// Greatest number of entries or sums that a thread adds up.
const PIECE: u32 = 32;

/// Number of entries that one task decodes.
const CHUNK: usize = 1 << 13;

/// Entries stay resident only if 1/`KEPT_FREE` of the device's memory remains for the operands of other operators.
const KEPT_FREE: u64 = 8;

/// The text of the kernels for a field.
///
/// # Errors
/// [`GpuError::Kernel`] where there are no kernels for the field.
pub fn sparse_text<F: PrimeField>(tuning: FieldTuning) -> Result<String, GpuError> {
    let family = Family::of::<F>(tuning)?;
    let head = head(family.element(), family.code(), family.dialect());
    Ok(format!("{head}\nenum {{ THREADS = {THREADS} }};\n{}", include_str!("sparse.cu")))
}

/// The sparse products of a device; the host computes empty ones and those with more entries or rows than 32-bit
/// numbers can count.
pub struct Sparse<F: PrimeField> {
    workshop: Arc<Workshop<F>>,
    host: Arc<dyn SparseOp<F>>,
    kernels: OnceLock<SparseKernels>,
}

#[derive(Debug)]
struct SparseKernels {
    products: Kernel,
    sums: Kernel,
}

/// The entries of some matrices on the device.
#[derive(Debug)]
struct Matrices {
    shape: SparseShape,
    /// Number of columns of each matrix.
    columns: usize,
    entries: usize,
    /// The values of the entries, in the order of the source.
    values: Words,
    /// The columns of the entries, in the same order.
    of_values: Words,
    /// The indices of the entries, row after row.
    order: Words,
    levels: Vec<Level>,
}

/// One level of the sums: pieces of the list of the level before.
#[derive(Debug)]
struct Level {
    pieces: u32,
    /// The start of each piece, and the end of the last one.
    starts: Words,
}

/// Entries that the host has decoded.
struct Decoded<F> {
    values: Vec<F>,
    columns: Vec<u32>,
    /// The row of each entry, with the matrices stacked one below the other.
    rows: Vec<u32>,
}

/// Whether 32-bit numbers can count the entries and rows.
fn counts_fit(shape: SparseShape, entries: usize) -> bool {
    let rows = shape.matrices.checked_mul(shape.rows);
    let fits = |n: usize| u32::try_from(n).is_ok_and(|n| n < u32::MAX / 2);
    rows.is_some_and(fits) && fits(entries)
}

/// Packs numbers of 32 bits into words of 64, with a zero after an odd number of them.
fn packed(numbers: &[u32]) -> Vec<u64> {
    let word = |pair: &[u32]| u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or(0)) << 32;
    numbers.chunks(2).map(word).collect()
}

/// Decodes all entries on all threads.
///
/// # Errors
/// The error of the source if it cannot be read, otherwise that of the first entry that lies outside of its matrix.
fn decode<F: PrimeField>(
    shape: SparseShape,
    entries: &dyn EntrySource<F>,
    columns: usize,
) -> Result<Decoded<F>, DeviceError> {
    let n = entries.len();
    let mut all = Decoded { values: vec![F::ZERO; n], columns: vec![0; n], rows: vec![0; n] };
    let pieces = all.values.chunks_mut(CHUNK).zip(all.columns.chunks_mut(CHUNK));
    let found = parallel::try_map(pieces.zip(all.rows.chunks_mut(CHUNK)), |task, ((values, of), rows)| {
        let start = task * CHUNK;
        let (mut bad, mut found) = (None, 0);
        entries.read(start..start + values.len(), &mut |entry| {
            match shape.check(start + found, &entry, columns) {
                Ok(()) if found < values.len() => {
                    values[found] = entry.value;
                    of[found] = entry.column;
                    rows[found] = (entry.matrix as usize * shape.rows) as u32 + entry.row;
                }
                Ok(()) => {}
                Err(error) => bad = bad.take().or(Some(error)),
            }
            found += 1;
        })?;
        if found != values.len() {
            return Err(SourceError("a list of entries gave another number of them than it has".into()));
        }
        Ok(bad)
    })?;
    found.into_iter().flatten().next().map_or(Ok(all), Err)
}

/// Divides the lists that end at `ends` into pieces of at most [`PIECE`] elements, at least one per list. Returns the
/// ends of all pieces, and for each list the number of pieces up to and including its last.
fn pieces(ends: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let (mut all, mut of_lists, mut from) =
        (Vec::with_capacity(ends.len()), Vec::with_capacity(ends.len()), 0);
    for &end in ends {
        while end - from > PIECE {
            from += PIECE;
            all.push(from);
        }
        all.push(end);
        of_lists.push(all.len() as u32);
        from = end;
    }
    (all, of_lists)
}

/// The indices of the entries row after row, and for each level of the sums the ends of its pieces.
fn by_rows(rows: &[u32], count: usize) -> (Vec<u32>, Vec<Vec<u32>>) {
    let mut ends = vec![0u32; count];
    rows.iter().for_each(|row| ends[*row as usize] += 1);
    let mut before = 0;
    for end in &mut ends {
        before += core::mem::replace(end, before);
    }
    // Until its entries are placed, a row's end holds its start.
    let mut order = vec![0; rows.len()];
    for (entry, row) in rows.iter().enumerate() {
        let end = &mut ends[*row as usize];
        order[*end as usize] = entry as u32;
        *end += 1;
    }
    let mut levels = Vec::new();
    loop {
        let (level, of_rows) = pieces(&ends);
        let done = level.len() == count;
        levels.push(level);
        if done {
            return (order, levels);
        }
        ends = of_rows;
    }
}

impl<F: PrimeField> Sparse<F> {
    /// The products on the device of a workshop; `host` computes what the device does not support.
    pub fn new(workshop: Arc<Workshop<F>>, host: Arc<dyn SparseOp<F>>) -> Self {
        Self { workshop, host, kernels: OnceLock::new() }
    }

    fn kernels(&self) -> Result<&SparseKernels, GpuError> {
        once(&self.kernels, || {
            let setup = self.workshop.setup();
            let tuning = setup.field_tuning(F::BITS);
            let module = setup.module("sparse", &sparse_text::<F>(tuning)?)?;
            Ok(SparseKernels {
                products: module.kernel("sparse_products")?,
                sums: module.kernel("sparse_sums")?,
            })
        })
    }

    /// The matrices on the device: those of an earlier product if the entries belong to a key, else a copy of the
    /// entries.
    fn matrices(
        &self,
        shape: SparseShape,
        entries: &dyn EntrySource<F>,
        columns: usize,
        copies: &mut Transfer,
    ) -> Result<Arc<Matrices>, DeviceError> {
        let memory = self.workshop.memory();
        let kept = entries.copies().and_then(|copies| copies.find::<Matrices>(memory));
        if let Some(kept) = kept.filter(|kept| kept.shape == shape && kept.columns == columns) {
            return Ok(kept);
        }
        let total = self.workshop.gpu().facts().memory;
        let kept_free = if entries.copies().is_some() { total / KEPT_FREE } else { 0 };
        let room = |starts: u64| {
            let need = Need::new().with_part("entries", entries.len() as u64 * (F::BYTES as u64 + 8));
            self.workshop
                .make_room(&need.with_part("rows", 4 * starts).with_part("other operators", kept_free), &[])
        };
        // Checked before decoding, and again when the number of pieces is known.
        room((shape.matrices * shape.rows) as u64)?;
        let decoded = decode(shape, entries, columns)?;
        let (order, levels) = by_rows(&decoded.rows, shape.matrices * shape.rows);
        room(levels.iter().map(|ends| ends.len() as u64 + 1).sum())?;
        let gpu = self.workshop.gpu();
        let len = decoded.values.len() * words_of::<F>();
        let level = |ends: &Vec<u32>, copies: &mut Transfer| {
            let starts: Vec<u32> = core::iter::once(0).chain(ends.iter().copied()).collect();
            let starts = Words::from_host(gpu, &packed(&starts), copies)?;
            Ok::<_, GpuError>(Level { pieces: ends.len() as u32, starts })
        };
        let matrices = Arc::new(Matrices {
            shape,
            columns,
            entries: decoded.values.len(),
            values: Words::filled(gpu, len, &words_in(&decoded.values), copies)?,
            of_values: Words::from_host(gpu, &packed(&decoded.columns), copies)?,
            order: Words::from_host(gpu, &packed(&order), copies)?,
            levels: levels.iter().map(|ends| level(ends, copies)).collect::<Result<_, _>>()?,
        });
        if let Some(copies) = entries.copies() {
            copies.keep(memory, Arc::clone(&matrices));
        }
        Ok(matrices)
    }

    /// Computes the sums of the pieces `first..first + n` of a level, over the sums of the level before or, for the
    /// first level, over the products of entries.
    fn level(
        &self,
        matrices: &Matrices,
        at: usize,
        (first, n): (u32, u32),
        x: &Words,
        before: Option<&Words>,
    ) -> Result<Words, GpuError> {
        let kernels = self.kernels()?;
        let mut out = Words::uninitialised(self.workshop.gpu(), n as usize * words_of::<F>())?;
        let mut arguments = vec![Arg::U32(n), Arg::U32(first), Arg::Read(&matrices.levels[at].starts)];
        let kernel = match before {
            None => {
                arguments.extend([&matrices.order, &matrices.of_values, &matrices.values, x].map(Arg::Read));
                &kernels.products
            }
            Some(before) => {
                arguments.push(Arg::Read(before));
                &kernels.sums
            }
        };
        arguments.extend([Arg::Write(&mut out), Arg::Bytes(self.workshop.constants())]);
        // SAFETY: the level has `first + n` pieces at least, which lie in the list of entries or in the sums before; entries and
        // columns were checked when they were decoded, and there is room for `n` sums.
        unsafe { kernel.launch(&Shape::flat(n.div_ceil(THREADS), THREADS), &mut arguments)? };
        Ok(out)
    }

    fn on_device(
        &self,
        shape: SparseShape,
        entries: &dyn EntrySource<F>,
        x: &View<'_, F>,
        copies: &mut Transfer,
    ) -> Result<(Vec<Buf<F>>, OpCount), DeviceError> {
        let matrices = self.matrices(shape, entries, x.len(), copies)?;
        let rows = (shape.matrices * shape.rows) as u64;
        let sums: u64 = matrices.levels.iter().map(|level| u64::from(level.pieces)).sum();
        let need = Need::new()
            .with_part("vector", self.workshop.bytes_to_come(x))
            .with_part("sums", (sums + rows) * F::BYTES as u64);
        self.workshop.make_room(&need, &[])?;
        let x = self.workshop.resident(x, copies)?;
        let last = matrices.levels.len() - 1;
        let mut before = None;
        for (at, level) in matrices.levels[..last].iter().enumerate() {
            before = Some(self.level(&matrices, at, (0, level.pieces), &x, before.as_ref())?);
        }
        // The pieces of the last level are the rows.
        let rows = shape.rows as u32;
        let product = |matrix: usize| {
            let sums = self.level(&matrices, last, (matrix as u32 * rows, rows), &x, before.as_ref())?;
            Ok::<_, GpuError>(self.workshop.unchecked_result(Arc::new(sums), shape.rows))
        };
        let products = (0..shape.matrices).map(product).collect::<Result<_, _>>()?;
        self.workshop.gpu().wait()?;
        let n = matrices.entries as u64;
        Ok((products, OpCount { field_mul: n, field_add: n, point_add: 0 }))
    }
}

impl<F: PrimeField> SparseOp<F> for Sparse<F> {
    fn sparse_mul(
        &self,
        shape: SparseShape,
        entries: &dyn EntrySource<F>,
        x: View<'_, F>,
    ) -> Done<Vec<Buf<F>>> {
        let nothing = shape.matrices == 0 || shape.rows == 0 || entries.is_empty();
        if nothing || !counts_fit(shape, entries.len()) {
            return self.host.sparse_mul(shape, entries, x);
        }
        let mut call = self.workshop.call();
        let (products, ops) = self.on_device(shape, entries, &x, &mut call.copies)?;
        call.ops = ops;
        let written = (shape.matrices * shape.rows * F::BYTES) as u64;
        Ok((products, call.cost(Traffic { read: (x.len() * F::BYTES) as u64, written })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_ends_as_one_piece() {
        // Rows of 0, 1, PIECE, PIECE + 1 and 5000 entries, in mixed order.
        let lengths = [0, 1, PIECE, PIECE + 1, 0, 5000, 3, 0];
        let mut rows: Vec<u32> =
            lengths.iter().zip(0u32..).flat_map(|(n, row)| (0..*n).map(move |_| row)).collect();
        rows.rotate_left(1234);
        rows.reverse();
        let (order, levels) = by_rows(&rows, lengths.len());
        let mut sums: Vec<Vec<u32>> = order.iter().map(|entry| vec![rows[*entry as usize]]).collect();
        for ends in &levels {
            let starts = core::iter::once(0).chain(ends.iter().copied());
            assert!(starts.clone().zip(ends).all(|(start, end)| *end - start <= PIECE));
            sums =
                starts.zip(ends).map(|(start, end)| sums[start as usize..*end as usize].concat()).collect();
        }
        assert_eq!((levels.len(), sums.len()), (3, lengths.len()));
        for ((sum, n), row) in sums.iter().zip(lengths).zip(0..) {
            assert_eq!(*sum, vec![row; n as usize], "row {row}");
        }
        assert_eq!(by_rows(&[], 3), (vec![], vec![vec![0, 0, 0]]));
    }

    #[test]
    fn numbers_are_packed_in_pairs() {
        assert_eq!(packed(&[1, 2, 3]), [2 << 32 | 1, 3]);
        assert!(!counts_fit(SparseShape { matrices: 2, rows: 1 << 30 }, 1));
        assert!(counts_fit(SparseShape { matrices: 2, rows: 1 << 20 }, 1 << 24));
    }
}
