//! The pairing compiler, which turns formulas over `Ring` into scheduled, placed and encoded L2 routines.
//!
//! A formula is evaluated on symbols ([`Trace`]), which gives a [`Graph`] of Fp2 operations. [`simplify`] shares common
//! subexpressions and folds signs; [`schedule`] gives every operation a slot; [`lifetime`] determines how operands travel
//! and which values need rows; [`colour`] assigns the rows; [`emit`] writes the words. [`compile`] runs all passes for many
//! schedules and keeps the best one that fits the machine. [`validate()`] checks the finished words and shares no code with
//! the passes.
//! A routine that is called repeatedly can follow itself without draining the pipeline ([`compile_chained`]), and can be cut
//! at the best point inside of a call ([`compile_rotated`]).

mod chained;
pub mod colour;
pub mod emit;
mod error;
mod graph;
pub mod lifetime;
mod listing;
mod report;
mod rotate;
pub mod schedule;
mod search;
pub mod simplify;
mod symbol;
pub mod validate;

pub use crate::isa::Fp2;
pub use chained::compile_chained;
pub use error::CompileError;
pub use graph::{Graph, Input, Node, NodeId, Output};
pub use report::RoutineReport;
pub use rotate::{Rotation, RotationGraphs, compile_rotated, rotation_graphs};
pub use search::{Options, Scheduler};
pub use symbol::{Fp6, Fp12, Root, Sym, Trace, Xi, coordinates, coordinates_of, fp12};
pub use validate::{Fault, validate};

use crate::MachineSpec;
use crate::isa::L2;
use lifetime::ValueTraffic;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use schedule::{Problem, Schedule};
use std::collections::BTreeSet;

/// A compiled routine.
#[derive(Clone, PartialEq, Debug)]
pub struct Compiled {
    /// Name of the routine.
    pub name: String,
    /// Its words in the order of their slots.
    pub words: Vec<L2>,
    /// Sizes, cycles and bounds of the routine.
    pub report: RoutineReport,
}

/// Compiles a routine: simplifies its graph, tries `options.seeds` schedules and keeps the shortest for which rows are
/// found. If there are no rows for the shortest ones, schedules that hold fewer values at once are tried. The result depends
/// on the arguments alone, not on the number of threads.
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
    let graph = if spec.banks.reads == 1 { simplify::part_operands(&graph) } else { graph };
    let problem = Problem::new(&graph, spec);
    let found = search::search(&problem, options);
    let place = |schedules: &[_]| place(name, &graph, spec, options, (&problem, schedules, found.bound));
    let rows = spec.rows() as usize - graph.reserved.len().min(spec.rows() as usize);
    let alive =
        found.schedules.first().map_or(0, |(_, s)| ValueTraffic::new(&graph, &problem, s).most_alive());
    let limits = FRUGAL.iter().map(|&(n, d)| alive.min(rows) * n / d);
    let none = || CompileError::NoRows { routine: name.to_owned(), alive, rows: spec.rows() as usize };
    place(&found.schedules)
        .or_else(|| limits.into_iter().find_map(|limit| place(&search::frugal(&problem, options, limit))))
        .ok_or_else(none)
}

/// The words of the first of some schedules for which rows are found.
fn place(
    name: &str,
    graph: &Graph,
    spec: &MachineSpec,
    options: &Options,
    (problem, schedules, bound): (&Problem, &[(u64, Schedule)], i32),
) -> Option<Compiled> {
    schedules.iter().take(search::COLOURED).find_map(|(seed, schedule)| {
        let traffic = ValueTraffic::new(graph, problem, schedule);
        let mut rng = ChaCha8Rng::seed_from_u64(options.seed ^ seed.rotate_left(32));
        let rows = colour::colour(&traffic, spec, &graph.reserved, &mut rng)?;
        let words = emit::emit(graph, problem, schedule, &traffic, &rows);
        let mut report = RoutineReport::new(name, (problem, schedule, words.len()), (&traffic, &rows), bound);
        (report.scheduler, report.tried) = (options.scheduler.name(), options.seeds);
        Some(Compiled { name: name.to_owned(), words, report })
    })
}

/// Fractions of the rows that are tried as limits when no rows are found for the shortest schedules.
const FRUGAL: [(usize, usize); 6] = [(1, 1), (15, 16), (7, 8), (3, 4), (5, 8), (1, 2)];

fn check(name: &str, graph: &Graph, spec: &MachineSpec) -> Result<(), CompileError> {
    if spec.banks.count * spec.banks.reads < 2 {
        return Err(CompileError::OneRead { routine: name.to_owned() });
    }
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
