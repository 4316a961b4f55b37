//! The change of [MTU]'s headlines when an inferred parameter takes another plausible value: the published unit with
//! one parameter changed at a time.

use super::sweep::{self, unit};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use pairwright_mtu::power::{Area, Group};
use pairwright_mtu::{Job, MtuError, Schedule, Traversal, UnitConfig, Workload};

/// Another plausible value of a parameter: its label, the change, and the reason.
struct Other {
    name: &'static str,
    change: fn(&mut UnitConfig),
    why: &'static str,
}

macro_rules! others {
    ($($name:literal, $field:ident $(. $inner:ident)? = $value:expr, $why:literal;)+) => {
        &[$(Other { name: $name, change: |unit| unit.$field$(.$inner)? = $value, why: $why }),+]
    };
}

const OTHERS: &[Other] = others! {
    "mul_latency = 20", mul_latency = 20, "eight stages fewer, at the printed clock";
    "mul_latency = 40", mul_latency = 40, "twelve stages more";
    "hash_latency = 48", hash_latency = 48, "two cycles a round";
    "hash_ii = 12", hash_ii = 12, "two rounds in hardware";
    "hash_ii = 24", hash_ii = 24, "the iterative core whose area table 4 has";
    "schedule = filled", schedule = Schedule::Filled, "no slot is idle that a level could use";
    "ruler_levels = 62", ruler_levels = 62, "every level has slots of its own";
    "accumulator_words = 128", accumulator_words = 128, "four words a level";
    "accumulator_words = 512", accumulator_words = 512, "sixteen words a level";
    "input_bytes = 65536", input_bytes = 1 << 16, "buffers for a quarter of the bandwidth, as near to table 4's memory";
    "input_bytes = 524288", input_bytes = 1 << 19, "twice the buffer";
    "output_bytes = 65536", output_bytes = 1 << 16, "a quarter of the buffer";
    "output_bytes = 524288", output_bytes = 1 << 19, "twice the buffer";
    "block_bytes = 256", block_bytes = 256, "requests of four bursts";
    "dram.latency = 50", dram.latency = 50, "50 ns";
    "dram.latency = 200", dram.latency = 200, "200 ns: more than the buffer covers";
};

/// The value of a headline on a design, if the design can run it.
type Value<'a> = dyn Fn(&UnitConfig) -> Result<f64, LabError> + 'a;

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    let log_size = if context.quick { 10 } else { sweep::LOG_SIZE };
    let cycles = |config: &UnitConfig, workload, traversal| -> Result<f64, LabError> {
        let run = (config.traversing(traversal), Job::new(workload, log_size));
        Ok(sweep::all(context, &[run])?[0].cycles as f64)
    };
    let hybrid = |workload| move |config: &UnitConfig| cycles(config, workload, Traversal::Hybrid);
    let (evaluation, merkle) = (hybrid(Workload::MleEval), hybrid(Workload::Merkle));
    let gain = |config: &UnitConfig| -> Result<f64, LabError> {
        // The largest gain over elements and bandwidths occurs where memory is the bound.
        let mut most = 0.0f64;
        for (pes, gb) in [(2, 64), (8, 64), (32, 64), (32, 256)] {
            let at = config.with_pes(pes).with_bandwidth(gb);
            let [slow, fast] = [Traversal::Bfs, Traversal::Hybrid].map(|t| cycles(&at, Workload::Merkle, t));
            most = most.max(slow? / fast?);
        }
        Ok(most)
    };
    let group = |group| move |config: &UnitConfig| Ok(Area::of(config).group_mm2(group));
    let (memory, control) = (group(Group::Memory), group(Group::Misc));
    let small = |config: &UnitConfig| Ok(Area::of(&UnitConfig { pes: 8, ..*config }).mm2);
    let headlines: [(&str, &str, &str, &Value<'_>); 6] = [
        ("cycles", "MLE evaluation", "cycles", &evaluation),
        ("cycles", "Merkle tree", "cycles", &merkle),
        ("gain", "hybrid over BFS, Merkle tree", "x", &gain),
        ("area", "memories", "mm2", &memory),
        ("area", "control", "mm2", &control),
        ("area", "8 elements", "mm2", &small),
    ];
    context.begin("mtu/sensitivity", headlines.len());
    for (quantity, headline, unit_of, value) in headlines {
        context.step(headline);
        let paper = unit(32, 1024);
        let base = value(&paper)?;
        let what = format!("{quantity}, {headline}");
        let labels = Labels { quantity: &what, operation: "published unit", unit: unit_of };
        outcome.model(&labels, "model", base, "every inferred parameter as it is").log2_n = Some(log_size);
        let mut found = Vec::new();
        for other in OTHERS {
            let mut changed = paper;
            (other.change)(&mut changed);
            match value(&changed) {
                // A change without effect on a headline has no bar.
                Ok(now) if now != base => found.push((other, now)),
                // A run for which the accumulator has too little room gives no number.
                Ok(_) | Err(LabError::Tree(MtuError::Accumulator { .. })) => {}
                Err(why) => return Err(why),
            }
        }
        found.sort_by(|(_, a), (_, b)| (b - base).abs().total_cmp(&(a - base).abs()));
        let what = format!("change of the {quantity}, {headline}");
        for (other, now) in found {
            let labels = Labels { quantity: &what, operation: other.name, unit: "%" };
            let note = format!("{now:.4} {unit_of}: {}", other.why);
            outcome.model(&labels, "model", 100.0 * (now / base - 1.0), &note).log2_n = Some(log_size);
        }
    }
    Ok(outcome)
}
