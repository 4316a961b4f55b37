//! The order in which units are placed.

use super::problem::Problem;
use std::collections::BinaryHeap;

/// The direction in which a unit looks for a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Look {
    /// As early as what it waits for allows.
    Early,
    /// As late as what waits for it allows.
    Late,
    /// As close to its neighbours as they allow.
    Close,
}

/// The rule that orders units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    /// The longest way to the end first, as early as it can be (Rau 1994).
    Height,
    /// A neighbour of what is placed already, as close to it as it can be (swing modulo scheduling, Llosa 1996).
    Swing,
    /// The same, the neighbours of the unit placed last before all others: one value after the other.
    Thread,
}

impl Rule {
    /// In the order in which they are tried.
    pub(super) const ALL: [Self; 3] = [Self::Height, Self::Swing, Self::Thread];

    /// How its units look for their places.
    pub(super) fn look(self) -> Look {
        if self == Self::Height { Look::Early } else { Look::Close }
    }

    /// The units in the order of their placing.
    pub(super) fn order(self, problem: &Problem<'_>, ii: i64) -> Vec<usize> {
        let heights = problem.heights(ii);
        if self == Self::Height {
            let mut order = problem.sequence.clone();
            order.sort_by_key(|&u| -heights[u]);
            return order;
        }
        Swing::new(problem, heights, problem.depths(ii), self == Self::Thread).order()
    }
}

/// Units beside those that are ordered, the next on top.
type Side = BinaryHeap<([i64; 3], usize)>;

struct Swing<'a> {
    problem: &'a Problem<'a>,
    heights: Vec<i64>,
    depths: Vec<i64>,
    thread: bool,
    /// For every unit, the set it is ordered with.
    set: Vec<usize>,
    ordered: Vec<usize>,
    done: Vec<bool>,
    /// By set: after, before.
    sides: Vec<[Side; 2]>,
}

impl<'a> Swing<'a> {
    fn new(problem: &'a Problem<'a>, heights: Vec<i64>, depths: Vec<i64>, thread: bool) -> Self {
        let mut sets: Vec<&(u32, Vec<usize>)> = problem.recurrences.iter().collect();
        sets.sort_by_key(|s| std::cmp::Reverse(s.0));
        let mut set = vec![sets.len(); problem.units.len()];
        for (n, (_, members)) in sets.iter().enumerate() {
            members.iter().for_each(|&m| set[m] = n);
        }
        let sides = (0..=sets.len()).map(|_| [Side::new(), Side::new()]).collect();
        let done = vec![false; problem.units.len()];
        Self { problem, heights, depths, thread, set, ordered: Vec::new(), done, sides }
    }

    /// Recurrences first, the longest before the others; within a set, from what is ordered downward along the
    /// heights, then upward along the depths, and so on until nothing is connected any more.
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

    /// Appends what is connected to the ordered ones, side by side in turn, the upward side first.
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
