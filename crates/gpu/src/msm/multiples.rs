//! Multiples of one base by many scalars: a table holds the base's multiples for every digit of every window, and one
//! thread per scalar adds up the entries of its windows in registers. The host converts the results to affine points.

use super::kernels::MultiplesKernel;
use super::plan::windows;
use super::{Msm, MsmKernels};
use crate::elements::{pack_points, unpack_points, words_of, words_of_coordinate};
use crate::error::GpuError;
use crate::memory::{Need, Words};
use pairwright_curve::{Affine, Curve, Jacobian, Xyzz, batch_to_affine};
use pairwright_device::{DeviceError, OpCount, Transfer, once};
use pairwright_field::PrimeField;
use pairwright_poly::View;
use rayon::prelude::*;
use std::time::Instant;

/// Greatest number of scalars of a launch, which bounds the points that the host holds at a time.
const LONGEST_RANGE: usize = 1 << 20;

/// Number of points that are converted to affine coordinates with one inversion.
const POINTS_PER_INVERSION: usize = 1 << 10;

/// The width of a window in bits: a greater table pays only for enough scalars.
fn width(n: usize) -> u32 {
    if n < 256 { 4 } else { 8 }
}

/// The table of multiples: `d 2^(w width) base` at index `w 2^(width - 1) + d - 1`.
fn table<C: Curve>(base: &Affine<C>, width: u32, windows: u32) -> Vec<Affine<C>> {
    let mut first = base.to_jacobian();
    let mut all: Vec<Jacobian<C>> = Vec::new();
    for _ in 0..windows {
        let affine = first.to_affine();
        let multiples = core::iter::successors(Some(Xyzz::from(affine)), |sum| Some(sum.add_mixed(&affine)));
        all.extend(multiples.take(1 << (width - 1)).map(|point| point.to_jacobian()));
        (0..width).for_each(|_| first = first.double());
    }
    batch_to_affine(&all)
}

impl<C: Curve> Msm<C> {
    /// The kernel, compiled at its first use; `None` if it does not support the coordinate field.
    fn multiples_kernel(&self) -> Result<Option<&MultiplesKernel>, GpuError> {
        Ok(once(&self.of_one_base, || MultiplesKernel::new::<C>(self.workshop.setup()))?.as_ref())
    }

    /// Computes the multiples on the device; `None` if the kernel does not support the coordinate field.
    pub(super) fn multiples_on_device(
        &self,
        kernels: &MsmKernels,
        base: &Affine<C>,
        scalars: &View<'_, C::Scalar>,
        copies: &mut Transfer,
    ) -> Result<Option<(Vec<Affine<C>>, OpCount)>, DeviceError> {
        let Some(kernel) = self.multiples_kernel()? else { return Ok(None) };
        let gpu = self.workshop.gpu();
        let n = scalars.len();
        let width = width(n);
        let windows = windows(C::Scalar::BITS, width);
        let (base_bytes, words) = (16 * words_of_coordinate::<C>() as u64, words_of::<C::Scalar>());
        let need = |range: usize| {
            Need::new()
                .with_part("scalars", self.workshop.bytes_of_part_to_come(scalars))
                .with_part("table", base_bytes * u64::from(windows << (width - 1)))
                .with_part("points", range as u64 * (2 * base_bytes + C::Scalar::BYTES as u64))
        };
        let range =
            self.longest_range(n.min(LONGEST_RANGE), |range| self.workshop.make_room(&need(range), &[]))?;
        let start = Instant::now();
        let packed = pack_points(&table(base, width, windows));
        copies.time += start.elapsed();
        let table = Words::from_host(gpu, &packed, copies)?;
        let scalars = self.scalars(scalars, copies)?;
        let (mut all, mut ops) = (Vec::with_capacity(n), OpCount::default());
        for from in (0..n).step_by(range) {
            let part = from..n.min(from + range);
            let (integers, count) = self.integers(kernels, &scalars, part)?;
            let points = kernel.run(gpu, count, &integers, 2 * words as u32, (width, windows, &table))?;
            let mut words = vec![0; points.len()];
            points.read(&mut words, copies)?;
            let points = unpack_points::<C>(&words)?;
            all.par_extend(points.par_chunks(POINTS_PER_INVERSION).flat_map_iter(|points| {
                let points: Vec<Jacobian<C>> = points.iter().map(|point| point.to_jacobian()).collect();
                batch_to_affine(&points)
            }));
            ops += kernels.integers.ops(&[count, 0]);
            ops.point_add += u64::from(count) * u64::from(windows);
        }
        Ok(Some((all, ops)))
    }
}
