//! The parameters of the board.

use super::SystemError;
use crate::array::Fabric;
use crate::mapping::Mapping;
use crate::method::Method;
use crate::tile::Tile;
use pairwright_sim::dram;
use pairwright_sim::settings::{
    Design, OutOfRange, Sections, between, in_range, named, one_of, power_of_two,
};
use serde::{Deserialize, Serialize};

/// The board: engines, programmable logic, memory. \[P\] marks numbers printed in \[AIE\] or a manual that it cites,
/// \[D\] numbers that follow from printed figures, \[I\] inferred numbers, which are meant to be varied.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct System {
    /// Clock frequency of the engines in hertz. \[P\] 1.25 GHz.
    pub aie_hz: u64,
    /// Clock frequency of the programmable logic in hertz. \[P\] 312.5 MHz.
    pub pl_hz: u64,
    /// The method of modular multiplication. \[I\] [`Method::PAPER`], which is nearest to the paper's.
    pub method: Method,
    /// The mapping of the units that add points to buckets. \[P\] coarse.
    pub accumulate: Mapping,
    /// The number of these units. \[P\] 10, of the 12 that fit, so that the other mapping fits as well.
    pub units: usize,
    /// The mapping of the units that aggregate buckets. \[P\] med-ind.
    pub aggregate: Mapping,
    /// The number of these units. \[P\] 1.
    pub aggregate_units: usize,
    /// Bytes of a coordinate in memory. \[D\] 64, sixteen digits in 32 bits each: 192 bytes a point at 67.0 M points a
    /// second are the printed 50.2 % of the bandwidth.
    pub coordinate_bytes: u32,
    /// If set, units of [`System::accumulate`] take a task every so many cycles of the engines, independently of their
    /// kernels. The paper's longest tile has 145 instructions.
    pub what_if_interval: Option<u64>,
    /// The streams between logic and engines.
    pub plio: Plio,
    /// The pipelines of the logic.
    pub logic: Logic,
    /// How the logic of each unit reads points from memory.
    pub reader: Reader,
    /// The memory that holds the points. \[P\] one DIMM, 25.6 GB/s; \[I\] DDR4-3200 in bursts of 64 bytes.
    pub dram: dram::DramConfig,
    /// The on-chip memory for buckets.
    pub buckets: BucketMemory,
    /// The engine of each tile.
    pub tile: Tile,
    /// The array of tiles.
    pub fabric: Fabric,
}

/// A stream between the programmable logic and the array.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Plio {
    /// Bits that the logic gives or takes per cycle of its clock: 32, 64 or 128. \[I\] 64, one channel of the interface;
    /// 128 bits take two channels.
    pub bits: u32,
    /// Words of 32 bits in the clock-crossing FIFO. \[P\] 12 (AM009).
    pub fifo_words: usize,
    /// Cycles of the receiving clock until a word that crossed is visible. \[I\] 2, a synchroniser of two registers.
    pub crossing: u64,
    /// Channels of 64 bits into the array, and out of it. \[P\] 312 and 234: 39 interface tiles with 8 and 6 each
    /// (AM009).
    pub channels: [usize; 2],
}

/// The latencies and intervals of the logic's pipelines, in cycles of its clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Logic {
    /// Latency of the first sums, from a point to the operands of an addition: differences and sums of canonical numbers.
    /// \[I\] 4: operands in, two cycles of a carry chain of 379 bits at 312.5 MHz, operands out.
    pub sums_latency: u64,
    /// Interval of the first sums, from one point to the next. \[I\] 1; a stream of 64 bits takes eight cycles per
    /// coordinate in any case.
    pub sums_interval: u64,
    /// Latency of the final reduction, from the last word of a result to canonical coordinates. \[I\] 10: digits to
    /// binary by one addition of 407 bits in two cycles, the quotient from the highest bits in two, its multiple of M in
    /// one, two subtractions in two each, and a register at the end.
    pub barrett_latency: u64,
    /// Interval of the final reduction, from one result to the next. \[I\] 1.
    pub barrett_interval: u64,
}

/// The order of the coordinates in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoordinateOrder {
    /// The coordinates of a point are adjacent.
    Points,
    /// Each coordinate has an array of its own.
    Coordinates,
}

/// How the points are divided among the units.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sharing {
    /// Each unit has a contiguous region of the memory. The first addresses of the regions decide how often units meet in
    /// the same bank of a DRAM.
    Regions,
    /// The units take turns, each time with as many points as a burst has coordinates.
    Turns,
}

/// How the logic of a unit reads points, as a master on the network to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reader {
    /// The order of the coordinates. \[I\] points.
    pub layout: CoordinateOrder,
    /// How the points are divided among the units. \[I\] regions: ten copies of a kernel, each with its own array.
    pub sharing: Sharing,
    /// The greatest size of a burst in bytes. \[I\] 1024: sixteen beats of 64 bytes, the default of high-level synthesis.
    pub burst_bytes: u32,
    /// The greatest number of bursts in flight. \[I\] 16, for the same reason.
    pub outstanding: u32,
    /// Size in bytes of the buffer for arriving bursts. \[I\] 16 KiB, which holds all bursts in flight.
    pub buffer_bytes: u32,
    /// Bytes that the master takes per cycle of the logic. \[I\] 64, that is 512 bits.
    pub beat_bytes: u32,
}

/// The memories of the programmable logic that can hold buckets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BucketMemory {
    /// The number of block memories of 36 Kb, at most 72 bits wide. VC1902: 967 (DS950).
    pub bram36: u32,
    /// The number of ultra memories of 288 Kb, 72 bits wide. VC1902: 463 (DS950).
    pub uram: u32,
    /// Bits of a coordinate in a bucket: 377 for a canonical one; digits in 32 bits take 512.
    pub coordinate_bits: u32,
}

