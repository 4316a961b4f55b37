//! The orders in which units are placed.

use super::problem::Problem;
use std::collections::BinaryHeap;

/// The direction in which free slots are searched for a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchDirection {
    /// From the earliest cycle that its predecessors allow.
    Early,
    /// From the latest cycle that its successors allow.
    Late,
    /// From the cycle closest to its placed neighbours.
    Close,
}

/// The rule by which units are ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    /// Decreasing longest path to the end; each as early as possible (Rau 1994).
    Height,
    /// A neighbour of a placed unit next, as close to it as possible (swing modulo scheduling, Llosa 1996).
    Swing,
    /// Like `Swing`, but the neighbours of the unit placed last come before all others, so that one value is followed
    /// at a time.
    Thread,
}

impl Rule {
    /// The rules in the order in which they are tried.
    pub(super) const ALL: [Self; 3] = [Self::Height, Self::Swing, Self::Thread];

    /// The search direction that the rule uses.
    pub(super) fn direction(self) -> SearchDirection {
        if self == Self::Height { SearchDirection::Early } else { SearchDirection::Close }
    }

    /// The units in placement order.
    pub(super) fn order(self, problem: &Problem<'_>, ii: i64) -> Vec<usize> {
        let heights = problem.heights(ii);
        if self == Self::Height {
            let mut order = problem.sequence.clone();
            order.sort_by_key(|&u| -heights[u]);
            return order;
        }
        SwingOrder::new(problem, heights, problem.depths(ii), self == Self::Thread).order()
    }
}

/// A queue of units adjacent to those that are ordered, the next one on top.
type UnitQueue = BinaryHeap<([i64; 3], usize)>;

/// The state of the ordering of swing modulo scheduling.
struct SwingOrder<'a> {
    problem: &'a Problem<'a>,
    heights: Vec<i64>,
    depths: Vec<i64>,
    thread: bool,
    /// For every unit, the index of the set that it is ordered with.
    set: Vec<usize>,
    ordered: Vec<usize>,
    done: Vec<bool>,
    /// For every set, the queues of successors and predecessors of ordered units.
    sides: Vec<[UnitQueue; 2]>,
}

impl<'a> SwingOrder<'a> {
    fn new(problem: &'a Problem<'a>, heights: Vec<i64>, depths: Vec<i64>, thread: bool) -> Self {
        let mut sets: Vec<&(u32, Vec<usize>)> = problem.recurrences.iter().collect();
        sets.sort_by_key(|s| std::cmp::Reverse(s.0));
        let mut set = vec![sets.len(); problem.units.len()];
        for (n, (_, members)) in sets.iter().enumerate() {
            members.iter().for_each(|&m| set[m] = n);
        }
        let sides = (0..=sets.len()).map(|_| [UnitQueue::new(), UnitQueue::new()]).collect();
        let done = vec![false; problem.units.len()];
        Self { problem, heights, depths, thread, set, ordered: Vec::new(), done, sides }
    }

    /// Recurrences first, those with the longest interval before the others. Within a set, predecessors of ordered
    /// units follow by depth and successors by height, in turn until no connected unit remains; then the next unit of
    /// the set starts anew.
    fn order(mut self) -> Vec<usize> {
        let mut seeds: Vec<usize> = self.problem.sequence.clone();
        seeds.sort_by_key(|&u| (self.set[u], -self.depths[u]));
        for seed in seeds {
            if self.done[seed] {
                continue;
            }
            let set = self.set[seed];
            self.sweep(set);
            if !self.done[seed] {
                self.append(seed);
                self.sweep(set);
            }
        }
        self.ordered
    }

    /// Appends the units of a set that are connected to ordered ones: predecessors and successors in turn, predecessors
    /// first.
    fn sweep(&mut self, set: usize) {
        loop {
            let mut any = false;
            for side in [1, 0] {
                while let Some((_, unit)) = self.sides[set][side].pop() {
                    if !self.done[unit] {
                        any = true;
                        self.append(unit);
                    }
                }
            }
            if !any {
                return;
            }
        }
    }

    fn append(&mut self, unit: usize) {
        self.done[unit] = true;
        self.ordered.push(unit);
        let turn = if self.thread { self.ordered.len() as i64 } else { 0 };
        let problem = self.problem;
        for (side, arcs) in [&problem.after[unit], &problem.before[unit]].into_iter().enumerate() {
            for other in arcs.iter().map(|a| a.to).filter(|&v| !self.done[v]) {
                let along = if side == 0 { self.heights[other] } else { self.depths[other] };
                let slack = self.heights[other] + self.depths[other];
                self.sides[self.set[other]][side].push(([turn, along, slack], other));
            }
        }
    }
}
