//! The report of an MSM.

use serde::Serialize;

/// A number for each phase of an MSM.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Phases {
    /// Points are added into buckets.
    pub accumulation: u64,
    /// Buckets are added up to window sums.
    pub bucket_aggregation: u64,
    /// Window sums are added up to the result.
    pub group_aggregation: u64,
}

impl Phases {
    /// The sum over all phases.
    pub const fn total(&self) -> u64 {
        self.accumulation + self.bucket_aggregation + self.group_aggregation
    }
}

/// The part of the machine that most of the time went to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MsmBound {
    /// The units of bucket accumulation.
    Units,
    /// DRAM: units waited for points.
    Memory,
    /// Units waited because all points at hand went to buckets whose additions were under way.
    Conflicts,
    /// Bucket and group aggregation.
    Aggregation,
}

/// The figures of an MSM on the board, by the rates of clocked units.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MsmReport {
    /// The number of points.
    pub points: u64,
    /// Bits of the widest window.
    pub window_bits: u32,
    /// The number of windows.
    pub windows: u32,
    /// The number of buckets of a window.
    pub buckets: u64,
    /// Windows of a pass over the points.
    pub windows_per_pass: u32,
    /// Passes over the points.
    pub passes: u32,
    /// Units of bucket accumulation.
    pub units: u32,
    /// Time, from the first request to DRAM to the last addition's result.
    pub seconds: f64,
    /// The time in cycles of the AI Engines.
    pub cycles: u64,
    /// Cycles of the programmable logic in each phase.
    pub pl_cycles: Phases,
    /// Additions of each phase.
    pub tasks: Phases,
    /// Additions into buckets per second of accumulation.
    pub tasks_per_second: f64,
    /// Digits of zero, for which nothing is added.
    pub zeros: u64,
    /// Points that were copied into empty buckets, without an addition.
    pub copies: u64,
    /// Additions that found an addition into their bucket under way.
    pub conflicts: u64,
    /// The most additions that waited for buckets.
    pub waiting: u64,
    /// Cycles of the programmable logic, of all units together, from when a unit could have begun an addition to when it
    /// began one, because buckets were under way.
    pub bubbles: u64,
    /// The cycles that units lost likewise because no point had arrived.
    pub starved: u64,
    /// The cycles that units lost likewise because the scheduler read digits of zero, copied, or put additions aside, one a
    /// cycle.
    pub skipped: u64,
    /// Busy share of the units in accumulation.
    pub utilisation: f64,
    /// Busy share of the aggregating unit in bucket aggregation.
    pub aggregate_utilisation: f64,
    /// Bytes read from DRAM: points and scalars, once a pass.
    pub dram_bytes: u64,
    /// Bytes on its pins, whole bursts.
    pub dram_moved_bytes: u64,
    /// Cycles of the programmable logic in which DRAM had something to do.
    pub dram_cycles: u64,
    /// Share of DRAM's bandwidth in accumulation.
    pub bandwidth: f64,
    /// Bits of the buckets of a pass.
    pub bucket_bits: u64,
    /// The part of the machine that most of the time went to.
    pub bound: MsmBound,
}

impl MsmReport {
    /// The part of the machine that most of the time went to, by the report's own figures.
    pub(super) fn bound(&self) -> MsmBound {
        let Phases { accumulation, bucket_aggregation, group_aggregation } = self.pl_cycles;
        if bucket_aggregation + group_aggregation > accumulation {
            return MsmBound::Aggregation;
        }
        let busy = self.utilisation * accumulation as f64 * f64::from(self.units);
        let lost = [
            (busy, MsmBound::Units),
            (self.starved as f64, MsmBound::Memory),
            (self.bubbles as f64, MsmBound::Conflicts),
        ];
        lost.into_iter().fold((0.0, MsmBound::Units), |most, one| if one.0 > most.0 { one } else { most }).1
    }
}
