//! Beyond the paper: the best designs by the number of stages and the interval of the multiplier that all engines
//! share.
//!
//! Each design is scored twice. The first score uses the clock that the stages of its processing elements allow, and
//! products of Fp2 whose starts depend on the number of elements. The second uses the published clock for any number of
//! stages, and four products at once for any number of elements. The second is the behaviour of the model before both
//! were coupled, and is kept to show what a sweep would then have found.

use super::table2;
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::{Labels, Row, decimals};
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{CompileError, Options, Scheduler};
use pairwright_chip::operator::OperatorOptions;
use pairwright_chip::power::{Activity, ChipArea, ChipShape, PairingCost, frequency_hz, price};
use pairwright_chip_programs::prover::Quotient;
use pairwright_chip_programs::{OnChipPrograms, pairing};
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_protocols::groth16::ProofSizes;

const NOW: &str = "clock and starts follow the elements";
const BEFORE: &str = "neither follows";

/// Latencies and intervals of an Fp2 product whose four products start together.
const LATENCIES: [u32; 6] = [4, 8, 12, 16, 18, 24];
const INTERVALS: [u32; 4] = [1, 2, 3, 4];
/// Numbers of stages of the element that all engines of the chip share.
const STAGES: [u32; 7] = [1, 4, 8, 12, 16, 20, 24];

/// A design with its scores.
struct Scored {
    name: String,
    cycles: u64,
    hz: f64,
    mm2: f64,
    joules: f64,
}

impl Scored {
    fn us(&self) -> f64 {
        1e6 * self.cycles as f64 / self.hz
    }
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    let few = |all: &[u32], small: &[u32]| if context.quick { small.to_vec() } else { all.to_vec() };
    let (latencies, intervals) = (few(&LATENCIES, &[8, 18]), few(&INTERVALS, &[1, 4]));
    let stages = few(&STAGES, &[1, 16]);
    context.begin("cp/multiplier", 2 * latencies.len() * intervals.len() + stages.len());
    for base in [MachineSpec::paper(), MachineSpec::best()] {
        let mut scores = [Vec::new(), Vec::new()];
        for &latency in &latencies {
            for &interval in &intervals {
                context.step(&format!("pairing, {}, latency {latency}, interval {interval}", base.name));
                if let Some([now, before]) = pairings(context, &base, latency, interval)? {
                    scores[0].push(now);
                    scores[1].push(before);
                }
            }
        }
        add_rows(&mut outcome, &format!("pairing, {}", base.name), &scores, true);
    }
    let mut scores = [Vec::new(), Vec::new()];
    for &stages in &stages {
        context.step(&format!("proof of 2^12, {stages} stages"));
        let [now, before] = proof(stages, context.seed)?;
        scores[0].push(now);
        scores[1].push(before);
    }
    add_rows(&mut outcome, "proof of 2^12, paper", &scores, false);
    Ok(outcome)
}

/// A pairing with a multiplier of this latency and interval, scored both ways; `None` if a routine is too long for the
/// instruction memory.
fn pairings(
    context: &Context<'_>,
    base: &MachineSpec,
    latency: u32,
    interval: u32,
) -> Result<Option<[Scored; 2]>, LabError> {
    // Few seeds, the same in every run, since designs are compared and not schedulers.
    let options = Options { scheduler: Scheduler::Critical, seeds: 20, seed: context.seed };
    let of =
        |latency: u32| base.with("mm.latency", &latency.to_string())?.with("mm.ii", &interval.to_string());
    let divide = if base.name == "best" { pairing::resident } else { pairing::published };
    let activity = |spec: &MachineSpec| -> Result<Option<Activity>, LabError> {
        match context.pool().install(|| divide(spec, &options)) {
            Ok(program) => Ok(Some(Activity::from(&table2::pairing_of_generators(program)?))),
            Err(CompileError::Memory { .. }) => Ok(None),
            Err(why) => Err(why.into()),
        }
    };
    let spec = of(latency)?;
    // If all four products of Fp start at once, an Fp2 product with the latency of a design whose products start one
    // after the other has a latency shorter by the difference of the starts. The inverter uses single products of Fp,
    // whose latency stays the same.
    let late = spec.mm.starts() - 1;
    let at_once = of((latency - late).max(2))?;
    let at_once = at_once.with("inversion.interval", &spec.inversion.interval.to_string())?;
    let (Some(now), Some(before)) = (activity(&spec)?, activity(&at_once)?) else { return Ok(None) };
    let [now, before] = [now, before].map(|activity| PairingCost::of(&spec, &activity));
    let scored = |cost: &PairingCost, hz| {
        let PairingCost { cycles, area_mm2: mm2, energy_j: joules, .. } = *cost;
        Scored { name: format!("latency {latency}, interval {interval}"), cycles, hz, mm2, joules }
    };
    Ok(Some([scored(&now, now.clock_hz), scored(&before, frequency_hz(spec.clock.volts))]))
}

/// A proof of 2^12 on the published design with elements of `stages` stages, scored both ways.
fn proof(stages: u32, seed: u64) -> Result<[Scored; 2], LabError> {
    let spec = MachineSpec::paper().with("mm.latency", &(stages + 2).to_string())?;
    let plan = ProofSizes { wires: 4096, public: 1, domain: 4096, entries: 0 }.plan();
    let random = (Quotient::Carried, seed);
    let (account, _) =
        Bls12_381::proof_watched(&spec, OperatorOptions::default(), &plan, random, &mut |_, _| {})?;
    let cost = price(&account, &spec);
    let mm2 = ChipArea::of(&spec, &ChipShape::of(&spec)).core_mm2();
    let scored = |hz| {
        let plural = if stages == 1 { "" } else { "s" };
        let (name, cycles) = (format!("{stages} stage{plural}"), account.cycles);
        Scored { name, cycles, hz, mm2, joules: cost.energy_j }
    };
    Ok([scored(cost.clock_hz), scored(frequency_hz(spec.clock.volts))])
}

/// Adds the rows of a workload: every design, and for each scoring the design with the least product of area and time.
fn add_rows(outcome: &mut Outcome, workload: &str, scores: &[Vec<Scored>; 2], energy: bool) {
    for (series, scores) in [NOW, BEFORE].into_iter().zip(scores) {
        let values: [(&str, &str, &dyn Fn(&Scored) -> f64); 3] = [
            ("time", "us", &Scored::us),
            ("area and time", "us*mm2", &|s| s.us() * s.mm2),
            ("energy", "uJ", &|s| 1e6 * s.joules),
        ];
        for (what, unit, value) in values.iter().take(if energy { 3 } else { 2 }) {
            let what = format!("{workload}: {what}");
            for s in scores {
                let labels = Labels { quantity: &what, operation: &s.name, unit };
                let note = format!("{} cycles at {:.0} MHz", s.cycles, 1e-6 * s.hz);
                let row = labels.modelled(series, value(s), &note);
                let (x, x_name) = (Some(decimals(s.mm2, 3)), "area, mm2".to_owned());
                outcome.keep(Row { x, x_name, ..row });
            }
        }
    }
}
