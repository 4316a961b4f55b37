//! Polynomials and vectors: scans and Horner's rule in parallel pieces, joined by a short pass over the pieces.

use crate::{NAME, bytes_of, same_length};
use pairwright_device::{Done, OpCount, PolyOp, Traffic, parallel, timed};
use pairwright_field::{PrimeField, batch_invert};
use pairwright_poly::{Buf, View};

/// Fewest elements of one task.
const CHUNK: usize = 1 << 12;

/// The polynomial arithmetic of the host device.
#[derive(Clone, Copy, Debug, Default)]
pub struct Polys;

/// Elements of a task where every task costs an extra pass, inversion or power: no more tasks than threads.
fn large_chunk(n: usize) -> usize {
    n.div_ceil(rayon::current_num_threads()).max(CHUNK)
}

fn per_element(n: usize, field_mul: u64, field_add: u64) -> OpCount {
    let n = n as u64;
    OpCount { field_mul: n * field_mul, field_add: n * field_add, point_add: 0 }
}

fn in_place<F>(n: usize) -> Traffic {
    Traffic { read: bytes_of::<F>(n), written: bytes_of::<F>(n) }
}

/// `Σ p[i]·x^i` by Horner's rule.
fn horner<F: PrimeField>(p: &[F], x: &F) -> F {
    p.iter().rev().fold(F::ZERO, |value, c| value * *x + *c)
}

/// Replaces every factor by the product of `start` and all before it; gives the product of all.
fn products_before<F: PrimeField>(factors: &mut [F], start: F) -> F {
    factors.iter_mut().fold(start, |before, x| before * core::mem::replace(x, before))
}

/// For every piece of `chunk` coefficients the value at `x` of the coefficients above it, as a polynomial that begins
/// with them, and the value of all.
fn values_above<F: PrimeField>(p: &[F], x: &F, chunk: usize) -> (Vec<F>, F) {
    let pieces: Vec<F> = parallel::map(p.chunks(chunk), |_, piece| horner(piece, x));
    let step = x.pow_vartime(&[chunk as u64]);
    let mut above = vec![F::ZERO; pieces.len()];
    let mut value = F::ZERO;
    for (above, piece) in above.iter_mut().zip(&pieces).rev() {
        *above = value;
        value = value * step + *piece;
    }
    (above, value)
}

impl<F: PrimeField> PolyOp<F> for Polys {
    fn scale(&self, a: &mut Buf<F>, k: &F) -> Done<()> {
        let (n, a) = (a.len(), a.host_mut()?);
        Ok(timed(NAME, in_place::<F>(n), per_element(n, 1, 0), || {
            parallel::for_each(a.chunks_mut(CHUNK), |_, a| a.iter_mut().for_each(|x| *x *= *k));
        }))
    }

    fn axpy(&self, a: &mut Buf<F>, k: &F, b: View<'_, F>) -> Done<()> {
        same_length("axpy", a.len(), b.len())?;
        let (a, b, n) = (a.host_mut()?, b.host()?, b.len());
        let bytes = Traffic { read: 2 * bytes_of::<F>(n), written: bytes_of::<F>(n) };
        Ok(timed(NAME, bytes, per_element(n, 1, 1), || {
            parallel::for_each(a.chunks_mut(CHUNK).zip(b.chunks(CHUNK)), |_, (a, b)| {
                a.iter_mut().zip(b).for_each(|(x, y)| *x += *k * *y);
            });
        }))
    }

    /// Three products an element that is not zero, and an inversion a task, which is not counted.
    fn invert(&self, a: &mut Buf<F>) -> Done<()> {
        let (n, a) = (a.len(), a.host_mut()?);
        Ok(timed(NAME, in_place::<F>(n), per_element(n, 3, 0), || {
            parallel::for_each(a.chunks_mut(large_chunk(n)), |_, a| batch_invert(a));
        }))
    }

    /// Two products an element: of its piece, then of the pieces before.
    fn prefix_products(&self, a: &mut Buf<F>) -> Done<F> {
        let (n, a) = (a.len(), a.host_mut()?);
        Ok(timed(NAME, in_place::<F>(n), per_element(n, 2, 0), || {
            let chunk = large_chunk(n);
            let of_piece = |_, piece: &[F]| piece.iter().fold(F::ONE, |all, x| all * *x);
            let mut starts: Vec<F> = parallel::map(a.chunks(chunk), of_piece);
            let product = products_before(&mut starts, F::ONE);
            parallel::for_each(a.chunks_mut(chunk).zip(starts), |_, (piece, start)| {
                products_before(piece, start);
            });
            product
        }))
    }

    fn powers(&self, first: &F, base: &F, n: usize) -> Done<Buf<F>> {
        let bytes = Traffic { read: 0, written: bytes_of::<F>(n) };
        Ok(timed(NAME, bytes, per_element(n, 1, 0), || {
            let chunk = large_chunk(n);
            let mut powers = vec![F::ZERO; n];
            parallel::for_each(powers.chunks_mut(chunk), |piece, out| {
                let start = *first * base.pow_vartime(&[(piece * chunk) as u64]);
                out.iter_mut().fold(start, |power, x| {
                    *x = power;
                    power * *base
                });
            });
            powers.into()
        }))
    }

    fn evaluate(&self, p: View<'_, F>, x: &F) -> Done<F> {
        let (n, p) = (p.len(), p.host()?);
        let bytes = Traffic { read: bytes_of::<F>(n), written: bytes_of::<F>(1) };
        let value = || values_above(p, x, large_chunk(n)).1;
        Ok(timed(NAME, bytes, per_element(n, 1, 1), value))
    }

    /// Horner's rule twice: for what is above each piece, then for the coefficients of the quotient.
    fn divide(&self, p: View<'_, F>, z: &F) -> Done<(Buf<F>, F)> {
        let (n, p) = (p.len(), p.host()?);
        Ok(timed(NAME, in_place::<F>(n), per_element(n, 2, 2), || {
            let chunk = large_chunk(n);
            let (above, remainder) = values_above(p, z, chunk);
            let mut quotient = p.to_vec();
            parallel::for_each(quotient.chunks_mut(chunk).zip(above), |_, (piece, above)| {
                piece.iter_mut().rev().fold(above, |above, c| above * *z + core::mem::replace(c, above));
            });
            quotient.pop();
            (quotient.into(), remainder)
        }))
    }
}
