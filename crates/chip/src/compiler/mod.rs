//! The pairing compiler: from formulas over `Ring` to scheduled, placed and encoded L2 routines.
//!
//! A formula is read on symbols ([`Trace`]), which gives a [`Graph`] of Fp2 operations. [`simplify`] shares and
//! folds; [`schedule`] gives every operation a slot; [`lifetime`] finds how operands travel and which values need
//! rows; [`colour`] finds the rows; [`emit`] writes the words. [`compile`] does it all, for many schedules, and keeps
//! the best that fits the machine.

pub mod colour;
pub mod emit;
mod error;
mod graph;
pub mod lifetime;
mod report;
pub mod schedule;
pub mod simplify;
mod symbol;

pub use error::CompileError;
pub use graph::{Graph, Input, Node, NodeId, Output};
pub use report::RoutineReport;
pub use symbol::{Fp2, Fp6, Fp12, Root, Sym, Trace, Xi, coordinates, coordinates_of, fp12};

use crate::MachineSpec;
use crate::isa::L2;
use lifetime::Traffic;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rayon::prelude::*;
use schedule::{Problem, Schedule};
use std::collections::BTreeSet;

/// Which scheduler searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scheduler {
    /// [CP] Algorithm 1: list scheduling with random selection.
    List,
    /// The longest path decides, with restarts.
    #[default]
    Critical,
}

/// How hard to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The scheduler.
    pub scheduler: Scheduler,
    /// Schedules tried.
    pub seeds: u32,
    /// The first seed: the result is a function of it.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { scheduler: Scheduler::Critical, seeds: 200, seed: 1 }
    }
}

/// A routine as words.
#[derive(Clone, PartialEq, Debug)]
pub struct Compiled {
    /// Its name.
    pub name: String,
    /// Its words in the order of their slots.
    pub words: Vec<L2>,
    /// What it costs.
    pub report: RoutineReport,
}

/// How many of the best schedules are tried for rows before the routine is given up.
const COLOURED: usize = 64;

/// Compiles a routine: simplifies its graph, tries `options.seeds` schedules and keeps the shortest that finds rows.
/// The result depends on the arguments alone, not on the number of threads.
///
/// # Errors
/// A routine that does not fit into the banks, or two outputs in one row.
pub fn compile(
    name: &str,
    graph: &Graph,
    spec: &MachineSpec,
    options: &Options,
) -> Result<Compiled, CompileError> {
    check(name, graph, spec)?;
    let graph = simplify::simplify(graph);
    let problem = Problem::new(&graph, spec);
    let bound = schedule::bound(&problem);
    let mut found = search(&problem, options, bound);
    let key = |s: &Schedule| (problem.length(s), problem.slots(s));
    found.sort_by_key(|(seed, s)| (key(s), *seed));
    found.dedup_by(|a, b| a.1 == b.1);
    for (seed, schedule) in found.iter().take(COLOURED) {
        let traffic = Traffic::new(&graph, &problem, schedule);
        let mut rng = ChaCha8Rng::seed_from_u64(options.seed ^ seed.rotate_left(32));
        let Some(rows) = colour::colour(&traffic, spec, &graph.reserved, &mut rng) else { continue };
        let words = emit::emit(&graph, &problem, schedule, &traffic, &rows);
        let mut report =
            RoutineReport::new(name, (&problem, schedule, words.len()), (&traffic, &rows), bound);
        report.scheduler = match options.scheduler {
            Scheduler::List => "list",
            Scheduler::Critical => "critical",
        };
        report.tried = options.seeds;
        return Ok(Compiled { name: name.to_owned(), words, report });
    }
    let alive = found.first().map_or(0, |(_, s)| Traffic::new(&graph, &problem, s).most_alive());
    Err(CompileError::NoRows { routine: name.to_owned(), alive, rows: spec.rows() as usize })
}

/// Schedules of as many seeds as asked for; fewer once one meets the bound.
fn search(problem: &Problem, options: &Options, bound: i32) -> Vec<(u64, Schedule)> {
    let seeds = u64::from(options.seeds.max(1));
    let rng = |seed: u64| ChaCha8Rng::seed_from_u64(options.seed.wrapping_mul(1 << 20).wrapping_add(seed));
    match options.scheduler {
        Scheduler::List => {
            (0..seeds).into_par_iter().map(|s| (s, schedule::random(problem, &mut rng(s)))).collect()
        }
        Scheduler::Critical => {
            let ranks = schedule::critical_path(problem);
            let first = schedule::by_rank(problem, &ranks);
            let mut best = (problem.length(&first), ranks);
            let mut found = vec![(0, first)];
            // Rounds of restarts around the best ranks so far; a round is one unit of parallel work, so the result
            // does not depend on threads.
            let round = 32;
            for start in (1..seeds).step_by(round) {
                if best.0 <= bound && found.len() > COLOURED {
                    break;
                }
                let tried: Vec<_> = (start..(start + round as u64).min(seeds))
                    .into_par_iter()
                    .map(|s| {
                        let spread = [1.0, 3.0, 8.0, 20.0][(s % 4) as usize];
                        let ranks = schedule::perturbed(&best.1, spread, &mut rng(s));
                        (s, schedule::by_rank(problem, &ranks), ranks)
                    })
                    .collect();
                for (s, schedule, ranks) in tried {
                    let length = problem.length(&schedule);
                    if length <= best.0 {
                        best = (length, ranks);
                    }
                    found.push((s, schedule));
                }
            }
            found
        }
    }
}

fn check(name: &str, graph: &Graph, spec: &MachineSpec) -> Result<(), CompileError> {
    let mut taken = BTreeSet::new();
    for at in graph.inputs.iter().map(|i| i.at).chain(graph.reserved.iter().copied()) {
        if !taken.insert(at) {
            return Err(CompileError::Shared { routine: name.to_owned(), bank: at.bank, row: at.row });
        }
    }
    let mut taken = BTreeSet::new();
    for at in graph.outputs.iter().map(|o| o.at) {
        if !taken.insert(at) {
            return Err(CompileError::Shared { routine: name.to_owned(), bank: at.bank, row: at.row });
        }
    }
    let all = graph.inputs.iter().map(|i| i.at).chain(graph.outputs.iter().map(|o| o.at));
    for at in all {
        if u32::from(at.bank) >= spec.banks.count || u32::from(at.row) >= spec.banks.rows {
            return Err(CompileError::OutsideBanks { routine: name.to_owned(), bank: at.bank, row: at.row });
        }
    }
    Ok(())
}
