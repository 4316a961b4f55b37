//! Comparison of the board with a pipelined adder in programmable logic, \[AIE\] V.B, Tables II and III.

use super::{System, throughput::columns};
use crate::mapping::Mapping;
use serde::Serialize;

/// Pipelined units for additions in programmable logic, with their published figures.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Pipelined {
    /// The number of units, each of which starts an addition per cycle.
    pub units: u32,
    /// Latency of an addition in cycles.
    pub cycles: u32,
    /// Clock frequency in hertz.
    pub hz: f64,
    /// The number of multipliers of 27 by 18 bits (DSP48E2).
    pub dsp48e2: u32,
}

impl Pipelined {
    /// BSTMSM (Zhao, Huang, Li, Huang 2023) on a U250, as \[AIE\] V.A and Table III state it.
    pub const BSTMSM: Self = Self { units: 2, cycles: 260, hz: 300e6, dsp48e2: 2920 };

    /// Additions per second of all units.
    pub fn tasks_per_second(&self) -> f64 {
        f64::from(self.units) * self.hz
    }

    /// Latency of an addition in seconds.
    pub fn latency(&self) -> f64 {
        f64::from(self.cycles) / self.hz
    }

    /// The equivalent number of multipliers of 32 by 32 bits, by the bits of their products: \[AIE\] has 1385.8.
    pub fn int32_multipliers(&self) -> f64 {
        f64::from(self.dsp48e2) * (27 * 18) as f64 / (32 * 32) as f64
    }
}

/// One unit of [`Pipelined::BSTMSM`] in the programmable logic with units of engines beside it. As in \[AIE\] V.B, it is
/// an estimate that adds both rates and ignores the memory.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Hybrid {
    /// The mapping of the units of engines.
    pub mapping: Mapping,
    /// The number of units of engines.
    pub units: usize,
    /// Cycles of the engines between two tasks of a unit.
    pub interval: f64,
    /// Additions per second of the logic.
    pub logic: f64,
    /// Additions per second of the engines.
    pub engines: f64,
    /// Additions per second of both divided by those of the logic alone. Printed: 1.34 for 12 coarse units, 1.47 for 400
    /// single ones.
    pub gain: f64,
    /// Bytes per second of the points for all these additions.
    pub bytes_per_second: f64,
    /// That rate divided by the peak rate of the board's memory.
    pub memories: f64,
}

/// The [`Hybrid`] with as many units of a mapping as the array holds, each of which takes a task every `interval` cycles
/// of the engines; the paper's intervals are 145 and 3495.
pub fn hybrid(system: &System, mapping: Mapping, interval: f64) -> Hybrid {
    let (rows, free) = (system.fabric.rows, system.fabric.columns);
    let units = match mapping {
        Mapping::Single => rows * free,
        _ => free / columns(mapping, 1, rows),
    };
    let one = Pipelined { units: 1, ..Pipelined::BSTMSM };
    let logic = one.tasks_per_second();
    let engines = units as f64 * system.aie_hz as f64 / interval;
    let bytes_per_second = (logic + engines) * system.task_bytes() as f64;
    let (gain, memories) = ((logic + engines) / logic, bytes_per_second / system.peak_bytes_per_second());
    Hybrid { mapping, units, interval, logic, engines, gain, bytes_per_second, memories }
}

/// The number of buckets that the memories of the logic can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct BucketRoom {
    /// Bits of a bucket, which has four coordinates.
    pub bits: u32,
    /// Memories side by side that make up the width of a bucket.
    pub width: u32,
    /// Buckets that fit the block memories.
    pub bram: u64,
    /// Buckets that fit the ultra memories.
    pub uram: u64,
    /// Width in bits of the largest window whose buckets all fit. Digits are signed: a window of `w` bits has `2^(w-1)`
    /// buckets.
    pub window_bits: u32,
    /// The same if each unit of bucket accumulation has a window of its own.
    pub window_bits_each: u32,
}

impl BucketRoom {
    /// The buckets that the memories of a board can hold.
    pub fn new(system: &System) -> Self {
        const WIDE: u32 = 72;
        let b = &system.buckets;
        let bits = 4 * b.coordinate_bits;
        let width = bits.div_ceil(WIDE);
        // A block memory of 36 Kb has 512 rows of 72 bits, an ultra memory of 288 Kb has 4096.
        let [bram, uram] =
            [(b.bram36, 512), (b.uram, 4096)].map(|(count, rows)| u64::from(count / width) * rows);
        let window = |sets: u64| (1..32).take_while(|c| sets << (c - 1) <= bram + uram).last().unwrap_or(0);
        let (window_bits, window_bits_each) = (window(1), window(system.units as u64));
        Self { bits, width, bram, uram, window_bits, window_bits_each }
    }
}
