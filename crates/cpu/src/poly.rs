//! Operators on polynomials and vectors. Scans and Horner's rule run on pieces in parallel, followed by a short pass over the pieces.

use crate::lanes::memory;
use crate::lanes::vectors::{InvertScratch, ROWS, VectorsInLanes};
use crate::vec::Vectors;
use crate::{NAME, bytes_of, in_place, same_length};
use pairwright_device::{Done, OpCount, PolyOp, Traffic, parallel, timed};
use pairwright_field::{PrimeField, batch_invert};
use pairwright_poly::{Buf, View};

/// Smallest number of elements in one task.
const CHUNK: usize = 1 << 12;
/// Number of elements in a row of a scan in lanes. It is not a power of two, because such rows would compete for the same cache sets.
const ROW: usize = 1016;

/// Number of elements per task if every task costs an extra pass, inversion or power: there are no more tasks than threads.
fn large_chunk(n: usize) -> usize {
    n.div_ceil(rayon::current_num_threads()).max(CHUNK)
}

fn per_element(n: usize, field_mul: u64, field_add: u64) -> OpCount {
    OpCount { field_mul, field_add, point_add: 0 }.times(n)
}

/// `Σ p[i]·x^i` by Horner's rule.
fn horner<F: PrimeField>(p: &[F], x: &F) -> F {
    p.iter().rev().fold(F::ZERO, |value, c| value * *x + *c)
}

/// Replaces every factor by the product of `start` and all factors before it; returns the product of `start` and all factors.
fn products_before<F: PrimeField>(factors: &mut [F], start: F) -> F {
    factors.iter_mut().fold(start, |before, x| before * core::mem::replace(x, before))
}

/// Replaces every coefficient by the value at `z` of the polynomial of the coefficients above it; `above` is the value of those above
/// the piece.
fn replace_by_values_above<F: PrimeField>(piece: &mut [F], z: &F, above: F) {
    piece.iter_mut().rev().fold(above, |above, c| above * *z + core::mem::replace(c, above));
}

/// For every piece of `chunk` coefficients, the value at `x` of the polynomial whose coefficients are those above the piece; and the
/// value of the whole polynomial.
fn values_above<F: PrimeField>(
    p: &[F],
    x: &F,
    chunk: usize,
    value: impl Fn(&[F]) -> F + Sync,
) -> (Vec<F>, F) {
    let pieces: Vec<F> = parallel::map(p.chunks(chunk), |_, piece| value(piece));
    let step = x.pow_vartime(&[chunk as u64]);
    let mut above = vec![F::ZERO; pieces.len()];
    let mut value = F::ZERO;
    for (above, piece) in above.iter_mut().zip(&pieces).rev() {
        *above = value;
        value = value * step + *piece;
    }
    (above, value)
}

/// Runs `in_lanes` on groups of [`ROWS`] rows of [`ROW`] elements with the starts of the rows, and `one_by_one` on the remaining
/// rows, the last of which may be shorter.
fn by_rows<F: PrimeField>(
    x: &mut [F],
    starts: &[F],
    in_lanes: impl Fn(&mut [F], &[F; ROWS]) + Sync,
    one_by_one: impl Fn(&mut [F], F) + Sync,
) {
    let grouped = x.len() / (ROWS * ROW) * ROWS;
    let (starts, left) = starts.split_at(grouped);
    let (x, rest) = x.split_at_mut(grouped * ROW);
    let groups = x.chunks_mut(ROWS * ROW).zip(starts.as_chunks().0);
    parallel::for_each(groups, |_, (rows, starts)| in_lanes(rows, starts));
    parallel::for_each(rest.chunks_mut(ROW).zip(left), |_, (row, start)| one_by_one(row, *start));
}

impl<F: PrimeField> PolyOp<F> for Vectors {
    fn scale(&self, a: &mut Buf<F>, k: &F) -> Done<()> {
        let (n, a) = (a.len(), a.host_mut()?);
        Ok(timed(NAME, in_place::<F>(n), per_element(n, 1, 0), || {
            let lanes = self.in_lanes(VectorsInLanes::<F>::new);
            parallel::for_each(a.chunks_mut(CHUNK), |_, a| {
                let done = lanes.map_or(0, |lanes| lanes.scale(a, *k));
                a[done..].iter_mut().for_each(|x| *x *= *k);
            });
        }))
    }

    fn axpy(&self, a: &mut Buf<F>, k: &F, b: View<'_, F>) -> Done<()> {
        same_length("axpy", a.len(), b.len())?;
        let (a, b, n) = (a.host_mut()?, b.host()?, b.len());
        let bytes = Traffic { read: 2 * bytes_of::<F>(n), written: bytes_of::<F>(n) };
        Ok(timed(NAME, bytes, per_element(n, 1, 1), || {
            let lanes = self.in_lanes(VectorsInLanes::<F>::new);
            parallel::for_each(a.chunks_mut(CHUNK).zip(b.chunks(CHUNK)), |_, (a, b)| {
                let done = lanes.map_or(0, |lanes| lanes.add_multiple(a, *k, b));
                a[done..].iter_mut().zip(&b[done..]).for_each(|(x, y)| *x += *k * *y);
            });
        }))
    }

