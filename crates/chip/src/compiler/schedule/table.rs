//! The reservation table: the resources that are taken in each slot, and whether a task may issue there.

use super::problem::{Problem, Route, Row, Schedule};
use crate::isa::{Channel, FwdPath};

/// A partial schedule with the resources that it occupies. Tasks may be placed in any order: from the start forwards, or
/// from the end backwards.
#[derive(Clone)]
pub struct Table<'p> {
    problem: &'p Problem,
    /// Slot of each task; [`FREE`] if it has none yet.
    slots: Vec<i32>,
    /// For each slot, the tasks that issue in it.
    issued: Vec<Cell>,
    /// For each cycle, the tasks whose results are written in it.
    written: Vec<Cell>,
    /// Slots of inversions.
    inverting: Vec<i32>,
    left: usize,
}

const FREE: i32 = i32::MIN;

/// The tasks of a slot or cycle, at most three.
#[derive(Clone, Copy, Default)]
struct Cell {
    tasks: [u32; 3],
    len: u8,
}

impl Cell {
    fn push(&mut self, task: usize) {
        self.tasks[usize::from(self.len)] = task as u32;
        self.len += 1;
    }
    fn remove(&mut self, task: usize) {
        let len = usize::from(self.len);
        if let Some(at) = self.tasks[..len].iter().position(|&t| t as usize == task) {
            self.tasks.swap(at, len - 1);
            self.len -= 1;
        }
    }
    fn iter(self) -> impl Iterator<Item = usize> {
        self.tasks.into_iter().take(usize::from(self.len)).map(|t| t as usize)
    }
}

impl<'p> Table<'p> {
    /// An empty table.
    pub fn new(problem: &'p Problem) -> Self {
        let n = problem.tasks.len();
        Self {
            problem,
            slots: vec![FREE; n],
            issued: Vec::with_capacity(256),
            written: Vec::with_capacity(256),
            inverting: Vec::new(),
            left: n,
        }
    }

    /// The slot of a task, if it has one.
    pub fn slot(&self, task: usize) -> Option<i32> {
        (self.slots[task] != FREE).then(|| self.slots[task])
    }

    /// Number of tasks without a slot.
    pub fn left(&self) -> usize {
        self.left
    }

    /// The earliest slot that the dependences of a task allow, once its predecessors are placed.
    pub fn ready(&self, task: usize) -> i32 {
        let p = self.problem;
        let t = &p.tasks[task];
        let gap = p.least_gap();
        let data = t.data.iter().map(|&j| self.slots[j] + p.tasks[j].latency + gap);
        let after = t.after.iter().map(|&(j, d)| self.slots[j] + d);
        data.chain(after).max().unwrap_or(0).max(t.release)
    }

    /// The latest slot that the dependences of a task allow, once its readers are placed, in a routine that ends at `end`.
    pub fn latest(&self, task: usize, end: i32) -> i32 {
        let p = self.problem;
        let out = p.tasks[task].latency + p.least_gap();
        let data = p.readers[task].iter().map(|&r| self.slots[r] - out);
        let before = p.before[task].iter().map(|&(k, d)| self.slots[k] - d);
        data.chain(before).min().unwrap_or(i32::MAX).min(end - p.tasks[task].latency - 1)
    }

    /// Whether a task may issue in a slot, given the tasks that are placed. Checks dependences, one forwarding path per
    /// word, issue width, channels and ports.
    pub fn fits(&self, task: usize, slot: i32) -> bool {
        slot >= self.problem.tasks[task].release
            && self.channel_free(task, slot)
            && self.paths_fit(task, slot)
            && self.order_fits(task, slot)
            && self.writes_fit(task, slot)
            && self.reads_fit(slot, (task, slot))
    }

    fn cell(cells: &[Cell], at: i32) -> Cell {
        usize::try_from(at).ok().and_then(|at| cells.get(at)).copied().unwrap_or_default()
    }

    /// Whether a product starts in a range of slots, in this call or in the one before or after.
    fn product_in(&self, slots: std::ops::Range<i32>) -> bool {
        let p = self.problem;
        let mm = |slot| Self::cell(&self.issued, slot).iter().any(|t| p.tasks[t].channel == Channel::Mm);
        self.any_call(slots, mm)
    }

    fn inversion_in(&self, slots: std::ops::Range<i32>) -> bool {
        !self.inverting.is_empty() && self.any_call(slots, |slot| self.inverting.contains(&slot))
    }

    fn any_call(&self, mut slots: std::ops::Range<i32>, taken: impl Fn(i32) -> bool) -> bool {
        match &self.problem.seam {
            Some(seam) => slots.any(|slot| taken(slot.rem_euclid(seam.period))),
            None => slots.any(taken),
        }
    }

    fn channel_free(&self, task: usize, slot: i32) -> bool {
        let p = self.problem;
        let channel = p.tasks[task].channel;
        let here = Self::cell(&self.issued, slot);
        if u32::from(here.len) >= p.width || here.iter().any(|t| p.tasks[t].channel == channel) {
            return false;
        }
        if self.problem.seam.is_some() && self.problem.period_at(slot).is_none() {
            return true;
        }
        // The inverter runs on the multiplier: no product may be in flight there, and it issues alone.
        match channel {
            Channel::Arith => !self.inverting.contains(&slot),
            Channel::Mm => {
                !self.inversion_in(slot..slot + p.mm_latency)
                    && (p.mm_interval == 1
                        || !self.product_in(slot - p.mm_interval + 1..slot + p.mm_interval))
            }
            Channel::Inv => here.len == 0 && !self.product_in(slot - p.mm_latency + 1..slot + 1),
        }
    }