impl Default for Plio {
    fn default() -> Self {
        Self { bits: 64, fifo_words: 12, crossing: 2, channels: [312, 234] }
    }
}

impl Default for Logic {
    fn default() -> Self {
        Self { sums_latency: 4, sums_interval: 1, barrett_latency: 10, barrett_interval: 1 }
    }
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            layout: CoordinateOrder::Points,
            sharing: Sharing::Regions,
            burst_bytes: 1024,
            outstanding: 16,
            buffer_bytes: 16 << 10,
            beat_bytes: 64,
        }
    }
}

impl Default for BucketMemory {
    fn default() -> Self {
        Self { bram36: 967, uram: 463, coordinate_bits: 377 }
    }
}

impl Default for System {
    /// The paper's board, a VCK190.
    fn default() -> Self {
        Self {
            aie_hz: 1_250_000_000,
            pl_hz: 312_500_000,
            method: Method::PAPER,
            accumulate: Mapping::Coarse,
            units: 10,
            aggregate: Mapping::Independent,
            aggregate_units: 1,
            coordinate_bytes: 64,
            what_if_interval: None,
            plio: Plio::default(),
            logic: Logic::default(),
            reader: Reader::default(),
            // The controller's own side is as wide as its pins; 40 cycles of the logic, 128 ns, are the latency of the
            // network. \[I\]
            dram: dram::DramConfig { bytes_per_cycle: 0, latency: 40, ..dram::DramConfig::ddr4_3200() },
            buckets: BucketMemory::default(),
            tile: Tile::first_generation(),
            fabric: Fabric::VC1902,
        }
    }
}

impl System {
    /// The memory's peak rate in bytes per second: that of its pins, or of the logic's side if that is lower.
    pub fn peak_bytes_per_second(&self) -> f64 {
        self.dram.peak_bytes_per_second(self.pl_hz as f64)
    }

    /// Bytes that a task of bucket accumulation reads: the coordinates `X`, `Y` and `U` of a point.
    pub fn task_bytes(&self) -> u64 {
        3 * u64::from(self.coordinate_bytes)
    }
}

const RANGES: Sections = &[
    (
        "",
        &[
            between("aie_hz", 1e6, 2e11, "Hz").printed(),
            between("pl_hz", 1e6, 2e9, "Hz").printed(),
            named("accumulate", Mapping::NAMES).printed(),
            between("units", 1.0, 400.0, "").printed(),
            named("aggregate", Mapping::NAMES).printed(),
            between("aggregate_units", 0.0, 400.0, "").printed(),
            power_of_two("coordinate_bytes", 16, 512, "bytes").inferred(),
        ],
    ),
    (
        "plio",
        &[
            one_of("bits", &[32, 64, 128], "bits").inferred(),
            between("fifo_words", 4.0, 4096.0, "words").printed(),
            between("crossing", 0.0, 64.0, "cycles").inferred(),
        ],
    ),
    (
        "logic",
        &[
            between("sums_latency", 0.0, 1_048_576.0, "cycles").inferred(),
            between("sums_interval", 1.0, 4096.0, "cycles").inferred(),
            between("barrett_latency", 0.0, 1_048_576.0, "cycles").inferred(),
            between("barrett_interval", 1.0, 4096.0, "cycles").inferred(),
        ],
    ),
    (
        "reader",
        &[
            named("layout", &["points", "coordinates"]).inferred(),
            named("sharing", &["regions", "turns"]).inferred(),
            power_of_two("burst_bytes", 64, 4096, "bytes").inferred(),
            between("outstanding", 1.0, 1024.0, "bursts").inferred(),
            between("buffer_bytes", 1.0, 16_777_216.0, "bytes").inferred(),
            between("beat_bytes", 1.0, 4096.0, "bytes").inferred(),
        ],
    ),
    (
        "buckets",
        &[
            between("bram36", 0.0, 1_048_576.0, "").printed(),
            between("uram", 0.0, 1_048_576.0, "").printed(),
            between("coordinate_bits", 377.0, 1024.0, "bits").inferred(),
        ],
    ),
    ("method", Method::RANGES),
    ("dram", dram::RANGES),
    ("tile", Tile::RANGES),
    ("fabric", Fabric::RANGES),
];

impl Design for System {
    type Error = SystemError;
    const RANGES: Sections = RANGES;

    fn check(&self) -> Result<(), SystemError> {
        in_range(self, RANGES)?;
        super::throughput::check_columns(self)?;
        let clock = (self.pl_hz..=100 * self.pl_hz).contains(&self.aie_hz);
        OutOfRange::unless(clock, "aie_hz", self.aie_hz, "one to a hundred times pl_hz")?;
        if let Some(cycles) = self.what_if_interval {
            let ok = (1..=1 << 20).contains(&cycles);
            OutOfRange::unless(ok, "what_if_interval", cycles, "1 to 1048576 cycles")?;
        }
        let Reader { burst_bytes, buffer_bytes, .. } = self.reader;
        let holds = buffer_bytes >= 3 * burst_bytes.max(self.coordinate_bytes);
        OutOfRange::unless(
            holds,
            "reader.buffer_bytes",
            buffer_bytes,
            "at least three bursts or coordinates",
        )?;
        Ok(self.dram.check()?)
    }

    fn out_of_range(why: &SystemError) -> Option<&OutOfRange> {
        match why {
            SystemError::Range(why) => Some(why),
            _ => None,
        }
    }
}
