//! The reports of the two experiments.

use super::UnitTiming;
use pairwright_sim::dram::Stats;
use serde::Serialize;

/// Rates that no run can exceed, in tasks a second over all units.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Bounds {
    /// Units by their longest tile's instructions: what the paper calls the peak.
    pub instructions: f64,
    /// Units by the interval that the clocked array keeps up, with its stalls.
    pub engines: f64,
    /// The fullest stream between logic and engines.
    pub plio: f64,
    /// The logic's pipelines.
    pub logic: f64,
    /// Masters that read points, each by its beats.
    pub masters: f64,
    /// The memory's pins.
    pub memory: f64,
}

/// The shares of units' time by what they wait for.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct WaitShares {
    /// Tasks enter as fast as the engines take them.
    pub engines: f64,
    /// The engines would take a task and its point has not arrived.
    pub memory: f64,
    /// The engines would take a task and the logic's pipelines have it not ready.
    pub logic: f64,
}

/// The throughput experiment of \[AIE\] V.A.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Throughput {
    /// Additions, all units together.
    pub tasks: u64,
    /// The number of units.
    pub units: usize,
    /// Cycles of the logic until the last result.
    pub pl_cycles: u64,
    /// The time in seconds.
    pub seconds: f64,
    /// Additions a second. Printed: 67.0 million for 2^18.
    pub tasks_per_second: f64,
    /// Bytes a second that were read.
    pub bytes_per_second: f64,
    /// Their share of what the pins could carry. Printed: 0.502.
    pub bandwidth_share: f64,
    /// Share of the engines' bound.
    pub engine_share: f64,
    /// The rates that bound it.
    pub bounds: Bounds,
    /// The shares of time by what units wait for.
    pub waits: WaitShares,
    /// A unit, by the clocked array.
    pub unit: UnitTiming,
    /// The memory's account.
    pub memory: Stats,
}

/// Parts of a task's latency, in nanoseconds; together they are all of it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Stages {
    /// The first sums, in the logic.
    pub sums: f64,
    /// From operands at the streams to the first word in an engine.
    pub plio_in: f64,
    /// From there to the last word of results out of an engine.
    pub engines: f64,
    /// From there to the last word in the logic.
    pub plio_out: f64,
    /// The final reduction, in the logic.
    pub barrett: f64,
}

/// The latency experiment of \[AIE\] V.A.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Latency {
    /// Additions, each after the one before.
    pub tasks: u64,
    /// Tasks that were simulated word by word; the rest repeat the last one, which has reached a steady state.
    pub clocked: u64,
    /// Seconds a task. Printed: 1.05 µs.
    pub seconds_per_task: f64,
    /// Seconds of all tasks.
    pub seconds: f64,
    /// Its parts, of the last task that was run.
    pub stages: Stages,
    /// Cycles of the engines that a task by itself takes there.
    pub engine_cycles: u64,
    /// Tiles. Printed: 50.
    pub tiles: usize,
    /// Products of 32 bits that they can do in a cycle. Printed: 400.
    pub int32_multipliers: usize,
}