    /// The slot of a task, with the tentative placement `moved` applied.
    fn slot_with(&self, task: usize, moved: (usize, i32)) -> i32 {
        if task == moved.0 { moved.1 } else { self.slots[task] }
    }

    /// Whether a reader can obtain all its operands that are placed, over at most one forwarding path.
    fn word_fits(&self, reader: usize, moved: (usize, i32)) -> bool {
        let p = self.problem;
        let slot = self.slot_with(reader, moved);
        let mut path: Option<FwdPath> = None;
        p.tasks[reader].data.iter().all(|&j| {
            let from = self.slot_with(j, moved);
            if from == FREE {
                return true;
            }
            match p.route(slot - from - p.tasks[j].latency) {
                None => false,
                Some(Route::Row) => true,
                Some(Route::Forward(found)) => {
                    let one = path.is_none_or(|known| known == found);
                    path = Some(found);
                    one
                }
            }
        })
    }

    fn paths_fit(&self, task: usize, slot: i32) -> bool {
        let moved = (task, slot);
        self.word_fits(task, moved)
            && self.problem.readers[task].iter().all(|&r| {
                self.slots[r] == FREE || (self.word_fits(r, moved) && self.reads_fit(self.slots[r], moved))
            })
    }

    fn order_fits(&self, task: usize, slot: i32) -> bool {
        let p = self.problem;
        p.tasks[task].after.iter().all(|&(j, d)| self.slots[j] == FREE || slot >= self.slots[j] + d)
            && p.before[task].iter().all(|&(k, d)| self.slots[k] == FREE || self.slots[k] >= slot + d)
    }

    fn writes_fit(&self, task: usize, slot: i32) -> bool {
        let p = self.problem;
        let t = &p.tasks[task];
        let cycle = slot + t.latency;
        let period = p.period_at(slot);
        let (first, step) = period.map_or((cycle, usize::MAX), |n| (cycle.rem_euclid(n), n as usize));
        let end = period.map_or(cycle, |_| cycle.max(self.written.len() as i32));
        let (mut all, mut in_bank) = (0, 0);
        for cycle in (first..=end).step_by(step) {
            let there = Self::cell(&self.written, cycle);
            all += usize::from(there.len);
            in_bank +=
                there.iter().filter(|&j| p.tasks[j].bank.is_some() && p.tasks[j].bank == t.bank).count();
        }
        all < p.writes * p.banks && in_bank < p.writes
    }

    /// Whether the read ports suffice for the rows that are read for a slot, with the tentative placement `moved` applied.
    fn reads_fit(&self, slot: i32, moved: (usize, i32)) -> bool {
        let p = self.problem;
        let mut rows = [Row { node: usize::MAX, bank: None }; 6];
        let mut len = 0;
        let here = Self::cell(&self.issued, slot);
        let asked = (moved.1 == slot).then_some(moved.0);
        for reader in here.iter().chain(asked) {
            let t = &p.tasks[reader];
            let from_tasks = t.data.iter().filter_map(|&j| {
                let from = self.slot_with(j, moved);
                let out = from != FREE && slot - from - p.tasks[j].latency >= 2;
                out.then(|| Row { node: p.tasks[j].node, bank: p.tasks[j].bank })
            });
            for row in t.inputs.iter().copied().chain(from_tasks) {
                if !rows[..len].iter().any(|r| r.node == row.node) {
                    rows[len] = row;
                    len += 1;
                }
            }
        }
        len <= p.reads * p.banks
            && (0..p.banks as u8)
                .all(|bank| rows[..len].iter().filter(|r| r.bank == Some(bank)).count() <= p.reads)
    }

    /// Places a task in the earliest slot that fits, from its ready slot on.
    pub fn place_earliest(&mut self, task: usize) {
        let mut slot = self.ready(task);
        while !self.fits(task, slot) {
            slot += 1;
        }
        self.place(task, slot);
    }

    /// Places a task in the latest slot that fits, for a routine that ends at `end`; false if there is none.
    pub fn place_latest(&mut self, task: usize, end: i32) -> bool {
        let mut slot = self.latest(task, end);
        while slot >= 0 && !self.fits(task, slot) {
            slot -= 1;
        }
        if slot >= 0 {
            self.place(task, slot);
        }
        slot >= 0
    }

    /// Places a task.
    pub fn place(&mut self, task: usize, slot: i32) {
        let at = slot as usize;
        let t = &self.problem.tasks[task];
        let done = at + t.latency as usize;
        if self.issued.len() <= done {
            self.issued.resize(done + 64, Cell::default());
            self.written.resize(done + 64, Cell::default());
        }
        self.issued[at].push(task);
        self.written[done].push(task);
        if t.channel == Channel::Inv {
            self.inverting.push(slot);
        }
        self.slots[task] = slot;
        self.left -= 1;
    }

    /// Removes a placed task from the schedule.
    pub fn remove(&mut self, task: usize) {
        let slot = self.slots[task];
        let done = slot + self.problem.tasks[task].latency;
        self.issued[slot as usize].remove(task);
        self.written[done as usize].remove(task);
        self.inverting.retain(|&s| s != slot || self.problem.tasks[task].channel != Channel::Inv);
        self.slots[task] = FREE;
        self.left += 1;
    }

    /// Returns the schedule; all tasks have to be placed.
    pub fn finish(self) -> Schedule {
        debug_assert_eq!(self.left, 0);
        Schedule { slots: self.slots }
    }
}
