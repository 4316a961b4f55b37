//! Power of the tree unit's hash engines by toggles: Keccak as cells beside table 4, of whose watts nothing goes in; and the energy of a
//! modular sum.

use super::sweep::sized;
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::{Kind, Labels};
use crate::toggles::{KNOBS, Knob, Process, processes, varied};
use pairwright_mtu::UnitConfig;
use pairwright_mtu::power::{Area, Part, TABLE_4_HZ, TABLE_4_PES};
use pairwright_sim::tech::Scaling;

/// The supply at 22 nm that the factors to 7 nm begin at, which their source does not print: that of such processes.
const SUPPLY: Knob = Knob { name: "supply at 22 nm", values: [0.8, 0.9, 1.0] };
/// From 28 nm to 22 nm, an optical shrink of it by a tenth.
const TO_22: f64 = 0.9;
const ROUNDS: f64 = 24.0;

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("mtu/toggles", 1);
    let knobs: Vec<Knob> = KNOBS.into_iter().chain([SUPPLY]).collect();
    let middle: Vec<f64> = knobs.iter().map(|knob| knob.values[1]).collect();
    let watts = |femtojoules: f64| 1e-15 * femtojoules * TABLE_4_HZ * f64::from(TABLE_4_PES);
    for process in processes(&["keccak"])? {
        context.step(process.name);
        // A round in every cycle: the engine whose area table 4 prints.
        let sha3 = |knobs: &[f64]| watts(at_7(&process, "keccak", knobs) / ROUNDS);
        let value = varied(&mut outcome, "power", &format!("SHA3, {}", process.name), &knobs, sha3);
        outcome.answer(
            POWER,
            "SHA3",
            process.name,
            value,
            "a round of Keccak in every cycle of every element",
        );
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
