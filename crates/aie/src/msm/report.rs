//! The report of an MSM.

use serde::Serialize;

/// One count per phase of a multi-scalar multiplication: cycles or additions, as the field that holds it says.
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

/// The part of the machine that takes most of the time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MsmBound {
    /// The units of bucket accumulation.
    Units,
    /// DRAM: the units waited for points.
    Memory,
    /// The units waited because all additions at hand went to busy buckets.
    Conflicts,
    /// Bucket and group aggregation.
    Aggregation,
}

/// The figures of an MSM on the board, from the rates that the clocked array measured.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MsmReport {
    /// The number of points.
    pub points: u64,
    /// Width of the widest window in bits.
    pub window_bits: u32,
    /// The number of windows.
    pub windows: u32,
    /// The number of buckets of each window.
    pub buckets: u64,
    /// The number of windows of each pass over the points.
    pub windows_per_pass: u32,
    /// The number of passes over the points.
    pub passes: u32,
    /// The number of units of bucket accumulation.
    pub units: u32,
    /// Time in seconds from the first request to DRAM to the last addition's result.
    pub seconds: f64,
    /// The time in cycles of the AI Engines.
    pub cycles: u64,
    /// Cycles of the programmable logic in each phase.
    pub pl_cycles: Phases,
    /// The number of additions in each phase.
    pub tasks: Phases,
    /// Additions into buckets per second of bucket accumulation.
    pub tasks_per_second: f64,
    /// The number of digits that are zero and need no addition.
    pub zeros: u64,
    /// The number of points that were copied into empty buckets without an addition.
    pub copies: u64,
    /// The number of additions that had to wait because their bucket was busy.
    pub conflicts: u64,
    /// The greatest number of additions that waited for buckets at the same time.
    pub waiting: u64,
    /// Idle cycles of the units because buckets were busy: cycles of the programmable logic from when a unit could have
    /// begun an addition to when it began one, added up over all units.
    pub bubbles: u64,
    /// Idle cycles of the units, counted in the same way, because no point had arrived.
    pub starved: u64,
    /// Idle cycles of the units, counted in the same way, because the scheduler, which handles one digit per cycle,
    /// skipped zeros, copied points, or put additions aside.
    pub skipped: u64,
    /// The share of time in which the units are busy during bucket accumulation, 0 to 1.
    pub utilisation: f64,
    /// The share of time in which the aggregating units are busy during bucket aggregation, 0 to 1.
    pub aggregate_utilisation: f64,
    /// Bytes of points and scalars read from DRAM, once per pass.
    pub dram_bytes: u64,
    /// Bytes moved over DRAM's pins, in whole bursts.
    pub dram_moved_bytes: u64,
    /// Cycles of the programmable logic in which DRAM was active.
    pub dram_cycles: u64,
    /// The share of DRAM's peak rate that bucket accumulation uses, 0 to 1.
    pub bandwidth: f64,
    /// Bits of all buckets of a pass.
    pub bucket_bits: u64,
    /// The part of the machine that takes most of the time.
    pub bound: MsmBound,
}

impl MsmReport {
    /// Determines the part that takes most of the time from the other figures.
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
