//! The account of a session: the operator calls, their sizes and their costs, and sums over them.

use crate::{Cost, Dram, Fidelity, Occupancy, Picojoules, Time, Transfer};
use alloc::vec::Vec;
use serde::Serialize;

/// One operator call.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// The phase of the protocol to which the call belongs.
    pub phase: &'static str,
    /// The name of the operator, e.g. `msm_g1`.
    pub operator: &'static str,
    /// Number of elements.
    pub size: usize,
    /// The cost of the call.
    pub cost: Cost,
}

/// A call that a protocol announces before making it: the content of its later [`Record`] without the cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedCall {
    /// The phase of the protocol to which the call belongs.
    pub phase: &'static str,
    /// The name of the operator, or of the host's work, as in reports.
    pub operator: &'static str,
    /// Number of elements.
    pub size: usize,
}

/// Sums over several operator calls of one modelled machine, all at one clock and of one fidelity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ModelTotals {
    /// Name of the machine.
    pub machine: &'static str,
    /// Its clock in hertz.
    pub hz: u64,
    /// The kind of model.
    pub fidelity: Fidelity,
    /// Number of cycles of that clock.
    pub cycles: u64,
    /// Energy of the calls that have one; `None` if no call has.
    pub energy: Option<Picojoules>,
    /// Traffic over the pins of its DRAM.
    pub dram: Dram,
    /// Cycles of its processing elements.
    pub elements: Occupancy,
    /// Cycles of its DRAM's data pins.
    pub memory: Occupancy,
}

impl ModelTotals {
    /// The values that have to be equal for cycles to be added.
    fn key(&self) -> (&'static str, u64, Fidelity) {
        (self.machine, self.hz, self.fidelity)
    }

    /// The modelled time in seconds.
    pub fn seconds(&self) -> f64 {
        Time::Cycles { n: self.cycles, hz: self.hz, fidelity: self.fidelity }.seconds()
    }
}

/// Sums over operator calls. Measured times are never added to modelled ones, nor cycles of different machines, clocks or
/// fidelities to each other.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Totals {
    /// Number of calls.
    pub calls: usize,
    /// Sum of the measured times in seconds.
    pub measured_seconds: f64,
    /// Copies between the host and machines with memories of their own.
    pub transfer: Transfer,
    /// Sums of the modelled machines, one for each machine, clock and fidelity, in the order of first appearance.
    pub models: Vec<ModelTotals>,
}

impl Totals {
    /// Adds the costs of several calls.
    pub fn of<'a>(records: impl IntoIterator<Item = &'a Record>) -> Self {
        let mut sum = Self::default();
        for Record { cost, .. } in records {
            sum.calls += 1;
            sum.transfer += cost.transfer.unwrap_or_default();
            let (cycles, hz, fidelity) = match cost.time {
                Time::Measured(t) => {
                    sum.measured_seconds += t.as_secs_f64();
                    continue;
                }
                Time::Unknown => continue,
                Time::Cycles { n, hz, fidelity } => (n, hz, fidelity),
            };
            let model = sum.model(cost.machine, hz, fidelity);
            model.cycles += cycles;
            if let Some(Picojoules(more)) = cost.energy {
                model.energy = Some(Picojoules(more + model.energy.map_or(0, |e| e.0)));
            }
            if let Some(more) = cost.model {
                model.dram += more.dram;
                model.elements += more.elements;
                model.memory += more.memory;
            }
        }
        sum
    }

    /// The sums of a machine at a clock and of a fidelity, which are added with zeros if there are none yet.
    fn model(&mut self, machine: &'static str, hz: u64, fidelity: Fidelity) -> &mut ModelTotals {
        let at = self.models.iter().position(|m| m.key() == (machine, hz, fidelity)).unwrap_or_else(|| {
            self.models.push(ModelTotals {
                machine,
                hz,
                fidelity,
                cycles: 0,
                energy: None,
                dram: Dram::default(),
                elements: Occupancy::default(),
                memory: Occupancy::default(),
            });
            self.models.len() - 1
        });
        &mut self.models[at]
    }

    /// The share of the cycles of `part` in those of these sums for the same machine, clock and fidelity, between 0 and 1.
    pub fn share_of_model(&self, part: &ModelTotals) -> f64 {
        let whole = self.models.iter().find(|m| m.key() == part.key());
        ratio(part.cycles as f64, whole.map_or(0.0, |m| m.cycles as f64))
    }

    /// The share of a record's time in the sum of its own kind, between 0 and 1: in the measured times, or in the cycles of its
    /// modelled machine.
    pub fn share(&self, record: &Record) -> f64 {
        match record.cost.time {
            Time::Measured(_) | Time::Unknown => ratio(record.cost.time.seconds(), self.measured_seconds),
            Time::Cycles { .. } => Self::of([record]).models.iter().map(|m| self.share_of_model(m)).sum(),
        }
    }
}

