//! Areas of table 4 by cells: what stands in an element of the tree unit around its permutation, the permutation, and with `mtu`'s laws of
//! gates and memories the whole unit. No area that the paper prints goes in; its factor of areas from 22 nm to 7 nm does.

use super::sweep::sized;
use crate::LabError;
use crate::cells::{KNOBS, MEMORY, Process, Size, TO_22, processes};
use crate::experiment::{Context, Outcome};
use crate::knobs::{Knob, Moved, middle, varied};
use crate::row::{Kind, Labels};
use pairwright_mtu::UnitConfig;
use pairwright_mtu::power::{Area, Group, TABLE_4_PES, multiplier_mm2_22};
use pairwright_sim::tech::{Gates, Scaling};

/// The rows of table 4 with their logic, of all elements, and the area of their memories at 7 nm by the law, in mm².
type Rows = Vec<(&'static str, Size, f64)>;

fn rows(process: &Process) -> Result<Rows, LabError> {
    let elements = f64::from(TABLE_4_PES);
    let (element, keccak) = (process.size("tree_element_255")?, process.size("keccak")?);
    let law = Area::of(&UnitConfig { hash_ii: 24, ..sized(TABLE_4_PES, 256) });
    // The law's gates were laid out with the likely values of the same parameters.
    let control = Size { gates: law.group_mm2(Group::Misc) / Gates(1.0).range_mm2_7()[1], registers: 0.0 };
    Ok(vec![
        (Group::Modulus.name(), (element - keccak) * elements, 0.0),
        (Group::Sha3.name(), keccak * elements, 0.0),
        (Group::Misc.name(), control, 0.0),
        (Group::Memory.name(), Size::default(), law.group_mm2(Group::Memory)),
    ])
}

/// Area in mm² at 7 nm of a row with [`KNOBS`], [`TO_22`] and [`MEMORY`].
fn row_mm2((_, logic, memory): &(&str, Size, f64), knobs: &[f64]) -> f64 {
    let [shrink, over_law] = [knobs[KNOBS.len()], knobs[KNOBS.len() + 1]];
    logic.mm2_7(knobs) + memory * over_law * shrink / TO_22.values[1]
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    let all = processes()?;
    context.begin("mtu/areas", all.len());
    let knobs: Vec<Knob> = KNOBS.into_iter().chain([TO_22, MEMORY]).collect();
    let likely = middle(&knobs);
    for process in &all {
        context.step(process.name);
        let rows = rows(process)?;
        let (modulus, sha3) = (&rows[..1], &rows[1..2]);
        for (name, of, note) in
            [("Modulus Ops", modulus, MODULUS), ("SHA3", sha3, SHA3), ("Total MTU", &rows[..], TOTAL)]
        {
            let headline = format!("{name}, {}", process.name);
            let moved = Moved { quantity: "area", headline: &headline, series: "by cells" };
            let sum = |knobs: &[f64]| of.iter().map(|row| row_mm2(row, knobs)).sum();
            let value = varied(&mut outcome, moved, &knobs, sum);
            outcome.answer("area", name, process.name, value, note);
        }
        for row in &rows {
            let labels = Labels { quantity: "area of 32 elements by row", operation: row.0, unit: "mm2" };
            outcome.model(&labels, process.name, row_mm2(row, &likely), "");
        }
        of_blocks(&mut outcome, process, &knobs)?;
    }
    let labels = Labels { quantity: MULTIPLIER, operation: "255 bits, a fixed prime", unit: "mm2" };
    let note = "calibrated: printed for zkPHIRE, whose multipliers for any prime are [MTU]'s";
    let theirs = multiplier_mm2_22(255, true);
    outcome.keep(labels.row(Kind::Calibrated, "model", "zkPHIRE", theirs, note));
    Ok(outcome)
}

const MULTIPLIER: &str = "area of a multiplier at 22 nm";
const MODULUS: &str = "an element less its permutation: multiplier of 16 stages, adders, registers of operands that wait; our prime is fixed, \
                       [MTU]'s multipliers take any, which costs 1.8 times as much by zkPHIRE's figures";
const SHA3: &str = "Keccak, a round a cycle, without the padder and the buffer of the paper's core";
const TOTAL: &str = "the two rows by cells, control by a law of gates, memories by a law; our prime is fixed, [MTU]'s multipliers take any";

/// What each block of the tree takes at 7 nm, and the multiplier at 22 nm.
fn of_blocks(outcome: &mut Outcome, process: &Process, knobs: &[Knob]) -> Result<(), LabError> {
    let at = |end: usize| knobs.iter().map(|knob| knob.values[end]).collect::<Vec<f64>>();
    const BLOCKS: [&str; 6] =
        ["add_sub_255", "keccak", "mm_255", "tree_element_255", "tree_control", "tree_255"];
    for report in process.blocks().filter(|report| BLOCKS.contains(&report.block.as_str())) {
        let size = Size { gates: report.nand2, registers: report.registers as f64 };
        let [least, likely, most] = [0, 1, 2].map(|end| size.mm2_7(&at(end)));
        let labels = Labels { quantity: "area at 7 nm", operation: &report.block, unit: "mm2" };
        let note = format!("{least:.5} to {most:.5} mm2 with all parameters at an end");
        outcome.model(&labels, process.name, likely, &note);
    }
    let multiplier = process.size("mm_255")?.mm2_7(&at(1)) / Scaling::N22_TO_N7.area;
    let labels = Labels { quantity: MULTIPLIER, operation: "255 bits, a fixed prime", unit: "mm2" };
    outcome.model(&labels, process.name, multiplier, "16 stages, rows as Yosys builds them by default");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_those_by_hand() {
        let knobs = [0.55, 0.72, 1.0, 0.81, 1.0];
        let near = |ours: f64, want: f64| assert!((ours / want - 1.0).abs() < 1e-3, "{ours} {want}");
        let rho = 32.0 * 0.55e-6 / 0.72 * 0.81 / 3.6;
        let all = processes().unwrap();
        let of = |process: &Process, at: usize| row_mm2(&rows(process).unwrap()[at], &knobs);
        near(of(&all[0], 0), (1_057_554.6 - 33_364.3) * rho);
        near(of(&all[0], 1), 33_364.3 * rho);
        // A multiplier, two adders and what is around them, of which only the first library has a synthesis.
        near(of(&all[1], 0), (939_723.3 + 2.0 * 8_268.3 + 169_259.8 / 3.7536) * rho);
        near(of(&all[1], 1), 30_262.0 * rho);
        // Control and memories are as the model has them.
        let law = Area::of(&UnitConfig { hash_ii: 24, ..sized(TABLE_4_PES, 256) });
        near(of(&all[0], 2), law.group_mm2(Group::Misc));
        near(of(&all[0], 3), law.group_mm2(Group::Memory));
    }

    #[test]
    fn nothing_printed_is_among_the_rows() {
        for process in processes().unwrap() {
            let all = rows(&process).unwrap();
            assert!(all.iter().all(|row| row_mm2(row, &[0.0, 0.72, 1.0, 0.81, 0.0]) == 0.0));
            assert!(all.iter().all(|row| row_mm2(row, &[0.55, 0.72, 1.0, 0.81, 1.0]) > 0.0));
        }
    }
}