    /// Takes three products per non-zero element, and one inversion per task, which is not counted.
    fn invert(&self, a: &mut Buf<F>) -> Done<()> {
        let (n, a) = (a.len(), a.host_mut()?);
        Ok(timed(NAME, in_place::<F>(n), per_element(n, 3, 0), || {
            match self.in_lanes(VectorsInLanes::<F>::new) {
                None => parallel::for_each(a.chunks_mut(large_chunk(n)), |_, a| batch_invert(a)),
                Some(lanes) => {
                    parallel::for_each_with(a.chunks_mut(CHUNK), InvertScratch::new, |scratch, _, a| {
                        let done = lanes.invert(a, scratch);
                        batch_invert(&mut a[done..]);
                    });
                }
            }
        }))
    }

    /// Takes two products per element: one for the products of the pieces, one for the prefix products.
    fn prefix_products(&self, a: &mut Buf<F>) -> Done<F> {
        let (n, a) = (a.len(), a.host_mut()?);
        Ok(timed(NAME, in_place::<F>(n), per_element(n, 2, 0), || {
            let one_by_one = |piece: &mut [F], start| {
                products_before(piece, start);
            };
            let lanes = self.in_lanes(VectorsInLanes::<F>::new).filter(|_| n >= ROWS * ROW);
            let chunk = if lanes.is_some() { ROW } else { large_chunk(n) };
            let mut starts: Vec<F> = parallel::map(a.chunks(chunk), |_, piece| match &lanes {
                None => piece.iter().fold(F::ONE, |all, x| all * *x),
                Some(lanes) => lanes.product(piece),
            });
            let product = products_before(&mut starts, F::ONE);
            match &lanes {
                None => {
                    let pieces = a.chunks_mut(chunk).zip(starts);
                    parallel::for_each(pieces, |_, (piece, start)| one_by_one(piece, start));
                }
                Some(lanes) => {
                    by_rows(a, &starts, |rows, starts| lanes.products_before(rows, starts), one_by_one)
                }
            }
            product
        }))
    }

    fn powers(&self, first: &F, base: &F, n: usize) -> Done<Buf<F>> {
        let bytes = Traffic { read: 0, written: bytes_of::<F>(n) };
        Ok(timed(NAME, bytes, per_element(n, 1, 0), || {
            let (chunk, lanes) = (large_chunk(n), self.in_lanes(VectorsInLanes::<F>::new));
            let mut powers = memory::zeros(n);
            parallel::for_each(powers.chunks_mut(chunk), |piece, out| {
                let mut power = *first * base.pow_vartime(&[(piece * chunk) as u64]);
                let done = lanes.map_or(0, |lanes| lanes.powers(out, power, *base));
                let (done, left) = out.split_at_mut(done);
                if let Some(last) = done.last() {
                    power = *last * *base;
                }
                for x in left {
                    *x = power;
                    power *= *base;
                }
            });
            powers.into()
        }))
    }

    fn evaluate(&self, p: View<'_, F>, x: &F) -> Done<F> {
        let (n, p) = (p.len(), p.host()?);
        let bytes = Traffic { read: bytes_of::<F>(n), written: bytes_of::<F>(1) };
        Ok(timed(NAME, bytes, per_element(n, 1, 1), || {
            let lanes = self.in_lanes(VectorsInLanes::<F>::new);
            let value = |p: &[F]| lanes.map_or_else(|| horner(p, x), |lanes| lanes.evaluate(p, *x));
            values_above(p, x, large_chunk(n), value).1
        }))
    }

    /// Applies Horner's rule twice: for the values above each piece, then for the coefficients of the quotient.
    fn divide(&self, p: View<'_, F>, z: &F) -> Done<(Buf<F>, F)> {
        let (n, p) = (p.len(), p.host()?);
        Ok(timed(NAME, in_place::<F>(n), per_element(n, 2, 2), || {
            let one_by_one = |piece: &mut [F], above| replace_by_values_above(piece, z, above);
            let lanes = self.in_lanes(VectorsInLanes::<F>::new).filter(|_| n >= ROWS * ROW);
            let chunk = if lanes.is_some() { ROW } else { large_chunk(n) };
            let value = |p: &[F]| lanes.map_or_else(|| horner(p, z), |lanes| lanes.evaluate(p, *z));
            let (above, remainder) = values_above(p, z, chunk, value);
            let mut quotient = memory::zeros(n);
            let pieces = quotient.chunks_mut(CHUNK).zip(p.chunks(CHUNK));
            parallel::for_each(pieces, |_, (to, from)| to.copy_from_slice(from));
            match &lanes {
                None => {
                    let pieces = quotient.chunks_mut(chunk).zip(above);
                    parallel::for_each(pieces, |_, (piece, above)| one_by_one(piece, above));
                }
                Some(lanes) => {
                    by_rows(
                        &mut quotient,
                        &above,
                        |rows, above| lanes.values_above(rows, *z, above),
                        one_by_one,
                    );
                }
            }
            quotient.pop();
            (quotient.into(), remainder)
        }))
    }
}
