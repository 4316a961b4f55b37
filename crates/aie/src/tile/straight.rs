//! Straight-line kernels for one task, with which \[AIE\] IV.A measures latency.

use super::lower::{Body, RegisterShare, TileOp};
use super::plan::TilePlan;
use super::registers::{self, Registers};
use super::{Kernel, Tile, TileError};
use crate::program::{Op, Program, ValueKind};
use pairwright_sim::schedule::{Block, Edge, Graph, Issue, Machine, check_block};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// When a straight-line kernel reads the values that other tiles send.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reads {
    /// Each read is as late as its users allow, so that the tile continues with other operations until the value arrives.
    #[default]
    Needed,
    /// All reads precede all computation, as the paper's compiler places them, \[AIE\] IV.C.2.
    First,
}

/// The greatest number of operations of a program for which more than one share of the registers is tried.
const LARGE: usize = 1024;
/// The greatest number of operations of a program for which registers are also assigned after scheduling.
const SMALL: usize = 320;

impl Kernel {
    /// Schedules a program as straight-line code for one task, including the loads of its constants, and takes the kernel
    /// with the earliest last result. Operations and sends are placed early, those on the longest chains first; reads are
    /// placed as `reads` says.
    ///
    /// # Errors
    /// The errors of [`Kernel::schedule`].
    pub fn straight(program: &Program, tile: &Tile, reads: Reads) -> Result<Self, TileError> {
        let tile = &tile.scheduled();
        let program = if program.has_transfers() { program.clone() } else { program.pruned() };
        let program = if reads == Reads::First { reads_first(&program) } else { program };
        let tried =
            shares(tile, program.ops.len()).into_iter().map(|share| once(&program, tile, share, reads));
        super::best(tried, cost, |_| false)
    }
}

/// The cost of a kernel: the cycle of its last result, then the sum of the cycles of all sends.
fn cost(kernel: &Kernel) -> (u32, u64) {
    let sends = kernel.transfers().into_iter().filter(|t| !t.receives);
    (kernel.latency(), sends.map(|t| u64::from(t.cycle)).sum())
}

/// The shares of the registers that are tried, the most promising first.
fn shares(tile: &Tile, ops: usize) -> Vec<RegisterShare> {
    let (vectors, accumulators) = (tile.registers(ValueKind::Vector), tile.registers(ValueKind::Accumulator));
    let share = |assign_first, slack| RegisterShare {
        assign_first,
        held_constants: 0,
        in_flight: None,
        alive: [vectors.saturating_sub(slack), accumulators],
        once: true,
    };
    let mut shares = vec![share(true, 0), share(true, 2)];
    if ops <= SMALL {
        shares.push(share(false, 0));
    }
    if ops > LARGE {
        shares.truncate(1);
    }
    shares
}

fn once(program: &Program, tile: &Tile, share: RegisterShare, reads: Reads) -> Result<Kernel, TileError> {
    let mut body = Body::new(program, tile, share)?;
    if reads == Reads::First {
        wait_for_reads(&mut body);
    }
    let mut machine = tile.machine.clone();
    let early = if share.assign_first {
        let early = registers::assign_first(&mut body, tile).map_err(TileError::Unassigned)?;
        machine.files.iter_mut().for_each(|f| f.size = u32::MAX);
        Some(early)
    } else {
        None
    };
    let mut block = Block::new(&machine, &body.graph)?;
    if reads == Reads::Needed {
        read_late(&tile.machine, &body, &mut block.ops);
    }
    let registers = match early {
        Some(registers) => registers,
        // The code is no loop, so the first free registers suffice.
        None => {
            Registers::assign(&body, tile, &block.ops, block.latency + 1).map_err(TileError::Unassigned)?
        }
    };
    check_block(&tile.machine, &body.graph, &block.facts())?;
    Kernel::fits(program, tile, body, TilePlan::Once(block), registers)
}

/// The program with all reads first, in their order.
fn reads_first(program: &Program) -> Program {
    let (first, then): (Vec<usize>, Vec<usize>) =
        (0..program.ops.len()).partition(|&at| matches!(program.ops[at].op, Op::Receive { .. }));
    program.reordered(&[first, then].concat())
}

