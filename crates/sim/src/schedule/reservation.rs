//! The reservation table: the use of every slot in every cycle, modulo a period.

use super::problem::{Kind, Problem};
use std::collections::BTreeMap;

/// The use of the slots in every row, and the units that occupy something in a row.
pub(super) struct Table<'a> {
    problem: &'a Problem<'a>,
    period: usize,
    taken: Vec<u32>,
    /// One bit per row and slot, set where the slot is fully occupied; this test rejects most operations that do not
    /// fit.
    full: Vec<u64>,
    /// The number of 64-bit words of `full` in a row.
    words: usize,
    takers: Vec<Vec<usize>>,
    /// For every class of operations, its ways modulo the period.
    classes: Vec<Vec<Way>>,
    /// The ways of the last unit that was entered, kept to reuse its allocation.
    last: Ways,
}

/// The slots that a way occupies, with cycles modulo the period.
struct Way {
    /// Row relative to that of the issue, and slot.
    uses: Vec<(usize, usize)>,
    /// Row, word of the row's bits, and the mask of the slots in that word.
    masks: Vec<(usize, usize, u64)>,
    /// Rows in which any slot is occupied.
    rows: Vec<usize>,
}

impl Way {
    fn new(uses: &[(usize, i64)], rows: &[i64], period: i64) -> Self {
        let row = |cycle: i64| cycle.rem_euclid(period) as usize;
        let uses: Vec<_> = uses.iter().map(|&(slot, cycle)| (row(cycle), slot)).collect();
        let mut masks: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        for &(row, slot) in &uses {
            *masks.entry((row, slot / BITS)).or_default() |= 1 << (slot % BITS);
        }
        let masks = masks.into_iter().map(|((row, word), mask)| (row, word, mask)).collect();
        Self { uses, masks, rows: rows.iter().map(|&cycle| row(cycle)).collect() }
    }
}

/// The row `rows` rows after another, modulo the period; `rows` is less than a period.
fn after(period: usize, row: usize, rows: usize) -> usize {
    let sum = row + rows;
    if sum < period { sum } else { sum - period }
}

/// The number of slots that a word has a bit for.
const BITS: usize = u64::BITS as usize;

/// For every operation of a unit, the index of its way.
pub(super) type Ways = Vec<usize>;

impl<'a> Table<'a> {
    /// An empty table for iterations that start `period` cycles apart; a smaller period than 1 counts as 1.
    pub(super) fn new(problem: &'a Problem<'a>, period: i64) -> Self {
        let period = period.max(1);
        let rows = usize::try_from(period).unwrap_or(1);
        let counts = &problem.counts;
        let words = counts.len().div_ceil(BITS);
        let mut row = vec![0; words];
        // A slot with a count of zero is full from the start.
        for slot in (0..counts.len()).filter(|&slot| counts[slot] == 0) {
            row[slot / BITS] |= 1 << (slot % BITS);
        }
        let ways = |kind: &Kind| {
            let each = kind.ways.iter().zip(&kind.rows);
            each.map(|(uses, rows)| Way::new(uses, rows, period)).collect()
        };
        Self {
            problem,
            period: rows,
            taken: vec![0; rows * counts.len()],
            full: row.repeat(rows),
            words,
            takers: vec![Vec::new(); rows],
            classes: problem.kinds.iter().map(ways).collect(),
            last: Ways::new(),
        }
    }

    /// The row of a cycle.
    fn row(&self, cycle: i64) -> usize {
        cycle.rem_euclid(self.period as i64) as usize
    }

    /// The row `rows` rows after another, modulo the period; `rows` is less than a period.
    fn after(&self, row: usize, rows: usize) -> usize {
        after(self.period, row, rows)
    }

    /// The class of an operation.
    fn class(&self, op: usize) -> usize {
        self.problem.graph.ops[op].class
    }

