//! Straight-line code: list scheduling.

use super::check::Fact;
use super::order::{Rule, SearchDirection};
use super::pipelined::{attempt, excess, issues, too_many};
use super::place::{Placement, Places};
use super::pressure::Values;
use super::problem::Problem;
use super::{Graph, Issue, Machine, ScheduleError};
use serde::Serialize;

/// A schedule of a block that runs once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Block {
    /// Issue cycle and way of every operation.
    pub ops: Vec<Issue>,
    /// Cycles in which the block issues: up to its last operation, or to the last delay slot of its branch.
    pub length: u32,
    /// Cycles until the last operation has issued and the last result can be read.
    pub latency: u32,
    /// Latency of the longest dependence chain up to the cycle in which its result can be read, given unlimited slots:
    /// a lower bound of `latency`.
    pub critical: u32,
    /// The largest number of simultaneously live values, by register file.
    pub live: Vec<u32>,
}

impl Block {
    /// Schedules a block. Three passes are made:
    ///
    /// 1. List scheduling: operations in the order of their longest path to the end, each in the first cycle in which
    ///    its operands and a slot are available. All operations are then moved as late as possible
    ///    and back as early as possible, for as long as this shortens it (justification, Valls and others 2005).
    /// 2. The same from orders that place operations close to their neighbours in the graph, which takes fewer
    ///    registers. The shortest schedule whose values fit the register files is kept.
    /// 3. From the result, a deadline one cycle shorter is tried repeatedly, with operations evicting each other as in
    ///    modulo scheduling.
    ///
    /// Edges between iterations are ignored. A branch comes last; only its delay slots can hold operations after it.
    ///
    /// # Errors
    /// Whatever [`Machine::check`] and [`Graph::check`] refuse; fixed offsets that cannot be kept;
    /// [`ScheduleError::Registers`] if schedules were found but the values of none fit; [`ScheduleError::Interval`] if
    /// none was found, which needs operations at fixed offsets that confine others to cycles whose slots are occupied.
    pub fn new(machine: &Machine, graph: &Graph) -> Result<Self, ScheduleError> {
        let problem = Problem::new(machine, graph, false)?;
        let values = Values::new(&problem, false);
        let sizes: Vec<u32> = machine.files.iter().map(|f| f.size).collect();
        if let Some(op) = Placement::new(&problem, problem.unwrapped_period()).clash() {
            return Err(ScheduleError::Offsets(op));
        }
        let period = u32::try_from(problem.unwrapped_period()).unwrap_or(u32::MAX);
        let mut least: Option<Vec<u32>> = None;
        let mut best: Option<(Places, Vec<u32>)> = None;
        for rule in Rule::ALL {
            let Some((places, live)) = attempt(&problem, &values, &sizes, period, rule, 64) else { continue };
            if excess(&live, &sizes) == 0 {
                let found = justified(&problem, &values, &sizes, period, places, live);
                if best.as_ref().is_none_or(|b| latency(&problem, &found.0) < latency(&problem, &b.0)) {
                    best = Some(found);
                }
            } else if least.as_ref().is_none_or(|l| excess(&live, &sizes) < excess(l, &sizes)) {
                least = Some(live);
            }
        }
        let Some((places, live)) = best else {
            return Err(least.map_or(ScheduleError::Interval(period), |live| too_many(machine, &live)));
        };
        let (places, live) = shorten_latency(&problem, &values, &sizes, period, places, live);
        let (ops, length, latency) = issues(&problem, &places, first(&places));
        let critical = problem.depths(0).iter().zip(problem.heights(0)).map(|(d, h)| d + h).max();
        let critical = u32::try_from(critical.unwrap_or(0)).unwrap_or(u32::MAX);
        Ok(Self { ops, length, latency, critical, live })
    }

    /// The block as a list of issued operations.
    pub fn facts(&self) -> Vec<Fact> {
        let fact =
            |(op, i): (usize, &Issue)| Fact { op, way: i.way, iteration: 0, cycle: u64::from(i.cycle) };
        self.ops.iter().enumerate().map(fact).collect()
    }
}

fn first(places: &Places) -> i64 {
    places.starts.iter().copied().min().unwrap_or(0)
}

fn latency(problem: &Problem<'_>, places: &Places) -> u32 {
    issues(problem, places, first(places)).2
}

/// Justification: reschedules the units in decreasing order of the ends of their results, each as late as possible,
/// then in order of their new starts, each as early as possible; repeated while the latency falls and the values fit.
fn justified(
    problem: &Problem<'_>,
    values: &Values,
    sizes: &[u32],
    period: u32,
    mut places: Places,
    mut live: Vec<u32>,
) -> (Places, Vec<u32>) {
    let ii = i64::from(period);
    let budget = 4 * problem.units.len() as u64;
    // For the backward pass, units are ordered by the cycle in which their results are available; for the forward pass,
    // by their start.
    let end = |starts: &[i64], unit: usize| {
        let ends = problem.units[unit].iter().map(|&(op, _)| starts[op] + problem.kind(op).latency.max(1));
        ends.max().unwrap_or(0)
    };
    loop {
        let mut order = problem.sequence.clone();
        order.reverse();
        order.sort_by_key(|&u| -end(&places.starts, u));
        let mut late = Placement::new(problem, ii);
        if !late.run(&order, SearchDirection::Late, budget) {
            return (places, live);
        }
        let starts = late.places().starts;
        let mut order = problem.sequence.clone();
        order.sort_by_key(|&u| starts[problem.units[u][0].0]);
        let mut early = Placement::new(problem, ii);
        if !early.run(&order, SearchDirection::Early, budget) {
            return (places, live);
        }
        let better = early.places();
        let needs = values.live(problem, &better.starts, ii, sizes.len());
        if latency(problem, &better) >= latency(problem, &places) || excess(&needs, sizes) > 0 {
            return (places, live);
        }
        (places, live) = (better, needs);
    }
}

/// Shortens the latency cycle by cycle, with the eviction of modulo scheduling: a unit without a free slot before the
/// deadline evicts the units in its way.
fn shorten_latency(
    problem: &Problem<'_>,
    values: &Values,
    sizes: &[u32],
    period: u32,
    mut places: Places,
    mut live: Vec<u32>,
) -> (Places, Vec<u32>) {
    let ii = i64::from(period);
    let budget = (8 * problem.units.len() as u64).max(256);
    loop {
        let deadline = i64::from(latency(problem, &places)) - 1;
        if problem.heights(0).into_iter().max() > Some(deadline) {
            return (places, live);
        }
        let mut order = Rule::Height.order(problem, ii);
        let found = (0..8).find_map(|_| {
            let mut search = Placement::new(problem, ii);
            search.deadline = Some(deadline);
            let found = search.run(&order, SearchDirection::Early, budget).then(|| search.places());
            order = search.harder(&order);
            found.filter(|f| i64::from(latency(problem, f)) <= deadline)
        });
        let Some(found) = found else { return (places, live) };
        let needs = values.live(problem, &found.starts, ii, sizes.len());
        if excess(&needs, sizes) > 0 {
            return (places, live);
        }
        (places, live) = (found, needs);
    }
}
