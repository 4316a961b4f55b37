//! Figure 22: area and power by component, of the chip and of the pairing processor in two designs.

use super::{Place, answer, modelled};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use pairwright_chip::MachineSpec;
use pairwright_chip::power::{
    Activity, Area, Basis, CORE_MM2, OPERATORS, PE_POWER_SHARE, chip_blocks, energy, operator_watts,
};

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    context.begin("cp/fig22", 2);
    let mut rows = Vec::new();
    context.step("the chip");
    for block in chip_blocks() {
        let place = Place { what: "area of the chip", operation: block.name, unit: "mm2" };
        rows.push(modelled(&place, "chip", block.mm2, basis(block.basis)));
    }
    context.step("the pairing processor");
    for design in ["paper", "best"] {
        let Some(spec) = MachineSpec::named(design) else { continue };
        let area = Area::of(&spec);
        for component in &area.components {
            let place = Place {
                what: "area of the pairing processor",
                operation: component.part.name(),
                unit: "mm2",
            };
            let shared = if component.part.shared() { "; shared, not in the sum" } else { "" };
            let note = format!("{}: {}{shared}", basis(component.basis), component.source);
            rows.push(modelled(&place, design, component.mm2, &note));
        }
        let place = Place { what: "area of the pairing processor", operation: "sum", unit: "mm2" };
        let note = "without the parts that other engines share";
        rows.push(modelled(&place, design, area.own_mm2(), note));
    }
    // The published activity on the published design: only there is the power printed.
    let paper = MachineSpec::paper();
    let spent = energy(&paper, &Activity::PUBLISHED);
    for share in &spent.shares {
        let place = Place { what: "energy of a pairing", operation: share.part.name(), unit: "uJ" };
        let idle = 1e6 * share.idle_j;
        let note = format!("calibrated; {idle:.3} uJ of it whether or not anything is issued");
        rows.push(modelled(&place, "paper", 1e6 * (share.work_j + share.idle_j), &note));
    }
    let place = Place { what: "energy of a pairing", operation: "leakage", unit: "uJ" };
    rows.push(modelled(&place, "paper", 1e6 * spent.leakage_j, "calibrated; hardly bound by two roundings"));
    let pes = chip_blocks().first().map_or(0.0, |b| b.mm2);
    let mut answers = vec![
        answer("share of area", "12 PEs", "chip", 100.0 * pes / CORE_MM2, "calibrated on this number"),
        answer("area of a pairing", "4 PEs and the rest", "paper", Area::of(&paper).own_mm2(), AREA),
        answer("share of power", "12 PEs", "chip", 100.0 * PE_POWER_SHARE, "calibrated on this number"),
    ];
    for (operator, operation) in OPERATORS.iter().zip(["pairing", "NTT", "MSM"]) {
        let watts = operator_watts(operator, 0.7);
        answers.push(answer("power at 0.7 V", operation, "chip", watts, "calibrated on this number"));
    }
    Ok(Outcome { rows, answers })
}

const AREA: &str = "four processing elements derived from 72 % of 8.3 mm2, everything else estimated from gate and \
                    memory laws; the paper does not say what its partial area holds";

fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Printed => "printed",
        Basis::Calibrated => "calibrated",
        Basis::Derived => "derived",
        Basis::Estimated => "estimated",
    }
}
