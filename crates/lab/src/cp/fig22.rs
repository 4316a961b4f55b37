//! Figure 22: area and power by component, of the chip and of the pairing processor in two designs.

use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::{Kind, Labels};
use pairwright_chip::MachineSpec;
use pairwright_chip::power::{
    Activity, Area, Basis, CORE_MM2, Engine, OPERATORS, PAIRING_MM2, PAIRING_PES, PE_MM2, PE_POWER_SHARE,
    chip_blocks, energy, operator_watts, predicted_watts,
};

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("cp/fig22", 2);
    let mut keep = |quantity, operation, unit, kind, series, value, note: &str| {
        outcome.keep(Labels { quantity, operation, unit }.row(kind, "model", series, value, note));
    };
    context.step("the chip");
    for block in chip_blocks() {
        let (kind, word) = basis(block.basis);
        keep("area of the chip", block.name, "mm2", kind, "chip", block.mm2, word);
    }
    context.step("the pairing processor");
    const PROCESSOR: &str = "area of the pairing processor";
    for design in ["paper", "best"] {
        let Some(spec) = MachineSpec::named(design) else { continue };
        let area = Area::of(&spec);
        for component in &area.components {
            let shared = if component.part.shared() { "; shared, not in the sum" } else { "" };
            let (kind, word) = basis(component.basis);
            let note = format!("{word}: {}{shared}", component.source);
            keep(PROCESSOR, component.part.name(), "mm2", kind, design, component.mm2, &note);
        }
        let note = "without the parts that other engines share";
        keep(PROCESSOR, "sum", "mm2", Kind::Modelled, design, area.own_mm2(), note);
    }
    // The published activity on the published design, the only one for which power is printed.
    let paper = MachineSpec::paper();
    let spent = energy(&paper, &Activity::PUBLISHED);
    const ENERGY: &str = "energy of a pairing";
    for share in &spent.shares {
        let (uj, idle) = (1e6 * (share.work_j + share.idle_j), 1e6 * share.idle_j);
        let note = format!("calibrated; {idle:.3} uJ of it whether or not anything is issued");
        keep(ENERGY, share.part.name(), "uJ", Kind::Calibrated, "paper", uj, &note);
    }
    let note = "calibrated; hardly bound by two roundings";
    keep(ENERGY, "leakage", "uJ", Kind::Calibrated, "paper", 1e6 * spent.leakage_j, note);
    let mut fitted = |key, operation, value| {
        let note = "calibrated on this number";
        outcome.answer(key, operation, "chip", value, note).kind = Some(Kind::Calibrated);
    };
    let pes = chip_blocks().first().map_or(0.0, |b| b.mm2);
    fitted("share of area", "12 PEs", 100.0 * pes / CORE_MM2);
    fitted("share of power", "12 PEs", 100.0 * PE_POWER_SHARE);
    for (operator, operation) in OPERATORS.iter().zip(["pairing", "NTT", "MSM"]) {
        fitted("power at 0.7 V", operation, operator_watts(operator, 0.7));
    }
    let note = "predicted by the constants of the pairing, before the engine's own factor; the share of an idle cycle is fitted \
                to the three printed powers together, which do not say what an engine's activity is";
    for (engine, operation) in [(Engine::Poly, "NTT"), (Engine::Msm, "MSM")] {
        if let Some(watts) = predicted_watts(engine) {
            outcome.answer("power at 0.7 V", operation, "predicted", watts, note);
        }
    }
    let (estimated, left) = estimated_mm2(&paper);
    let labels =
        Labels { quantity: "area of a pairing without its four elements", operation: "sum", unit: "mm2" };
    outcome.model(&labels, "paper", estimated, "estimated from gate and memory laws");
    let note = format!(
        "derived: the printed {PAIRING_MM2} mm2 less four elements of {PE_MM2:.3}, which are 72 % of 8.3 mm2 over twelve"
    );
    outcome.keep(labels.row(Kind::Estimated, "model", "left by the printed area", left, &note));
    outcome.answer("area of a pairing", "4 PEs and the rest", "paper", Area::of(&paper).own_mm2(), AREA);
    Ok(outcome)
}

/// The estimated area of the pairing processor in mm², without its four elements, and the rest of the printed area
/// beside these elements.
fn estimated_mm2(paper: &MachineSpec) -> (f64, f64) {
    let elements = f64::from(PAIRING_PES) * PE_MM2;
    (Area::of(paper).own_mm2() - elements, PAIRING_MM2 - elements)
}

const AREA: &str = "four processing elements derived from 72 % of 8.3 mm2, everything else estimated from gate and \
                    memory laws; the paper does not say what its partial area holds";

/// The kind of a row and a word for it, by the basis of its area.
fn basis(basis: Basis) -> (Kind, &'static str) {
    match basis {
        Basis::Printed => (Kind::Calibrated, "printed"),
        Basis::Calibrated => (Kind::Calibrated, "calibrated"),
        Basis::Derived => (Kind::Modelled, "derived"),
        Basis::Estimated => (Kind::Modelled, "estimated"),
        Basis::Counted => (Kind::Modelled, "counted"),
    }
}
