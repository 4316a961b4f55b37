//! The energies of tables II and III and the powers of figure 22 from toggles: the energy of a product, a sum and a
//! cycle as cells, times the model's counts for a pairing, a transform and an MSM. No printed power, energy or area of
//! the machine is used; gains divide by the printed numbers of other machines.
//!
//! Multipliers, adders and the clock of their registers are counted in gate-level runs. Memories follow a law of
//! `sim::tech`; control, which is synthesised without its memories, is priced by gates and flip-flops; leakage is that
//! of a library. These three are parameters with ranges, and their shares are in the result.

use super::table2;
use super::table3::{self, G1, NTT};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::knobs::{AffectedValue, Knob, middle, varied};
use crate::row::{Kind, Labels};
use crate::toggles::{KNOBS, toggles};
use pairwright_chip::MachineSpec;
use pairwright_chip::power::counted::{Joules, Knobs, Prices, Work};
use pairwright_chip::power::{Activity, ChipActivity, ChipShape, OPERATING_POINTS, idle_share};
use pairwright_sim::cells::{LIBRARIES, Library, Operation};

const ENDS: [Knobs; 3] = Knobs::ENDS;
const OPERANDS: Knob = Knob {
    name: "operands of sums move the multipliers",
    values: [ENDS[0].operands, ENDS[1].operands, ENDS[2].operands],
};
const MEMORY: Knob =
    Knob { name: "memory over its law", values: [ENDS[0].memory, ENDS[1].memory, ENDS[2].memory] };
const CONTROL: Knob = Knob {
    name: "gates of control over those of an adder",
    values: [ENDS[0].control, ENDS[1].control, ENDS[2].control],
};
const LEAKAGE: Knob = Knob {
    name: "leakage of a gate over Nangate's",
    values: [ENDS[0].leakage, ENDS[1].leakage, ENDS[2].leakage],
};
/// Parameters of the chip's model, which documents each of them.
const OWN: [Knob; 4] = [OPERANDS, MEMORY, CONTROL, LEAKAGE];

const BLOCKS: [&str; 4] = ["mm_255", "mm_381", "add_sub_255", "add_sub_381"];

/// The parameters of the model with values of [`KNOBS`] and [`OWN`].
fn knobs_of(values: &[f64]) -> Knobs {
    let [operands, memory, control, leakage] = [0, 1, 2, 3].map(|at| values[KNOBS.len() + at]);
    Knobs { toggles: toggles(values), operands, memory, control, leakage }
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    let knobs: Vec<Knob> = KNOBS.into_iter().chain(OWN).collect();
    let middle = middle(&knobs);
    let (spec, shape) = (MachineSpec::paper(), ChipShape::published());
    let all: Vec<(&Library, Prices)> =
        LIBRARIES.iter().filter_map(|library| Some((library, Prices::of(library)?))).collect();
    context.begin("cp/toggles", all.len());
    let [slow, _, fast] = OPERATING_POINTS.map(|(volts, hz)| [volts, hz]);
    let pairing = Work::of_pairing(&spec, &Activity::PUBLISHED);
    let [transform, sum_of_points] = [ChipActivity::PUBLISHED_NTT, ChipActivity::PUBLISHED_MSM]
        .map(|activity| Work::of_engine(&spec, &shape, &activity));
    let works = [
        (PAIRING, &pairing, fast),
        (VERIFICATION, &pairing, slow),
        (NTT, &transform, slow),
        (G1, &sum_of_points, slow),
    ];
    for (process, prices) in &all {
        context.step(process.name);
        for (name, work, point) in &works {
            let at = |knobs: &[f64]| prices.joules(work, *point, &knobs_of(knobs));
            let headline = format!("{name}, {}", process.name);
            let affected = AffectedValue { headline: &headline, ..ENERGY };
            let value = varied(&mut outcome, affected, &knobs, |knobs| at(knobs).sum());
            let watts = value * point[1] / work.cycles as f64;
            answer(&mut outcome, name, process.name, value, watts);
            if *name == G1 {
                let headline = format!("share of 12 PEs, {}", process.name);
                let affected = AffectedValue { quantity: "share of power", headline: &headline, ..ENERGY };
                let share = |knobs: &[f64]| {
                    let joules = at(knobs);
                    100.0 * joules.elements / joules.sum()
                };
                let share = varied(&mut outcome, affected, &knobs, share);
                outcome.answer("share of power", "12 PEs", process.name, share, SHARE);
            }
            let operation = format!("{name}, {} V, {:.0} MHz", point[0], 1e-6 * point[1]);
            let mut keep = |quantity: &str, unit: &str, value: f64| {
                let labels = Labels { quantity, operation: &operation, unit };
                outcome.model(&labels, process.name, value, "");
            };
            keep("energy of a run", "uJ", 1e6 * value);
            keep("power", "W", watts);
            for ((part, _), joules) in Joules::PARTS.into_iter().zip(at(&middle).parts()) {
                keep(&format!("share of the energy: {part}"), "%", 100.0 * joules / value);
            }
        }
        of_operations(&mut outcome, process, &middle);
    }
    let labels = Labels { quantity: IDLE, operation: "processing element", unit: "%" };
    let note = "calibrated: one constant for three printed powers";
    outcome.keep(labels.row(Kind::Calibrated, "model", "calibrated", 100.0 * idle_share(), note));
    Ok(outcome)
}

