//! The reservation table: what of the machine is taken in which slot, and whether a task may issue there.

use super::problem::{Problem, Schedule};
use crate::isa::Channel;

/// A partial schedule with what it occupies.
pub struct Table<'p> {
    problem: &'p Problem,
    /// Slot of each task; `i32::MIN` while it has none.
    slots: Vec<i32>,
    issued: Vec<u8>,
    arith: Vec<bool>,
    mm: Vec<bool>,
    inverting: Vec<bool>,
    /// Rows read for the tasks of a slot.
    reads: Vec<u8>,
    /// Results that reach write-back in a slot.
    writes: Vec<u8>,
    left: usize,
}

const FREE: i32 = i32::MIN;

impl<'p> Table<'p> {
    /// An empty table.
    pub fn new(problem: &'p Problem) -> Self {
        let n = problem.tasks.len();
        Self {
            problem,
            slots: vec![FREE; n],
            issued: Vec::with_capacity(256),
            arith: Vec::with_capacity(256),
            mm: Vec::with_capacity(256),
            inverting: Vec::with_capacity(256),
            reads: Vec::with_capacity(256),
            writes: Vec::with_capacity(256),
            left: n,
        }
    }

    /// The slot of a task that has one.
    pub fn slot(&self, task: usize) -> Option<i32> {
        (self.slots[task] != FREE).then(|| self.slots[task])
    }

    /// Tasks without a slot.
    pub fn left(&self) -> usize {
        self.left
    }

    /// The earliest slot that the dependences of a task allow, its predecessors being placed.
    pub fn ready(&self, task: usize) -> i32 {
        let p = self.problem;
        let t = &p.tasks[task];
        let gap = p.least_gap();
        let data = t.data.iter().map(|&j| self.slots[j] + p.tasks[j].latency + gap);
        let after = t.after.iter().map(|&(j, d)| self.slots[j] + d);
        data.chain(after).max().unwrap_or(0).max(0)
    }

    /// Whether a task may issue in a slot: dependences, one forwarding path per word, issue width, channels.
    pub fn fits(&self, task: usize, slot: i32) -> bool {
        let p = self.problem;
        let t = &p.tasks[task];
        let mut path = None;
        let mut reads = t.inputs;
        for &j in &t.data {
            match p.path(slot - self.slots[j] - p.tasks[j].latency) {
                Err(()) => return false,
                Ok(None) => reads += 1,
                Ok(found) if path.is_none() || path == found => path = found,
                Ok(_) => return false,
            }
        }
        let taken = |table: &[bool], s: i32| s >= 0 && table.get(s as usize).copied().unwrap_or(false);
        let issued = self.issued.get(slot as usize).copied().unwrap_or(0);
        if u32::from(issued) >= p.width || taken(&self.inverting, slot) {
            return false;
        }
        let counted = |table: &[u8], s: i32| table.get(s as usize).copied().unwrap_or(0) as usize;
        if counted(&self.reads, slot) + reads > p.reads
            || counted(&self.writes, slot + t.latency) + 1 > p.writes
        {
            return false;
        }
        match t.channel {
            Channel::Arith => !taken(&self.arith, slot),
            Channel::Mm => {
                (slot - p.mm_interval + 1..slot + p.mm_interval).all(|s| !taken(&self.mm, s))
                    && (slot..slot + p.mm_latency).all(|s| !taken(&self.inverting, s))
            }
            // The inverter runs on the multiplier: nothing may be in flight there, and it issues alone.
            Channel::Inv => issued == 0 && (slot - p.mm_latency + 1..=slot).all(|s| !taken(&self.mm, s)),
        }
    }

    /// Places a task in the earliest slot that fits, from its ready slot on.
    pub fn place_earliest(&mut self, task: usize) {
        let mut slot = self.ready(task);
        while !self.fits(task, slot) {
            slot += 1;
        }
        self.place(task, slot);
    }

    /// Places a task.
    pub fn place(&mut self, task: usize, slot: i32) {
        let at = slot as usize;
        let t = &self.problem.tasks[task];
        let done = at + t.latency as usize;
        if self.issued.len() <= done {
            let to = done + 64;
            for table in [&mut self.issued, &mut self.reads, &mut self.writes] {
                table.resize(to, 0);
            }
            for table in [&mut self.arith, &mut self.mm, &mut self.inverting] {
                table.resize(to, false);
            }
        }
        self.issued[at] += 1;
        self.writes[done] += 1;
        let forwarded = |&&j: &&usize| slot - self.slots[j] - self.problem.tasks[j].latency < 2;
        let from_rows = t.data.len() - t.data.iter().filter(forwarded).count();
        self.reads[at] += (t.inputs + from_rows) as u8;
        match t.channel {
            Channel::Arith => self.arith[at] = true,
            Channel::Mm => self.mm[at] = true,
            Channel::Inv => self.inverting[at] = true,
        }
        self.slots[task] = slot;
        self.left -= 1;
    }

    /// The schedule, all tasks being placed.
    pub fn finish(self) -> Schedule {
        debug_assert_eq!(self.left, 0);
        Schedule { slots: self.slots }
    }
}
