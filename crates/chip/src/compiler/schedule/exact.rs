//! Branch and bound, which finds the shortest schedule or proves that none is shorter; and a beam search through the same
//! tree.

use super::bound::{Windows, relaxed};
use super::list::predecessors;
use super::problem::{Problem, Schedule};
use super::table::Table;
use crate::isa::Channel;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// The result of a branch and bound search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExactSchedule {
    /// The shortest known schedule.
    pub schedule: Schedule,
    /// Lower bound on the length of every schedule; a schedule of this length is optimal.
    pub bound: i32,
    /// Number of partial schedules that were visited.
    pub nodes: u64,
}

/// Searches for schedules shorter than `known`, first of the length of the bound and then of one slot more at a time, until
/// one is found, all shorter lengths are refuted or `limit` partial schedules have been visited.
pub fn exact(problem: &Problem, windows: &Windows, known: Schedule, limit: u64) -> ExactSchedule {
    let length = problem.length(&known);
    let waits = predecessors(problem);
    let mut nodes = 0;
    for target in windows.bound..length {
        let start = Partial::new(problem, windows, &waits);
        let mut search = Search { target, limit: limit - nodes, nodes: 0, at: start, dead: BTreeSet::new() };
        let found = search.step(0);
        nodes += search.nodes;
        match found {
            Some(true) => return ExactSchedule { schedule: search.at.table.finish(), bound: target, nodes },
            Some(false) => {}
            None => return ExactSchedule { schedule: known, bound: target, nodes },
        }
    }
    ExactSchedule { schedule: known, bound: length, nodes }
}

/// Beam search: advances slot by slot with the `width` most promising partial schedules, and returns a schedule shorter than
/// `length` if one of them is completed.
pub fn beam(problem: &Problem, windows: &Windows, length: i32, width: usize) -> Option<Schedule> {
    let waits = predecessors(problem);
    let mut front = vec![Partial::new(problem, windows, &waits)];
    for slot in 0.. {
        if let Some(done) = front.iter().position(|p| p.table.left() == 0) {
            return Some(front.swap_remove(done).table.finish());
        }
        let extended = front.par_iter().flat_map_iter(|partial| {
            let next = |choice: &Vec<usize>| {
                let mut next = partial.clone();
                if !choice.iter().all(|&i| next.try_place(i, slot)) {
                    return None;
                }
                let estimate = next.estimate(slot + 1);
                (estimate.0 < length).then(|| (estimate, next.state(slot + 1), next))
            };
            choices(problem, &partial.fitting(slot)).iter().filter_map(next).collect::<Vec<_>>()
        });
        let mut extended: Vec<_> = extended.collect();
        extended.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        extended.dedup_by(|a, b| a.1 == b.1);
        extended.truncate(width);
        front = extended.into_iter().map(|(.., partial)| partial).collect();
        if front.is_empty() {
            break;
        }
    }
    None
}

/// A partial schedule: the tasks that issue before some slot.
#[derive(Clone)]
struct Partial<'p> {
    problem: &'p Problem,
    windows: &'p Windows,
    waits: &'p [Vec<usize>],
    table: Table<'p>,
}

/// The state on which the continuation of a partial schedule depends: the tasks that are placed, and how long ago the
/// results that may still be forwarded or written became available.
type State = Vec<u8>;

impl<'p> Partial<'p> {
    fn new(problem: &'p Problem, windows: &'p Windows, waits: &'p [Vec<usize>]) -> Self {
        Self { problem, windows, waits, table: Table::new(problem) }
    }

    fn is_placed(&self, task: usize) -> bool {
        self.table.slot(task).is_some()
    }

    /// The tasks that may issue in a slot, most urgent first.
    fn fitting(&self, slot: i32) -> Vec<usize> {
        let mut fitting: Vec<usize> = (0..self.problem.tasks.len())
            .filter(|&i| !self.is_placed(i) && self.waits[i].iter().all(|&j| self.is_placed(j)))
            .filter(|&i| self.table.ready(i) <= slot && self.table.fits(i, slot))
            .collect();
        fitting.sort_by_key(|&i| (-self.windows.tails[i], i));
        fitting
    }

