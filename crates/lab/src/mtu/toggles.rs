//! Power of the tree unit's elements by toggles: Keccak, a multiplier and two adders as cells beside table 4, of whose watts nothing goes
//! in.

use super::sweep::sized;
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::knobs::{Knob, Moved, middle, varied};
use crate::row::{Kind, Labels};
use crate::toggles::{KNOBS, Process, processes};
use pairwright_mtu::UnitConfig;
use pairwright_mtu::power::{Area, Part, TABLE_4_HZ, TABLE_4_PES};
use pairwright_sim::tech::Scaling;

/// The supply at 22 nm that the factors to 7 nm begin at, which their source does not print: that of such processes.
const SUPPLY: Knob = Knob { name: "supply at 22 nm", values: [0.8, 0.9, 1.0] };
/// From 28 nm to 22 nm, an optical shrink of it by a tenth.
const TO_22: f64 = 0.9;
const ROUNDS: f64 = 24.0;

/// Blocks of an element with how often each works in a cycle: a round of Keccak, and a product beside a sum and a difference, all of
/// them at once, as a thermal design power has it.
const SHA3: [(&str, f64); 1] = [("keccak", 1.0 / ROUNDS)];
const MODULUS: [(&str, f64); 2] = [("mm_255", 1.0), ("add_sub_255", 2.0)];

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("mtu/toggles", 1);
    let knobs: Vec<Knob> = KNOBS.into_iter().chain([SUPPLY]).collect();
    let middle = middle(&knobs);
    for process in processes(&["keccak", "mm_255", "add_sub_255"])? {
        context.step(process.name);
        for (row, blocks, note) in [
            ("SHA3", SHA3.to_vec(), "a round of Keccak in every cycle of every element"),
            ("Modulus Ops", MODULUS.to_vec(), OPERATIONS),
            ("Total MTU", [&SHA3[..], &MODULUS].concat(), TOTAL),
        ] {
            let headline = format!("{row}, {}", process.name);
            let moved = Moved { quantity: "power", headline: &headline, series: "by toggles" };
            let value = varied(&mut outcome, moved, &knobs, |knobs| watts(&process, &blocks, knobs));
            outcome.answer(POWER, row, process.name, value, note);
        }
        keep(&mut outcome, &process, "mm_255", "product of 255 bits", &middle);
        keep(&mut outcome, &process, "keccak", "permutation of 24 rounds", &middle);
        keep(&mut outcome, &process, "add_sub_255", "sum of 255 bits", &middle);
    }
    let area = Area::of(&UnitConfig { hash_ii: 24, ..sized(TABLE_4_PES, 256) });
    for (part, operation, cycles) in
        [(Part::Adders, "sum of 255 bits", 0.5), (Part::Sha3, "permutation of 24 rounds", ROUNDS)]
    {
        let drawn = area.component(part).map_or(0.0, |component| component.tdp_w);
        let joules = drawn * cycles / (TABLE_4_HZ * f64::from(TABLE_4_PES));
        let labels = Labels { quantity: OPERATION, operation, unit: "pJ" };
        let note = "calibrated: what table 4 leaves for it";
        outcome.keep(labels.row(Kind::Calibrated, "model", "calibrated", 1e12 * joules, note));
    }
    Ok(outcome)
}

const POWER: &str = "thermal design power";
const OPERATION: &str = "energy of an operation at 7 nm";

const OPERATIONS: &str = "a product, a sum and a difference in every cycle of every element, without registers of operands that wait; \
                          our prime is fixed, [MTU]'s multipliers take any";
const TOTAL: &str =
    "both rows together, without control and memories; our prime is fixed, [MTU]'s multipliers take any";

/// Watts of the elements of table 4 at 7 nm.
fn watts(process: &Process, blocks: &[(&str, f64)], knobs: &[f64]) -> f64 {
    let femtojoules: f64 = blocks.iter().map(|(block, times)| times * at_7(process, block, knobs)).sum();
    1e-15 * femtojoules * TABLE_4_HZ * f64::from(TABLE_4_PES)
}

/// Femtojoules of a block's operation at 7 nm, without leakage.
fn at_7(process: &Process, block: &str, knobs: &[f64]) -> f64 {
    let at_22 = process.at_28(block, knobs[KNOBS.len()], knobs).sum_fj() * TO_22;
    at_22 * Scaling::N22_TO_N7.energy
}

fn keep(outcome: &mut Outcome, process: &Process, block: &str, operation: &str, knobs: &[f64]) {
    let labels = Labels { quantity: OPERATION, operation, unit: "pJ" };
    outcome.model(
        &labels,
        process.name,
        1e-3 * at_7(process, block, knobs),
        "scaled from the library, without leakage",
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn watts_are_those_by_hand() {
        let knobs = middle(&KNOBS.into_iter().chain([SUPPLY]).collect::<Vec<_>>());
        let all = processes(&["keccak", "mm_255", "add_sub_255"]).unwrap();
        let near = |ours: f64, want: f64| assert!((ours / want - 1.0).abs() < 2e-3, "{ours} {want}");
        // Picojoules of data and clock at the library's supply, from the book; to 28 nm by the length and the square of the supply, to
        // 22 nm by a tenth, to 7 nm by the published factors of power and delay.
        for (process, nm, volts, product, sum, keccak) in
            [(&all[0], 130.0, 1.8, 15_133.0, 140.7, 8_900.0), (&all[1], 45.0, 1.1, 3_434.0, 33.92, 2_149.0)]
        {
            let factor = 28.0 / nm * (0.9f64 / volts).powi(2) * 0.9 / (3.3 * 1.7) * 0.032;
            near(watts(process, &MODULUS, &knobs), (product + 2.0 * sum) * factor);
            near(watts(process, &SHA3, &knobs), keccak / 24.0 * factor);
        }
    }
}
