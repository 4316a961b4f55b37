//! The account of a session: what ran, at which size, at what cost.

use crate::{Cost, Dram, Occupancy, Picojoules, Time};
use serde::Serialize;

/// One operator call.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// The phase of the protocol it belongs to.
    pub phase: &'static str,
    /// The operator, e.g. `msm_g1`.
    pub operator: &'static str,
    /// Number of elements.
    pub size: usize,
    /// The cost of the call.
    pub cost: Cost,
}

/// Sums over operator calls, those of modelled machines apart from those of the host: times of two kinds are never
/// added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Totals {
    /// Number of calls.
    pub calls: usize,
    /// Measured times in seconds.
    pub measured_seconds: f64,
    /// Modelled times in seconds.
    pub modelled_seconds: f64,
    /// Cycles of modelled machines.
    pub cycles: u64,
    /// Energy of the calls that have one; none when no call has.
    pub energy: Option<Picojoules>,
    /// DRAM traffic of modelled machines.
    pub dram: Dram,
    /// Their processing elements.
    pub elements: Occupancy,
    /// Their DRAM pins.
    pub memory: Occupancy,
}

impl Totals {
    /// Adds the costs of several calls.
    pub fn of<'a>(records: impl IntoIterator<Item = &'a Record>) -> Self {
        let mut sum = Self::default();
        for Record { cost, .. } in records {
            sum.calls += 1;
            match cost.time {
                Time::Measured(t) => sum.measured_seconds += t.as_secs_f64(),
                Time::Cycles { n, .. } => {
                    sum.cycles += n;
                    sum.modelled_seconds += cost.time.seconds();
                }
            }
            if let Some(Picojoules(more)) = cost.energy {
                sum.energy = Some(Picojoules(more + sum.energy.map_or(0, |e| e.0)));
            }
            if let Some(model) = cost.model {
                sum.dram += model.dram;
                sum.elements += model.elements;
                sum.memory += model.memory;
            }
        }
        sum
    }
}

/// All operator calls of a session, in order.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The board's name.
    pub device: &'static str,
    /// The curve's name.
    pub curve: &'static str,
    /// All calls, in the order in which they ended.
    pub records: Vec<Record>,
}

impl Report {
    /// Sums over all calls.
    pub fn totals(&self) -> Totals {
        Totals::of(&self.records)
    }

    /// Sums over the calls that share a name, in the order of first appearance: by operator
    /// (`totals_by(|r| r.operator)`), by phase, by machine.
    pub fn totals_by(&self, name: impl Fn(&Record) -> &'static str) -> Vec<(&'static str, Totals)> {
        let mut names: Vec<&'static str> = Vec::new();
        for record in &self.records {
            if !names.contains(&name(record)) {
                names.push(name(record));
            }
        }
        let sums = |wanted| Totals::of(self.records.iter().filter(|r| name(r) == wanted));
        names.into_iter().map(|n| (n, sums(n))).collect()
    }

    /// Sum of the measured times in seconds; modelled cycles are not added to it.
    pub fn measured_seconds(&self) -> f64 {
        self.totals().measured_seconds
    }

    /// Sum of the modelled times in seconds; measured times are not added to it.
    pub fn modelled_seconds(&self) -> f64 {
        self.totals().modelled_seconds
    }

    /// The share of a record in the times of its own kind, between 0 and 1.
    pub fn share(&self, record: &Record) -> f64 {
        let total = match record.cost.time {
            Time::Measured(_) => self.measured_seconds(),
            Time::Cycles { .. } => self.modelled_seconds(),
        };
        if total > 0.0 { record.cost.time.seconds() / total } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bound, Fidelity, Modelled, OpCount, Traffic};
    use std::time::Duration;

    fn record(operator: &'static str, time: Time, energy: Option<u64>) -> Record {
        let bytes = Traffic { read: 96, written: 32 };
        let modelled = Modelled {
            dram: Dram { useful: bytes, moved: Traffic { read: 128, written: 64 } },
            elements: Occupancy { busy: 3, of: 12 },
            memory: Occupancy { busy: 1, of: 2 },
            bound: Bound::Memory,
        };
        let model = matches!(time, Time::Cycles { .. }).then_some(modelled);
        let energy = energy.map(Picojoules);
        let cost = Cost { machine: "m", time, bytes, transfer: None, ops: OpCount::default(), energy, model };
        Record { phase: "p", operator, size: 4, cost }
    }

    #[test]
    fn times_of_two_kinds_stay_apart() {
        let cycles = |n| Time::Cycles { n, hz: 100, fidelity: Fidelity::CycleAccurate };
        let host = Time::Measured(Duration::from_secs(7));
        let records = vec![
            record("msm", cycles(300), Some(5)),
            record("ntt", host, None),
            record("msm", cycles(100), Some(6)),
        ];
        let report = Report { device: "d", curve: "c", records };
        let all = report.totals();
        assert_eq!((all.calls, all.measured_seconds, all.modelled_seconds, all.cycles), (3, 7.0, 4.0, 400));
        assert_eq!((all.energy, all.dram.moved.total()), (Some(Picojoules(11)), 2 * 192));
        assert_eq!((all.elements.share(), all.memory.share()), (0.25, 0.5));
        let by = report.totals_by(|r| r.operator);
        assert_eq!(by.iter().map(|(n, t)| (*n, t.calls)).collect::<Vec<_>>(), [("msm", 2), ("ntt", 1)]);
        assert_eq!((by[1].1.energy, by[1].1.cycles, by[1].1.elements.share()), (None, 0, 0.0));
        // Shares are of the record's own kind.
        assert_eq!((report.share(&report.records[0]), report.share(&report.records[1])), (0.75, 1.0));
        assert_eq!(Report::default().totals().measured_seconds.to_bits(), 0.0f64.to_bits(), "no minus zero");
    }
}
