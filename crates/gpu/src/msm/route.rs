//! How a sum gets its operands to the device and which plan it follows, by the memory that is free.

use super::plan::{COMMON_THREADS, MOST_FORCED_HALVINGS, MOST_PAIRS, PlanContext, SumPlan};
use super::precomputed::Precomputed;
use super::{Msm, texts};
use crate::elements::words_of_coordinate;
use crate::error::GpuError;
use crate::memory::{Need, Words};
use crate::workshop::Compiler;
use pairwright_curve::{Affine, Curve};
use pairwright_device::DeviceError;
use pairwright_field::PrimeField;
use pairwright_poly::View;

/// Least number of points of a range, if not all points fit on the device.
const SHORTEST_RANGE: usize = 64;

/// Bases stay resident only if 1/`KEPT_FREE` of the device's memory remains for the operands of other operators.
pub(super) const KEPT_FREE: u64 = 8;

/// The denominators that are inverted together in halvings, and sums beside them, take at most 1/`PART_OF_HALVINGS` of the
/// device's memory.
const PART_OF_HALVINGS: u64 = 8;

/// The way in which the operands are brought to the device.
pub(super) enum Route {
    /// Both operands stay on the device with their buffers, and the sum runs in one piece.
    Whole(SumPlan, Option<Precomputed>),
    /// Both operands stay on the device with their buffers; the sum runs in ranges of this many points.
    Resident(usize),
    /// Ranges of this many points are copied to the device one after the other and not kept.
    Ranges(usize),
}

impl<C: Curve> Msm<C> {
    /// What the choice of a plan depends on.
    pub(super) fn plan_context(&self) -> PlanContext {
        let setup = self.workshop.setup();
        let multiprocessors = setup.gpu.facts().multiprocessors.max(1);
        let halvings = match &setup.compiler {
            // On processors, the only OpenCL devices that were tried, a sum of 2^18 points with halvings takes a fifth longer.
            Compiler::OpenCl => Some(setup.halvings.unwrap_or(0)),
            Compiler::Nvrtc { .. } => setup.halvings,
        };
        let halvings = halvings.map(|halvings| halvings.min(MOST_FORCED_HALVINGS));
        // A pair takes two coordinates of its sum, one of the next halving, and a product of denominators.
        let of_pair = 4 * 8 * words_of_coordinate::<C>() as u64;
        let pairs = u32::try_from(setup.gpu.facts().memory / PART_OF_HALVINGS / of_pair)
            .unwrap_or(u32::MAX)
            .min(MOST_PAIRS);
        let (common, own) = (multiprocessors * COMMON_THREADS, multiprocessors * texts::threads::<C>());
        let halved_from = setup.table.halved_from(C::Scalar::BITS);
        let halved_from = halved_from.map(|log_n| 1usize.checked_shl(log_n).unwrap_or(usize::MAX));
        PlanContext { common, own, halvings, halved_from, pairs }
    }

    /// Number of halvings of the list of points of a sum of `n` terms without precomputed multiples, if there is memory for
    /// them.
    pub fn halvings(&self, n: usize) -> u32 {
        SumPlan::new(n, C::Scalar::BITS, self.plan_context()).map_or(0, |plan| plan.halvings)
    }

    /// The first route for which there is free memory, over precomputed multiples if there are some.
    pub(super) fn route(
        &self,
        bases: &View<'_, Affine<C>>,
        scalars: &View<'_, C::Scalar>,
        precomputed: Option<Precomputed>,
    ) -> Result<Route, DeviceError> {
        let (n, gpu) = (bases.len(), self.workshop.gpu());
        let (total, on) = (gpu.facts().memory, self.plan_context());
        let base = 16 * words_of_coordinate::<C>() as u64;
        let scalar = C::Scalar::BYTES as u64;
        let there = bases.buf().copy::<Words>(self.workshop.memory()).is_some();
        // Whether there is memory for a sum over operands that stay on the device, without releasing anything.
        let fits = |plan: &SumPlan, bases_to_come: u64| {
            let need = plan.need(2 * base, scalar);
            let need = need.with_part("scalars", self.workshop.bytes_of_part_to_come(scalars));
            match gpu.check_memory(&need.with_part("bases", bases_to_come)) {
                Err(error) if error.is_lack_of_memory() => Ok(false),
                checked => checked.map(|()| true),
            }
        };
        if let Some(precomputed) = precomputed {
            let over = SumPlan::over(n, C::Scalar::BITS, on, precomputed.multiples);
            let forced = self.workshop.setup().precompute.is_some();
            let plain = SumPlan::new(n, C::Scalar::BITS, on);
            let less = |over: &SumPlan| forced || plain.is_none_or(|plain| over.work(on) < plain.work(on));
            if let Some(over) = over.filter(less) {
                for plan in [Some(over), over.without_halvings(on)].into_iter().flatten() {
                    if fits(&plan, 0)? {
                        return Ok(Route::Whole(plan, Some(precomputed)));
                    }
                }
            }
        }
        let plan = |range| SumPlan::new(range, C::Scalar::BITS, on)?.without_halvings(on);
        let check = |range: usize, resident: bool| -> Result<(), GpuError> {
            // Too many digits for a list count as lack of memory.
            let Some(plan) = plan(range) else {
                let parts = Need::new().with_part("digits", u64::MAX);
                return Err(GpuError::TooLittleMemory { needed: u64::MAX, parts, free: total, total });
            };
            let need = plan.need(2 * base, scalar);
            let need = match (resident, there) {
                (true, true) => need.with_part("scalars", self.workshop.bytes_of_part_to_come(scalars)),
                (true, false) => need
                    .with_part("scalars", self.workshop.bytes_of_part_to_come(scalars))
                    .with_part("bases", bases.buf().len() as u64 * base)
                    .with_part("other operators", total / KEPT_FREE),
                // The next range is copied while one range is summed.
                (false, _) => {
                    let sets = if range < n { 2 } else { 1 };
                    need.with_part("ranges", sets * range as u64 * (base + scalar))
                }
            };
            self.workshop.make_room(&need, &[])
        };
        // A buffer of which only a small part is used is not kept on the device.
        if 2 * n >= bases.buf().len() || there {
            // Halvings only where nothing is released for them.
            let to_come = if there { 0 } else { bases.buf().len() as u64 * base + total / KEPT_FREE };
            let halving = SumPlan::new(n, C::Scalar::BITS, on).filter(|plan| plan.halvings > 0);
            if let Some(plan) = halving
                && fits(&plan, to_come)?
            {
                return Ok(Route::Whole(plan, None));
            }
            match self.longest_range(n, |range| check(range, true)) {
                Err(error) if error.is_lack_of_memory() => {}
                Err(error) => return Err(error.into()),
                Ok(range) => {
                    let whole = plan(n).filter(|_| range >= n);
                    return Ok(whole.map_or(Route::Resident(range), |plan| Route::Whole(plan, None)));
                }
            }
        }
        Ok(Route::Ranges(self.longest_range(n, |range| check(range, false))?))
    }

    /// The longest range for which there is free memory: all of `n`, a half, a quarter, and so on.
    pub(super) fn longest_range(
        &self,
        n: usize,
        check: impl Fn(usize) -> Result<(), GpuError>,
    ) -> Result<usize, GpuError> {
        let mut range = n;
        loop {
            match check(range) {
                Ok(()) => return Ok(range),
                Err(error) if error.is_lack_of_memory() && range > SHORTEST_RANGE => {
                    range = range.div_ceil(2)
                }
                Err(error) => return Err(error),
            }
        }
    }
}
