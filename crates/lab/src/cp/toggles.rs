//! Energies of tables II and III, and powers of figure 22, by toggles: what a product, a sum and a cycle cost as cells, times what the model counts in a
//! pairing, a transform and an MSM. No printed power, energy or area of the machine goes in; gains divide by what the paper prints of
//! other machines.
//!
//! Multipliers, adders and the clock of their registers are counted in gate-level runs. Memories are a law of `sim::tech`; control,
//! which is synthesised without its memories, is priced by gates and flip-flops; leakage is that of a library. These three are
//! parameters with ranges, and their shares stand in the result.

use super::table2;
use super::table3::{self, G1, NTT};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::knobs::{Knob, Moved, middle, varied};
use crate::row::{Kind, Labels};
use crate::toggles::{KNOBS, Process, gate_leakage, processes};
use pairwright_chip::MachineSpec;
use pairwright_chip::power::{Activity, ChipActivity, ChipShape, OPERATING_POINTS, PES, idle_share};
use pairwright_sim::tech::Sram;

/// Whether the multipliers of the pairing see the operands of sums: in the processor's RTL nothing keeps these from them.
const OPERANDS: Knob = Knob { name: "operands of sums reach the multipliers", values: [0.0, 1.0, 1.0] };
/// Energy of a memory's access over the law of `sim::tech`, whose data are of another process.
const MEMORY: Knob = Knob { name: "memory over its law", values: [0.5, 1.0, 2.0] };
/// How much a gate of control moves over one of an adder that sums random operands in every cycle.
const CONTROL: Knob = Knob { name: "gates of control over those of an adder", values: [0.1, 0.5, 1.0] };
/// Leakage of a gate at 28 nm over that of Nangate's at 45 nm, of which it is estimated: low-leakage cells have a tenth.
const LEAKAGE: Knob = Knob { name: "leakage of a gate over Nangate's", values: [0.1, 1.0, 2.0] };
const OWN: [Knob; 4] = [OPERANDS, MEMORY, CONTROL, LEAKAGE];
const ISOLATED: [Knob; 4] = [Knob { values: [0.0, 0.0, 1.0], ..OPERANDS }, MEMORY, CONTROL, LEAKAGE];

const NM: f64 = 28.0;
/// Supply voltage that the memory law refers to, in volts.
const LAW_VOLTS: f64 = 0.9;
/// Gates and flip-flops of the pairing processor's control, synthesised without its memories: `results/rtl`. What controls the
/// other operators is taken to be as large.
const CONTROL_SIZE: [f64; 2] = [17_604.0, 1_520.0];
/// Modular sums of a complete addition of points, as `rtl/padd_381.sv` has adders.
const SUMS_OF_A_POINT: u64 = 27;
const BLOCKS: [&str; 4] = ["mm_255", "mm_381", "add_sub_255", "add_sub_381"];

/// What an operator does, as the model counts it.
struct Work {
    cycles: u64,
    /// Products of 255 and of 381 bits.
    products: [u64; 2],
    /// Products that move although nobody asks for them, if operands of sums reach the multipliers.
    stray: u64,
    /// Modular sums of 255 and of 381 bits.
    sums: [u64; 2],
    /// Cycles of multipliers whose clock runs, summed over multipliers.
    multipliers: u64,
    /// The same of adders of 381 bits.
    adders: u64,
    /// The share of adders and sums that belong to processing elements, each of which has an adder and subtractor.
    inside: f64,
    /// Memories with their accesses.
    memories: Vec<(Sram, u64)>,
}

/// Joules of an operator, part by part.
#[derive(Default)]
struct Joules {
    products: f64,
    stray: f64,
    sums: f64,
    clock: f64,
    memories: f64,
    control: f64,
    leakage: f64,
    /// What processing elements take of all these.
    elements: f64,
}

impl Joules {
    fn sum(&self) -> f64 {
        self.parts().iter().map(|(_, joules)| joules).sum()
    }

