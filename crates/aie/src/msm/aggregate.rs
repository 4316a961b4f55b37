//! Bucket aggregation adds up the buckets of each window by running sums; group aggregation adds the window sums up to
//! the result.

use super::accumulate::Buckets;
use super::units::Units;
use super::values::Values;
use super::{Job, MsmError, WindowPlan};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The aggregation of one window: the running sum of its buckets, from the top down, and the sum of the running sums.
/// With buckets `B_d`, `Σ d·B_d = Σ_d Σ_{e ≥ d} B_e`.
struct Chain<S> {
    /// The lane that holds the window's buckets.
    lane: usize,
    /// The index of the next bucket; 0 after the last one.
    next: usize,
    run: Option<S>,
    total: Option<S>,
    /// Whether an addition to the running sum is in progress.
    run_busy: bool,
    /// Whether an addition to the total is in progress.
    total_busy: bool,
    /// Whether the running sum has still to be added to the total.
    pending: bool,
}

/// The next step of a window's aggregation.
enum ChainStep {
    /// No step is possible in this cycle.
    Wait,
    /// A step that needs no addition.
    Skip,
    /// An addition to the running sum.
    Run,
    /// An addition to the total.
    Total,
}

impl<S: Clone> Chain<S> {
    fn over(&self) -> bool {
        self.next == 0 && !self.pending && !self.run_busy && !self.total_busy
    }

    fn next(&self, buckets: &Buckets<S>) -> ChainStep {
        match (self.pending, self.run_busy, self.total_busy) {
            (true, true, _) => ChainStep::Wait,
            (true, false, busy) => match self.total {
                None => ChainStep::Skip,
                Some(_) if busy => ChainStep::Wait,
                Some(_) => ChainStep::Total,
            },
            (false, ..) if self.next == 0 => ChainStep::Wait,
            // A running sum in progress still has to be added to the total.
            (false, ..) => match (buckets.get(self.lane, self.next), &self.run) {
                (None, _) | (_, None) => ChainStep::Skip,
                _ => ChainStep::Run,
            },
        }
    }
}

/// The first cycle after the last result, and the window sums; `None` for windows without non-zero digits.
type Summed<S> = (u64, Vec<Option<S>>);

/// The aggregation of buckets and of window sums on its units.
pub(super) struct Aggregator<'a, V: Values> {
    plan: &'a WindowPlan,
    units: &'a mut Units,
    values: &'a mut V,
    /// The greatest number of additions in progress.
    interleave: usize,
    /// The number of additions of bucket aggregation, and of group aggregation.
    pub(super) tasks: [u64; 2],
}

impl<'a, V: Values> Aggregator<'a, V> {
    /// An aggregator before its first addition.
    pub(super) fn new(plan: &'a WindowPlan, units: &'a mut Units, values: &'a mut V, job: &Job) -> Self {
        Self { plan, units, values, interleave: job.interleave as usize, tasks: [0; 2] }
    }

    /// The sums of the windows in the first `windows` lanes, beginning in cycle `start`, and the first cycle after the
    /// last result. There is one decision per cycle, and the windows take turns.
    pub(super) fn buckets(
        &mut self,
        start: u64,
        windows: u32,
        buckets: &Buckets<V::Sum>,
    ) -> Result<Summed<V::Sum>, MsmError> {
        let chain = |lane| Chain {
            lane,
            next: self.plan.buckets as usize,
            run: None,
            total: None,
            run_busy: false,
            total_busy: false,
            pending: false,
        };
        let mut chains: Vec<Chain<V::Sum>> = (0..windows as usize).map(chain).collect();
        let mut returning: BinaryHeap<Reverse<(u64, usize, bool)>> = BinaryHeap::new();
        let (mut now, mut turn) = (start, 0);
        while !chains.iter().all(Chain::over) {
            let mut acted = false;
            let mut change = returning.peek().map_or(u64::MAX, |Reverse((at, ..))| *at);
            let (unit, ready) = self.units.soonest(0, 1);
            let room = returning.len() < self.interleave;
            for step in 0..chains.len() {
                let at = (turn + step) % chains.len();
                let chain = &mut chains[at];
                let (sum, is_run) = match chain.next(buckets) {
                    ChainStep::Wait => continue,
                    ChainStep::Skip => {
                        chain.skip(buckets);
                        (acted, turn) = (true, at + 1);
                        break;
                    }
                    ChainStep::Run | ChainStep::Total if !room => continue,
                    ChainStep::Run | ChainStep::Total if ready > now => {
                        change = change.min(ready);
                        continue;
                    }
                    ChainStep::Run => {
                        chain.next -= 1;
                        (chain.run_busy, chain.pending) = (true, true);
                        let bucket = buckets.get(chain.lane, chain.next + 1);
                        (chain.run.as_ref().zip(bucket), true)
                    }
                    ChainStep::Total => {
                        (chain.total_busy, chain.pending) = (true, false);
                        (chain.total.as_ref().zip(chain.run.as_ref()), false)
                    }
                };
                if let Some((a, b)) = sum {
                    let sum = Some(self.values.complete(a, b)?);
                    *(if is_run { &mut chain.run } else { &mut chain.total }) = sum;
                }
                returning.push(Reverse((self.units.take(unit, now).0, at, is_run)));
                self.tasks[0] += 1;
                (acted, turn) = (true, at + 1);
                break;
            }
            if let Some(&Reverse((at, chain, is_run))) = returning.peek()
                && at <= now
            {
                returning.pop();
                let chain = &mut chains[chain];
                *(if is_run { &mut chain.run_busy } else { &mut chain.total_busy }) = false;
                acted = true;
            }
            now = if acted { now + 1 } else { change.max(now + 1) };
        }
        Ok((now, chains.into_iter().map(|chain| chain.total).collect()))
    }

    /// The sum of all window sums, given lowest first: for each window its doublings and one addition, each after the
    /// previous one.
    pub(super) fn group(
        &mut self,
        start: u64,
        sums: &[Option<V::Sum>],
    ) -> Result<(u64, Option<V::Sum>), MsmError> {
        let (mut now, mut result): (u64, Option<V::Sum>) = (start, None);
        for (window, sum) in sums.iter().enumerate().rev() {
            let doublings = if result.is_some() { self.plan.width(window as u32) } else { 0 };
            for doubling in 0..=doublings {
                let other = if doubling < doublings { &result } else { sum };
                result = match (&result, other) {
                    (Some(a), Some(b)) => {
                        let (unit, ready) = self.units.soonest(0, 1);
                        now = self.units.take(unit, now.max(ready)).0 + 1;
                        self.tasks[1] += 1;
                        Some(self.values.complete(a, b)?)
                    }
                    (a, b) => a.as_ref().or(b.as_ref()).cloned(),
                };
            }
        }
        Ok((now, result))
    }
}

impl<S: Clone> Chain<S> {
    /// Does a step that needs no addition: the first running sum becomes the total, an empty bucket is skipped, or the
    /// first bucket becomes the running sum.
    fn skip(&mut self, buckets: &Buckets<S>) {
        if self.pending {
            (self.total, self.pending) = (self.run.clone(), false);
            return;
        }
        if let Some(bucket) = buckets.get(self.lane, self.next) {
            self.run = Some(bucket.clone());
        }
        self.next -= 1;
        self.pending = self.run.is_some();
    }
}
