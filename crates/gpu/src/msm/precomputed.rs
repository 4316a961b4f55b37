//! Precomputed multiples of bases, with which all windows share one or a few sets of buckets: when they are computed,
//! how many per base, and how long they are kept.
//!
//! They are computed on the device when a buffer whose bases stay there has been used so often that they pay, if half
//! of the device's memory remains free and the counts predict less work for sums. They are released first when an
//! operator lacks memory, and are not computed again for that buffer.

use super::kernels::Precompute;
use super::plan::{Multiples, SumPlan};
use super::{Msm, words_of_integer};
use crate::elements::words_of_coordinate;
use crate::error::GpuError;
use crate::memory::{Need, Words};
use crate::saturating_u32;
use crate::spare::Spare;
use pairwright_curve::{Affine, Curve};
use pairwright_device::{DeviceError, OpCount, Traffic, Transfer, once};
use pairwright_field::PrimeField;
use pairwright_poly::View;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Number of bases whose multiples are computed by one launch: a few turns of the device's threads.
const LONGEST_RANGE: usize = 1 << 18;

/// Least number of bases for which multiples are computed without an explicit request.
const LEAST_BASES: usize = 1 << 8;

/// Number of uses of a buffer at which its multiples are computed. On an H200 computing the multiples of a proving key
/// takes as long as 6 to 50 proofs with them gain (2^16 to 2^20 constraints, `bench/results/2026-11-27-gpu-h200.md`). A
/// session with fewer uses loses nothing, and a longer one has lost at most about a factor of two.
const LEAST_USES: u32 = 32;

/// Number of sums over a buffer on the device so far.
struct SumCount(AtomicU32);

/// The multiples of the bases of a buffer, kept with it; `None` if they do not pay or do not fit.
struct KeptMultiples {
    made: Option<(Multiples, Arc<Spare>)>,
}

/// Multiples on the device, stored one base after the other.
#[derive(Clone, Debug)]
pub(super) struct Precomputed {
    pub(super) multiples: Multiples,
    pub(super) words: Arc<Words>,
}

/// The precomputation that a call has done for later calls.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PrecomputeCost {
    /// Bytes of multiples that stay on the device.
    pub(super) bytes: u64,
    /// Number of doublings of points.
    pub(super) doublings: u64,
}

impl PrecomputeCost {
    /// Adds the precomputation to the bytes and the operations of a call.
    pub(super) fn added_to(&self, bytes: Traffic, ops: OpCount) -> (Traffic, OpCount) {
        let written = bytes.written + self.bytes;
        (Traffic { written, ..bytes }, OpCount { point_add: ops.point_add + self.doublings, ..ops })
    }
}

/// The precomputed multiples of a buffer on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precomputation {
    /// Number of multiples per base, including the base itself.
    pub copies: u32,
    /// log2 of the quotient of a multiple and the one before it.
    pub shift: u32,
    /// Size of all multiples in bytes.
    pub bytes: u64,
}

impl<C: Curve> Msm<C> {
    /// Counts a use of the bases of a buffer; returns whether multiples pay after this number of uses.
    fn used_often(&self, bases: &View<'_, Affine<C>>) -> bool {
        let (buf, memory) = (bases.buf(), self.workshop.memory());
        if bases.len() < LEAST_BASES || 2 * bases.len() < buf.len() {
            return false;
        }
        match buf.copy::<SumCount>(memory) {
            Some(uses) => uses.0.fetch_add(1, Ordering::Relaxed) + 1 >= LEAST_USES,
            None => {
                buf.note(memory, SumCount(AtomicU32::new(1)));
                false
            }
        }
    }

    /// The multiples of bases; computed if they are due, or in any case if `at_once` is set.
    pub(super) fn precomputed(
        &self,
        bases: &View<'_, Affine<C>>,
        at_once: bool,
        made: &mut PrecomputeCost,
        copies: &mut Transfer,
    ) -> Result<Option<Precomputed>, DeviceError> {
        let (buf, memory) = (bases.buf(), self.workshop.memory());
        let setting = self.workshop.setup().precompute;
        if bases.is_empty() {
            return Ok(None);
        }
        if buf.copy::<KeptMultiples>(memory).is_none() {
            let due = match setting {
                Some(most) => most > 1,
                None => at_once || self.used_often(bases),
            };
            if !due {
                return Ok(None);
            }
            let kept = match self.make(bases, setting, copies) {
                Ok(Some((multiples, words))) => {
                    made.bytes = 8 * words.len() as u64;
                    let doublings = u64::from((multiples.copies - 1) * multiples.shift);
                    made.doublings = doublings * buf.len() as u64;
                    Some((multiples, self.workshop.spares().keep(words)))
                }
                Ok(None) => None,
                Err(DeviceError::NoMemory { .. }) => None,
                Err(error) => return Err(error),
            };
            buf.keep(memory, KeptMultiples { made: kept });
        }
        let kept = buf.copy::<KeptMultiples>(memory);
        let made = kept.as_ref().and_then(|kept| kept.made.as_ref());
        Ok(made.and_then(|(multiples, spare)| {
            spare.words().map(|words| Precomputed { multiples: *multiples, words })
        }))
    }

