//! The reservation table: what is taken of every slot in every cycle, modulo a period.

use super::problem::Problem;

/// Rows of slots, and which units take something in a row.
pub(super) struct Table<'a> {
    problem: &'a Problem<'a>,
    period: i64,
    taken: Vec<u32>,
    takers: Vec<Vec<usize>>,
}

/// For every operation of a unit, the way it issues.
pub(super) type Ways = Vec<usize>;

impl<'a> Table<'a> {
    pub(super) fn new(problem: &'a Problem<'a>, period: i64) -> Self {
        let rows = usize::try_from(period).unwrap_or(0);
        Self { problem, period, taken: vec![0; rows * problem.counts.len()], takers: vec![Vec::new(); rows] }
    }

    fn row(&self, cycle: i64) -> usize {
        cycle.rem_euclid(self.period) as usize
    }

    fn cell(&self, slot: usize, cycle: i64) -> usize {
        self.row(cycle) * self.problem.counts.len() + slot
    }

    /// Takes what an operation takes, or takes nothing and says no.
    fn take(&mut self, op: usize, way: usize, at: i64) -> bool {
        let uses = &self.problem.kind(op).ways[way];
        for (n, &(slot, cycle)) in uses.iter().enumerate() {
            let cell = self.cell(slot, at + cycle);
            if self.taken[cell] == self.problem.counts[slot] {
                for &(slot, cycle) in &uses[..n] {
                    let cell = self.cell(slot, at + cycle);
                    self.taken[cell] -= 1;
                }
                return false;
            }
            self.taken[cell] += 1;
        }
        true
    }

    fn release(&mut self, op: usize, way: usize, at: i64) {
        for &(slot, cycle) in &self.problem.kind(op).ways[way] {
            let cell = self.cell(slot, at + cycle);
            self.taken[cell] -= 1;
        }
    }

    /// Enters a unit if there is room: every operation in its first way that fits beside those before it.
    pub(super) fn enter(&mut self, unit: usize, at: i64) -> Option<Ways> {
        self.enter_turned(unit, at, 0)
    }

    /// The same, the ways tried from number `turn` on.
    pub(super) fn enter_turned(&mut self, unit: usize, at: i64, turn: usize) -> Option<Ways> {
        let problem = self.problem;
        let members = &problem.units[unit];
        let mut ways = Ways::with_capacity(members.len());
        for &(op, offset) in members {
            let n = problem.kind(op).ways.len();
            match (0..n).map(|way| (way + turn) % n).find(|&way| self.take(op, way, at + offset)) {
                Some(way) => ways.push(way),
                None => {
                    for (&(op, offset), &way) in members.iter().zip(&ways) {
                        self.release(op, way, at + offset);
                    }
                    return None;
                }
            }
        }
        self.note(unit, &ways, at);
        Some(ways)
    }

    /// Enters a unit in ways that are known to have room.
    pub(super) fn restore(&mut self, unit: usize, ways: &Ways, at: i64) {
        for (&(op, offset), &way) in self.problem.units[unit].iter().zip(ways) {
            let room = self.take(op, way, at + offset);
            debug_assert!(room, "unit {unit} had room at {at}");
        }
        self.note(unit, ways, at);
    }

    fn note(&mut self, unit: usize, ways: &Ways, at: i64) {
        self.each_row(unit, ways, at, |takers| takers.push(unit));
    }

    fn each_row(&mut self, unit: usize, ways: &Ways, at: i64, mut change: impl FnMut(&mut Vec<usize>)) {
        let problem = self.problem;
        for (&(op, offset), &way) in problem.units[unit].iter().zip(ways) {
            for &cycle in &problem.kind(op).rows[way] {
                let row = self.row(at + offset + cycle);
                change(&mut self.takers[row]);
            }
        }
    }

    /// Takes a unit out.
    pub(super) fn leave(&mut self, unit: usize, ways: &Ways, at: i64) {
        for (&(op, offset), &way) in self.problem.units[unit].iter().zip(ways) {
            self.release(op, way, at + offset);
        }
        self.each_row(unit, ways, at, |takers| {
            if let Some(n) = takers.iter().position(|&u| u == unit) {
                takers.swap_remove(n);
            }
        });
    }

    /// The units in the rows that a unit could take if it started at this cycle, each once, in order.
    pub(super) fn rivals(&self, unit: usize, at: i64) -> Vec<usize> {
        let mut found = Vec::new();
        for &(op, offset) in &self.problem.units[unit] {
            for &cycle in self.problem.kind(op).rows.iter().flatten() {
                found.extend_from_slice(&self.takers[self.row(at + offset + cycle)]);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
