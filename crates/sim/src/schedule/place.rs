//! Placement of units in the reservation table: iterative modulo scheduling, and moves that shorten the lifetimes of
//! values.

use super::order::SearchDirection;
use super::pressure::Values;
use super::problem::Problem;
use super::reservation::{Table, Ways};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The start cycle of every operation, relative to its iteration, and its way.
#[derive(Clone)]
pub(super) struct Places {
    pub(super) starts: Vec<i64>,
    pub(super) ways: Vec<usize>,
}

/// The placement search for one initiation interval.
pub(super) struct Placement<'a> {
    problem: &'a Problem<'a>,
    ii: i64,
    table: Table<'a>,
    /// For every unit, its start cycle and ways, if it is placed.
    placed: Vec<Option<(i64, Ways)>>,
    /// For every unit, the cycle where it was placed last.
    last: Vec<Option<i64>>,
    /// For every unit, the longest path from the start of the iteration to it.
    depths: Vec<i64>,
    /// The cycle by which all results must be available, if there is one.
    pub(super) deadline: Option<i64>,
    /// For every unit, how often it was placed by force.
    forced: Vec<usize>,
    /// The cycle after the latest start so far.
    end: i64,
    /// For every unit, the longest path from it to the end.
    heights: Vec<i64>,
}

impl<'a> Placement<'a> {
    pub(super) fn new(problem: &'a Problem<'a>, ii: i64) -> Self {
        let n = problem.units.len();
        let (table, depths, heights) = (Table::new(problem, ii), problem.depths(ii), problem.heights(ii));
        Self {
            problem,
            ii,
            table,
            placed: vec![None; n],
            last: vec![None; n],
            depths,
            heights,
            deadline: None,
            forced: vec![0; n],
            end: 0,
        }
    }

    /// The first operation of a unit that does not fit even into an empty table, if there is one.
    pub(super) fn clash(&mut self) -> Option<usize> {
        let units = &self.problem.units;
        let clash = (0..units.len()).find(|&unit| match self.table.enter(unit, 0) {
            Some(ways) => {
                self.table.leave(unit, &ways, 0);
                false
            }
            None => true,
        });
        clash.map(|unit| units[unit][0].0)
    }

    /// Places every unit in the given order. A unit without a free slot evicts the units in its way, which are placed
    /// again. Returns `false` if `budget` placements did not suffice.
    pub(super) fn run(&mut self, order: &[usize], direction: SearchDirection, mut budget: u64) -> bool {
        let mut rank = vec![0; self.problem.units.len()];
        order.iter().enumerate().for_each(|(n, &u)| rank[u] = n);
        let mut open: BinaryHeap<Reverse<(usize, usize)>> =
            rank.iter().enumerate().map(|(u, &r)| Reverse((r, u))).collect();
        while let Some(Reverse((_, unit))) = open.pop() {
            if budget == 0 {
                return false;
            }
            budget -= 1;
            let (early, late) = self.window(unit);
            let (at, ways) = match self.free(unit, early, late, direction) {
                Some(found) => found,
                None => {
                    let at = self.forced(unit, early, late, direction);
                    let (ways, out) = self.force(unit, at, &rank);
                    out.into_iter().for_each(|u| open.push(Reverse((rank[u], u))));
                    (at, ways)
                }
            };
            self.placed[unit] = Some((at, ways));
            self.last[unit] = Some(at);
            self.end = self.end.max(at + 1);
            for other in self.broken(unit, at) {
                self.remove(other);
                open.push(Reverse((rank[other], other)));
            }
        }
        true
    }

    /// The earliest and latest start of a unit that its placed neighbours allow.
    fn window(&self, unit: usize) -> (Option<i64>, Option<i64>) {
        let at = |v: usize| self.placed[v].as_ref().map(|p| p.0);
        let others = |arcs: &'a [super::problem::Arc]| arcs.iter().filter(move |a| a.to != unit);
        let early = others(&self.problem.before[unit]).filter_map(|a| Some(at(a.to)? + a.cycles(self.ii)));
        let late = others(&self.problem.after[unit]).filter_map(|a| Some(at(a.to)? - a.cycles(self.ii)));
        (early.max(), late.min())
    }

    /// The first start cycle with free slots, in the given direction.
    fn free(
        &mut self,
        unit: usize,
        early: Option<i64>,
        late: Option<i64>,
        direction: SearchDirection,
    ) -> Option<(i64, Ways)> {
        let ii = self.ii;
        if let Some(last) = downward(early, late, direction, self.heights[unit]) {
            return (last - ii + 1..=last).rev().find_map(|at| Some((at, self.table.enter(unit, at)?)));
        }
        // A unit without placed neighbours is placed after all others, so that its values live when theirs are dead.
        let apart = if direction == SearchDirection::Close { self.end } else { 0 };
        let early = early.unwrap_or(apart + self.depths[unit]);
        let end = late
            .filter(|_| direction == SearchDirection::Close)
            .unwrap_or(i64::MAX)
            .min(early + ii - 1)
            .min(self.latest(unit));
        (early..=end).find_map(|at| Some((at, self.table.enter(unit, at)?)))
    }

    /// The start cycle of a unit without a free slot: the earliest that is allowed, but later than its last placement,
    /// so that two units do not evict each other for ever. Mirrored if the search goes backward.
    fn forced(&self, unit: usize, early: Option<i64>, late: Option<i64>, direction: SearchDirection) -> i64 {
        let last = self.last[unit];
        if let Some(late) = downward(early, late, direction, self.heights[unit]) {
            return last.map_or(late, |l| late.min(l - 1));
        }
        let early = early.unwrap_or(self.depths[unit]).min(self.latest(unit));
        last.map_or(early, |l| early.max(l + 1)).min(self.latest(unit))
    }

