//! Routines that follow themselves without draining the pipeline.
//!
//! A squaring that is called 63 times in a row spends much of each call waiting for its last results. If the next call
//! starts right after the last issue slot, these results arrive in the rows of its inputs while it already works on those
//! that are there. The words are those of any routine; only the machine must not wait at the seam.

use super::schedule::{self, CallTiming, Link, Problem, Schedule};
use super::search::{COLOURED, Options};
use super::{CompileError, Compiled, Graph, check, place, simplify};
use crate::MachineSpec;
use rand_core::Rng;
use rayon::prelude::*;
use std::ops::RangeInclusive;

/// Compiles a routine that is called repeatedly, where the first slot of each call directly follows the last issue slot of
/// the call before. An output that lies in an input's row is that input of the next call; the other inputs are kept. The
/// smallest numbers of slots are tried first, with `options.seeds` schedules for each; the report's bound is the least
/// number of slots.
/// After the last call, and before anything else runs, the pipeline drains as after any routine.
///
/// # Errors
/// As [`compile`](super::compile).
pub fn compile_chained(
    name: &str,
    graph: &Graph,
    spec: &MachineSpec,
    options: &Options,
) -> Result<Compiled, CompileError> {
    within(name, graph, spec, options, 0..=i32::MAX)
}

/// [`compile_chained`] for calls whose number of slots is in a given range.
pub(super) fn within(
    name: &str,
    graph: &Graph,
    spec: &MachineSpec,
    options: &Options,
    slots: RangeInclusive<i32>,
) -> Result<Compiled, CompileError> {
    check(name, graph, spec)?;
    let mut graph = graph.clone();
    for i in 0..graph.inputs.len() {
        graph.inputs[i].kept |= !graph.outputs.iter().any(|o| o.at == graph.inputs[i].at);
    }
    let graph = simplify::simplify(&graph);
    let graph = if spec.banks.reads == 1 { simplify::part_operands(&graph) } else { graph };
    let problem = Problem::new(&graph, spec);
    let links = problem.links(&graph);
    let least = schedule::least_period(&problem, &links)?;
    // A call that waits until all results are in their rows always closes.
    let ranks = schedule::critical_path(&problem, &problem.tails());
    let most = problem.length(&schedule::by_rank(&problem, &ranks)) + 2;
    let first = least.max(*slots.start());
    let last = most.max(first).min(*slots.end());
    for period in first..=last {
        let found = search(&problem, &links, period, options);
        let timed = CallTiming::new(&problem, &links, period).applied(&problem, &links);
        if let Some(compiled) = place(name, &graph, spec, options, (&timed, &found, least)) {
            return Ok(compiled);
        }
    }
    Err(CompileError::NoPeriod { routine: name.to_owned(), slots: last })
}

/// Number of times that the releases are moved before a seed is given up.
const TURNS: u32 = 8;
/// Number of parallel searches, each of which continues from its best ranks so far.
const CLIMBS: u64 = 8;

/// Schedules of calls that can follow each other every `period` slots.
pub(super) fn search(
    problem: &Problem,
    links: &[Link],
    period: i32,
    options: &Options,
) -> Vec<(u64, Schedule)> {
    let first = CallTiming::new(problem, links, period);
    let steps = u64::from(options.seeds.max(1)).div_ceil(CLIMBS);
    let climb = |climb: u64| {
        let mut rng = options.rng(climb | (period as u64) << 16);
        let mut found = Vec::new();
        let mut best = (i32::MAX, vec![0.0; problem.tasks.len()]);
        for step in 0..steps {
            let spread = [0.5, 1.0, 3.0, 8.0][(rng.next_u64() % 4) as usize];
            let spread = if climb == 0 && step == 0 { 0.0 } else { spread };
            let noise = schedule::perturbed(&best.1, spread, &mut rng);
            let mut timing = first.clone();
            let mut over = i32::MAX;
            for _ in 0..TURNS {
                let ranks = timing.ranks(problem, links).iter().zip(&noise).map(|(r, n)| r + n).collect();
                let schedule = schedule::by_rank(&timing.applied(problem, links), &ranks);
                let now = timing.over(problem, links, &schedule.slots);
                over = over.min(now);
                if now == 0 {
                    found.push((climb * steps + step, schedule));
                    break;
                }
            }
            if over <= best.0 {
                best = (over, noise);
            }
            if found.len() >= COLOURED / CLIMBS as usize {
                break;
            }
        }
        found
    };
    (0..CLIMBS).into_par_iter().flat_map_iter(climb).collect()
}
