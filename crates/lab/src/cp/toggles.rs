//! Energy of the crypto-processor by toggles: the blocks of `rtl` as cells, the changes of their nets on random operands, and how often
//! a pairing uses them. It stands beside what is calibrated on the printed power, and nothing of that goes in.

use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::{Kind, Labels};
use crate::toggles::{KNOBS, Knob, Process, processes, varied};
use pairwright_chip::MachineSpec;
use pairwright_chip::power::{Activity, Element, OPERATING_POINTS, PAIRING_PES};
use pairwright_sim::tech::Sram;

/// The supply at which table II has a pairing.
const VOLTS: f64 = 1.1;
/// The supply that the law of memories' energies is of.
const SRAM_VOLTS: f64 = 0.9;
const NM: f64 = 28.0;
/// Bits of an element of Fp2.
const ROW_BITS: u32 = 768;

/// What the blocks do not say: whether the clock runs in an element that no product enters (the printed hardware has nothing that
/// would stop it), and a factor on the law of memories.
const CLOCK: Knob = Knob { name: "clock of idle elements", values: [0.0, 1.0, 1.0] };
const MEMORIES: Knob = Knob { name: "memories over their law", values: [0.5, 1.0, 2.0] };

/// Elements at work in an operator at 0.7 V, and the share of cycles in which products enter them: of a transform the least is
/// that of a whole run with its transfers, and the used value ten stages of 128 cycles with 25 to drain; of an MSM the least
/// is that of the model's run, and the paper says that it is near one.
const ENGINES: [(&str, &str, f64, [f64; 3]); 2] =
    [("NTT", "mm_255", 8.0, [0.243, 0.837, 1.0]), ("MSM", "mm_381", 12.0, [0.372, 1.0, 1.0])];

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("cp/toggles", 2);
    let libraries = processes(&["mm_381", "add_sub_381"])?;
    let middle = KNOBS.map(|knob| knob.values[1]);
    for process in &libraries {
        context.step(process.name);
        operations(&mut outcome, process, &middle);
        let [least, _, (high, _)] = OPERATING_POINTS;
        let knobs: Vec<Knob> = KNOBS.into_iter().chain([CLOCK, MEMORIES]).collect();
        parts(&mut outcome, process, &knobs);
        let headline = format!("pairing, {}", process.name);
        let joules =
            varied(&mut outcome, "energy", &headline, &knobs, |knobs| pairing(process, high, knobs).sum());
        outcome.answer("energy", "pairing", process.name, 1e6 * joules, PAIRING);
        let watts = |volts, hz, knobs: &[f64]| {
            pairing(process, volts, knobs).sum() * hz / Activity::PUBLISHED.cycles as f64
        };
        let low = watts(least.0, least.1, &knobs.iter().map(|knob| knob.values[1]).collect::<Vec<_>>());
        outcome.answer("power at 0.7 V", "pairing", process.name, low, PAIRING);
        for (name, block, elements, shares) in ENGINES {
            if processes(&[block])?.iter().all(|other| other.name != process.name) {
                continue;
            }
            let knobs: Vec<Knob> = KNOBS
                .into_iter()
                .chain([CLOCK, Knob { name: "share of busy cycles", values: shares }])
                .collect();
            let headline = format!("{name}, {}", process.name);
            let watts = varied(&mut outcome, "power", &headline, &knobs, |knobs| {
                let (clock, share) = (knobs[4], knobs[5]);
                // An element of 384 bits has the clock of one, whatever the operands' width.
                let data = process.at_28(block, least.0, knobs).data_fj;
                let standing = process.at_28("mm_381", least.0, knobs).clock_fj;
                1e-15 * least.1 * elements * (share * data + (clock + (1.0 - clock) * share) * standing)
            });
            outcome.answer("power at 0.7 V", name, process.name, watts, ELEMENTS);
        }
    }
    let labels = Labels { quantity: PRODUCT, operation: "product of 381 bits", unit: "pJ" };
    let note = "calibrated: what the printed power leaves for a product in every cycle of an element";
    let joules = Element::of(&MachineSpec::paper()).product_j(VOLTS);
    outcome.keep(labels.row(Kind::Calibrated, "model", "calibrated", 1e12 * joules, note));
    Ok(outcome)
}

