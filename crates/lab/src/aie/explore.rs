//! Beyond the paper, as its section V.C suggests: reductions, carries and products on every mapping, their gains, and
//! the resulting rates of the board.

use super::board::{board, bound};
use super::designs::{self, METHODS, every, mappings};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use pairwright_aie::mapping::Mapping;
use pairwright_aie::system::throughput;
use pairwright_aie::{Evaluation, Method};

/// Additions in a run of the board: enough for a steady state.
const TASKS: u64 = 1 << 14;

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("aie/explore", 2);
    context.step("every method on every mapping");
    let methods = if context.quick { METHODS.to_vec() } else { every() };
    let mut found: Vec<Evaluation> = Vec::new();
    for &mapping in mappings(context) {
        let points: Vec<_> = methods.iter().map(|&method| (mapping, method)).collect();
        found.extend(designs::found(context, &points, &mut outcome));
    }
    for e in &found {
        let base = found.iter().find(|base| (base.mapping, base.method) == (e.mapping, Method::PAPER));
        design(e, base, &mut outcome);
    }
    // The following results concern all mappings.
    if !context.quick {
        best(&found, &mut outcome);
        context.step("boards");
        boards(context, &mut outcome);
    }
    Ok(outcome)
}

/// Adds the results of a design, and its gains over the paper's method on the same mapping.
fn design(e: &Evaluation, base: Option<&Evaluation>, outcome: &mut Outcome) {
    let method = e.method.name();
    let mut keep = |what, unit, value, note: &str| {
        let place = Labels { quantity: what, operation: e.mapping.name(), unit };
        outcome.model(&place, &method, value, note);
    };
    let note = format!("{} units, {} instructions of the longest tile", e.units, e.maximum_instructions);
    keep("throughput", "tasks/cycle", e.throughput_per_cycle, &note);
    if let Some(sustained) = e.sustained_per_cycle {
        keep("throughput with stalls", "tasks/cycle", sustained, "");
    }
    keep("latency", "cycles", e.latency_cycles as f64, "");
    let note = format!("{} multiply-accumulates, {} operations", e.macs, e.operations);
    keep("instructions", "instructions", e.instructions as f64, &note);
    if let Some(base) = base.filter(|base| base.method != e.method) {
        let note = "over the paper's method on the same mapping";
        keep("gain in throughput", "x", e.throughput_per_cycle / base.throughput_per_cycle, note);
        keep("gain in latency", "x", base.latency_cycles as f64 / e.latency_cycles as f64, note);
    }
}

/// Adds the best design overall, and of each mapping.
fn best(found: &[Evaluation], outcome: &mut Outcome) {
    let paper = |mapping| found.iter().find(|e| (e.mapping, e.method) == (mapping, Method::PAPER));
    let fastest =
        |a: &&Evaluation, b: &&Evaluation| a.throughput_per_cycle.total_cmp(&b.throughput_per_cycle);
    let soonest = |a: &&Evaluation, b: &&Evaluation| b.latency_cycles.cmp(&a.latency_cycles);
    if let (Some(e), Some(base)) = (found.iter().max_by(fastest), paper(Mapping::Single)) {
        let (series, note) = (
            format!("{}, {}", e.mapping.name(), e.method.name()),
            format!("{} tasks/cycle by the paper's method on single", base.throughput_per_cycle),
        );
        let mut keep = |what, unit, value| {
            let place = Labels { quantity: what, operation: "throughput", unit };
            outcome.model(&place, &series, value, &note);
        };
        keep("best design", "tasks/cycle", e.throughput_per_cycle);
        keep("gain of the best design", "x", e.throughput_per_cycle / base.throughput_per_cycle);
    }
    if let (Some(e), Some(base)) = (found.iter().max_by(soonest), paper(Mapping::Independent)) {
        let (series, note) = (
            format!("{}, {}", e.mapping.name(), e.method.name()),
            format!("{} cycles by the paper's method on med-ind", base.latency_cycles),
        );
        let mut keep = |what, unit, value| {
            let place = Labels { quantity: what, operation: "latency", unit };
            outcome.model(&place, &series, value, &note);
        };
        keep("best design", "cycles", e.latency_cycles as f64);
        keep("gain of the best design", "x", base.latency_cycles as f64 / e.latency_cycles as f64);
    }
}

/// Adds the results of the board with each method, with the paper's mapping.
fn boards(context: &Context<'_>, outcome: &mut Outcome) {
    for method in every() {
        // Designs that cannot run are listed with the other designs.
        let Ok(run) = context.pool().install(|| throughput(&board(method), TASKS)) else { continue };
        let place =
            Labels { quantity: "throughput on the board", operation: "coarse, 10 ways", unit: "M tasks/s" };
        let rate = run.tasks_per_second / 1e6;
        outcome.model(&place, &method.name(), rate, &bound(&run));
    }
}
