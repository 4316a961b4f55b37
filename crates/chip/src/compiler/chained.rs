//! Routines that follow themselves without draining the pipeline.
//!
//! A squaring that is called 63 times in a row spends much of each call waiting for its last results. If the next
//! call starts right after the last issue slot, these results come into its inputs' rows while it already works on
//! what is there. The words are those of any routine; only the machine must not wait at the seam.

use super::schedule::{self, Link, Problem, Schedule, Turn};
use super::search::{COLOURED, Options, ROUND};
use super::{CompileError, Compiled, Graph, check, place, simplify};
use crate::MachineSpec;
use rayon::prelude::*;

/// Compiles a routine that is called again and again, each call's first slot right after the last issue slot of the
/// call before. An output that lies in an input's row is that input of the next call; the other inputs are kept. Calls
/// of the fewest slots are tried first, `options.seeds` schedules for each number; the report's bound is the least
/// number of slots.
///
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
    check(name, graph, spec)?;
    let mut graph = graph.clone();
    for i in 0..graph.inputs.len() {
        graph.inputs[i].kept |= !graph.outputs.iter().any(|o| o.at == graph.inputs[i].at);
    }
    let graph = simplify::simplify(&graph);
    let graph = if spec.banks.reads == 1 { simplify::part_operands(&graph) } else { graph };
    let problem = Problem::new(&graph, spec);
    let links = problem.links(&graph);
    let least = schedule::least_period(&problem, &links);
    // A call that waits until everything is in its row always closes.
    let ranks = schedule::critical_path(&problem, &problem.tails());
    let most = problem.length(&schedule::by_rank(&problem, &ranks)) + 2;
    for period in least..=most.max(least) {
        let found = search(&problem, &links, period, options);
        let turn = Turn::new(&problem, &links, period).applied(&problem, &links);
        if let Some(compiled) = place(name, &graph, spec, options, (&turn, &found, least)) {
            return Ok(compiled);
        }
    }
    Err(CompileError::NoRows {
        routine: name.to_owned(),
        alive: graph.inputs.len(),
        rows: spec.rows() as usize,
    })
}

/// How often the releases are moved before a seed is given up.
const TURNS: u32 = 8;

/// Schedules that close after `period` slots.
fn search(problem: &Problem, links: &[Link], period: i32, options: &Options) -> Vec<(u64, Schedule)> {
    let first = Turn::new(problem, links, period);
    let try_one = |s: u64| {
        let mut rng = options.rng(s ^ (period as u64) << 32);
        let spread = [0.0, 1.0, 3.0, 8.0][(s % 4) as usize];
        let mut turn = first.clone();
        for _ in 0..TURNS {
            let ranks = schedule::perturbed(&turn.ranks(problem, links), spread, &mut rng);
            let schedule = schedule::by_rank(&turn.applied(problem, links), &ranks);
            if turn.closes(problem, links, &schedule.slots)? {
                return Some((s, schedule));
            }
        }
        None
    };
    let mut found = Vec::new();
    let seeds = u64::from(options.seeds.max(1));
    for from in (0..seeds).step_by(ROUND as usize) {
        let until = (from + ROUND).min(seeds);
        found.extend((from..until).into_par_iter().map(try_one).collect::<Vec<_>>().into_iter().flatten());
        if found.len() >= COLOURED {
            break;
        }
    }
    found
}
