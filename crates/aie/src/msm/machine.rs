//! The rates of the board's parts in an MSM. A unit is a pipeline with the interval and the latency that the clocked
//! array measured; an MSM is a rate model of such units, simulated in cycles of the programmable logic.

use super::MsmError;
use crate::mapping::Mapping;
use crate::method::Method;
use crate::padd::Form;
use crate::system::{BucketRoom, KernelKind, System, UnitTiming};
use pairwright_sim::dram;
use pairwright_sim::settings::Design as _;

/// Bytes of a scalar in memory.
const SCALAR_BYTES: u32 = 32;

/// The interval and the latency of the units of one kind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct UnitPace {
    /// The number of units.
    pub units: u32,
    /// Cycles of the engines between two additions of a unit.
    pub interval: f64,
    /// Cycles of the logic from operands to results, including first sums and final reduction.
    pub latency: u64,
    /// Whether the kernels are software-pipelined loops. A loop gives a result only as later tasks enter, so an idle unit
    /// is fed with dummy additions, and the next real addition starts on a multiple of the interval.
    pub loops: bool,
}

/// The board as an MSM uses it.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Clock frequency of the engines, in hertz.
    pub aie_hz: u64,
    /// Clock frequency of the programmable logic, in hertz.
    pub pl_hz: u64,
    /// The method of modular multiplication in the kernels.
    pub method: Method,
    /// The mapping of the units of bucket accumulation.
    pub accumulate: Mapping,
    /// The pace of those units for mixed additions.
    pub mixed: UnitPace,
    /// The mapping of the units of aggregation.
    pub aggregate: Mapping,
    /// The pace of those units for complete additions, by straight-line kernels, because group aggregation is a chain of
    /// dependent additions.
    pub complete: UnitPace,
    /// The memory that holds points and scalars.
    pub dram: dram::DramConfig,
    /// Bytes of a coordinate in that memory.
    pub coordinate_bytes: u32,
    /// Bits of a bucket.
    pub bucket_bits: u64,
    /// The number of buckets that fit the bucket memories.
    pub bucket_room: u64,
}

impl Machine {
    /// The machine of a board, with the paces of its units measured on the clocked array.
    ///
    /// # Errors
    /// The errors of [`System::check`] and [`UnitTiming::new`]; also for a board without a unit for aggregation.
    pub fn new(system: &System) -> Result<Self, MsmError> {
        system.check().map_err(crate::AieError::from)?;
        if system.aggregate_units == 0 {
            return Err(MsmError::Parameter { name: "aggregate_units", value: 0, least: 1, most: 400 });
        }
        let logic = system.logic.sums_latency + system.logic.barrett_latency;
        let pace = |mapping, form, kernels, units: usize| -> Result<UnitPace, MsmError> {
            let timing = UnitTiming::new(system, mapping, form, kernels)?;
            let loops = kernels == KernelKind::Loops;
            Ok(UnitPace {
                units: units as u32,
                interval: timing.interval,
                latency: timing.latency + logic,
                loops,
            })
        };
        let room = BucketRoom::new(system);
        let mut mixed = pace(system.accumulate, Form::Mixed, KernelKind::Loops, system.units)?;
        if let Some(cycles) = system.what_if_interval {
            mixed.interval = cycles as f64;
        }
        Ok(Self {
            aie_hz: system.aie_hz,
            pl_hz: system.pl_hz,
            method: system.method,
            accumulate: system.accumulate,
            mixed,
            aggregate: system.aggregate,
            complete: pace(system.aggregate, Form::Complete, KernelKind::Straight, system.aggregate_units)?,
            dram: system.dram,
            coordinate_bytes: system.coordinate_bytes,
            bucket_bits: room.bits.into(),
            bucket_room: room.bram + room.uram,
        })
    }

    /// Bytes of a point with this many coordinates, and bytes of a scalar.
    pub(super) fn operand_bytes(&self, coordinates: u32) -> [u32; 2] {
        [coordinates * self.coordinate_bytes, SCALAR_BYTES]
    }

    /// The seconds that these cycles of the programmable logic take, and the cycles of the engines in the same time.
    pub(super) fn time(&self, pl_cycles: u64) -> (f64, u64) {
        let aie = u128::from(pl_cycles) * u128::from(self.aie_hz) / u128::from(self.pl_hz);
        (pl_cycles as f64 / self.pl_hz as f64, aie as u64)
    }
}

#[cfg(test)]
impl Machine {
    /// A machine with typical paces, for which the array is not simulated.
    pub(crate) fn example() -> Self {
        Self {
            aie_hz: 1_250_000_000,
            pl_hz: 312_500_000,
            method: Method::PAPER,
            accumulate: Mapping::Coarse,
            mixed: UnitPace { units: 10, interval: 145.25, latency: 320, loops: true },
            aggregate: Mapping::Independent,
            complete: UnitPace { units: 1, interval: 150.0, latency: 300, loops: false },
            dram: dram::DramConfig { bytes_per_cycle: 0, ..dram::DramConfig::ddr4_3200() },
            coordinate_bytes: 64,
            bucket_bits: 1508,
            bucket_room: 100_000,
        }
    }
}
