//! The units of an MSM as pipelines with an interval and a latency.

use super::{Machine, UnitPace};

/// Parts of an engine's cycle, the resolution in which the times of units are kept.
const PARTS: f64 = 1024.0;

/// A time in which a unit does additions without a gap, from the start of the first to the end of the last one's
/// interval.
#[derive(Clone, Copy, Debug)]
pub(super) struct BusyPeriod {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) additions: u64,
}

/// The units of one kind. Times are cycles of the programmable logic unless stated otherwise.
#[derive(Clone, Debug)]
pub(super) struct Units {
    /// For each unit, when it can begin its next addition, in parts of an engine's cycle.
    next: Vec<u64>,
    interval: u64,
    /// Parts of an engine's cycle in a cycle of the logic.
    cycle: u64,
    latency: u64,
    loops: bool,
    pub(super) taken: u64,
    /// The busy periods of each unit; `None` if they are not recorded.
    busy_periods: Option<Vec<Vec<BusyPeriod>>>,
}

impl Units {
    pub(super) fn new(machine: &Machine, pace: &UnitPace, traced: bool) -> Self {
        Self {
            next: vec![0; pace.units as usize],
            interval: ((pace.interval * PARTS).round() as u64).max(1),
            cycle: ((machine.aie_hz as f64 / machine.pl_hz as f64) * PARTS).round() as u64,
            latency: pace.latency,
            loops: pace.loops,
            taken: 0,
            busy_periods: traced.then(|| vec![Vec::new(); pace.units as usize]),
        }
    }

    /// The cycle from which a unit accepts an addition: its streams hold one before the unit begins it.
    fn ready(&self, unit: usize) -> u64 {
        self.next[unit].saturating_sub(self.interval).div_ceil(self.cycle)
    }

    /// The unit, among every `step`-th from `first` on, that can begin soonest, and the cycle from which it accepts an
    /// addition.
    pub(super) fn soonest(&self, first: usize, step: usize) -> (usize, u64) {
        let units = (first..self.next.len()).step_by(step);
        let unit = units.min_by_key(|&unit| self.next[unit]).unwrap_or(first);
        (unit, self.ready(unit))
    }

    /// Sets the earliest cycle in which any unit begins an addition.
    pub(super) fn begin(&mut self, now: u64) {
        self.next.iter_mut().for_each(|next| *next = (*next).max(now * self.cycle));
    }

    /// Gives an addition to a unit. Returns the cycle in which its result is complete, and the idle time of the unit
    /// before it, in parts of an engine's cycle.
    pub(super) fn take(&mut self, unit: usize, now: u64) -> (u64, u64) {
        let (next, at) = (&mut self.next[unit], now * self.cycle);
        let mut idle = at.saturating_sub(*next);
        if self.loops {
            // The unit has begun a dummy addition in the meantime.
            idle = idle.next_multiple_of(self.interval);
        }
        let begins = *next + idle;
        *next = begins + self.interval;
        self.taken += 1;
        if let Some(busy_periods) = &mut self.busy_periods {
            match busy_periods[unit].last_mut() {
                // Gaps of less than a cycle of the logic are ignored in the timeline.
                Some(last) if begins < last.end + self.cycle => {
                    (last.end, last.additions) = (*next, last.additions + 1);
                }
                _ => busy_periods[unit].push(BusyPeriod { start: begins, end: *next, additions: 1 }),
            }
        }
        (begins.div_ceil(self.cycle) + self.latency, idle)
    }

    /// The number of units.
    pub(super) fn count(&self) -> usize {
        self.next.len()
    }

    /// The busy periods of each unit in cycles of the logic; empty if they were not recorded.
    pub(super) fn busy_periods(&self) -> impl Iterator<Item = impl Iterator<Item = BusyPeriod>> {
        let whole = |of: BusyPeriod| BusyPeriod {
            start: self.cycles(of.start),
            end: of.end.div_ceil(self.cycle),
            ..of
        };
        self.busy_periods.iter().flatten().map(move |unit| unit.iter().copied().map(whole))
    }

    /// Parts of an engine's cycle as whole cycles of the logic.
    pub(super) fn cycles(&self, parts: u64) -> u64 {
        parts / self.cycle
    }

    /// The share of this many cycles in which the units are busy, 0 to 1.
    pub(super) fn utilisation(&self, cycles: u64) -> f64 {
        let all = self.next.len() as f64 * (cycles * self.cycle) as f64;
        if all == 0.0 { 0.0 } else { (self.taken * self.interval) as f64 / all }
    }
}