/// The ratio of a part to a whole; zero if the whole is zero.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// All operator calls of a session, in order.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The board's name.
    pub device: &'static str,
    /// The curve's name.
    pub curve: &'static str,
    /// All calls in the order in which they ended.
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bound, Modelled, OpCount, Traffic};
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
        let transfer = model.map(|_| Transfer { to_machine: 96, to_host: 32, time: Duration::ZERO });
        let cost = Cost { machine: "m", time, bytes, transfer, ops: OpCount::default(), energy, model };
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
        assert_eq!((all.calls, all.measured_seconds), (3, 7.0));
        assert_eq!((all.transfer.to_machine, all.transfer.to_host), (192, 64));
        let [model] = all.models[..] else { panic!("one machine, one clock") };
        assert_eq!((model.machine, model.cycles, model.hz, model.seconds()), ("m", 400, 100, 4.0));
        assert_eq!((model.energy, model.dram.moved.total()), (Some(Picojoules(11)), 2 * 192));
        assert_eq!((model.elements.share(), model.memory.share()), (0.25, 0.5));
        let by = report.totals_by(|r| r.operator);
        assert_eq!(by.iter().map(|(n, t)| (*n, t.calls)).collect::<Vec<_>>(), [("msm", 2), ("ntt", 1)]);
        assert!(by[1].1.models.is_empty(), "the host has no cycles");
        // Shares are of the record's own kind.
        assert_eq!((all.share(&report.records[0]), all.share(&report.records[1])), (0.75, 1.0));
        assert_eq!(Report::default().totals().measured_seconds.to_bits(), 0.0f64.to_bits(), "no minus zero");
    }

    #[test]
    fn cycles_of_different_clocks_fidelities_and_machines_stay_apart() {
        let cycles = |n, hz, fidelity| record("msm", Time::Cycles { n, hz, fidelity }, None);
        let mut other = cycles(5, 100, Fidelity::RateModel);
        other.cost.machine = "n";
        let records = vec![
            cycles(300, 100, Fidelity::CycleAccurate),
            cycles(50, 200, Fidelity::CycleAccurate),
            cycles(7, 100, Fidelity::RateModel),
            other,
            cycles(100, 100, Fidelity::CycleAccurate),
        ];
        let all = Totals::of(&records);
        let found: Vec<_> = all.models.iter().map(|m| (m.machine, m.hz, m.fidelity, m.cycles)).collect();
        let (exact, rates) = (Fidelity::CycleAccurate, Fidelity::RateModel);
        let apart =
            [("m", 100, exact, 400), ("m", 200, exact, 50), ("m", 100, rates, 7), ("n", 100, rates, 5)];
        assert_eq!(found, apart);
        // A share is relative to the same model, so the shares of each model add up to one.
        let shares: Vec<_> = records.iter().map(|record| all.share(record)).collect();
        assert_eq!(shares, [0.75, 1.0, 1.0, 1.0, 0.25]);
    }
}
