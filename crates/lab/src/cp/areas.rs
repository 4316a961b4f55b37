//! Areas of figure 22 and table II by cells: the processing element, the pairing processor and the chip's core as their blocks are
//! synthesised, and the clock of figure 23 by the multiplier's longest path. No area, power or clock that the paper prints goes in.
//!
//! Multipliers, adders, the point adder, butterflies with their networks and the pairing's control are cells. Memories are a law of
//! `sim::tech`, and what is not in the RTL is counted in gates by `chip`. Channels between macros, the clock's tree and test are not there.

use crate::LabError;
use crate::cells::{DELAYS, KNOBS, MEMORY, Process, Size, processes};
use crate::experiment::{Context, Outcome};
use crate::knobs::{Knob, Moved, middle, varied};
use crate::row::{Kind, Labels};
use pairwright_chip::MachineSpec;
use pairwright_chip::power::{Area, ChipArea, ChipPart, ChipShape, PAIRING_PES, PE_MM2, PES, PairingPart};

/// Parts with their logic and the area of their memories by the law, in mm².
type Parts = Vec<(&'static str, Size, f64)>;

const ELEMENTS: &str = "processing elements";
/// Sets of banks with four butterflies each.
const SETS: f64 = 2.0;

/// A processing element: section III.C gives it a multiplier, and an adder and subtractor.
fn element(process: &Process) -> Result<Size, LabError> {
    Ok(process.size("mm_381")? + process.size("add_sub_381")?)
}

/// What the pairing processor has besides the multipliers: what makes four products one in Fp2, two adders, control; by `chip`'s
/// gates what selects operands and inverts; banks and the memory of routines.
fn around_the_pairing(process: &Process, spec: &MachineSpec) -> Result<Parts, LabError> {
    let law = Area::of(spec);
    let products = f64::from(PAIRING_PES);
    Ok(vec![
        ("four products to one", process.size("fp2_381")? - process.size("mm_381")? * products, 0.0),
        ("sums in Fp2", process.size("add_sub_381")? * 2.0, 0.0),
        ("control of the pairing", process.size("pairing_control")?, 0.0),
        (
            "operands and inverter, by gates",
            Size::of_law(law.mm2(PairingPart::Operands) + law.mm2(PairingPart::Inverter)),
            0.0,
        ),
        (
            "banks and L2 memory, a law",
            Size::default(),
            law.mm2(PairingPart::Banks) + law.mm2(PairingPart::L2Memory),
        ),
    ])
}

/// The pairing processor.
fn pairing(process: &Process, spec: &MachineSpec) -> Result<Parts, LabError> {
    let multipliers = process.size("mm_381")? * f64::from(PAIRING_PES);
    let mut parts = vec![("multipliers", multipliers, 0.0)];
    parts.extend(around_the_pairing(process, spec)?);
    Ok(parts)
}

/// The chip's core. An adder of each element is one of the point adder's.
fn core(process: &Process, spec: &MachineSpec, shape: &ChipShape) -> Result<Parts, LabError> {
    let elements = element(process)? * f64::from(PES);
    let law = ChipArea::of(spec, shape);
    let sum = |parts: &[ChipPart]| parts.iter().map(|part| law.mm2(*part)).sum::<f64>();
    let butterflies = process.size("ntt_255")? - process.size("mm_255")? * 4.0;
    let mut parts = vec![
        (ELEMENTS, elements, 0.0),
        ("the rest of the point adder", process.size("padd_381")? - elements, 0.0),
        ("butterflies without multipliers, networks", butterflies * SETS, 0.0),
    ];
    parts.extend(around_the_pairing(process, spec)?);
    let logic = [ChipPart::Operands, ChipPart::PointQueues, ChipPart::Transfers, ChipPart::Controllers];
    parts.push(("operands, queues, transfers, controllers, by gates", Size::of_law(sum(&logic)), 0.0));
    // Banks and L2 memory of the pairing stand above.
    let memories = [
        ChipPart::BanksAb,
        ChipPart::BanksC,
        ChipPart::TwiddleTable,
        ChipPart::TileBuffer,
        ChipPart::PointMemory,
        ChipPart::Buckets,
        ChipPart::Digits,
        ChipPart::GlobalBank,
    ];
    let instructions = Area::of(spec).mm2(PairingPart::L1Memory);
    parts.push(("memories, a law", Size::default(), sum(&memories) + instructions));
    Ok(parts)
}

/// Area in mm² of a part with [`KNOBS`] and [`MEMORY`].
fn part_mm2((_, logic, memory): &(&str, Size, f64), knobs: &[f64]) -> f64 {
    logic.mm2_28(knobs) + memory * knobs[KNOBS.len()]
}

fn mm2(parts: &Parts, knobs: &[f64]) -> f64 {
    parts.iter().map(|part| part_mm2(part, knobs)).sum()
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    let all = processes()?;
    context.begin("cp/areas", all.len());
    let knobs: Vec<Knob> = KNOBS.into_iter().chain([MEMORY]).collect();
    let likely = middle(&knobs);
    let (spec, shape) = (MachineSpec::paper(), ChipShape::published());
    for process in &all {
        context.step(process.name);
        let (pairing, core) = (pairing(process, &spec)?, core(process, &spec, &shape)?);
        let one: Parts = vec![("processing element", element(process)?, 0.0)];
        for (name, key_operation, parts, note) in [
            ("processing element", "one processing element", &one, ELEMENT),
            ("pairing", "4 PEs and the rest", &pairing, PAIRING),
            ("core", "core", &core, CORE),
        ] {
            let headline = format!("{name}, {}", process.name);
            let moved = Moved { quantity: "area", headline: &headline, series: "by cells" };
            let value = varied(&mut outcome, moved, &knobs, |knobs| mm2(parts, knobs));
            outcome.answer("area", key_operation, process.name, value, note);
            for part in parts.iter().filter(|_| parts.len() > 1) {
                let quantity = format!("area of the {name} by part");
                let labels = Labels { quantity: &quantity, operation: part.0, unit: "mm2" };
                outcome.model(&labels, process.name, part_mm2(part, &likely), "");
            }
        }
        let share = |knobs: &[f64]| 100.0 * part_mm2(&core[0], knobs) / mm2(&core, knobs);
        let headline = format!("share of 12 PEs, {}", process.name);
        let moved = Moved { quantity: "share of area", headline: &headline, series: "by cells" };
        let value = varied(&mut outcome, moved, &knobs, share);
        outcome.answer("share of area", "12 PEs", process.name, value, CORE);
        clock(&mut outcome, process)?;
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

/// The clock that the longest path of the multiplier allows at 0.9 V, the nominal supply of such processes as the libraries' are of
/// theirs.
fn clock(outcome: &mut Outcome, process: &Process) -> Result<(), LabError> {
    let name = format!("clock, {}", process.name);
    let moved = Moved { quantity: "frequency", headline: &name, series: "by cells" };
    // Every cycle is there if one is.
    process.cycle_ps("mm_381", &middle(&DELAYS))?;
    let mhz =
        |knobs: &[f64]| process.cycle_ps("mm_381", knobs).map_or(f64::NAN, |picoseconds| 1e6 / picoseconds);
    let value = varied(outcome, moved, &DELAYS, mhz);
    let note = "a half step of the multiplier, with its registers, in gates without wires at the typical corner; delays in proportion \
                to the names of processes, as table II scales them";
    outcome.answer("frequency", "0.90 V", process.name, value, note);
    Ok(())
}

/// What each block takes at 28 nm.
fn of_blocks(outcome: &mut Outcome, process: &Process, likely: &[f64]) {
    let ends = [0, 2].map(|end| KNOBS.map(|knob| knob.values[end]));
    for report in process.blocks() {
        let size = Size { gates: report.nand2, registers: report.registers as f64 };
        let [least, most] = ends.each_ref().map(|knobs| size.mm2_28(knobs));
        let labels = Labels { quantity: "area at 28 nm", operation: &report.block, unit: "mm2" };
        let note = format!(
            "{:.0} gates, {} flip-flops; {least:.4} to {most:.4} mm2 with all parameters at an end",
            report.nand2, report.registers
        );
        outcome.model(&labels, process.name, size.mm2_28(likely), &note);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(process: &Process) -> [Parts; 2] {
        let (spec, shape) = (MachineSpec::paper(), ChipShape::published());
        [pairing(process, &spec).unwrap(), core(process, &spec, &shape).unwrap()]
    }

    #[test]
    fn nothing_printed_is_among_the_parts() {
        // With gates, flip-flops and memories of no size nothing is left: no area of the paper's has come in.
        for process in processes().unwrap() {
            for parts in all(&process) {
                assert_eq!(mm2(&parts, &[0.0, 0.72, 1.0, 0.0]), 0.0);
                assert!(
                    parts.iter().all(|(_, logic, memory)| logic.gates >= 0.0 && *memory >= 0.0),
                    "{parts:?}"
                );
            }
        }
    }

    #[test]
    fn sums_are_those_of_their_parts_by_hand() {
        let process = processes().unwrap().swap_remove(0);
        let knobs = [0.55, 0.72, 1.0, 1.0];
        let near = |ours: f64, want: f64| assert!((ours / want - 1.0).abs() < 1e-3, "{ours} {want}");
        let rho = 0.55e-6 / 0.72;
        near(element(&process).unwrap().mm2_28(&knobs), (2_062_970.0 + 13_015.0) * rho);
        let [pairing, core] = all(&process);
        let cells = |parts: &Parts| parts.iter().map(|part| part.1.gates).sum::<f64>();
        // Multipliers with what is in Fp2, two adders, control; 8 multiplexers and 3 registers of a row each for operands, and the
        // inverter's two registers.
        let operands = 2.0 * 768.0 * 8.0 * 2.33 + 3.0 * 768.0 * 5.67;
        let inverter = 2.0 * 384.0 * 5.67 + 384.0 * 2.33 + 1000.0;
        near(cells(&pairing), 8_277_896.0 + 2.0 * 13_015.0 + 17_604.0 + operands + inverter);
        let logic = [ChipPart::Operands, ChipPart::PointQueues, ChipPart::Transfers, ChipPart::Controllers];
        let law = ChipArea::of(&MachineSpec::paper(), &ChipShape::published());
        let by_gates = logic.iter().map(|part| law.mm2(*part)).sum::<f64>() / rho;
        let around = 26_016.0 + 26_030.0 + 17_604.0 + operands + inverter;
        let butterflies = 2.0 * (4_254_222.0 - 4.0 * 961_645.7);
        near(cells(&core), 25_128_041.0 + butterflies + around + by_gates);
        // Memories: 41 KiB of banks A and B and so on, by the law alone.
        let memory: f64 = core.iter().map(|part| part.2).sum();
        assert!((0.8..1.2).contains(&memory), "{memory}");
    }
}
