//! The published figures that the models of area and energy are calibrated on, and quantities derived from them by
//! arithmetic.

pub use pairwright_sim::tech::Basis;
use serde::Serialize;

/// Printed: area of the chip's core in mm².
pub const CORE_MM2: f64 = 8.3;
/// Printed: processing elements of the chip.
pub const PES: u32 = 12;
/// Printed: processing elements that the pairing uses, PE8 to PE11.
pub const PAIRING_PES: u32 = 4;
/// Printed: the processing elements' share of the area.
pub const PE_AREA_SHARE: f64 = 0.72;
/// Printed: the processing elements' share of the power.
pub const PE_POWER_SHARE: f64 = 0.86;
/// Printed: area that a pairing uses, in mm², "partial area of entire processor".
pub const PAIRING_MM2: f64 = 2.09;
/// Printed: cycles of a pairing.
pub const PAIRING_CYCLES: f64 = 55_900.0;
/// Printed: energy of a pairing in joules, at 1.1 V and 800 MHz.
pub const PAIRING_J: f64 = 76.9e-6;

/// An operator's average power at 0.7 V and 300 MHz.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct OperatorPower {
    /// Name in \[CP\].
    pub name: &'static str,
    /// Number of processing elements that the operator uses.
    pub pes: u32,
    /// Watts at 0.7 V.
    pub watts: f64,
    /// Share of the cycles in which an element accepts a new product, 0 to 1. Pairing: 4 elements for each of 5,644 Fp2
    /// products in 55.9 K cycles; NTT: ten stages of 128 cycles with 25 to drain; MSM: "near 100 % utilization".
    pub utilisation: f64,
}

/// The three operators of \[CP\]. Names, elements and powers are printed; the utilisations are estimated.
pub const OPERATORS: [OperatorPower; 3] = [
    OperatorPower { name: "pairing", pes: 4, watts: 0.2, utilisation: 0.104 },
    OperatorPower { name: "NTT", pes: 8, watts: 0.45, utilisation: 0.837 },
    OperatorPower { name: "MSM", pes: 12, watts: 0.61, utilisation: 1.0 },
];

/// Derived: area of a processing element in mm², 72 % of the core over twelve.
pub const PE_MM2: f64 = PE_AREA_SHARE * CORE_MM2 / PES as f64;

/// Derived: power of a square millimetre outside of the processing elements over one inside, from their shares of
/// area and power.
pub const REST_DENSITY: f64 =
    ((1.0 - PE_POWER_SHARE) / (1.0 - PE_AREA_SHARE)) / (PE_POWER_SHARE / PE_AREA_SHARE);

/// Share of an element's power that it draws in a cycle in which no product enters it.
///
/// Calibrated: least squares of power per element against utilisation, over [`OPERATORS`]. The printed powers hardly
/// depend on utilisation, so that this comes out near one; their rounding alone would allow anything above 0.6.
pub fn idle_share() -> f64 {
    let n = OPERATORS.len() as f64;
    let points = OPERATORS.map(|o| (o.utilisation, o.watts / f64::from(o.pes)));
    let mean = points.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0 / n, sum.1 + p.1 / n));
    let slope = points.iter().map(|p| (p.0 - mean.0) * (p.1 - mean.1)).sum::<f64>()
        / points.iter().map(|p| (p.0 - mean.0).powi(2)).sum::<f64>();
    let idle = mean.1 - slope * mean.0;
    (idle / (idle + slope)).clamp(0.0, 1.0)
}
