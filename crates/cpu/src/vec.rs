//! Element-wise vector arithmetic in parallel pieces.

use crate::lanes::vectors;
use crate::{NAME, bytes_of, same_length};
use pairwright_device::{Done, OpCount, Traffic, VecOp, parallel, timed};
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, View};

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

    fn in_lanes<F: PrimeField>(self) -> Option<vectors::VectorsInLanes<F>> {
        self.lanes.then(vectors::VectorsInLanes::new).flatten()
    }
}

impl Default for Vectors {
    fn default() -> Self {
        Self::new()
    }
}

fn times(ops: OpCount, n: usize) -> OpCount {
    let n = n as u64;
    OpCount { field_mul: n * ops.field_mul, field_add: n * ops.field_add, point_add: 0 }
}

const MUL: OpCount = OpCount { field_mul: 1, field_add: 0, point_add: 0 };
const MUL_SUB: OpCount = OpCount { field_mul: 1, field_add: 1, point_add: 0 };

impl<F: PrimeField> VecOp<F> for Vectors {
    fn mul(&self, a: &mut Buf<F>, b: View<'_, F>) -> Done<()> {
        same_length("mul", a.len(), b.len())?;
        let (a, b) = (a.host_mut()?, b.host()?);
        let bytes = Traffic { read: 2 * bytes_of::<F>(a.len()), written: bytes_of::<F>(a.len()) };
        Ok(timed(NAME, bytes, times(MUL, a.len()), || {
            let lanes = self.in_lanes::<F>();
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
        Ok(timed(NAME, bytes, times(MUL_SUB, a.len()), || {
            let (b, c, lanes) = (b.chunks(CHUNK), c.chunks(CHUNK), self.in_lanes::<F>());
            parallel::for_each(a.chunks_mut(CHUNK).zip(b).zip(c), |_, ((a, b), c)| {
                let done = lanes.map_or(0, |lanes| lanes.multiply_subtract(a, b, c));
                for ((x, y), z) in a[done..].iter_mut().zip(&b[done..]).zip(&c[done..]) {
                    *x = *x * *y - *z;
                }
            });
        }))
    }
}
