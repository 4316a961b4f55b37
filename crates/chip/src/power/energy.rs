//! Energy of a run of the pairing processor, computed from the activity in it.
//!
//! One law applies to every component. A busy cycle costs energy in proportion to its area, an idle cycle a fixed share of
//! that ([`idle_share`]), both with the square of the voltage. A square millimetre outside of the processing elements costs
//! [`REST_DENSITY`] of one inside. Leakage is a current in proportion to the area. The two constants are set by the
//! published pairing at 0.7 V (0.2 W) and at 1.1 V (76.9 µJ).

use super::anchors::{Basis, OPERATORS, PAIRING_CYCLES, PAIRING_J, REST_DENSITY, idle_share};
use super::area::{Area, PairingPart, bank_mm2, element_mm2};
use crate::machine::Run;
use crate::spec::MachineSpec;
use crate::spec::clock::{Element, OPERATING_POINTS, clock_hz};
use serde::Serialize;

/// The activity counts of a run of the pairing processor.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Activity {
    /// Number of clock cycles.
    pub cycles: u64,
    /// Products in Fp2 that were issued.
    pub mm_issues: u64,
    /// Operations that the arithmetic unit took.
    pub arith_issues: u64,
    /// Products in Fp that the inverter issued.
    pub inversion_products: u64,
    /// Rows read from Bank0-2 by instructions.
    pub bank_reads: u64,
    /// Rows written to Bank0-2 by instructions.
    pub bank_writes: u64,
    /// Words fetched from the L2 memory.
    pub l2_words: u64,
    /// Words fetched from the L1 memory.
    pub l1_words: u64,
    /// Rows moved between the global bank and Bank0-2.
    pub switched_rows: u64,
}

impl Activity {
    /// The activity of the published pairing. Its cycles are printed; the other counts are estimated from a run of the
    /// paper's routine division, as this project reconstructs it, on the modelled processor.
    pub const PUBLISHED: Self = Self {
        cycles: PAIRING_CYCLES as u64,
        mm_issues: 5_644,
        arith_issues: 25_077,
        inversion_products: 760,
        bank_reads: 44_084,
        bank_writes: 25_595,
        l2_words: 31_850,
        l1_words: 2_424,
        switched_rows: 7_202,
    };
}

impl From<&Run> for Activity {
    fn from(run: &Run) -> Self {
        Self {
            cycles: run.cycles,
            mm_issues: run.issued.mm,
            arith_issues: run.issued.arith,
            inversion_products: run.inversion_products,
            bank_reads: run.banks.iter().map(|b| b.reads).sum(),
            bank_writes: run.banks.iter().map(|b| b.writes).sum(),
            l2_words: run.l2_words,
            l1_words: run.l1_instructions,
            switched_rows: run.switched_rows,
        }
    }
}

/// A component's energy.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct ComponentEnergy<P> {
    /// The part of the pairing processor or of the chip.
    pub part: P,
    /// Joules that busy cycles draw beyond idle cycles.
    pub work_j: f64,
    /// Joules that are drawn in every cycle, busy or idle.
    pub idle_j: f64,
    /// Joules if the clock were gated in idle cycles: busy cycles alone, at their full price.
    pub gated_j: f64,
}

/// The energy of a run by component.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Breakdown {
    /// Energy of each component without leakage, in the order of [`PairingPart`]; for shared components only the work is
    /// charged.
    pub shares: Vec<ComponentEnergy<PairingPart>>,
    /// Joules of leakage.
    pub leakage_j: f64,
    /// The basis of the sum.
    pub basis: Basis,
}

impl Breakdown {
    /// The total energy in joules.
    pub fn joules(&self) -> f64 {
        self.leakage_j + self.shares.iter().map(|s| s.work_j + s.idle_j).sum::<f64>()
    }

    /// The total energy in joules if every component's clock stopped in its idle cycles: the most that clock gating could
    /// save, as far as the calibration of the idle share is right. Estimated.
    pub fn gated_joules(&self) -> f64 {
        self.leakage_j + self.shares.iter().map(|s| s.gated_j).sum::<f64>()
    }
}

