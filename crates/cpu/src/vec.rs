//! Element-wise vector arithmetic in parallel pieces.

use crate::lanes::vectors::VectorsInLanes;
use crate::{NAME, bytes_of, same_length};
use pairwright_device::{Done, OpCount, Traffic, VecOp, parallel, timed};
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, View};

/// Number of elements in one task.
const CHUNK: usize = 1 << 12;

/// The operators on vectors and polynomials and the rounds of sumchecks of the host device. Results do not depend on the order of
/// sums, because field arithmetic is exact.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vectors {
    one_by_one: bool,
}

impl Vectors {
    /// The same operators without lanes on every processor, for comparison; results have the same bits.
    pub fn without_lanes() -> Self {
        Self { one_by_one: true }
    }

    /// The code in lanes, unless it is disabled or not available.
    pub(crate) fn in_lanes<T>(self, new: impl FnOnce() -> Option<T>) -> Option<T> {
        if self.one_by_one { None } else { new() }
    }
}

const MUL: OpCount = OpCount { field_mul: 1, field_add: 0, point_add: 0 };
const MUL_SUB: OpCount = OpCount { field_mul: 1, field_add: 1, point_add: 0 };

impl<F: PrimeField> VecOp<F> for Vectors {
    fn mul(&self, a: &mut Buf<F>, b: View<'_, F>) -> Done<()> {
        same_length("mul", a.len(), b.len())?;
        let (a, b) = (a.host_mut()?, b.host()?);
        let bytes = Traffic { read: 2 * bytes_of::<F>(a.len()), written: bytes_of::<F>(a.len()) };
        Ok(timed(NAME, bytes, MUL.times(a.len()), || {
            let lanes = self.in_lanes(VectorsInLanes::<F>::new);
            parallel::for_each(a.chunks_mut(CHUNK).zip(b.chunks(CHUNK)), |_, (a, b)| {
                let done = lanes.map_or(0, |lanes| lanes.multiply(a, b));
                a[done..].iter_mut().zip(&b[done..]).for_each(|(x, y)| *x *= *y);
            });
        }))
    }
    fn mul_sub(&self, a: &mut Buf<F>, b: View<'_, F>, c: View<'_, F>) -> Done<()> {
        same_length("mul_sub", a.len(), b.len())?;
        same_length("mul_sub", a.len(), c.len())?;
        let (a, b, c) = (a.host_mut()?, b.host()?, c.host()?);
        let bytes = Traffic { read: 3 * bytes_of::<F>(a.len()), written: bytes_of::<F>(a.len()) };
        Ok(timed(NAME, bytes, MUL_SUB.times(a.len()), || {
            let (b, c, lanes) = (b.chunks(CHUNK), c.chunks(CHUNK), self.in_lanes(VectorsInLanes::<F>::new));
            parallel::for_each(a.chunks_mut(CHUNK).zip(b).zip(c), |_, ((a, b), c)| {
                let done = lanes.map_or(0, |lanes| lanes.multiply_subtract(a, b, c));
                for ((x, y), z) in a[done..].iter_mut().zip(&b[done..]).zip(&c[done..]) {
                    *x = *x * *y - *z;
                }
            });
        }))
    }
}
