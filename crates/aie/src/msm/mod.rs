//! Whole multi-scalar multiplications on the board, \[AIE\] II.C and V: Pippenger's algorithm with the additions on the
//! array and all other steps in the programmable logic.
//!
//! ```text
//!   DRAM ─► points, scalars ─► digits ─► scheduler ─► units of bucket accumulation ─┐
//!                                          │   ▲       (mixed additions)            │
//!                                     waiting  buckets ◄────────────────────────────┘
//!                                              └─► unit of bucket and group aggregation (complete additions)
//! ```
//!
//! The programmable logic reads points as `(X, Y, U)` and splits scalars into digits, one per window. For each digit, an
//! addition into the digit's bucket goes to a unit of the array; if another addition into that bucket is in progress, it
//! waits and others go first. Buckets are added up by running sums, and windows by Horner's rule, on a unit of another
//! mapping. All steps are simulated in cycles of the logic, except the units: a unit is a pipeline with the interval and
//! the latency that the clocked array measured. So the times of MSMs are those of a rate model.
//!
//! [`Machine::simulate`] computes only the time; [`Machine::run`] also computes the sum, with every addition by the
//! programs of the tiles, bit by bit, in the order in which the machine performs them. Time does not depend on
//! coordinates, so both report the same cycles for the same scalars.
//!
//! The host maps the points to the Edwards curve, with one inversion for all of them, and the sum back. This and writing
//! the points to DRAM are not counted, because provers use the same points repeatedly.

mod accumulate;
mod aggregate;
mod error;
mod job;
mod machine;
#[cfg(test)]
mod parameters;
mod plan;
mod report;
mod residue;
#[cfg(test)]
mod tests;
mod timeline;
mod units;
mod values;

pub use error::MsmError;
pub use job::{Arithmetic, FirstPoint, Job, Spread};
pub use machine::{Machine, UnitPace};
pub use report::{MsmBound, MsmReport, Phases};

use accumulate::{Buckets, Pass, Tally};
use aggregate::Aggregator;
use pairwright_curve::bls12_377::edwards::{AffinePoint, Point};
use pairwright_curve::bls12_377::{Fr, G1};
use pairwright_curve::{Affine, EdwardsAffine};
use pairwright_field::PrimeField;
use pairwright_sim::dram::Dram;
use pairwright_sim::trace::Chrome;
use plan::{Limbs, UniformScalars, WindowPlan};
use units::Units;
use values::{BitExact, Formulas, Timing, Values};

/// The widths of windows in bits that [`Machine::best_window`] tries.
const CANDIDATES: core::ops::RangeInclusive<u32> = 2..=16;
/// The greatest number of points for which it simulates whole MSMs.
const TRIED: u64 = 1 << 13;

impl Machine {
    /// Simulates an MSM with pseudo-random scalars and reports its time.
    ///
    /// # Errors
    /// [`MsmError::Parameter`] if a parameter of the job is out of its range.
    pub fn simulate(&self, job: &Job) -> Result<MsmReport, MsmError> {
        let bits = self.window(job)?;
        Ok(self.go(job, bits, |index| UniformScalars(job.seed).scalar(index), &mut Timing, None)?.1)
    }

    /// As [`Self::simulate`], with a timeline of phases, fetches and units, in cycles of the logic.
    ///
    /// # Errors
    /// Those of [`Self::simulate`].
    pub fn simulate_traced(&self, job: &Job) -> Result<(MsmReport, Chrome), MsmError> {
        let (bits, mut chrome) = (self.window(job)?, Chrome::new());
        let scalar = |index| UniformScalars(job.seed).scalar(index);
        let (_, report) = self.go(job, bits, scalar, &mut Timing, Some(&mut chrome))?;
        Ok((report, chrome))
    }

    /// Computes `Σ scalars[i]·points[i]` and reports its time. The points are elements of the prime-order group; any of
    /// them may be infinity, equal or opposite. [`Job::points`] is ignored.
    ///
    /// # Errors
    /// [`MsmError::Parameter`]; [`MsmError::Lengths`]. For points of the curve outside the prime-order group,
    /// [`MsmError::Point`] or [`MsmError::Sum`], or no error and the correct sum.
    pub fn run(
        &self,
        job: &Job,
        points: &[Affine<G1>],
        scalars: &[Fr],
    ) -> Result<(Affine<G1>, MsmReport), MsmError> {
        if points.len() != scalars.len() {
            return Err(MsmError::Lengths { points: points.len(), scalars: scalars.len() });
        }
        let job = Job { points: points.len() as u64, ..*job };
        let bits = self.window(&job)?;
        let limbs: Vec<Limbs> = scalars.iter().map(PrimeField::to_limbs).collect();
        let terms: Vec<AffinePoint> = EdwardsAffine::batch_from_weierstrass(points)?;
        let (sum, report) = match job.arithmetic {
            Arithmetic::Kernels => self.sum(&job, bits, &limbs, &mut BitExact::new(self, &terms)?)?,
            Arithmetic::Formulas => self.sum(&job, bits, &limbs, &mut Formulas(terms))?,
        };
        Ok((sum.to_weierstrass().ok_or(MsmError::Sum)?, report))
    }

    fn sum<V: Values>(
        &self,
        job: &Job,
        bits: u32,
        scalars: &[Limbs],
        values: &mut V,
    ) -> Result<(Point, MsmReport), MsmError> {
        let (sum, report) = self.go(job, bits, |index| scalars[index as usize], values, None)?;
        let sum = sum.map_or(Some(Point::IDENTITY), |sum| values.point(&sum));
        Ok((sum.ok_or(MsmError::Sum)?, report))
    }

