//! The areas of table 4 from cells: the logic of an element around its permutation, the permutation, and, with the laws
//! of `mtu` for gates and memories, the whole unit. No area that the paper prints is used, but its factor of areas from
//! 22 nm to 7 nm is.

use super::sweep::sized;
use crate::LabError;
use crate::cells::{KNOBS, MEMORY, TO_22, layout};
use crate::experiment::{Context, Outcome};
use crate::knobs::{AffectedValue, Knob, middle, varied};
use crate::row::{Kind, Labels};
use pairwright_mtu::UnitConfig;
use pairwright_mtu::power::counted::{Sizes, mm2_7, rows};
use pairwright_mtu::power::{TABLE_4_PES, multiplier_mm2_22};
use pairwright_sim::cells::{LIBRARIES, Library, Part, Size};
use pairwright_sim::tech::Scaling;

/// The parameters of the model with values of [`KNOBS`], [`TO_22`] and [`MEMORY`].
fn sizes(knobs: &[f64]) -> Sizes {
    Sizes { layout: layout(knobs, knobs[KNOBS.len() + 1]), shrink: knobs[KNOBS.len()] }
}

fn row_mm2(row: &Part, knobs: &[f64]) -> f64 {
    mm2_7(row, &sizes(knobs))
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("mtu/areas", LIBRARIES.len());
    let unit = UnitConfig { hash_ii: 24, ..sized(TABLE_4_PES, 256) };
    let knobs: Vec<Knob> = KNOBS.into_iter().chain([TO_22, MEMORY]).collect();
    let likely = middle(&knobs);
    for process in &LIBRARIES {
        context.step(process.name);
        let Some(rows) = rows(process, &unit) else { continue };
        let (modulus, sha3) = (&rows[..1], &rows[1..2]);
        for (name, of, note) in
            [("Modulus Ops", modulus, MODULUS), ("SHA3", sha3, SHA3), ("Total MTU", &rows[..], TOTAL)]
        {
            let headline = format!("{name}, {}", process.name);
            let affected = AffectedValue { quantity: "area", headline: &headline, series: "by cells" };
            let sum = |knobs: &[f64]| of.iter().map(|row| row_mm2(row, knobs)).sum();
            let value = varied(&mut outcome, affected, &knobs, sum);
            outcome.answer("area", name, process.name, value, note);
        }
        for row in &rows {
            let labels = Labels { quantity: "area of 32 elements by row", operation: row.name, unit: "mm2" };
            outcome.model(&labels, process.name, row_mm2(row, &likely), "");
        }
        of_blocks(&mut outcome, process, &knobs);
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

/// The area of each block of the tree at 7 nm, and of the multiplier at 22 nm.
fn of_blocks(outcome: &mut Outcome, process: &Library, knobs: &[Knob]) {
    let ends = [0, 1, 2].map(|end| sizes(&knobs.iter().map(|knob| knob.values[end]).collect::<Vec<f64>>()));
    let at_7 = |size: Size, end: &Sizes| size.mm2_7(&end.layout, end.shrink);
    const BLOCKS: [&str; 6] =
        ["add_sub_255", "keccak", "mm_255", "tree_element_255", "tree_control", "tree_255"];
    for block in process.blocks.iter().filter(|block| BLOCKS.contains(&block.name)) {
        let [least, likely, most] = ends.each_ref().map(|end| at_7(Size::of(block), end));
        let labels = Labels { quantity: "area at 7 nm", operation: block.name, unit: "mm2" };
        let note = format!("{least:.5} to {most:.5} mm2 with all parameters at an end");
        outcome.model(&labels, process.name, likely, &note);
    }
    let Some(size) = process.size("mm_255") else { return };
    let multiplier = at_7(size, &ends[1]) / Scaling::N22_TO_N7.area;
    let labels = Labels { quantity: MULTIPLIER, operation: "255 bits, a fixed prime", unit: "mm2" };
    outcome.model(
        &labels,
        process.name,
        multiplier,
        "16 stages, products as networks of the library's adders",
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_those_of_the_models() {
        for end in 0..3 {
            let values = [&KNOBS[0], &KNOBS[1], &KNOBS[2], &TO_22, &MEMORY].map(|knob| knob.values[end]);
            assert_eq!(sizes(&values), Sizes::ENDS[end]);
        }
    }
}