    fn parts(&self) -> [(&'static str, f64); 7] {
        [
            ("products", self.products),
            ("products of operands of sums", self.stray),
            ("sums", self.sums),
            ("clock of elements and adders", self.clock),
            ("memories, a law", self.memories),
            ("control, by gates", self.control),
            ("leakage, of a library", self.leakage),
        ]
    }
}

fn sram(words: u32, width: u32, ports: u32) -> Sram {
    Sram { words, width, ports }
}

/// A pairing as the paper divides it into routines.
fn pairing(spec: &MachineSpec) -> Work {
    let a = Activity::PUBLISHED;
    let row = 768;
    let bank = sram(spec.banks.rows, row, spec.banks.reads + spec.banks.writes);
    let global = sram(spec.switcher.global_rows, row, 1);
    Work {
        cycles: a.cycles,
        products: [0, 4 * a.mm_issues + a.inversion_products],
        stray: 4 * a.arith_issues,
        // Two for an operation in Fp2, and two that combine four products to one in Fp2.
        sums: [0, 2 * (a.arith_issues + a.mm_issues)],
        multipliers: 4 * a.cycles,
        adders: 4 * a.cycles,
        // Those that combine products, beside those of the unit for Fp2.
        inside: a.mm_issues as f64 / (a.arith_issues + a.mm_issues) as f64,
        memories: vec![
            (bank, a.bank_reads + a.bank_writes + a.switched_rows),
            (global, a.switched_rows),
            (sram(spec.control.l2_words, 32, 1), a.l2_words),
            (sram(spec.control.l1_words, 32, 1), a.l1_words),
        ],
    }
}

/// The coset NTT of 2^20 points, unhidden.
fn transform(shape: &ChipShape) -> Work {
    let (a, poly) = (ChipActivity::PUBLISHED_NTT, &shape.poly);
    let butterflies = 20u64 << 19;
    Work {
        cycles: a.cycles,
        products: [a.products_256, 0],
        stray: 0,
        sums: [2 * butterflies, 0],
        multipliers: u64::from(poly.butterflies) * a.cycles + a.borrowed_cycles,
        adders: 2 * u64::from(poly.butterflies) * a.cycles,
        inside: 1.0,
        memories: vec![
            (sram(poly.ab_words, 256, 1), a.ab_accesses),
            (sram(poly.c_words, 256, 1), a.c_accesses),
        ],
    }
}

/// The MSM in G1 of 2^20 points.
fn sum_of_points(shape: &ChipShape) -> Work {
    let (a, poly, msm) = (ChipActivity::PUBLISHED_MSM, &shape.poly, &shape.msm);
    Work {
        cycles: a.cycles,
        products: [0, a.products_384],
        stray: 0,
        sums: [0, SUMS_OF_A_POINT * a.padds],
        multipliers: u64::from(PES) * a.cycles,
        adders: SUMS_OF_A_POINT * a.cycles,
        inside: f64::from(PES) / SUMS_OF_A_POINT as f64,
        memories: vec![
            // A word of a point lies in each of three banks.
            (sram(poly.ab_words, 256, 1), 2 * a.point_accesses / 3),
            (sram(poly.c_words, 256, 1), a.point_accesses / 3),
            (sram(msm.bucket_words, msm.bucket_bits, 2), a.bucket_accesses),
            (sram(msm.digits, msm.digit_bits, 2), a.digit_accesses),
        ],
    }
}

/// Joules of an operator at a supply and a clock, with amperes that a gate of two inputs leaks.
fn joules(work: &Work, process: &Process, [volts, hz]: [f64; 2], amperes: f64, knobs: &[f64]) -> Joules {
    let [operands, memory, control, leakage] = [0, 1, 2, 3].map(|at| knobs[KNOBS.len() + at]);
    let at = |block: &str| process.at_28(block, volts, knobs);
    let times = |count: u64, femtojoules: f64| 1e-15 * count as f64 * femtojoules;
    let (product, sum) = (at("mm_381"), at("add_sub_381"));
    let both = |counts: [u64; 2], names: [&str; 2]| -> f64 {
        counts.into_iter().zip(names).map(|(count, name)| times(count, at(name).data_fj)).sum()
    };
    let [gates, flip_flops] = CONTROL_SIZE;
    let of_gate = sum.data_fj / process.gates("add_sub_381");
    let of_flip_flop = product.clock_fj / process.registers("mm_381");
    let of_control = control * gates * of_gate + flip_flops * of_flip_flop;
    let accesses = work.memories.iter().map(|(sram, count)| *count as f64 * sram.access_j(NM));
    let [multipliers, adders] = [work.multipliers, work.adders].map(|sum| sum as f64 / hz);
    let [of_multipliers, of_adders] =
        [multipliers * process.gates("mm_381"), adders * process.gates("add_sub_381")];
    let leaking = of_multipliers + of_adders;
    let products = both(work.products, ["mm_255", "mm_381"]);
    let stray = operands * times(work.stray, product.data_fj);
    let sums = both(work.sums, ["add_sub_255", "add_sub_381"]);
    let [clock, clock_of_adders] =
        [times(work.multipliers, product.clock_fj), times(work.adders, sum.clock_fj)];
    let leaked = leakage * volts * amperes;
    Joules {
        products,
        stray,
        sums,
        clock: clock + clock_of_adders,
        elements: products
            + stray
            + clock
            + leaked * of_multipliers
            + work.inside * (sums + clock_of_adders + leaked * of_adders),
        memories: memory * (volts / LAW_VOLTS).powi(2) * accesses.sum::<f64>(),
        control: times(work.cycles, of_control),
        leakage: leaked * (leaking + gates * work.cycles as f64 / hz),
    }
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    let knobs: Vec<Knob> = KNOBS.into_iter().chain(OWN).collect();
    let middle = middle(&knobs);
    // The same where operands of sums are kept from the multipliers, which costs a gate a bit.
    let apart: Vec<Knob> = KNOBS.into_iter().chain(ISOLATED).collect();
    let (spec, shape) = (MachineSpec::paper(), ChipShape::published());
    let all = processes(&BLOCKS)?;
    let amperes = gate_leakage("mm_255")?;
    context.begin("cp/toggles", all.len());
    let [slow, _, fast] = OPERATING_POINTS.map(|(volts, hz)| [volts, hz]);
    let works = [
        (PAIRING, pairing(&spec), fast),
        (VERIFICATION, pairing(&spec), slow),
        (NTT, transform(&shape), slow),
        (G1, sum_of_points(&shape), slow),
    ];
    for process in &all {
        context.step(process.name);
        let isolated = format!("{}, isolated", process.name);
        for (name, work, point) in &works {
            let at = |knobs: &[f64]| joules(work, process, *point, amperes, knobs);
            if work.stray > 0 {
                let headline = format!("{name}, {isolated}");
                let moved = Moved { headline: &headline, ..ENERGY };
                let value = varied(&mut outcome, moved, &apart, |knobs| at(knobs).sum());
                answer(&mut outcome, name, &isolated, value, value * point[1] / work.cycles as f64);
            }
            let headline = format!("{name}, {}", process.name);
            let moved = Moved { headline: &headline, ..ENERGY };
            let value = varied(&mut outcome, moved, &knobs, |knobs| at(knobs).sum());
            let watts = value * point[1] / work.cycles as f64;
            answer(&mut outcome, name, process.name, value, watts);
            if *name == G1 {
                let headline = format!("share of 12 PEs, {}", process.name);
                let moved = Moved { quantity: "share of power", headline: &headline, ..ENERGY };
                let share = |knobs: &[f64]| {
                    let joules = at(knobs);
                    100.0 * joules.elements / joules.sum()
                };
                let share = varied(&mut outcome, moved, &knobs, share);
                outcome.answer("share of power", "12 PEs", process.name, share, SHARE);
            }
            let operation = format!("{name}, {} V, {:.0} MHz", point[0], 1e-6 * point[1]);
            let mut keep = |quantity: &str, unit: &str, value: f64| {
                let labels = Labels { quantity, operation: &operation, unit };
                outcome.model(&labels, process.name, value, "");
            };
            keep("energy of a run", "uJ", 1e6 * value);
            keep("power", "W", watts);
            for (part, joules) in at(&middle).parts() {
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

const ENERGY: Moved<'_> = Moved { quantity: "energy", headline: "", series: "by toggles" };
const PAIRING: &str = "pairing";
/// A pairing at the lowest operating point, of which a verification has three.
const VERIFICATION: &str = "pairing of a verification";
const GAIN: &str = "gain in energy efficiency";
const IDLE: &str = "an idle cycle over a busy one";
const COVERS: &str = "multipliers, adders and their clock by toggles; memories by a law, control by gates, leakage of a library, whose \
                      shares stand beside";

const SHARE: &str = "an MSM, which keeps all twelve busy: products, clock and leakage of multipliers, and twelve of the 27 adders; operand \
                     selection and queues are not counted";

/// What joules of a work say beside tables II and III, and its watts beside figure 22.
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

/// Energies of operations at 0.9 V, and what a multiplier draws in a cycle in which nothing enters.
fn of_operations(outcome: &mut Outcome, process: &Process, knobs: &[f64]) {
    for (block, operation) in BLOCKS.into_iter().zip([
        "product of 255 bits",
        "product of 381 bits",
        "sum of 255 bits",
        "sum of 381 bits",
    ]) {
        let labels = Labels { quantity: "energy of an operation at 0.9 V", operation, unit: "pJ" };
        let value = 1e-3 * process.at_28(block, LAW_VOLTS, knobs).sum_fj();
        outcome.model(&labels, process.name, value, "scaled from the library to 28 nm, without leakage");
    }
    let product = process.at_28("mm_381", LAW_VOLTS, knobs);
    let labels = Labels { quantity: IDLE, operation: "multiplier of 381 bits", unit: "%" };
    let note = "the clock alone, with operands that stand still, without leakage";
    outcome.model(&labels, process.name, 100.0 * product.clock_fj / product.sum_fj(), note);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_is_as_large_as_its_synthesis_says() {
        let path = "results/rtl/pairing_control.sky130_fd_sc_hd__tt_025C_1v80.json";
        let text = std::fs::read_to_string(crate::repository().join(path)).unwrap();
        let kept: serde_json::Value = serde_json::from_str(&text).unwrap();
        let of = |key: &str| kept[key].as_f64().unwrap().round();
        assert_eq!([of("nand2"), of("registers")], CONTROL_SIZE);
    }

    #[test]
    fn sums_of_a_point_are_those_of_its_hardware() {
        let text = std::fs::read_to_string(crate::repository().join("rtl/padd_381.sv")).unwrap();
        let count = |names: &[&str]| {
            text.lines().filter(|line| names.iter().any(|name| line.trim_start().starts_with(name))).count()
                as u64
        };
        let sums = count(&["padd_381_add ", "padd_381_sub "]);
        assert_eq!((sums, count(&["padd_381_product "])), (SUMS_OF_A_POINT, u64::from(PES)));
    }

    #[test]
    fn a_workload_costs_its_parts_and_more_with_every_knob() {
        let all = processes(&BLOCKS).unwrap();
        let amperes = gate_leakage("mm_255").unwrap();
        let ends =
            [0, 1, 2].map(|end| KNOBS.iter().chain(&OWN).map(|knob| knob.values[end]).collect::<Vec<f64>>());
        for process in &all {
            let work = pairing(&MachineSpec::paper());
            let [least, middle, most] =
                ends.each_ref().map(|knobs| joules(&work, process, [0.7, 300e6], amperes, knobs));
            assert!(least.sum() < middle.sum() && middle.sum() < most.sum());
            assert!(least.stray == 0.0 && middle.stray > middle.products && middle.leakage > least.leakage);
            // Operands of a sum reach all four multipliers: as often as there are sums, against the products.
            let ratio = middle.stray / middle.products;
            assert!((ratio - (4.0 * 25_077.0) / (4.0 * 5_644.0 + 760.0)).abs() < 1e-9);
            // Elements take all of it but sums, memories and control.
            let rest = middle.sums + middle.memories + middle.control;
            assert!(middle.elements > middle.sum() - 2.0 * rest && middle.elements < middle.sum());
            // Without leakage and time, energy goes with the square of the supply.
            let fast = joules(&work, process, [1.4, 300e6], amperes, &ends[1]);
            assert!((fast.products / middle.products - 4.0).abs() < 1e-9);
        }
        assert_eq!(all.len(), 2);
    }
}