    /// The width of a window, in bits, with which a job takes the least time. For up to 2^13 points, widths are tried in
    /// simulations, from small ones on until three in a row are worse than the best. For more points, 2^13 points are
    /// simulated, and the time of bucket accumulation is scaled to the number of points.
    ///
    /// # Errors
    /// [`MsmError::Parameter`] if another parameter of the job is out of its range.
    pub fn best_window(&self, job: &Job) -> Result<u32, MsmError> {
        let tried = Job { points: job.points.min(TRIED), ..*job };
        let scale = job.points as f64 / tried.points.max(1) as f64;
        let mut best: Option<(f64, u32)> = None;
        for bits in CANDIDATES {
            let report =
                match self.go(&tried, bits, |i| UniformScalars(job.seed).scalar(i), &mut Timing, None) {
                    Ok((_, report)) => report,
                    // The bucket memory is too small for windows of this width.
                    Err(MsmError::Parameter { name: "buckets" | "windows_per_pass", .. }) => continue,
                    Err(error) => return Err(error),
                };
            // Cycles of the logic that are proportional to the number of points, and those that do not depend on it.
            let phases = report.pl_cycles;
            let rest = phases.bucket_aggregation + phases.group_aggregation;
            let cycles = phases.accumulation as f64 * scale + rest as f64;
            match best {
                Some((least, of)) if cycles >= least => {
                    if bits >= of + 3 {
                        break;
                    }
                }
                _ => best = Some((cycles, report.window_bits)),
            }
        }
        Ok(best.map_or(*CANDIDATES.start(), |(_, bits)| bits))
    }

    fn window(&self, job: &Job) -> Result<u32, MsmError> {
        job.window_bits.map_or_else(|| self.best_window(job), Ok)
    }

    /// Simulates a whole MSM. The sum is `None` if all digits are zero.
    fn go<V: Values>(
        &self,
        job: &Job,
        bits: u32,
        scalar: impl Fn(u64) -> Limbs,
        values: &mut V,
        trace: Option<&mut Chrome>,
    ) -> Result<(Option<V::Sum>, MsmReport), MsmError> {
        let plan = WindowPlan::new(self, job, bits)?;
        let mut dram = Dram::new(&self.dram, self.pl_hz as f64)?;
        let mut mixed = Units::new(self, &self.mixed, trace.is_some());
        let mut complete = Units::new(self, &self.complete, trace.is_some());
        let mut phases = Vec::new();
        let coordinates = if job.first == FirstPoint::Copy { 4 } else { 3 };
        let neutral = values.neutral();
        let mut buckets = Buckets::new(&plan, &neutral);
        let mut tally = Tally::default();
        let (mut now, mut sums, mut reduced, mut tasks) = (0, Vec::new(), 0, 0);
        for pass in 0..plan.passes() {
            let first = pass * plan.lanes;
            if pass > 0 {
                buckets.clear(&neutral);
            }
            let mut accumulation = Pass {
                job,
                plan: &plan,
                units: &mut mixed,
                dram: &mut dram,
                bytes: self.operand_bytes(coordinates),
                values,
                buckets: &mut buckets,
                tally: &mut tally,
                first,
            };
            let from = accumulation.run(now, &scalar)?;
            let mut aggregator = Aggregator::new(&plan, &mut complete, values, job);
            let windows = plan.lanes.min(plan.windows - first);
            let (end, of_pass) = aggregator.buckets(from, windows, &buckets)?;
            tasks += aggregator.tasks[0];
            sums.extend(of_pass);
            reduced += end - from;
            phases.extend([("bucket accumulation", [now, from]), ("bucket aggregation", [from, end])]);
            now = end;
        }
        let aggregate_utilisation = complete.utilisation(reduced);
        let mut aggregator = Aggregator::new(&plan, &mut complete, values, job);
        let (end, sum) = aggregator.group(now, &sums)?;
        phases.push(("group aggregation", [now, end]));
        let pl_cycles =
            Phases { accumulation: tally.cycles, bucket_aggregation: reduced, group_aggregation: end - now };
        let tasks = Phases {
            accumulation: mixed.taken,
            bucket_aggregation: tasks,
            group_aggregation: aggregator.tasks[1],
        };
        if let Some(chrome) = trace {
            timeline::draw(chrome, &phases, &tally.fetches, [&mixed, &complete]);
        }
        let (seconds, cycles) = self.time(end);
        let accumulation = self.time(tally.cycles).0;
        let stats = dram.stats();
        let per_second = |amount: u64| if accumulation > 0.0 { amount as f64 / accumulation } else { 0.0 };
        let mut report = MsmReport {
            points: job.points,
            window_bits: plan.bits,
            windows: plan.windows,
            buckets: plan.buckets.into(),
            windows_per_pass: plan.lanes,
            passes: plan.passes(),
            units: self.mixed.units,
            seconds,
            cycles,
            pl_cycles,
            tasks,
            tasks_per_second: per_second(tasks.accumulation),
            zeros: tally.zeros,
            copies: tally.copies,
            conflicts: tally.conflicts,
            waiting: tally.waiting,
            bubbles: mixed.cycles(tally.bubbles),
            starved: mixed.cycles(tally.starved),
            skipped: mixed.cycles(tally.skipped),
            utilisation: mixed.utilisation(tally.cycles),
            aggregate_utilisation,
            dram_bytes: stats.read_bytes,
            dram_moved_bytes: stats.moved_bytes,
            dram_cycles: stats.active_cycles,
            bandwidth: per_second(stats.read_bytes) / self.dram.peak_bytes_per_second(self.pl_hz as f64),
            bucket_bits: u64::from(plan.lanes) * u64::from(plan.buckets) * self.bucket_bits,
            bound: MsmBound::Units,
        };
        report.bound = report.bound();
        Ok((sum, report))
    }
}
