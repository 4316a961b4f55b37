//! The board beside a pipelined adder in programmable logic, \[AIE\] V.B, Tables II and III.

use super::{System, throughput::columns};
use crate::mapping::Mapping;
use serde::Serialize;

/// Units for additions in programmable logic, by what is stated of them.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Pipelined {
    /// Units, an addition a cycle each.
    pub units: u32,
    /// Cycles of an addition.
    pub cycles: u32,
    /// Clock in hertz.
    pub hz: f64,
    /// Multipliers of 27 by 18 bits.
    pub dsp48e2: u32,
}

impl Pipelined {
    /// BSTMSM (Zhao, Huang, Li, Huang 2023) on a U250, as \[AIE\] V.A and Table III state it.
    pub const BSTMSM: Self = Self { units: 2, cycles: 260, hz: 300e6, dsp48e2: 2920 };

    /// Additions a second.
    pub fn tasks_per_second(&self) -> f64 {
        f64::from(self.units) * self.hz
    }

    /// Seconds of one.
    pub fn latency(&self) -> f64 {
        f64::from(self.cycles) / self.hz
    }

    /// Its multipliers as such of 32 by 32 bits, by the bits of their products: \[AIE\] has 1385.8.
    pub fn int32_multipliers(&self) -> f64 {
        f64::from(self.dsp48e2) * (27 * 18) as f64 / (32 * 32) as f64
    }
}

/// One unit of [`Pipelined::BSTMSM`] in the programmable logic and units of engines beside it, an estimate as
/// \[AIE\] V.B's: the rates of both are added, and memory is no bound.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Hybrid {
    /// The units' mapping.
    pub mapping: Mapping,
    /// Number of units.
    pub units: usize,
    /// Cycles of the engines between tasks of a unit.
    pub interval: f64,
    /// Additions a second of the logic.
    pub logic: f64,
    /// Additions a second of the engines.
    pub engines: f64,
    /// Both over the logic alone. Printed: 1.34 for 12 coarse units, 1.47 for 400 single ones.
    pub gain: f64,
    /// Bytes a second that points for all of them are.
    pub bytes_per_second: f64,
    /// How many times what the board's memory could carry that is.
    pub memories: f64,
}

/// A [`Hybrid`] with as many units of a mapping as the array holds, which take a task every so many cycles of the
/// engines: the paper's are 145 and 3495.
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

/// Buckets that the logic's memories hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct BucketRoom {
    /// Bits of a bucket: four coordinates.
    pub bits: u32,
    /// Memories side by side for its width.
    pub width: u32,
    /// Buckets in block memories.
    pub bram: u64,
    /// Buckets in ultra memories.
    pub uram: u64,
    /// Bits of the largest window whose buckets all fit, digits with a sign: half as many buckets and one for zero's
    /// place.
    pub window_bits: u32,
    /// The same for a window of its own for each unit that accumulates.
    pub window_bits_each: u32,
}

impl BucketRoom {
    /// Those of a board.
    pub fn new(system: &System) -> Self {
        const WIDE: u32 = 72;
        let b = &system.buckets;
        let bits = 4 * b.coordinate_bits;
        let width = bits.div_ceil(WIDE);
        // 36 Kb are 512 rows of 72 bits, 288 Kb are 4096.
        let [bram, uram] =
            [(b.bram36, 512), (b.uram, 4096)].map(|(count, rows)| u64::from(count / width) * rows);
        let window = |sets: u64| (1..32).take_while(|c| sets << (c - 1) <= bram + uram).last().unwrap_or(0);
        let (window_bits, window_bits_each) = (window(1), window(system.units as u64));
        Self { bits, width, bram, uram, window_bits, window_bits_each }
    }
}