    fn try_place(&mut self, task: usize, slot: i32) -> bool {
        let fits = self.table.fits(task, slot);
        if fits {
            self.table.place(task, slot);
        }
        fits
    }

    /// A lower bound on the length of the completed schedule if the rest issues from `slot` on, and a measure of its
    /// urgency: the sum of the squared path lengths through the tasks that are not placed.
    fn estimate(&self, slot: i32) -> (i32, i64) {
        let p = self.problem;
        let mut earliest = vec![0; p.tasks.len()];
        let (mut path, mut tight) = (0, 0);
        for i in 0..p.tasks.len() {
            earliest[i] = match self.table.slot(i) {
                Some(at) => at,
                None => p.data_ready(i, &earliest).max(slot).max(self.windows.heads[i]),
            };
            let length = earliest[i] + self.windows.tails[i];
            path = path.max(length);
            if !self.is_placed(i) {
                tight += i64::from(length) * i64::from(length);
            }
        }
        let jobs = |on: &dyn Fn(usize) -> bool| -> Vec<(i32, i32)> {
            let open = (0..p.tasks.len()).filter(|&i| !self.is_placed(i) && on(i));
            open.map(|i| (earliest[i], self.windows.tails[i])).collect()
        };
        (relaxed(p, &jobs).max(path), tight)
    }

    fn state(&self, slot: i32) -> State {
        let p = self.problem;
        // A result that is available for two slots or longer is in its row, like everything before it.
        let age = |i: usize| {
            let out = |at: i32| (at + p.tasks[i].latency - (slot - 2)).max(0) as u8 + 1;
            self.table.slot(i).map_or(0, out)
        };
        let mut key: Vec<u8> = (0..p.tasks.len()).map(age).collect();
        // The multiplier accepts its next product when the interval since the last one is over.
        let busy = (0..p.tasks.len())
            .filter(|&i| p.tasks[i].channel == Channel::Mm)
            .filter_map(|i| Some(self.table.slot(i)? + p.mm_interval - slot))
            .max();
        key.push(busy.unwrap_or(0).max(0) as u8);
        key
    }
}

/// A depth-first search for a schedule of a given length, slot by slot.
struct Search<'p> {
    target: i32,
    limit: u64,
    nodes: u64,
    at: Partial<'p>,
    /// Slots and states from which no schedule of this length can be completed.
    dead: BTreeSet<(i32, State)>,
}

impl Search<'_> {
    /// Whether the tasks placed before `slot` can be completed to a schedule, which the table then holds; `None` when the
    /// limit is reached.
    fn step(&mut self, slot: i32) -> Option<bool> {
        if self.at.table.left() == 0 {
            return Some(true);
        }
        if self.nodes >= self.limit {
            return None;
        }
        self.nodes += 1;
        if self.at.estimate(slot).0 > self.target {
            return Some(false);
        }
        let state = (slot, self.at.state(slot));
        if self.dead.contains(&state) {
            return Some(false);
        }
        let fitting = self.at.fitting(slot);
        let due = |i: usize| self.target - self.at.windows.tails[i];
        let urgent: Vec<usize> = fitting.iter().copied().filter(|&i| due(i) <= slot).collect();
        for choice in choices(self.at.problem, &fitting) {
            if urgent.iter().any(|i| !choice.contains(i)) {
                continue;
            }
            let placed = choice.iter().take_while(|&&i| self.at.try_place(i, slot)).count();
            if placed == choice.len() {
                match self.step(slot + 1) {
                    Some(false) => {}
                    other => return other,
                }
            }
            choice[..placed].iter().for_each(|&i| self.at.table.remove(i));
        }
        self.dead.insert(state);
        Some(false)
    }
}

/// The sets of tasks that may issue in a slot: at most one task per channel, the fullest and most urgent sets first, the
/// empty set last.
fn choices(problem: &Problem, fitting: &[usize]) -> Vec<Vec<usize>> {
    let on = |c: Channel| fitting.iter().copied().filter(move |&i| problem.tasks[i].channel == c);
    let mut all = Vec::new();
    if problem.width > 1 {
        all.extend(on(Channel::Mm).flat_map(|m| on(Channel::Arith).map(move |a| vec![m, a])));
    }
    all.extend(fitting.iter().map(|&i| vec![i]));
    all.push(Vec::new());
    all
}