const PRODUCT: &str = "energy of an operation at 28 nm and 1.1 V";

const PAIRING: &str = "multipliers, adders and memories, the last by the law of sim::tech; selection of operands, control and leakage are \
                       not in it";

const ELEMENTS: &str = "processing elements alone";

/// The blocks' operations in the library and at 28 nm.
fn operations(outcome: &mut Outcome, process: &Process, knobs: &[f64]) {
    for (block, operation) in [
        ("add_sub_255", "sum of 255 bits"),
        ("add_sub_381", "sum of 381 bits"),
        ("mm_255", "product of 255 bits"),
        ("mm_381", "product of 381 bits"),
        ("keccak", "permutation of 24 rounds"),
    ] {
        let own = process.own(block, knobs);
        if own.sum_fj() <= 0.0 {
            continue;
        }
        let pj = |fj: f64| 1e-3 * fj;
        let note = format!(
            "{:.4} pJ of data, {:.4} of the clock, {:.4} of leakage",
            pj(own.data_fj),
            pj(own.clock_fj),
            pj(own.leakage_fj)
        );
        let labels = Labels { quantity: "energy of an operation in the library", operation, unit: "pJ" };
        let series = format!("{} and {} V", process.name, process.volts());
        outcome.model(&labels, &series, pj(own.sum_fj()), &note);
        let there = process.at_28(block, VOLTS, knobs);
        let labels = Labels { quantity: PRODUCT, operation, unit: "pJ" };
        outcome.model(&labels, process.name, pj(there.sum_fj()), "scaled from the library, without leakage");
    }
}

/// Joules of a pairing by part.
struct Pairing {
    products: f64,
    clock: f64,
    sums: f64,
    memories: f64,
}

impl Pairing {
    fn sum(&self) -> f64 {
        self.products + self.clock + self.sums + self.memories
    }
}

/// The published pairing on the published design: four elements, two adders, the banks, the instruction memories.
fn pairing(process: &Process, volts: f64, knobs: &[f64]) -> Pairing {
    let (spec, did) = (MachineSpec::paper(), Activity::PUBLISHED);
    let (clock, law) = (knobs[4], knobs[5]);
    let product = process.at_28("mm_381", volts, knobs);
    let sum = process.at_28("add_sub_381", volts, knobs);
    let (products, sums) =
        ((4 * did.mm_issues + did.inversion_products) as f64, 2.0 * did.arith_issues as f64);
    let running = |units: f64, busy: f64| clock * units * did.cycles as f64 + (1.0 - clock) * busy;
    let access = |words: u32, width: u32, ports: u32| Sram { words, width, ports }.access_j(NM);
    let banks = access(spec.banks.rows, ROW_BITS, spec.banks.reads + spec.banks.writes);
    let issue = spec.issue.width;
    let l2 = access(spec.control.l2_words.div_ceil(issue), 32 * issue, 1) / f64::from(issue);
    let global = access(spec.switcher.global_rows, ROW_BITS, 1);
    let memories = (did.bank_reads + did.bank_writes) as f64 * banks
        + did.l2_words as f64 * l2
        + did.l1_words as f64 * access(spec.control.l1_words, 32, 1)
        + did.switched_rows as f64 * global;
    Pairing {
        products: 1e-15 * products * product.data_fj,
        clock: 1e-15
            * (running(f64::from(PAIRING_PES), products) * product.clock_fj
                + running(2.0, sums) * sum.clock_fj),
        sums: 1e-15 * sums * sum.data_fj,
        memories: law * memories * (volts / SRAM_VOLTS).powi(2),
    }
}

fn parts(outcome: &mut Outcome, process: &Process, knobs: &[Knob]) {
    let middle: Vec<f64> = knobs.iter().map(|knob| knob.values[1]).collect();
    let of = pairing(process, VOLTS, &middle);
    for (part, joules, note) in [
        ("products", of.products, "changes of data in four multipliers"),
        ("clock", of.clock, "in every cycle of four multipliers and two adders"),
        ("sums", of.sums, "changes of data in two adders"),
        ("memories", of.memories, "by the law of memories, not by toggles"),
    ] {
        let labels = Labels { quantity: "energy of a pairing by toggles", operation: part, unit: "uJ" };
        outcome.model(&labels, process.name, 1e6 * joules, note);
    }
}
