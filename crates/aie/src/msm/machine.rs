//! The board as an MSM sees it. Units are pipelines with an interval and a latency, which the clocked array measured: an MSM
//! is a rate model of them, stepped in cycles of the programmable logic.

use super::MsmError;
use crate::mapping::Mapping;
use crate::method::Method;
use crate::padd::Form;
use crate::system::{BucketRoom, KernelKind, System, UnitTiming};
use pairwright_sim::dram;
use pairwright_sim::settings::Design as _;

/// Bytes of a scalar in memory.
const SCALAR_BYTES: u32 = 32;

/// The rate of the units of one kind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct UnitPace {
    /// The number of units.
    pub units: u32,
    /// Cycles of the engines from one addition to the next.
    pub interval: f64,
    /// Cycles of the logic from operands to results, first sums and final reduction included.
    pub latency: u64,
    /// Whether the kernels are software-pipelined loops. A loop gives a result only as later tasks go in, so that an idle
    /// unit is fed a dummy addition; the next real one can start one interval later.
    pub loops: bool,
}

/// The board of an MSM.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Clock of the engines, hertz.
    pub aie_hz: u64,
    /// Clock of the programmable logic, hertz.
    pub pl_hz: u64,
    /// The method by which kernels multiply.
    pub method: Method,
    /// The mapping of the units of bucket accumulation.
    pub accumulate: Mapping,
    /// The rate of those units, for mixed additions.
    pub mixed: UnitPace,
    /// The mapping of the units of aggregation.
    pub aggregate: Mapping,
    /// The rate of those units, for complete additions by kernels made for latency, of which group aggregation consists.
    pub complete: UnitPace,
    /// Memory of points and scalars.
    pub dram: dram::DramConfig,
    /// Bytes of a coordinate there.
    pub coordinate_bytes: u32,
    /// Bits that a bucket takes.
    pub bucket_bits: u64,
    /// How many buckets fit the memories.
    pub bucket_room: u64,
}

impl Machine {
    /// The board of a system, its units' paces by the clocked array.
    ///
    /// # Errors
    /// The errors of [`System::check`] and [`UnitTiming::new`]; a board without a unit for aggregation.
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

    /// Bytes of a point with so many coordinates, and of a scalar.
    pub(super) fn operand_bytes(&self, coordinates: u32) -> [u32; 2] {
        [coordinates * self.coordinate_bytes, SCALAR_BYTES]
    }

    /// Cycles of the programmable logic in seconds, and the engines' in the same time.
    pub(super) fn time(&self, pl_cycles: u64) -> (f64, u64) {
        let aie = u128::from(pl_cycles) * u128::from(self.aie_hz) / u128::from(self.pl_hz);
        (pl_cycles as f64 / self.pl_hz as f64, aie as u64)
    }
}

#[cfg(test)]
impl Machine {
    /// A board with typical rates, for which the array is not run.
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