const ENERGY: AffectedValue<'_> = AffectedValue { quantity: "energy", headline: "", series: "by toggles" };
const PAIRING: &str = "pairing";
/// A pairing at the lowest operating point; a verification consists of three.
const VERIFICATION: &str = "pairing of a verification";
const GAIN: &str = "gain in energy efficiency";
const IDLE: &str = "an idle cycle over a busy one";
const COVERS: &str = "multipliers, adders and their clock by toggles; memories by a law, control by gates, leakage of a library, whose \
                      shares stand beside";

const SHARE: &str = "an MSM, which keeps all twelve busy: products, clock and leakage of multipliers, and twelve of the 27 adders; operand \
                     selection and queues are not counted";

/// Answers the energies of tables II and III with the joules of a workload, and the power of figure 22 with its watts.
fn answer(outcome: &mut Outcome, work: &str, series: &str, joules: f64, watts: f64) {
    let operator =
        [(VERIFICATION, "pairing"), (NTT, "NTT"), (G1, "MSM")].iter().find(|(name, _)| *name == work);
    if let Some((_, operation)) = operator {
        outcome.answer("power at 0.7 V", operation, series, watts, COVERS);
    }
    let uj = 1e6 * joules;
    match work {
        PAIRING => {
            outcome.answer("energy", work, series, uj, COVERS);
            outcome.answer("gain in energy", "over SSCL'21", series, table2::SSCL21_UJ / uj, COVERS);
        }
        VERIFICATION => {
            outcome.answer("energy of a verification", "Groth16", series, 3.0 * uj, COVERS);
        }
        _ => {
            let Some(theirs) = table3::energy_efficiency_of_pipezk(work) else { return };
            let ours = table3::throughput(work, 20, 1.0) / joules;
            outcome.answer(GAIN, &format!("{work} over ISCA'21"), series, ours / theirs, COVERS);
        }
    }
}

/// Supply voltage of operations, in volts.
const VOLTS: f64 = 0.9;

/// Adds the energies of operations at 0.9 V, and the energy of a multiplier in a cycle without new operands.
fn of_operations(outcome: &mut Outcome, process: &Library, knobs: &[f64]) {
    let none = Operation { data_fj: 0.0, clock_fj: 0.0, leakage_fj: 0.0 };
    let at = |block: &str| process.at_28(block, VOLTS, &toggles(knobs)).unwrap_or(none);
    for (block, operation) in BLOCKS.into_iter().zip([
        "product of 255 bits",
        "product of 381 bits",
        "sum of 255 bits",
        "sum of 381 bits",
    ]) {
        let labels = Labels { quantity: "energy of an operation at 0.9 V", operation, unit: "pJ" };
        let value = 1e-3 * at(block).sum_fj();
        outcome.model(&labels, process.name, value, "scaled from the library to 28 nm, without leakage");
    }
    let product = at("mm_381");
    let labels = Labels { quantity: IDLE, operation: "multiplier of 381 bits", unit: "%" };
    let note = "the clock alone, with operands that stand still, without leakage";
    outcome.model(&labels, process.name, 100.0 * product.clock_fj / product.sum_fj(), note);
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_chip::power::counted::{PADD_PRODUCTS, PADD_SUMS};

    #[test]
    fn the_ends_are_those_of_the_models() {
        for end in 0..3 {
            let values: Vec<f64> = KNOBS.iter().chain(&OWN).map(|knob| knob.values[end]).collect();
            assert_eq!(knobs_of(&values), Knobs::ENDS[end]);
        }
    }

    #[test]
    fn sums_of_a_point_are_those_of_its_hardware() {
        let text = std::fs::read_to_string(crate::repository().join("rtl/padd_381.sv")).unwrap();
        let count = |names: &[&str]| {
            text.lines().filter(|line| names.iter().any(|name| line.trim_start().starts_with(name))).count()
                as u32
        };
        let sums = count(&["padd_381_add ", "padd_381_sub "]);
        assert_eq!((sums, count(&["padd_381_product "])), (PADD_SUMS, PADD_PRODUCTS));
    }
}
