//! Blocks of columns and of rows in memory, and the pieces in which they are exchanged.

use super::Running;
use crate::{Digest, Region, ScaleError};
use core::ops::Range;
use pairwright_curve::Pairing;
use pairwright_field::PrimeField;
use pairwright_formats::{FilePlace, FormatError, Spot};
use rayon::prelude::*;

/// Lines of equal length one after the other, over whose positions a block is cut into pieces.
pub(super) struct Lines<F> {
    pub(super) elements: Vec<F>,
    pub(super) length: usize,
}

impl<F: PrimeField> Lines<F> {
    /// So many lines of zeros.
    pub(super) fn zeros(lines: usize, length: usize) -> Self {
        Self { elements: vec![F::ZERO; lines * length], length }
    }

    fn lines(&self) -> usize {
        self.elements.len() / self.length
    }

    /// The bytes of a piece: of every line the elements of a range, in Montgomery form.
    fn piece(&self, range: &Range<usize>) -> Vec<u8> {
        let mut bytes = vec![0; self.lines() * range.len() * F::BYTES];
        let mut places = bytes.chunks_exact_mut(F::BYTES);
        for line in self.elements.chunks_exact(self.length) {
            line[range.clone()].iter().zip(&mut places).for_each(|(x, place)| x.write_montgomery_le(place));
        }
        bytes
    }

    /// Writes a piece of the block a region, and gives their digests.
    pub(super) fn write<E: Pairing<Fr = F>>(
        &self,
        task: &Running<'_, E>,
        regions: &[Region],
        range: impl Fn(usize) -> Range<usize> + Sync,
    ) -> Result<Vec<Digest>, ScaleError> {
        let write = |(k, region): (usize, &Region)| task.write(region, &self.piece(&range(k)));
        regions.par_iter().enumerate().map(write).collect()
    }

    /// Reads the block from pieces that were written across: a piece holds, for every position of its range, an element
    /// of each line.
    pub(super) fn read<E: Pairing<Fr = F>>(
        task: &Running<'_, E>,
        regions: &[Region],
        (lines, length): (usize, usize),
        range: impl Fn(usize) -> Range<usize>,
    ) -> Result<Self, ScaleError> {
        let mut block = Self::zeros(lines, length);
        for (k, region) in regions.iter().enumerate() {
            let (from, range) = (task.open(region)?, range(k));
            let bytes = from.read_region(region)?;
            let element = |at: usize| -> Result<F, ScaleError> {
                F::read_montgomery_le(&bytes[at * F::BYTES..(at + 1) * F::BYTES]).map_err(|_| {
                    let spot = Spot::Offset(region.offset + (at * F::BYTES) as u64);
                    let at_element = FilePlace { file: from.path.as_path().into(), spot };
                    FormatError::NotReduced { at: at_element, index: at as u64, field: F::NAME }.into()
                })
            };
            block.elements.par_chunks_mut(length).enumerate().try_for_each(|(line, out)| {
                for (position, x) in out[range.clone()].iter_mut().enumerate() {
                    *x = element(position * lines + line)?;
                }
                Ok::<(), ScaleError>(())
            })?;
        }
        Ok(block)
    }
}