/// Energy of a run of a design at its operating point. Calibrated: the published pairing has the printed energy.
pub fn energy(spec: &MachineSpec, activity: &Activity) -> Breakdown {
    let (per_mm2, leakage) = calibration();
    let scale = per_mm2 * spec.clock.volts.powi(2);
    let shares = weights(spec, activity)
        .into_iter()
        .map(|w| ComponentEnergy {
            part: w.part,
            work_j: scale * w.work,
            idle_j: scale * w.idle,
            gated_j: scale * w.busy,
        })
        .collect();
    let time = activity.cycles as f64 / clock_hz(spec);
    let leakage_j = leakage * Area::of(spec).own_mm2() * spec.clock.volts * time;
    Breakdown { shares, leakage_j, basis: Basis::Calibrated }
}

impl Element {
    /// Energy in joules, without leakage, of a cycle in which a product enters the element at this supply voltage.
    pub fn product_j(&self, volts: f64) -> f64 {
        calibration().0 * volts.powi(2) * self.mm2()
    }
}

/// Busy and idle cycles of a component, times its area in mm² and its power density: proportional to its energy.
struct Weight {
    part: PairingPart,
    work: f64,
    idle: f64,
    busy: f64,
}

fn weights(spec: &MachineSpec, a: &Activity) -> Vec<Weight> {
    let area = Area::of(spec);
    let cycles = a.cycles as f64;
    let idle_share = idle_share();
    let ports = f64::from(spec.banks.reads + spec.banks.writes);
    // Cycles in which the component works, times the area that works.
    let busy = |part: PairingPart| match part {
        PairingPart::Multiplier => (4 * a.mm_issues + a.inversion_products) as f64 * element_mm2(spec),
        PairingPart::Arithmetic => a.arith_issues as f64 * area.mm2(part),
        PairingPart::Operands => {
            (a.mm_issues + a.arith_issues) as f64 * area.mm2(part) / f64::from(spec.issue.width)
        }
        PairingPart::Banks => (a.bank_reads + a.bank_writes) as f64 * bank_mm2(&spec.banks) / ports,
        PairingPart::Inverter => a.inversion_products as f64 * area.mm2(part),
        PairingPart::L2Memory => a.l2_words as f64 * area.mm2(part) / f64::from(spec.issue.width),
        PairingPart::Control => cycles * area.mm2(part),
        PairingPart::L1Memory => a.l1_words as f64 * area.mm2(part),
        PairingPart::GlobalBank => {
            a.switched_rows as f64 * area.mm2(part) / f64::from(spec.switcher.rows_per_cycle)
        }
    };
    let density = |part| if part == PairingPart::Multiplier { 1.0 } else { REST_DENSITY };
    area.components
        .iter()
        .map(|c| {
            let (busy, density) = (busy(c.part), density(c.part));
            let idle = if c.part.shared() { 0.0 } else { cycles * c.mm2 };
            // The idle energy of a shared component belongs to other engines; its active cycles are charged here in
            // full.
            let work = if c.part.shared() { 1.0 } else { 1.0 - idle_share };
            Weight {
                part: c.part,
                work: density * work * busy,
                idle: density * idle_share * idle,
                busy: density * busy,
            }
        })
        .collect()
}

/// Joules of a busy cycle of a square millimetre at 1 V, and amperes of leakage of a square millimetre: the solution
/// of two equations, the published pairing's energies at the lowest and the highest operating point.
pub(super) fn calibration() -> (f64, f64) {
    let spec = MachineSpec::paper();
    let work: f64 = weights(&spec, &Activity::PUBLISHED).iter().map(|w| w.work + w.idle).sum();
    let area = Area::of(&spec).own_mm2();
    let [(v0, f0), _, (v1, f1)] = OPERATING_POINTS;
    let (t0, t1) = (PAIRING_CYCLES / f0, PAIRING_CYCLES / f1);
    let (e0, e1) = (OPERATORS[0].watts * t0, PAIRING_J);
    let (a0, b0) = (v0 * v0 * work, v0 * t0 * area);
    let (a1, b1) = (v1 * v1 * work, v1 * t1 * area);
    let det = a0 * b1 - a1 * b0;
    ((e0 * b1 - e1 * b0) / det, (a0 * e1 - a1 * e0) / det)
}
