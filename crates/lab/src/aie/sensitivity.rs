//! The change of Table I of [AIE] when an inferred parameter takes another plausible value, one at a time; and the
//! effect of engines that differ from the manual's.

use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use crate::scorecard::CHANGE;
use pairwright_aie::array::straight_kernels;
use pairwright_aie::mapping::Mapping::{self, Coarse, Cooperative, Fine, Independent, Single};
use pairwright_aie::mapping::Partition;
use pairwright_aie::tile::Tile;
use pairwright_aie::{AieError, Design, Evaluation, Method, evaluate};
use pairwright_sim::settings;
use rayon::prelude::*;

/// A parameter, another value, the mappings for which it is changed, and the reason.
type Other = (&'static str, &'static str, &'static [Mapping], &'static str);

const STREAMS: &[Mapping] = &[Coarse, Independent, Cooperative];
const ALL_BUT_FINE: &[Mapping] = &[Single, Coarse, Independent, Cooperative];

/// Parameters that neither the paper nor a manual prints.
const OTHERS: &[Other] = &[
    (
        "method.carry",
        "mixed",
        ALL_BUT_FINE,
        "carries in scalar registers of 32 bits: section III.D fits both",
    ),
    ("reads", "first", STREAMS, "a tile reads before it computes, as section IV.C.2 says of the compiler"),
    ("tile.call_cycles", "84", ALL_BUT_FINE, "what the printed latency of single has above its instructions"),
    ("tile.machine.classes.ups.latency", "6", ALL_BUT_FINE, "as long as a product"),
    (
        "tile.machine.classes.receive stream vector.latency",
        "12",
        STREAMS,
        "three cycles more to the register",
    ),
    ("fabric.cascade_latency", "4", &[Cooperative], "two cycles more from core to core"),
    ("tile.acquire_nops", "20", &[Fine], "the least that section IV.C.1 prints"),
    ("tile.acquire_nops", "30", &[Fine], "the most that section IV.C.1 prints"),
    ("fabric.lock_cycles", "10", &[Fine], "twice the cycles of a lock's interface"),
];

/// Engines that contradict the manuals: experiments that show the causes of differences.
const EXPERIMENTS: &[Other] = &[
    (
        "tile.machine.files.vector.size",
        "16",
        ALL_BUT_FINE,
        "sixteen vector registers of 256 bits, of which AM009 has eight",
    ),
    ("tile.acquire_nops", "0", &[Fine], "other operations go on beside a lock, against section IV.C.1"),
];

/// The quantities that are compared.
const FIGURES: [(&str, fn(&Evaluation) -> f64); 3] = [
    ("longest tile", |e| e.maximum_instructions as f64),
    ("latency", |e| e.latency_cycles as f64),
    ("total instructions", |e| e.instructions as f64),
];

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    let mappings: &[Mapping] = if context.quick { &[Single] } else { &Mapping::ALL };
    let on =
        |mapping: Mapping, others: &'static [Other]| others.iter().filter(move |o| o.2.contains(&mapping));
    let jobs: Vec<(Mapping, Option<&Other>)> = mappings
        .iter()
        .flat_map(|&mapping| {
            let all = on(mapping, OTHERS).chain(on(mapping, EXPERIMENTS));
            [(mapping, None)].into_iter().chain(all.map(move |other| (mapping, Some(other))))
        })
        .collect();
    context.begin("aie/sensitivity", 1);
    context.step("every change");
    let one =
        |&(mapping, other): &(Mapping, Option<&Other>)| -> Result<Result<Evaluation, AieError>, LabError> {
            let design = Design::new(mapping, Method::PAPER);
            let design = match other {
                Some((path, value, ..)) => settings::with(&design, path, value)?,
                None => design,
            };
            Ok(evaluate(&design))
        };
    let found: Vec<_> = context.pool().install(|| jobs.par_iter().map(one).collect::<Result<_, _>>())?;
    for &mapping in mappings {
        let mine = || jobs.iter().zip(&found).filter(move |((m, _), _)| *m == mapping);
        let Some((_, Ok(base))) = mine().find(|((_, other), _)| other.is_none()) else { continue };
        for (figure, of) in FIGURES {
            let headline = format!("{figure} of {}", mapping.name());
            let labels = Labels { quantity: &headline, operation: "published design", unit: "cycles" };
            outcome.model(&labels, "model", of(base), "every inferred parameter as it is");
            for ((_, other), result) in mine() {
                let (Some((path, value, _, why)), Ok(now)) = (other, result) else { continue };
                let experiment = EXPERIMENTS.iter().any(|e| (e.0, e.1) == (*path, *value));
                let what = if experiment {
                    format!("experiment, {headline}")
                } else {
                    format!("{CHANGE}cycles, {headline}")
                };
                let name = format!("{path} = {value}");
                let labels = Labels { quantity: &what, operation: &name, unit: "%" };
                let change = 100.0 * (of(now) / of(base) - 1.0);
                outcome.model(&labels, "model", change, &format!("{}: {why}", of(now)));
            }
        }
    }
    experiments(context, mappings, &mut outcome)?;
    Ok(outcome)
}

/// Adds an effect that no parameter describes: instructions without an overlap of tasks, each tile repeating
/// straight-line code for one task.
fn experiments(context: &Context<'_>, mappings: &[Mapping], outcome: &mut Outcome) -> Result<(), LabError> {
    let mappings: Vec<Mapping> = mappings.iter().copied().filter(|mapping| *mapping != Single).collect();
    let tile = Tile::first_generation();
    let one_by_one = |&mapping: &Mapping| -> Result<[u64; 2], LabError> {
        let reads = Design::new(mapping, Method::PAPER).reads;
        let kernels = straight_kernels(&Partition::new(mapping, Method::PAPER), &tile, reads);
        let kernels = kernels.map_err(AieError::from)?;
        let lengths =
            || kernels.iter().map(|(tiles, kernel)| (tiles.len() as u64, u64::from(kernel.length())));
        let longest = lengths().map(|(_, length)| length).max().unwrap_or(0);
        Ok([longest, lengths().map(|(tiles, length)| tiles * length).sum()])
    };
    let found: Vec<_> =
        context.pool().install(|| mappings.par_iter().map(one_by_one).collect::<Result<_, _>>())?;
    let why = "straight-line code for one task, repeated: a compiler that overlaps less is between this and the loops";
    for (mapping, counts) in mappings.iter().zip(found) {
        for (figure, count) in ["longest tile", "total instructions"].into_iter().zip(counts) {
            let what = format!("experiment, {figure} of {}", mapping.name());
            let labels = Labels { quantity: &what, operation: "no overlap of tasks", unit: "instructions" };
            outcome.model(&labels, "model", count as f64, why);
        }
    }
    Ok(())
}
