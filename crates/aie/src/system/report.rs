//! The reports of the two experiments.

use super::UnitTiming;
use pairwright_sim::dram::Stats;
use serde::Serialize;

/// Upper bounds of the throughput, in tasks per second of all units.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Bounds {
    /// The bound by the longest tile's instructions, which the paper calls the peak.
    pub instructions: f64,
    /// The bound by the interval that the clocked array sustains, including stalls.
    pub engines: f64,
    /// The bound by the fullest stream between logic and engines.
    pub plio: f64,
    /// The bound by the logic's pipelines.
    pub logic: f64,
    /// The bound by the masters that read points, from their bytes per cycle.
    pub masters: f64,
    /// The bound by the memory's peak rate.
    pub memory: f64,
}

/// The units' time divided by what they wait for; the shares add up to 1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct WaitShares {
    /// The share in which tasks enter as fast as the engines take them.
    pub engines: f64,
    /// The share in which the engines could take a task whose point has not arrived.
    pub memory: f64,
    /// The share in which the engines could take a task that the logic's pipelines have not finished.
    pub logic: f64,
}

/// The result of the throughput experiment of \[AIE\] V.A.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Throughput {
    /// The number of additions of all units.
    pub tasks: u64,
    /// The number of units.
    pub units: usize,
    /// Cycles of the logic until the last result.
    pub pl_cycles: u64,
    /// The time in seconds.
    pub seconds: f64,
    /// Additions per second. Printed: 67.0 million for 2^18.
    pub tasks_per_second: f64,
    /// Bytes read per second.
    pub bytes_per_second: f64,
    /// The share of the memory's peak rate that was used. Printed: 0.502.
    pub bandwidth_share: f64,
    /// The throughput divided by the bound of the engines.
    pub engine_share: f64,
    /// The upper bounds of the throughput.
    pub bounds: Bounds,
    /// The units' time by what they wait for.
    pub waits: WaitShares,
    /// The timing of a unit, measured on the clocked array.
    pub unit: UnitTiming,
    /// The statistics of the memory.
    pub memory: Stats,
}

/// The stages of a task's latency, in nanoseconds; they add up to the latency.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Stages {
    /// The first sums in the logic.
    pub sums: f64,
    /// From the operands at the streams to the first word in an engine.
    pub plio_in: f64,
    /// From there to the last word of the results at an output of an engine.
    pub engines: f64,
    /// From there to the last word of the results in the logic.
    pub plio_out: f64,
    /// The final reduction, in the logic.
    pub barrett: f64,
}

/// The result of the latency experiment of \[AIE\] V.A.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Latency {
    /// The number of additions, each after the previous one.
    pub tasks: u64,
    /// The number of tasks that were simulated word by word; the others repeat the last of these, when the state is
    /// steady.
    pub clocked: u64,
    /// Seconds per task. Printed: 1.05 µs.
    pub seconds_per_task: f64,
    /// Seconds of all tasks.
    pub seconds: f64,
    /// The stages of the last task that was simulated.
    pub stages: Stages,
    /// Cycles that the engines take for a single task.
    pub engine_cycles: u64,
    /// The number of tiles. Printed: 50.
    pub tiles: usize,
    /// Products of 32 bits that these tiles can compute per cycle. Printed: 400.
    pub int32_multipliers: usize,
}