    /// The latest start of a unit that meets the deadline.
    fn latest(&self, unit: usize) -> i64 {
        self.deadline.map_or(i64::MAX, |end| end - self.heights[unit])
    }

    /// Places a unit without a free slot: all its rivals are removed, and those that still fit beside it are placed
    /// again, by rank. Returns the unit's ways and the units that remain evicted.
    fn force(&mut self, unit: usize, at: i64, rank: &[usize]) -> (Ways, Vec<usize>) {
        let mut rivals = self.table.rivals(unit, at);
        rivals.sort_by_key(|&u| rank[u]);
        let mut were = Vec::with_capacity(rivals.len());
        for &rival in &rivals {
            if let Some((start, ways)) = self.placed[rival].take() {
                self.table.leave(rival, &ways, start);
                were.push((rival, start));
            }
        }
        // `clash` found none, so every unit fits into an empty table, and the rows it needs are empty now. The first
        // way tried changes with every attempt, since the first one may be indispensable to a rival.
        let turned = self.table.enter_turned(unit, at, self.forced[unit]);
        let ways = turned.or_else(|| self.table.enter(unit, at)).unwrap_or_default();
        self.forced[unit] += 1;
        let mut out = Vec::new();
        for (rival, start) in were {
            match self.table.enter(rival, start) {
                Some(ways) => self.placed[rival] = Some((start, ways)),
                None => out.push(rival),
            }
        }
        (ways, out)
    }

    /// The placed neighbours whose dependence with a unit at this cycle is violated.
    fn broken(&self, unit: usize, at: i64) -> Vec<usize> {
        let start = |v: usize| self.placed[v].as_ref().map(|p| p.0);
        let late = self.problem.after[unit]
            .iter()
            .filter(|a| start(a.to).is_some_and(|s| s < at + a.cycles(self.ii)));
        let early = self.problem.before[unit]
            .iter()
            .filter(|a| start(a.to).is_some_and(|s| at < s + a.cycles(self.ii)));
        let mut found: Vec<usize> = late.chain(early).map(|a| a.to).filter(|&v| v != unit).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn remove(&mut self, unit: usize) {
        if let Some((start, ways)) = self.placed[unit].take() {
            self.table.leave(unit, &ways, start);
        }
    }

    /// The order for the next attempt after a failed one: units that were forced most often come first.
    pub(super) fn harder(&self, order: &[usize]) -> Vec<usize> {
        let mut order = order.to_vec();
        order.sort_by_key(|&u| std::cmp::Reverse(self.forced[u]));
        order
    }

    /// The start cycles and ways that [`Placement::run`] found, by operation.
    pub(super) fn places(&self) -> Places {
        let ops = self.problem.graph.ops.len();
        let mut places = Places { starts: vec![0; ops], ways: vec![0; ops] };
        for (members, placed) in self.problem.units.iter().zip(&self.placed) {
            let Some((start, ways)) = placed else { continue };
            for (&(op, offset), &way) in members.iter().zip(ways) {
                places.starts[op] = start + offset;
                places.ways[op] = self.problem.kind(op).names[way];
            }
        }
        places
    }

    /// Moves units one at a time to the start that minimises the weighted lifetimes; `weights` is the cost of a
    /// register cycle by file. Ends when a round changes nothing, or after eight rounds.
    pub(super) fn shorten(&mut self, values: &Values, weights: &[i64]) {
        let mut starts = self.places().starts;
        for _ in 0..8 {
            let mut moved = false;
            for n in (0..self.problem.units.len()).rev() {
                moved |= self.shift(self.problem.sequence[n], values, weights, &mut starts);
            }
            if !moved {
                return;
            }
        }
    }

    fn shift(&mut self, unit: usize, values: &Values, weights: &[i64], starts: &mut [i64]) -> bool {
        let (early, late) = self.window(unit);
        let (first, last) = match (early, late) {
            (Some(early), Some(late)) => (early, late),
            (Some(early), None) => (early, early + self.ii - 1),
            (None, Some(late)) => (late - self.ii + 1, late),
            (None, None) => return false,
        };
        let Some((now, ways)) = self.placed[unit].take() else { return false };
        self.table.leave(unit, &ways, now);
        let cost = values.cost(self.problem, unit, starts, self.ii, weights);
        // The cost is convex: on either side of the minimum, the free slot closest to it is the best of that side.
        let (mut low, mut high) = (first, last);
        while low < high {
            let middle = low + (high - low) / 2;
            if cost(middle) <= cost(middle + 1) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        let mut best = (cost(now), now, None);
        let left = (first.max(low - self.ii + 1)..=low).rev();
        let right = low + 1..=last.min(low + self.ii);
        for side in [left.collect::<Vec<_>>(), right.collect()] {
            for at in side.into_iter().take_while(|&at| cost(at) < best.0) {
                if let Some(ways) = self.table.enter(unit, at) {
                    self.table.leave(unit, &ways, at);
                    best = (cost(at), at, Some(ways));
                    break;
                }
            }
        }
        drop(cost);
        let (_, to, other) = best;
        let ways = other.unwrap_or(ways);
        self.table.restore(unit, &ways, to);
        self.placed[unit] = Some((to, ways));
        for &(op, offset) in &self.problem.units[unit] {
            starts[op] = to + offset;
        }
        to != now
    }
}

/// The cycle from which a unit searches backward, or `None` if it searches forward. Without successors, its result is
/// due in cycle 0.
fn downward(early: Option<i64>, late: Option<i64>, direction: SearchDirection, height: i64) -> Option<i64> {
    match direction {
        SearchDirection::Early => None,
        SearchDirection::Late => Some(late.unwrap_or(-height)),
        SearchDirection::Close => late.filter(|_| early.is_none()),
    }
}
