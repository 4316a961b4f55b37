//! Branch and bound: for small routines the shortest schedule, or a proof that none is shorter.

use super::bound::{Windows, relaxed};
use super::list::predecessors;
use super::problem::{Problem, Schedule};
use super::table::Table;
use crate::isa::Channel;
use std::collections::BTreeSet;

/// What a search came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exact {
    /// The shortest schedule known.
    pub schedule: Schedule,
    /// No schedule is shorter than this; it is optimal if it has this length.
    pub bound: i32,
    /// Partial schedules looked at.
    pub nodes: u64,
}

/// The most tasks: a set of them is one integer.
const TASKS: usize = 128;

/// Searches for schedules shorter than `known`, of the length of the bound first and then of one slot more at a time,
/// until one is found, all shorter lengths are refuted or `limit` partial schedules have been looked at. A routine of
/// more than 128 operations is returned as it came.
pub fn exact(problem: &Problem, windows: &Windows, known: Schedule, limit: u64) -> Exact {
    let length = problem.length(&known);
    let mut nodes = 0;
    for target in windows.bound..length {
        if problem.tasks.len() > TASKS {
            return Exact { schedule: known, bound: target, nodes };
        }
        let mut search = Search::new(problem, windows, target, limit - nodes);
        let found = search.step(0);
        nodes += search.nodes;
        match found {
            Some(true) => return Exact { schedule: search.table.finish(), bound: target, nodes },
            Some(false) => {}
            None => return Exact { schedule: known, bound: target, nodes },
        }
    }
    Exact { schedule: known, bound: length, nodes }
}

/// A depth-first search for a schedule of a given length, slot by slot.
struct Search<'p> {
    problem: &'p Problem,
    windows: &'p Windows,
    waits: Vec<Vec<usize>>,
    target: i32,
    limit: u64,
    nodes: u64,
    table: Table<'p>,
    placed: u128,
    /// States from which no schedule of this length follows.
    dead: BTreeSet<State>,
}

/// What the future of a partial schedule depends on: the slot, the tasks placed, and how long ago the results that
/// may still be forwarded or written came out.
type State = (i32, u128, Vec<u8>);

impl<'p> Search<'p> {
    fn new(problem: &'p Problem, windows: &'p Windows, target: i32, limit: u64) -> Self {
        Self {
            problem,
            windows,
            waits: predecessors(problem),
            target,
            limit,
            nodes: 0,
            table: Table::new(problem),
            placed: 0,
            dead: BTreeSet::new(),
        }
    }

    fn is_placed(&self, task: usize) -> bool {
        self.placed >> task & 1 == 1
    }

    /// Whether a schedule follows from what is placed before `slot`; `None` when the limit is reached. The table
    /// holds it then.
    fn step(&mut self, slot: i32) -> Option<bool> {
        if self.table.left() == 0 {
            return Some(true);
        }
        if self.nodes >= self.limit {
            return None;
        }
        self.nodes += 1;
        if !self.possible(slot) {
            return Some(false);
        }
        let state = self.state(slot);
        if self.dead.contains(&state) {
            return Some(false);
        }
        let p = self.problem;
        let (windows, target) = (self.windows, self.target);
        let due = |i: usize| target - windows.tails[i];
        let mut fitting: Vec<usize> = (0..p.tasks.len())
            .filter(|&i| !self.is_placed(i) && self.waits[i].iter().all(|&j| self.is_placed(j)))
            .filter(|&i| self.table.ready(i) <= slot && self.table.fits(i, slot))
            .collect();
        fitting.sort_by_key(|&i| (due(i), i));
        for choice in choices(p, &fitting) {
            if fitting.iter().any(|&i| due(i) <= slot && !choice.contains(&i)) {
                continue;
            }
            let placed = choice.iter().take_while(|&&i| self.try_place(i, slot)).count();
            if placed == choice.len() {
                match self.step(slot + 1) {
                    Some(false) => {}
                    other => return other,
                }
            }
            for &i in &choice[..placed] {
                self.table.remove(i);
                self.placed &= !(1 << i);
            }
        }
        self.dead.insert(state);
        Some(false)
    }

    fn try_place(&mut self, task: usize, slot: i32) -> bool {
        let fits = self.table.fits(task, slot);
        if fits {
            self.table.place(task, slot);
            self.placed |= 1 << task;
        }
        fits
    }

    /// Whether the relaxed problem of the tasks not placed still ends in time.
    fn possible(&self, slot: i32) -> bool {
        let p = self.problem;
        let gap = p.least_gap();
        let mut earliest = vec![0; p.tasks.len()];
        for (i, task) in p.tasks.iter().enumerate() {
            earliest[i] = match self.table.slot(i) {
                Some(at) => at,
                None => {
                    let data = task.data.iter().map(|&j| earliest[j] + p.tasks[j].latency + gap);
                    data.max().unwrap_or(0).max(slot).max(self.windows.heads[i])
                }
            };
            if earliest[i] + self.windows.tails[i] > self.target && !self.is_placed(i) {
                return false;
            }
        }
        let jobs = |on: &dyn Fn(usize) -> bool| -> Vec<(i32, i32)> {
            let open = (0..p.tasks.len()).filter(|&i| !self.is_placed(i) && on(i));
            open.map(|i| (earliest[i], self.windows.tails[i])).collect()
        };
        relaxed(p, &jobs) <= self.target
    }

    fn state(&self, slot: i32) -> State {
        // Out two slots ago or earlier: in its row, like everything before it.
        let ages = (0..self.problem.tasks.len()).filter_map(|i| {
            let out = self.table.slot(i)? + self.problem.tasks[i].latency;
            Some((out - (slot - 2)).max(0) as u8)
        });
        let mut key: Vec<u8> = ages.collect();
        // The multiplier takes its next product when the interval since the last one is over.
        let busy = (0..self.problem.tasks.len())
            .filter(|&i| self.problem.tasks[i].channel == Channel::Mm)
            .filter_map(|i| Some(self.table.slot(i)? + self.problem.mm_interval - slot))
            .max();
        key.push(busy.unwrap_or(0).max(0) as u8);
        (slot, self.placed, key)
    }
}

/// What may issue in a slot: sets of at most one task a channel, the fullest and most urgent first, nothing last.
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