    /// Occupies the slots of an operation that issues in a row; if one is full, occupies nothing and returns `false`.
    fn take(&mut self, class: usize, way: usize, at: usize) -> bool {
        let masks = &self.classes[class][way].masks;
        if masks
            .iter()
            .any(|&(row, word, mask)| self.full[self.after(at, row) * self.words + word] & mask != 0)
        {
            return false;
        }
        for n in 0..self.classes[class][way].uses.len() {
            let (row, slot) = self.classes[class][way].uses[n];
            let row = self.after(at, row);
            let (cell, count) = (row * self.problem.counts.len() + slot, self.problem.counts[slot]);
            // The slot had room before this operation, which occupies it several times.
            if self.taken[cell] == count {
                self.give_back(class, way, at, n);
                return false;
            }
            self.taken[cell] += 1;
            if self.taken[cell] == count {
                self.full[row * self.words + slot / BITS] |= 1 << (slot % BITS);
            }
        }
        true
    }

    /// Releases the first `n` uses of an operation's way.
    fn give_back(&mut self, class: usize, way: usize, at: usize, n: usize) {
        for &(row, slot) in &self.classes[class][way].uses[..n] {
            let row = self.after(at, row);
            self.taken[row * self.problem.counts.len() + slot] -= 1;
            self.full[row * self.words + slot / BITS] &= !(1 << (slot % BITS));
        }
    }

    /// Releases the slots of a unit's first operations, as many as there are `ways`.
    fn release(&mut self, unit: usize, ways: &[usize], at: i64) {
        for (&(op, offset), &way) in self.problem.units[unit].iter().zip(ways) {
            let (class, at) = (self.class(op), self.row(at + offset));
            self.give_back(class, way, at, self.classes[class][way].uses.len());
        }
    }

    /// Enters a unit if there is room: every operation takes the first way that fits beside those before it.
    pub(super) fn enter(&mut self, unit: usize, at: i64) -> Option<Ways> {
        self.enter_turned(unit, at, 0)
    }

    /// Like [`Table::enter`], with the ways tried from index `turn` on.
    pub(super) fn enter_turned(&mut self, unit: usize, at: i64, turn: usize) -> Option<Ways> {
        let mut ways = std::mem::take(&mut self.last);
        ways.clear();
        for &(op, offset) in &self.problem.units[unit] {
            let (class, row) = (self.class(op), self.row(at + offset));
            let n = self.classes[class].len();
            match (0..n).map(|way| (way + turn) % n).find(|&way| self.take(class, way, row)) {
                Some(way) => ways.push(way),
                None => {
                    self.release(unit, &ways, at);
                    self.last = ways;
                    return None;
                }
            }
        }
        self.note(unit, &ways, at);
        let found = ways.clone();
        self.last = ways;
        Some(found)
    }

    /// Enters a unit with ways that are known to fit.
    pub(super) fn restore(&mut self, unit: usize, ways: &Ways, at: i64) {
        for (&(op, offset), &way) in self.problem.units[unit].iter().zip(ways) {
            let room = self.take(self.class(op), way, self.row(at + offset));
            debug_assert!(room, "unit {unit} had room at {at}");
        }
        self.note(unit, ways, at);
    }

    fn note(&mut self, unit: usize, ways: &Ways, at: i64) {
        self.each_row(unit, ways, at, |takers| takers.push(unit));
    }

    /// Applies `change` to the list of occupying units of each row in which this unit occupies a slot.
    fn each_row(&mut self, unit: usize, ways: &Ways, at: i64, change: impl Fn(&mut Vec<usize>)) {
        for (&(op, offset), &way) in self.problem.units[unit].iter().zip(ways) {
            let (class, at) = (self.class(op), self.row(at + offset));
            for &row in &self.classes[class][way].rows {
                change(&mut self.takers[after(self.period, at, row)]);
            }
        }
    }

    /// Removes a unit.
    pub(super) fn leave(&mut self, unit: usize, ways: &Ways, at: i64) {
        self.release(unit, ways, at);
        self.each_row(unit, ways, at, |takers| {
            if let Some(n) = takers.iter().position(|&u| u == unit) {
                takers.swap_remove(n);
            }
        });
    }

    /// The units in the rows that a unit could occupy if it started at this cycle, each once, in order.
    pub(super) fn rivals(&self, unit: usize, at: i64) -> Vec<usize> {
        let mut found = Vec::new();
        for &(op, offset) in &self.problem.units[unit] {
            let at = self.row(at + offset);
            for &row in self.classes[self.class(op)].iter().flat_map(|way| &way.rows) {
                found.extend_from_slice(&self.takers[self.after(at, row)]);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