/// Adds edges so that computation starts after the last read of every link. Constants are loaded meanwhile, and values
/// that do not fit the registers are spilled.
fn wait_for_reads(body: &mut Body) {
    let mut last = BTreeMap::new();
    let mut waiting = Vec::new();
    for op in 0..body.graph.ops.len() {
        match body.op(op) {
            TileOp::Program(Op::Receive { link, .. }) => {
                last.insert(*link, op);
            }
            TileOp::Program(Op::Load { .. } | Op::Constant(_) | Op::Immediate(_))
            | TileOp::Spill(..)
            | TileOp::Reload(..)
            | TileOp::Acquire { receives: true, .. }
            | TileOp::Release { receives: true, .. } => {}
            _ => waiting.push(op),
        }
    }
    for &read in last.values() {
        waiting.iter().filter(|&&op| op != read).for_each(|&op| body.graph.order(read, op, 1, 0));
    }
}

/// Moves reads to the latest cycles that their users allow, the last reads first; reads of shared memory move together
/// with their locks.
fn read_late(machine: &Machine, body: &Body, issues: &mut [Issue]) {
    let graph = &body.graph;
    let mut table = Table::new(machine, graph, issues);
    let read = |&op: &usize| matches!(body.op(op), TileOp::Program(Op::Receive { .. }));
    let mut reads: Vec<usize> = (0..issues.len()).filter(read).collect();
    reads.sort_by_key(|&op| std::cmp::Reverse(issues[op].cycle));
    for op in reads {
        let tied = graph.fixed.iter().filter(|f| f.from == op || f.to == op);
        let ops: Vec<usize> = tied.map(|f| if f.from == op { f.to } else { f.from }).chain([op]).collect();
        let after =
            graph.edges.iter().filter(|e| e.distance == 0 && ops.contains(&e.from) && !ops.contains(&e.to));
        let room =
            |e: &Edge| i64::from(issues[e.to].cycle) - i64::from(e.delay) - i64::from(issues[e.from].cycle);
        let Some(most) = after.map(room).min().and_then(|l| u32::try_from(l).ok()).filter(|&l| l > 0) else {
            continue;
        };
        let now: Vec<Issue> = ops.iter().map(|&op| issues[op]).collect();
        ops.iter().zip(&now).for_each(|(&op, &issue)| table.give(op, issue));
        let ways = machine.classes[graph.ops[op].class].ways.len();
        // In `ops`, the read itself is last.
        let later = |by: u32, way: usize| {
            let mut places: Vec<Issue> =
                now.iter().map(|i| Issue { cycle: i.cycle + by, way: i.way }).collect();
            places.last_mut().into_iter().for_each(|read| read.way = way);
            places
        };
        let mut all = (1..=most).rev().flat_map(|by| (0..ways).map(move |way| (by, way)));
        let found = all.find_map(|(by, way)| {
            let places = later(by, way);
            ops.iter().zip(&places).all(|(&op, &place)| table.free(op, place)).then_some(places)
        });
        for (&op, place) in ops.iter().zip(found.unwrap_or(now)) {
            issues[op] = place;
            table.take(op, place);
        }
    }
}

/// The use of every slot in every cycle of a schedule.
struct Table<'a> {
    machine: &'a Machine,
    graph: &'a Graph,
    taken: BTreeMap<(&'a str, u32), u32>,
}

impl<'a> Table<'a> {
    fn new(machine: &'a Machine, graph: &'a Graph, issues: &[Issue]) -> Self {
        let mut table = Self { machine, graph, taken: BTreeMap::new() };
        issues.iter().enumerate().for_each(|(op, &issue)| table.take(op, issue));
        table
    }

    fn cells(&self, op: usize, issue: Issue) -> Vec<(&'a str, u32)> {
        let machine: &'a Machine = self.machine;
        let uses = &machine.classes[self.graph.ops[op].class].ways[issue.way];
        let cells = uses.iter().flat_map(|u| (u.from..u.from + u.cycles).map(|c| (u.slot.as_str(), c)));
        cells.map(|(slot, c)| (slot, issue.cycle + c)).collect()
    }

    fn take(&mut self, op: usize, issue: Issue) {
        self.cells(op, issue).into_iter().for_each(|cell| *self.taken.entry(cell).or_default() += 1);
    }

    fn give(&mut self, op: usize, issue: Issue) {
        for cell in self.cells(op, issue) {
            self.taken.entry(cell).and_modify(|taken| *taken -= 1);
        }
    }

    fn free(&self, op: usize, issue: Issue) -> bool {
        let count = |slot: &str| self.machine.slots.iter().find(|s| s.name == slot).map_or(0, |s| s.count);
        // An operation may use a slot more than once in a cycle.
        let cells = self.cells(op, issue);
        let free = |cell: &(&'a str, u32)| {
            let wanted = cells.iter().filter(|c| *c == cell).count() as u32;
            self.taken.get(cell).copied().unwrap_or(0) + wanted <= count(cell.0)
        };
        cells.iter().all(free)
    }
}

#[cfg(test)]
mod tests;
