//! Element-wise vector arithmetic in parallel pieces.

use crate::{NAME, bytes_of, lanes, same_length, sparse};
use pairwright_device::{Done, EntrySource, OpCount, SparseShape, Traffic, VecOp, timed};
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, View};
use rayon::prelude::*;

/// Elements of one task.
const CHUNK: usize = 1 << 12;

/// The vector arithmetic of the host device.
#[derive(Clone, Copy, Debug)]
pub struct Vectors {
    lanes: bool,
}

impl Vectors {
    /// As fast as the processor allows.
    pub fn new() -> Self {
        Self { lanes: true }
    }
    /// One element at a time on every processor: same bits, for comparison.
    pub fn without_lanes() -> Self {
        Self { lanes: false }
    }

    /// The products of the first elements in lanes; how many were done.
    fn multiply<F: PrimeField>(self, a: &mut [F], b: &[F]) -> usize {
        if self.lanes { lanes::multiply(a, b) } else { 0 }
    }
}

impl Default for Vectors {
    fn default() -> Self {
        Self::new()
    }
}

/// `a[i] ← f(a[i], b[i])` with its account; `ops` are those of one element. `begin` may do the first elements of a
/// piece in another way and says how many it did.
fn zip_with<F: PrimeField>(
    op: &'static str,
    ops: OpCount,
    a: &mut Buf<F>,
    b: &View<'_, F>,
    begin: impl Fn(&mut [F], &[F]) -> usize + Sync,
    f: impl Fn(F, F) -> F + Sync,
) -> Done<()> {
    same_length(op, a.len(), b.len())?;
    let bytes = Traffic { read: 2 * bytes_of::<F>(a.len()), written: bytes_of::<F>(a.len()) };
    Ok(timed(NAME, bytes, times(ops, a.len()), || {
        a.par_chunks_mut(CHUNK).zip(b.as_slice().par_chunks(CHUNK)).for_each(|(a, b)| {
            let done = begin(a, b);
            a[done..].iter_mut().zip(&b[done..]).for_each(|(x, y)| *x = f(*x, *y));
        });
    }))
}

fn times(ops: OpCount, n: usize) -> OpCount {
    let n = n as u64;
    OpCount { field_mul: n * ops.field_mul, field_add: n * ops.field_add, point_add: 0 }
}

const MUL: OpCount = OpCount { field_mul: 1, field_add: 0, point_add: 0 };
const ADD: OpCount = OpCount { field_mul: 0, field_add: 1, point_add: 0 };
const MUL_SUB: OpCount = OpCount { field_mul: 1, field_add: 1, point_add: 0 };

impl<F: PrimeField> VecOp<F> for Vectors {
    fn mul(&self, a: &mut Buf<F>, b: View<'_, F>) -> Done<()> {
        zip_with("mul", MUL, a, &b, |a, b| self.multiply(a, b), |x, y| x * y)
    }
    fn add(&self, a: &mut Buf<F>, b: View<'_, F>) -> Done<()> {
        zip_with("add", ADD, a, &b, |_, _| 0, |x, y| x + y)
    }
    fn sub(&self, a: &mut Buf<F>, b: View<'_, F>) -> Done<()> {
        zip_with("sub", ADD, a, &b, |_, _| 0, |x, y| x - y)
    }
    fn mul_sub(&self, a: &mut Buf<F>, b: View<'_, F>, c: View<'_, F>) -> Done<()> {
        same_length("mul_sub", a.len(), b.len())?;
        same_length("mul_sub", a.len(), c.len())?;
        let bytes = Traffic { read: 3 * bytes_of::<F>(a.len()), written: bytes_of::<F>(a.len()) };
        Ok(timed(NAME, bytes, times(MUL_SUB, a.len()), || {
            let (b, c) = (b.as_slice().par_chunks(CHUNK), c.as_slice().par_chunks(CHUNK));
            a.par_chunks_mut(CHUNK).zip(b).zip(c).for_each(|((a, b), c)| {
                let done = self.multiply(a, b);
                a[..done].iter_mut().zip(c).for_each(|(x, z)| *x -= *z);
                for ((x, y), z) in a[done..].iter_mut().zip(&b[done..]).zip(&c[done..]) {
                    *x = *x * *y - *z;
                }
            });
        }))
    }
    fn sparse_mul(
        &self,
        shape: SparseShape,
        entries: &dyn EntrySource<F>,
        x: View<'_, F>,
    ) -> Done<Vec<Buf<F>>> {
        let written = shape.matrices as u64 * bytes_of::<F>(shape.rows);
        let bytes = Traffic { read: bytes_of::<F>(x.len()), written };
        let n = entries.len() as u64;
        let ops = OpCount { field_mul: n, field_add: n, point_add: 0 };
        let (out, cost) = timed(NAME, bytes, ops, || sparse::multiply(shape, entries, x.as_slice()));
        Ok((out?, cost))
    }
}
