//! The power of the tree unit's elements from toggles: Keccak, a multiplier and two adders as cells, compared with
//! table 4. None of the table's watts is used.

use super::sweep::sized;
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::knobs::{AffectedValue, Knob, middle, varied};
use crate::row::{Kind, Labels};
use crate::toggles::{KNOBS, toggles};
use pairwright_mtu::UnitConfig;
use pairwright_mtu::power::counted::{self, Knobs};
use pairwright_mtu::power::{Area, Part, TABLE_4_HZ, TABLE_4_PES};
use pairwright_sim::cells::{LIBRARIES, Library};

/// The supply at 22 nm at which the factors to 7 nm begin. Their source does not print it; it is that of such
/// processes.
const SUPPLY: Knob = Knob {
    name: "supply at 22 nm",
    values: [Knobs::ENDS[0].supply, Knobs::ENDS[1].supply, Knobs::ENDS[2].supply],
};
const ROUNDS: f64 = 24.0;

/// The blocks of an element, with the operations of each per cycle: a round of Keccak; a product, a sum and a
/// difference. All of them run at once, as a thermal design power assumes.
const SHA3: [(&str, f64); 1] = [("keccak", 1.0 / ROUNDS)];
const MODULUS: [(&str, f64); 2] = [("mm_255", 1.0), ("add_sub_255", 2.0)];

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("mtu/toggles", 1);
    let knobs: Vec<Knob> = KNOBS.into_iter().chain([SUPPLY]).collect();
    let middle = middle(&knobs);
    for process in &LIBRARIES {
        context.step(process.name);
        for (row, blocks, note) in [
            ("SHA3", SHA3.to_vec(), "a round of Keccak in every cycle of every element"),
            ("Modulus Ops", MODULUS.to_vec(), OPERATIONS),
            ("Total MTU", [&SHA3[..], &MODULUS].concat(), TOTAL),
        ] {
            let headline = format!("{row}, {}", process.name);
            let affected = AffectedValue { quantity: "power", headline: &headline, series: "by toggles" };
            let value = varied(&mut outcome, affected, &knobs, |knobs| watts(process, &blocks, knobs));
            outcome.answer(POWER, row, process.name, value, note);
        }
        keep(&mut outcome, process, "mm_255", "product of 255 bits", &middle);
        keep(&mut outcome, process, "keccak", "permutation of 24 rounds", &middle);
        keep(&mut outcome, process, "add_sub_255", "sum of 255 bits", &middle);
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

/// Power of the elements of table 4 at 7 nm, in watts.
fn watts(process: &Library, blocks: &[(&str, f64)], knobs: &[f64]) -> f64 {
    let femtojoules: f64 = blocks.iter().map(|(block, times)| times * at_7(process, block, knobs)).sum();
    1e-15 * femtojoules * TABLE_4_HZ * f64::from(TABLE_4_PES)
}

/// Energy of a block's operation at 7 nm in femtojoules, without leakage; NaN for a block without a count.
fn at_7(process: &Library, block: &str, knobs: &[f64]) -> f64 {
    let knobs = Knobs { toggles: toggles(knobs), supply: knobs[KNOBS.len()], ..Knobs::ENDS[1] };
    counted::at_7(process, block, &knobs).map_or(f64::NAN, |operation| operation.sum_fj())
}

fn keep(outcome: &mut Outcome, process: &Library, block: &str, operation: &str, knobs: &[f64]) {
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
    fn watts_are_those_of_operations_in_every_cycle() {
        let knobs = middle(&KNOBS.into_iter().chain([SUPPLY]).collect::<Vec<_>>());
        for process in &LIBRARIES {
            let of = |block| at_7(process, block, &knobs);
            let want = 0.032e-3 * (of("mm_255") + 2.0 * of("add_sub_255"));
            assert!((watts(process, &MODULUS, &knobs) / want - 1.0).abs() < 1e-9);
            assert!((watts(process, &SHA3, &knobs) / (0.032e-3 * of("keccak") / 24.0) - 1.0).abs() < 1e-9);
        }
    }
}
