//! Lower bounds of the initiation interval.

use super::problem::Problem;
use super::{Graph, Machine, ScheduleError};
use serde::Serialize;

/// Lower bounds of the initiation interval, in cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Bounds {
    /// By the slots: for every set of alternative slots, the least use that operations can make of the set, over its
    /// total count. Exact where the alternatives of a class differ in one slot that is occupied for one cycle (Hall's
    /// theorem); otherwise a lower bound.
    pub resources: u32,
    /// By the recurrences: the largest ratio of delay to distance among all cycles of the graph, rounded up. Exact.
    pub recurrences: u32,
    /// By the branch that closes the loop: one cycle for it and one for each of its delay slots.
    pub branch: u32,
}

impl Bounds {
    /// The largest of the three bounds, in cycles.
    pub fn ii(&self) -> u32 {
        self.resources.max(self.recurrences).max(self.branch)
    }

    /// The bounds of a loop body.
    ///
    /// # Errors
    /// Whatever [`Machine::check`] and [`Graph::check`] refuse, and fixed offsets that cannot be kept.
    pub fn of(machine: &Machine, graph: &Graph) -> Result<Self, ScheduleError> {
        Ok(Self::new(machine, &Problem::new(machine, graph, true)?))
    }

    pub(super) fn new(machine: &Machine, problem: &Problem<'_>) -> Self {
        let branch = problem.graph.ops.iter().filter_map(|op| problem.kinds[op.class].delay_slots);
        Self {
            resources: resources(machine, problem),
            recurrences: problem.recurrences.iter().map(|r| r.0).max().unwrap_or(0),
            branch: branch.map(|slots| slots + 1).max().unwrap_or(1),
        }
    }
}

/// The bound by slots, over the subsets of every group of alternatives.
fn resources(machine: &Machine, problem: &Problem<'_>) -> u32 {
    let mut ops = vec![0_u64; problem.kinds.len()];
    problem.graph.ops.iter().for_each(|op| ops[op.class] += 1);
    let mut least = 1;
    for group in machine.alternatives() {
        for subset in 1_u32..1 << group.len() {
            let of =
                |slot: usize| group.iter().position(|&s| s == slot).is_some_and(|bit| subset >> bit & 1 == 1);
            let takes = |way: &Vec<(usize, i64)>| way.iter().filter(|u| of(u.0)).count() as u64;
            let cannot_but = |way: &Vec<Vec<(usize, i64)>>| way.iter().map(takes).min().unwrap_or(0);
            let wanted: u64 =
                problem.kinds.iter().zip(&ops).map(|(kind, n)| n * cannot_but(&kind.ways)).sum();
            let there: u64 = group.iter().filter(|&&s| of(s)).map(|&s| u64::from(problem.counts[s])).sum();
            least = least.max(wanted.div_ceil(there));
        }
    }
    u32::try_from(least).unwrap_or(u32::MAX)
}
