//! Computes the points of wires in a key: for each wire, the sum over its rows of the row's point times the coefficient there.
//!
//! Constraints are read row by row, some thousand coefficients at a time with the points of their rows. So memory is needed only for
//! the sums and one batch, and no matrix is transposed.

use super::SetupError;
use super::combine::sum_vartime;
use super::powers::Points;
use crate::r1cs::{ConstraintSource, R1csError};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};
use pairwright_curve::{Affine, Curve, Jacobian, Pairing, batch_to_affine};
use pairwright_device::{Session, parallel};
use pairwright_field::Field;

/// The largest number of coefficients in a batch, and of rows that a batch spans.
const BATCH: usize = 1 << 15;
/// Number of wires per task.
const WIRES: usize = 256;
/// Number of sums that all threads convert to affine coordinates at a time.
const WAVE: usize = 1 << 16;

/// Computes the sums of a range of wires over the entries of those matrices A, B and C for which `lists` has points, one per row.
/// Each wire `s` up to the last public one has an additional entry, a one in row `constraints + s` of A. Variable time.
///
/// Each batch of coefficients counts as a call of the host's operator named `operator`, whose size is the number of coefficients.
pub(super) fn wire_sums<E: Pairing, C: Curve<Scalar = E::Fr>>(
    on: &mut Session<'_, E>,
    operator: &'static str,
    system: &dyn ConstraintSource<E::Fr>,
    lists: [Option<&Points<'_, C>>; 3],
    wires: Range<usize>,
) -> Result<Vec<Affine<C>>, SetupError> {
    let shape = system.shape();
    let mut sums = Sums { lists, first: wires.start, of: vec![Jacobian::INFINITY; wires.len()] };
    let mut batch: Vec<Term<E::Fr>> = Vec::with_capacity(BATCH);
    let mut add = |term: Term<E::Fr>| -> Result<(), SetupError> {
        let far = batch.first().is_some_and(|first| (term.row - first.row) as usize >= BATCH);
        if far || batch.len() == BATCH {
            on.host(operator, batch.len(), || sums.add(&mut batch))?;
        }
        batch.push(term);
        Ok(())
    };
    let mut failed = Ok(());
    system
        .visit(&mut |row, constraint| {
            for (side, terms) in [&constraint.a, &constraint.b, &constraint.c].into_iter().enumerate() {
                if lists[side].is_none() {
                    continue;
                }
                for &(wire, value) in terms.iter().filter(|(wire, _)| wires.contains(&(*wire as usize))) {
                    failed = add(Term { wire, row: row as u32, side, value });
                    if failed.is_err() {
                        return ControlFlow::Break(());
                    }
                }
            }
            ControlFlow::Continue(())
        })
        .map_err(R1csError::from)?;
    failed?;
    if lists[0].is_some() {
        for wire in wires.start..wires.end.min(shape.public() + 1) {
            let row = (shape.constraints + wire) as u32;
            add(Term { wire: wire as u32, row, side: 0, value: E::Fr::ONE })?;
        }
    }
    on.host(operator, batch.len(), || sums.add(&mut batch))?;
    Ok(sums.into_affine())
}

/// A coefficient of a wire in one of the three matrices.
struct Term<F> {
    wire: u32,
    row: u32,
    side: usize,
    value: F,
}

/// Partial sums of a range of wires.
struct Sums<'a, C: Curve> {
    lists: [Option<&'a Points<'a, C>>; 3],
    /// The first wire of the range.
    first: usize,
    of: Vec<Jacobian<C>>,
}

impl<C: Curve> Sums<'_, C> {
    /// Adds a batch of terms, which are in the order of their rows, and empties it.
    fn add(&mut self, batch: &mut Vec<Term<C::Scalar>>) -> Result<(), SetupError> {
        let (Some(first), Some(last)) = (batch.first(), batch.last()) else { return Ok(()) };
        let rows = first.row as usize..last.row as usize + 1;
        let mut points = [const { Vec::new() }; 3];
        for (points, list) in points.iter_mut().zip(self.lists) {
            if let Some(list) = list {
                *points = list.read(rows.clone())?;
            }
        }
        batch.sort_by_key(|term| term.wire);
        let of_wires: Vec<&[Term<C::Scalar>]> = batch.chunk_by(|a, b| a.wire == b.wire).collect();
        let found = parallel::map(of_wires.chunks(WIRES), |_, of_wires| {
            let sum = |terms: &&[Term<C::Scalar>]| {
                let point = |term: &Term<C::Scalar>| points[term.side][term.row as usize - rows.start];
                let terms: Vec<_> = terms.iter().map(|term| (term.value, point(term))).collect();
                sum_vartime(&terms)
            };
            of_wires.iter().map(sum).collect::<Vec<Jacobian<C>>>()
        });
        for (terms, sum) in of_wires.iter().zip(found.into_iter().flatten()) {
            self.of[terms[0].wire as usize - self.first] += sum;
        }
        batch.clear();
        Ok(())
    }

    fn into_affine(self) -> Vec<Affine<C>> {
        let mut out = Vec::with_capacity(self.of.len());
        for wave in self.of.chunks(WAVE) {
            let parts = parallel::map(wave.chunks(WIRES), |_, sums| batch_to_affine(sums));
            parts.iter().for_each(|points| out.extend_from_slice(points));
        }
        out
    }
}
