//! Area, power and energy of a design.
//!
//! The modules are:
//!
//! - `anchors`: the figures that \[CP\] prints, and what follows from them by arithmetic;
//! - `element`: the area of the multiplier that all engines share, whose clock is in `spec::clock`;
//! - `area`: the components of a pairing processor;
//! - `energy`: the energy of a run of the pairing processor from its activity;
//! - `shape`, `chip_area` and `chip_energy`: the same for the whole chip and its other engines;
//! - `price`: time, energy and area of a run from its account, which holds no costs of its own.
//!
//! Each number has a [`Basis`]: printed, calibrated, derived, estimated or counted. For the paper's own design the models
//! reproduce the printed figures; for another design they are as good as the estimates by which the two differ. [`counted`]
//! is independent of all these: its areas and energies come from synthesised blocks and use no printed area, power or
//! energy.

mod anchors;
mod area;
mod chip_area;
mod chip_energy;
pub mod counted;
mod element;
mod energy;
mod price;
mod shape;

pub use anchors::{
    Basis, CORE_MM2, OPERATORS, OperatorPower, PAIRING_CYCLES, PAIRING_J, PAIRING_MM2, PAIRING_PES,
    PE_AREA_SHARE, PE_MM2, PE_POWER_SHARE, PES, REST_DENSITY, idle_share,
};
pub use area::{Area, ChipBlock, Component, PairingPart, chip_blocks, element_mm2, elements};
pub use chip_area::{ChipArea, ChipPart};
pub use chip_energy::{
    ChipActivity, ChipCost, ChipEnergy, Engine, chip_energy, engine_factor, predicted_watts,
};
pub use energy::{Activity, Breakdown, ComponentEnergy, energy};
pub use price::{activities, price, utilisation};
pub use shape::{ChipShape, DDR_INTERFACE_MM2, DRAM_J_PER_BIT, MemoryShape, MsmShape, PolyShape, SOC_MM2};

pub use crate::spec::clock::{Element, OPERATING_POINTS, clock_hz, frequency_hz, highest_hz};

use crate::MachineSpec;
use serde::Serialize;

/// Time, energy and area of a run of the pairing processor.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PairingCost {
    /// Number of clock cycles.
    pub cycles: u64,
    /// The clock in hertz: the requested one, or the highest that the multiplier allows if that is lower.
    pub clock_hz: f64,
    /// Latency in seconds.
    pub latency_s: f64,
    /// Energy in joules.
    pub energy_j: f64,
    /// Energy in joules if the clock were gated in idle cycles.
    pub energy_gated_j: f64,
    /// Average power in watts.
    pub power_w: f64,
    /// The pairing processor's own area in mm².
    pub area_mm2: f64,
    /// Area-time product in µs·mm².
    pub atp_us_mm2: f64,
    /// The energy by component.
    pub energy: Breakdown,
    /// The area by component.
    pub area: Area,
}

impl PairingCost {
    /// Computes the cost of a run of this activity.
    pub fn of(spec: &MachineSpec, activity: &Activity) -> Self {
        let (area, energy) = (Area::of(spec), energy(spec, activity));
        let clock_hz = clock_hz(spec);
        let latency_s = activity.cycles as f64 / clock_hz;
        let (area_mm2, energy_j) = (area.own_mm2(), energy.joules());
        Self {
            cycles: activity.cycles,
            clock_hz,
            latency_s,
            energy_j,
            energy_gated_j: energy.gated_joules(),
            power_w: if latency_s > 0.0 { energy_j / latency_s } else { 0.0 },
            area_mm2,
            atp_us_mm2: 1e6 * latency_s * area_mm2,
            energy,
            area,
        }
    }
}

/// Power in watts of an operator of \[CP\] at a voltage, at the clock of that voltage. Calibrated on the printed powers at
/// 0.7 V and scaled like the pairing's; for the pairing itself it gives 1.10 W at 1.1 V, which is 76.9 µJ over 69.9 µs.
pub fn operator_watts(operator: &OperatorPower, volts: f64) -> f64 {
    let at = |volts: f64| {
        let mut spec = MachineSpec::paper();
        spec.clock = crate::Clock { hz: frequency_hz(volts), volts };
        PairingCost::of(&spec, &Activity::PUBLISHED).power_w
    };
    operator.watts * at(volts) / at(OPERATING_POINTS[0].0)
}