    /// Computes the number of multiples with the least work; `None` if they do not pay.
    fn make(
        &self,
        bases: &View<'_, Affine<C>>,
        setting: Option<u32>,
        copies: &mut Transfer,
    ) -> Result<Option<(Multiples, Words)>, DeviceError> {
        let (gpu, len, n) = (self.workshop.gpu(), bases.buf().len(), bases.len());
        let base = 16 * words_of_coordinate::<C>() as u64;
        let on = self.plan_context();
        let most = match setting {
            Some(most) => most,
            None => {
                let (free, total) = gpu.memory()?;
                // The inversion of denominators takes as much memory as the multiples of a range.
                let each = (len + len.min(LONGEST_RANGE)) as u64 * base;
                u32::try_from(free.saturating_sub(total / 2) / each).unwrap_or(u32::MAX)
            }
        };
        let Some(multiples) = Multiples::choose(n, C::Scalar::BITS, on, most) else { return Ok(None) };
        let work = |plan: Option<SumPlan>| plan.map_or(u64::MAX, |plan| plan.work(on));
        let over = work(SumPlan::over(n, C::Scalar::BITS, on, multiples));
        if setting.is_none() && over >= work(SumPlan::new(n, C::Scalar::BITS, on)) {
            return Ok(None);
        }
        // Indices of multiples have 32 bits.
        let places = (len as u64).checked_mul(u64::from(multiples.copies));
        if places.is_none_or(|places| places > u64::from(u32::MAX)) {
            return Ok(None);
        }
        let Some(kernel) = self.precompute_kernel()? else { return Ok(None) };
        let to_come = if bases.buf().copy::<Words>(self.workshop.memory()).is_some() { 0 } else { base };
        let need = |range: usize| {
            Need::new()
                .with_part("bases", len as u64 * to_come)
                .with_part("multiples", len as u64 * base * u64::from(multiples.copies))
                .with_part("denominators", range as u64 * base * u64::from(multiples.copies - 1))
        };
        let range = self.longest_range(len.min(LONGEST_RANGE), |range| gpu.check_memory(&need(range)))?;
        let words = self.resident(bases, copies)?.words;
        Ok(Some((multiples, kernel.run(gpu, &words, saturating_u32(len), multiples, saturating_u32(range))?)))
    }

    /// The kernel, compiled at its first use; `None` if it does not support the coordinate field.
    fn precompute_kernel(&self) -> Result<Option<&Precompute>, GpuError> {
        Ok(once(&self.precompute, || Precompute::new::<C>(self.workshop.setup()))?.as_ref())
    }

    /// Computes the multiples of bases now and waits for the device; `None` if they do not pay. Without this call a
    /// device computes them when a buffer has been used some tens of times.
    ///
    /// # Errors
    /// Those of the compiler and the driver.
    pub fn precompute(&self, bases: &View<'_, Affine<C>>) -> Result<Option<Precomputation>, DeviceError> {
        let found =
            self.precomputed(bases, true, &mut PrecomputeCost::default(), &mut self.workshop.call().copies)?;
        self.workshop.gpu().wait()?;
        Ok(found.map(|Precomputed { multiples: Multiples { copies, shift }, words }| Precomputation {
            copies,
            shift,
            bytes: 8 * words.len() as u64,
        }))
    }

    /// Measures the parts of a sum whose operands stay on the device: digits, halvings if there are some, sums of entries,
    /// joins of pieces, sums of buckets, sums of lists. Empty if the device does not compute the sum in one piece.
    ///
    /// # Errors
    /// As [`pairwright_device::MsmOp::msm`].
    pub fn parts(
        &self,
        bases: &View<'_, Affine<C>>,
        scalars: &View<'_, C::Scalar>,
    ) -> Result<Vec<(&'static str, Duration)>, DeviceError> {
        let mut call = self.workshop.call();
        let copies = &mut call.copies;
        let (mut parts, mut made) = (Vec::new(), PrecomputeCost::default());
        let Some(kernels) = self.kernels(copies)? else { return Ok(parts) };
        let Some(whole) = self.whole(kernels, bases, scalars, &mut made, copies)? else {
            return Ok(parts);
        };
        let (setup, gpu) = (self.workshop.setup(), self.workshop.gpu());
        let integers = self.integers(kernels, &whole.scalars, 0..bases.len())?.0;
        let words = words_of_integer::<C>();
        let (_, time) = setup.timed(|| kernels.sort.run(gpu, &whole.plan, &integers, words))?;
        parts.push(("digits", time));
        whole.sum(kernels, gpu, &mut |name, part| {
            let ((), time) = setup.timed(&mut *part)?;
            parts.push((name, time));
            Ok(())
        })?;
        Ok(parts)
    }
}
