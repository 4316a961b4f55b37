//! Blocks of columns and rows in memory, and the pieces in which they are exchanged through files.

use super::Running;
use crate::{Digest, Digester, Region, ScaleError};
use core::ops::Range;
use pairwright_curve::Pairing;
use pairwright_device::{DeviceError, Session, parallel};
use pairwright_field::PrimeField;
use pairwright_formats::{FilePlace, FormatError, Spot};
use pairwright_poly::{Buf, Pages};
use rayon::prelude::*;

/// Approximate number of bytes that are read or written at a time, so that they stay in a cache.
const STEP: usize = 1 << 19;
/// Number of lines that are filled together when a piece is read in transposed order.
const TILE: usize = 8;
/// Number of lines that one task transforms.
const RUN: usize = 16;

/// Consecutive lines of equal length; a block is cut into pieces along the positions of its lines.
pub(super) struct Lines<F> {
    pub(super) elements: Buf<F>,
    pub(super) length: usize,
}

/// Number of elements that are set to zero at a time.
const ZEROS: usize = 1 << 14;

/// Makes `n` zeros in large pages, written by all threads.
pub(super) fn zeros<F: PrimeField>(n: usize) -> Pages<F> {
    let zeros = vec![F::ZERO; ZEROS.min(n)];
    let written = Pages::of_pieces(n, ZEROS, |pieces| {
        pieces.into_par_iter().for_each(|piece| {
            let zeros = &zeros[..piece.len()];
            piece.write(zeros);
        });
        Ok::<_, core::convert::Infallible>(())
    });
    match written {
        Ok(zeros) => zeros,
        Err(never) => match never {},
    }
}

impl<F: PrimeField> Lines<F> {
    /// Writes a piece: the elements of a range of positions of every line, in Montgomery form.
    fn write_piece<E: Pairing<Fr = F>>(
        &self,
        task: &Running<'_, E>,
        region: &Region,
        range: &Range<usize>,
    ) -> Result<Digest, ScaleError> {
        let (out, mut digest, mut at) = (task.output(region)?, Digester::default(), region.offset);
        let mut bytes = Vec::with_capacity(STEP + self.length * F::BYTES);
        let mut lines = self.elements.chunks_exact(self.length).peekable();
        while let Some(line) = lines.next() {
            let start = bytes.len();
            bytes.resize(start + range.len() * F::BYTES, 0);
            let places = bytes[start..].chunks_exact_mut(F::BYTES);
            line[range.clone()].iter().zip(places).for_each(|(x, place)| x.write_montgomery_le(place));
            if bytes.len() >= STEP || lines.peek().is_none() {
                out.write(at, &bytes)?;
                digest.add(&bytes);
                at += bytes.len() as u64;
                bytes.clear();
            }
        }
        Ok(digest.finish())
    }

    /// Writes one piece of the block to each region, and returns their digests.
    pub(super) fn write<E: Pairing<Fr = F>>(
        &self,
        task: &Running<'_, E>,
        regions: &[Region],
        range: impl Fn(usize) -> Range<usize> + Sync,
    ) -> Result<Vec<Digest>, ScaleError> {
        let write = |k, region| self.write_piece(task, region, &range(k));
        parallel::try_map(regions, write)
    }

    /// Reads the block from pieces that were written in transposed order: a piece holds, for every position of its range, one
    /// element of each line.
    pub(super) fn read<E: Pairing<Fr = F>>(
        task: &Running<'_, E>,
        regions: &[Region],
        (lines, length): (usize, usize),
        range: impl Fn(usize) -> Range<usize>,
    ) -> Result<Self, ScaleError> {
        let mut block = Self { elements: zeros(lines * length).into(), length };
        let across = lines * F::BYTES;
        for (k, region) in regions.iter().enumerate() {
            let (from, range) = (task.open(region)?, range(k));
            from.steps(region, (STEP / across).max(1) * across, |at, bytes| {
                let first = range.start + (at / across as u64) as usize;
                let tiles = block.elements.chunks_mut(length * TILE);
                let read = parallel::try_map(tiles, |tile, out| {
                    for (position, bytes) in bytes.chunks_exact(across).enumerate() {
                        let elements = bytes[tile * TILE * F::BYTES..].chunks_exact(F::BYTES);
                        for ((i, line), bytes) in out.chunks_exact_mut(length).enumerate().zip(elements) {
                            line[first + position] = F::read_montgomery_le(bytes).map_err(|_| {
                                let index = position * lines + tile * TILE + i;
                                let offset = region.offset + at + (index * F::BYTES) as u64;
                                let file = from.path.as_path().into();
                                let at = FilePlace { file, spot: Spot::Offset(offset) };
                                FormatError::NotReduced { at, index: index as u64, field: F::NAME }
                            })?;
                        }
                    }
                    Ok(())
                });
                read.map(drop)
            })?;
        }
        Ok(block)
    }

    /// Applies `transform` to every line and multiplies it by its factors. The factors of a line are those of the previous line
    /// times a fixed vector.
    pub(super) fn transform<E: Pairing<Fr = F>>(
        &mut self,
        task: &Running<'_, E>,
        factors: &Factors<F>,
        transform: impl Fn(&mut Session<'_, E>, Buf<F>) -> Result<Buf<F>, ScaleError> + Sync,
    ) -> Result<(), ScaleError> {
        let length = self.length;
        let step = Session::new(task.device).powers(&factors.lead, &factors.step, length)?;
        let done = parallel::try_map(self.elements.chunks_mut(length * RUN), |run, lines| {
            let mut on = Session::new(task.device);
            let power = [(factors.first + run * RUN) as u64];
            let [lead, base] = [factors.lead, factors.step].map(|x| x.pow_vartime(&power));
            let mut powers = on.powers(&lead, &base, length)?;
            let count = lines.len() / length;
            for (i, line) in lines.chunks_exact_mut(length).enumerate() {
                let mut values = transform(&mut on, Buf::from(line.to_vec()))?;
                on.mul(&mut values, powers.view())?;
                line.copy_from_slice(values.host().map_err(DeviceError::from)?);
                if i + 1 < count {
                    on.mul(&mut powers, step.view())?;
                }
            }
            Ok(())
        });
        done.map(drop)
    }
}

/// The factors that are applied after the transforms: element `i` of line `l` is multiplied by `lead^l·step^(l·i)`, with `l`
/// counted from `first`.
pub(super) struct Factors<F> {
    pub(super) first: usize,
    pub(super) lead: F,
    pub(super) step: F,
}
