//! Computes the circuit's rows in a block of columns, and their inverse transforms along columns.

use super::Running;
use super::pieces::{Factors, Lines, zeros};
use super::witness::{Reader, Witness};
use crate::{Digest, Region, ScaleError};
use pairwright_curve::Pairing;
use pairwright_device::{DeviceError, Entry, Session, SparseShape, parallel};
use pairwright_field::{Field, PrimeField};
use pairwright_formats::{FormatError, ReadAt, decode_entries, stored_entry_bytes};
use pairwright_poly::{Buf, Domain, Eval, Poly};
use rayon::prelude::*;

/// Number of entries that one operator call multiplies.
const ENTRIES: usize = 1 << 13;

/// Runs [`Op::Columns`](crate::Op::Columns): writes, for each of a, b and c, one piece per block of rows.
pub(super) fn run<E: Pairing>(
    task: &Running<'_, E>,
    block: usize,
    cache: u64,
) -> Result<Vec<Digest>, ScaleError> {
    let (layout, block) = (task.job.setting.layout, task.block(block)?);
    let (columns, n1) = (layout.columns(block), layout.n1());
    let pieces =
        (0..3).flat_map(|_| (0..layout.blocks()).map(|k| Some(layout.piece(block, k) * E::Fr::BYTES)));
    let outputs = task.outputs(&pieces.collect::<Vec<_>>())?;

    let wires = task.job.setting.wires;
    let inputs = task.inputs(&[None, wires.checked_mul(E::Fr::BYTES)])?;
    let [entries, values] = inputs else { return Err(task.refuse("entries and a witness are read")) };
    let [a, b] = products(task, [entries, values], columns.len() * n1, cache, |row| row)?;
    let mut on = Session::new(task.device);
    let mut c = a.clone();
    on.mul(&mut c, b.view())?;
    drop(on);

    // The inverse transforms of the columns, multiplied by ω^(-i2·k1).
    let domain = Domain::<E::Fr>::new(layout.log_rows()).map_err(DeviceError::from)?;
    let whole = Domain::<E::Fr>::new(task.job.setting.log_domain).map_err(DeviceError::from)?;
    let factors = Factors { first: columns.start, lead: E::Fr::ONE, step: whole.root_inverse() };
    let mut vectors = [a, b, c].map(|elements| Lines { elements, length: n1 });
    for lines in &mut vectors {
        lines.transform(task, &factors, |on, column| {
            let values = Poly::<E::Fr, Eval>::new(domain, column)
                .ok_or_else(|| task.refuse("a column has another length than its domain"))?;
            Ok(on.intt(values)?.into_buf())
        })?;
    }
    // All three vectors together: with a single block each vector is one region, which one thread writes.
    let regions = outputs.chunks(layout.blocks()).zip(&vectors).collect::<Vec<_>>();
    let written =
        parallel::try_map(regions, |_, (regions, lines)| lines.write(task, regions, |k| layout.rows(k)))?;
    Ok(written.into_iter().flatten().collect())
}

/// The result of a part of the entries: row numbers, and the row sums for A and B.
struct Part<F> {
    rows: Vec<u32>,
    sums: Vec<Buf<F>>,
}

/// Multiplies the block's rows of A and B by the witness. `place` maps a row to the position of its product.
pub(super) fn products<E: Pairing>(
    task: &Running<'_, E>,
    [entries, values]: [&Region; 2],
    rows: usize,
    cache: u64,
    place: impl Fn(usize) -> usize,
) -> Result<[Buf<E::Fr>; 2], ScaleError> {
    let (wires, size) = (task.job.setting.wires, stored_entry_bytes::<E::Fr>());
    let (from, witness) = (task.open(entries)?, task.open(values)?);
    // Refuses a region beyond its file before memory is allocated for its pages.
    witness.length(values)?;
    let witness = Witness::new(&witness, values, wires, cache);
    let mut out = [zeros::<E::Fr>(rows), zeros(rows)];
    let wave = 2 * rayon::current_num_threads() * ENTRIES * size;
    from.steps(entries, wave, |at, bytes| {
        let parts = bytes.par_chunks(ENTRIES * size).enumerate().map_init(
            || witness.reader(),
            |reader, (i, bytes)| {
                let offset = entries.offset + at + (i * ENTRIES * size) as u64;
                part(task, reader, bytes, ReadAt { file: &from.path, offset }, (rows, wires))
            },
        );
        for part in parts.collect::<Result<Vec<_>, ScaleError>>()? {
            for (out, sums) in out.iter_mut().zip(&part.sums) {
                let sums = sums.host().map_err(DeviceError::from)?;
                part.rows.iter().zip(sums).for_each(|(row, sum)| out[place(*row as usize)] += *sum);
            }
        }
        Ok(())
    })?;
    Ok(out.map(Buf::from))
}

/// Sums up some entries. Their rows are renumbered in order of appearance and each entry has a column of its own, so that the
/// operator gets only the needed part of the witness and of the rows.
fn part<E: Pairing>(
    task: &Running<'_, E>,
    witness: &mut Reader<'_, E::Fr>,
    bytes: &[u8],
    at: ReadAt<'_>,
    bounds: (usize, usize),
) -> Result<Part<E::Fr>, ScaleError> {
    let (mut rows, mut entries, mut values) = (Vec::<u32>::new(), Vec::new(), Vec::new());
    let mut failed = Ok(());
    decode_entries::<E::Fr>(bytes, at, bounds, &mut |entry: Entry<E::Fr>| {
        if failed.is_ok() {
            match witness.value(entry.column as usize) {
                Ok(value) => {
                    if rows.last() != Some(&entry.row) {
                        rows.push(entry.row);
                    }
                    let (row, column) = (rows.len() as u32 - 1, values.len() as u32);
                    entries.push(Entry { row, column, ..entry });
                    values.push(value);
                }
                Err(why) => failed = Err(why),
            }
        }
        Ok::<(), FormatError>(())
    })?;
    failed?;
    let shape = SparseShape { matrices: 2, rows: rows.len() };
    let sums = Session::new(task.device).sparse_mul(shape, &entries, Buf::from(values).view())?;
    Ok(Part { rows, sums })
}
