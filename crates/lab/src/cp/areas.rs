//! The areas of figure 22 and table II from cells: the processing element, the pairing processor and the chip's core
//! from their synthesised blocks, and the clock of figure 23 from the multiplier's longest path. No area, power or
//! clock that the paper prints is used.
//!
//! Multipliers, adders, the point adder, butterflies with their networks and the pairing's control are counted in
//! cells. Memories follow a law of `sim::tech`, and parts that are not in the RTL are counted in gates by `chip`.
//! Channels between macros, the clock tree and test logic are not included.

use crate::LabError;
use crate::cells::{DELAYS, KNOBS, MEMORY, cycle_ps, layout};
use crate::experiment::{Context, Outcome};
use crate::knobs::{AffectedValue, Knob, middle, varied};
use crate::row::{Kind, Labels};
use pairwright_chip::MachineSpec;
use pairwright_chip::power::{ChipShape, PE_MM2, counted};
use pairwright_sim::cells::{LIBRARIES, Library, Part, Size};
use pairwright_sim::tech::Basis;

/// Area of a part in mm², with values of [`KNOBS`] and [`MEMORY`].
fn part_mm2(part: &Part, knobs: &[f64]) -> f64 {
    part.mm2_28(&layout(knobs, knobs[KNOBS.len()]))
}

fn mm2(parts: &[Part], knobs: &[f64]) -> f64 {
    parts.iter().map(|part| part_mm2(part, knobs)).sum()
}

/// A processing element, and the parts of the pairing processor and of the core, as the model counts them.
fn machine(library: &Library, spec: &MachineSpec, shape: &ChipShape) -> Option<[Vec<Part>; 3]> {
    let logic = counted::element(library, spec)?;
    let element = Part { name: "processing element", logic, memory_mm2: 0.0, basis: Basis::Counted };
    Some([vec![element], counted::pairing(library, spec)?, counted::core(library, spec, shape)?])
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("cp/areas", LIBRARIES.len());
    let knobs: Vec<Knob> = KNOBS.into_iter().chain([MEMORY]).collect();
    let likely = middle(&knobs);
    let (spec, shape) = (MachineSpec::paper(), ChipShape::published());
    for process in &LIBRARIES {
        context.step(process.name);
        let Some([one, pairing, core]) = machine(process, &spec, &shape) else { continue };
        for (name, key_operation, parts, note) in [
            ("processing element", "one processing element", &one, ELEMENT),
            ("pairing", "4 PEs and the rest", &pairing, PAIRING),
            ("core", "core", &core, CORE),
        ] {
            let headline = format!("{name}, {}", process.name);
            let affected = AffectedValue { quantity: "area", headline: &headline, series: "by cells" };
            let value = varied(&mut outcome, affected, &knobs, |knobs| mm2(parts, knobs));
            outcome.answer("area", key_operation, process.name, value, note);
            for part in parts.iter().filter(|_| parts.len() > 1) {
                let quantity = format!("area of the {name} by part");
                let labels = Labels { quantity: &quantity, operation: part.name, unit: "mm2" };
                outcome.model(&labels, process.name, part_mm2(part, &likely), "");
            }
        }
        let share = |knobs: &[f64]| 100.0 * part_mm2(&core[0], knobs) / mm2(&core, knobs);
        let headline = format!("share of 12 PEs, {}", process.name);
        let affected = AffectedValue { quantity: "share of area", headline: &headline, series: "by cells" };
        let value = varied(&mut outcome, affected, &knobs, share);
        outcome.answer("share of area", "12 PEs", process.name, value, CORE);
        clock(&mut outcome, process);
        of_blocks(&mut outcome, process, &likely);
    }
    let labels = Labels { quantity: "area at 28 nm", operation: "processing element", unit: "mm2" };
    let note = "calibrated: 72 % of 8.3 mm2 over twelve";
    outcome.keep(labels.row(Kind::Calibrated, "model", "the model's", PE_MM2, note));
    Ok(outcome)
}

const ELEMENT: &str = "the multiplier of 381 bits, 16 stages, and an adder and subtractor; one width and one fixed prime, where the \
                       paper's element has two of each and an iterative mode";
const PAIRING: &str = "four multipliers, what makes one in Fp2 of them, two adders, control; operands and inverter by gates, memories by \
                       a law; the paper does not say what its partial area holds";
const CORE: &str = "twelve elements, the point adder, two sets of butterflies, the pairing's logic; the rest by gates, memories by a law; no \
                    channels, no clock tree, no test";

/// The clock that the multiplier's longest path allows at 0.9 V, the nominal supply at 28 nm, as the libraries are
/// characterised at the nominal supplies of their processes.
fn clock(outcome: &mut Outcome, process: &Library) {
    let name = format!("clock, {}", process.name);
    let affected = AffectedValue { quantity: "frequency", headline: &name, series: "by cells" };
    let mhz = |knobs: &[f64]| 1e6 / cycle_ps(process, "mm_381", knobs);
    let value = varied(outcome, affected, &DELAYS, mhz);
    let note = "a half step of the multiplier, with its registers, in gates without wires at the typical corner; delays in proportion \
                to the names of processes, as table II scales them";
    outcome.answer("frequency", "0.90 V", process.name, value, note);
}

/// The area of each block at 28 nm.
fn of_blocks(outcome: &mut Outcome, process: &Library, likely: &[f64]) {
    let ends = [0, 2].map(|end| layout(&KNOBS.map(|knob| knob.values[end]), MEMORY.values[end]));
    for block in process.blocks {
        let size = Size::of(block);
        let [least, most] = ends.each_ref().map(|layout| size.mm2_28(layout));
        let labels = Labels { quantity: "area at 28 nm", operation: block.name, unit: "mm2" };
        let note = format!(
            "{:.0} gates, {} flip-flops; {least:.4} to {most:.4} mm2 with all parameters at an end",
            block.gates, block.registers
        );
        outcome.model(&labels, process.name, size.mm2_28(&layout(likely, 1.0)), &note);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_printed_is_among_the_parts() {
        // With gates, flip-flops and memories of size zero the area is zero, so no area of the paper is included.
        let (spec, shape) = (MachineSpec::paper(), ChipShape::published());
        for parts in LIBRARIES.iter().flat_map(|process| machine(process, &spec, &shape).unwrap()) {
            assert_eq!(mm2(&parts, &[0.0, 0.72, 1.0, 0.0]), 0.0);
            assert!(mm2(&parts, &[0.55, 0.72, 1.0, 1.0]) > 0.0);
        }
    }
}
