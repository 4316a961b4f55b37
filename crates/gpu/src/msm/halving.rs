//! Halvings of the list of an MSM: neighbours, which belong to one bucket, are replaced by their sums, in affine
//! coordinates with one inversion for all slopes. A sum takes five products and a squaring, where a mixed addition to
//! an XYZZ point takes eight and two, and in G1 of BLS12-381 128 registers, where that takes 168.

use super::kernels::Sorted;
use super::plan::{LEAST_PAIRS, SumPlan};
use super::texts::{INVERTERS, POINT_THREADS, PointsText, Prime, inverting, one, resident_of_halving};
use crate::device::Gpu;
use crate::elements::words_of_coordinate;
use crate::error::GpuError;
use crate::launch::{Arg, Kernel, Shape};
use crate::memory::Words;
use crate::workshop::Setup;
use pairwright_curve::Curve;
use pairwright_field::PrimeField;

/// Number of products that a thread inverts together.
const INVERTED_TOGETHER: u32 = 4;

/// The kernels of halvings in a group.
#[derive(Debug)]
pub(super) struct Halving {
    denominators: Kernel,
    invert: Kernel,
    halve: Kernel,
    /// The constants of the coordinate field.
    constants: Vec<u8>,
    /// The element one in Montgomery form, as bytes.
    one: Vec<u8>,
    /// What inversions take.
    inverting: [Vec<u8>; 2],
    /// Number of 64-bit words of a coordinate.
    coordinate: usize,
    /// Number of threads of a multiprocessor.
    threads: u32,
}

/// The pairs of a halving that one launch adds.
struct Batch {
    /// Number of the first pair in its list, and the greatest number of pairs.
    start: u32,
    most: u32,
    /// Number of halvings before this one.
    level: u32,
    /// Place of the first point, and of the first sum.
    from: u32,
    to: u32,
    /// Index of the first base.
    first: u32,
}

impl Halving {
    /// The kernels of a group; `None` if they do not support the coordinate field.
    pub(super) fn new<C: Curve>(setup: &Setup) -> Result<Option<Self>, GpuError> {
        let tuning = setup.field_tuning(Prime::<C>::BITS);
        let Some(text) = PointsText::of::<C>(tuning)? else { return Ok(None) };
        let module = setup.module("msm_halving", &text.halving)?;
        Ok(Some(Self {
            denominators: module.kernel("denominators")?,
            invert: module.kernel("invert")?,
            halve: module.kernel("halve")?,
            constants: text.constants,
            one: one::<C>(),
            inverting: inverting::<C>(),
            coordinate: words_of_coordinate::<C>(),
            threads: resident_of_halving::<C>() * POINT_THREADS,
        }))
    }

    /// Halves the list as often as the plan says. The result has affine points in the order of the list, each the sum
    /// of 2^`halvings` entries; `bases[first]` is the first base.
    pub(super) fn run(
        &self,
        gpu: &Gpu,
        plan: &SumPlan,
        digits: &Sorted,
        bases: &Words,
        first: u32,
    ) -> Result<Words, GpuError> {
        let (points, together) = plan.halved();
        let affine = 2 * self.coordinate;
        let mut halved = Words::uninitialised(gpu, points as usize * affine)?;
        for start in (0..points).step_by(together.max(1) as usize) {
            let mut before: Option<Words> = None;
            for level in 0..plan.halvings {
                let left = plan.halvings - level - 1;
                let (of_list, first) = if level == 0 { (start << plan.halvings, first) } else { (0, 0) };
                let to = if left == 0 { start } else { 0 };
                let most = together.min(points - start) << left;
                let batch = Batch { start: start << left, most, level, from: of_list, to, first };
                let from = before.as_ref().unwrap_or(bases);
                if left == 0 {
                    self.halve(gpu, plan, digits, from, &mut halved, &batch)?;
                } else {
                    let mut sums = Words::uninitialised(gpu, most as usize * affine)?;
                    self.halve(gpu, plan, digits, from, &mut sums, &batch)?;
                    before = Some(sums);
                }
            }
        }
        Ok(halved)
    }

    fn halve(
        &self,
        gpu: &Gpu,
        plan: &SumPlan,
        digits: &Sorted,
        from: &Words,
        sums: &mut Words,
        batch: &Batch,
    ) -> Result<(), GpuError> {
        let Batch { start, most, level, from: at, to, first } = *batch;
        let all = gpu.facts().multiprocessors.max(1) * self.threads;
        let threads = most.div_ceil(LEAST_PAIRS).clamp(1, all);
        let shape = Shape::flat(threads.div_ceil(POINT_THREADS), POINT_THREADS);
        let mut before = Words::uninitialised(gpu, most as usize * self.coordinate)?;
        let mut products = Words::uninitialised(gpu, threads as usize * self.coordinate)?;
        let keys = plan.keys();

        let mut arguments: Vec<Arg<'_>> = [threads, start, most, level, keys, at, first].map(Arg::U32).into();
        arguments.extend([&digits.begins, &digits.list, from].map(Arg::Read));
        arguments.extend([&mut before, &mut products].map(Arg::Write));
        arguments.extend([&self.constants, &self.one].map(|bytes| Arg::Bytes(bytes)));
        // SAFETY: the list ends at `begins[keys]`, which is at most the number of entries that `from` has points for, or
        // whose entries name bases behind the first one; there is a product for each of `most` pairs and each thread.
        unsafe { self.denominators.launch(&shape, &mut arguments)? };

        let inverters = threads.div_ceil(INVERTED_TOGETHER);
        let mut work = Words::uninitialised(gpu, threads as usize * self.coordinate)?;
        let mut arguments: Vec<Arg<'_>> = [threads, inverters].map(Arg::U32).into();
        arguments.extend([&mut products, &mut work].map(Arg::Write));
        let [modulus, square] = &self.inverting;
        arguments.extend([&self.constants, &self.one, modulus, square].map(|bytes| Arg::Bytes(bytes)));
        // SAFETY: there are `threads` products and as many places in `work`.
        unsafe {
            let shape = Shape::flat(inverters.div_ceil(INVERTERS), INVERTERS);
            self.invert.launch(&shape, &mut arguments)?;
        }

        let mut arguments: Vec<Arg<'_>> =
            [threads, start, most, level, keys, at, to, first].map(Arg::U32).into();
        arguments.extend([&digits.begins, &digits.list, from, &before, &products].map(Arg::Read));
        arguments.extend([Arg::Write(sums), Arg::Bytes(&self.constants)]);
        // SAFETY: as for the denominators; `sums` has room for `most` points from `to` on.
        unsafe { self.halve.launch(&shape, &mut arguments) }
    }
}
