//! Lowers a program to operations of the engine: operations of 32 bits instead of 64, stores and loads of the values that
//! registers cannot hold, and the dependence graph for the scheduler.

use super::{Tile, TileError};
use crate::program::{Class, LANES, Op, Operation, Path, Program, ValueKind};
use pairwright_sim::schedule::{Graph, Machine};
use std::collections::{BTreeMap, BTreeSet};

/// An operation of a tile: one of the program's, or one that only the engine has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TileOp {
    /// An operation of the program, except those of 64 bits.
    Program(Op),
    /// Acquires the lock of a link's buffer in shared memory, before the buffer is read or written.
    Acquire {
        link: usize,
        receives: bool,
    },
    /// Releases that lock after the access.
    Release {
        link: usize,
        receives: bool,
    },
    /// Stores a vector or an accumulator to a spill place of the task.
    Spill(ValueKind, usize),
    /// Loads a spilled vector or accumulator.
    Reload(ValueKind, usize),
    /// Moves four of an accumulator's eight lanes to lanes of 64 bits in a vector.
    SrsLongHalf {
        half: usize,
    },
    /// The sum of two scalars and the carry of the scalar sum issued in the cycle before.
    AddCarry,
    Or,
    /// A logical shift to the right.
    ShiftRightLogical(u32),
    ShiftLeft(u32),
}

impl TileOp {
    pub(super) const fn class(&self) -> Class {
        match self {
            Self::Program(op) => op.class(),
            Self::Acquire { .. } => Class::Acquire,
            Self::Release { .. } => Class::Release,
            Self::Spill(kind, _) => Class::Store(*kind),
            Self::Reload(kind, _) => Class::Load(*kind),
            Self::SrsLongHalf { .. } => Class::Srs,
            Self::AddCarry | Self::Or | Self::ShiftRightLogical(_) | Self::ShiftLeft(_) => Class::Scalar,
        }
    }

    /// The register file of the result.
    pub(super) fn file(&self) -> Option<ValueKind> {
        match self {
            Self::Program(op) => op.register().map(|register| register.kind()),
            Self::Acquire { .. } | Self::Release { .. } | Self::Spill(..) => None,
            Self::Reload(kind, _) => Some(*kind),
            Self::SrsLongHalf { .. } => Some(ValueKind::Vector),
            Self::AddCarry | Self::Or | Self::ShiftRightLogical(_) | Self::ShiftLeft(_) => {
                Some(ValueKind::Scalar)
            }
        }
    }

    /// The mnemonic in listings.
    fn name(&self) -> String {
        match self {
            Self::Program(op) => op.name(),
            Self::Acquire { link, .. } => format!("acquire {link}"),
            Self::Release { link, .. } => format!("release {link}"),
            Self::Spill(_, n) => format!("spill {n}"),
            Self::Reload(_, n) => format!("reload {n}"),
            Self::SrsLongHalf { half } => format!("srs long {half}"),
            Self::AddCarry => "addc".to_owned(),
            Self::Or => "or".to_owned(),
            Self::ShiftRightLogical(by) => format!("lsr {by}"),
            Self::ShiftLeft(by) => format!("lsl {by}"),
        }
    }

    /// If the operation moves a value between tiles: the link, its path, the kind of value, and whether it is received.
    pub(super) const fn transfer(&self) -> Option<(usize, Path, ValueKind, bool)> {
        match *self {
            Self::Program(Op::Receive { link, path, kind }) => Some((link, path, kind, true)),
            Self::Program(Op::Send { link, path, kind }) => Some((link, path, kind, false)),
            _ => None,
        }
    }

    /// Whether the operation's value is in memory before the task and is loaded at every use.
    const fn is_in_memory(&self) -> bool {
        matches!(self, Self::Program(Op::Load { .. } | Op::Constant(_)))
    }
}

/// An operation of a tile with the indices of the instructions whose values it uses. The accumulator of a
/// multiply-accumulate is the fourth operand.
#[derive(Clone, Debug)]
pub(super) struct Instruction {
    pub(super) op: TileOp,
    pub(super) operands: Vec<usize>,
}

impl Instruction {
    /// The constant that it loads.
    pub(super) fn constant(&self) -> Option<&[i32; LANES]> {
        if let TileOp::Program(Op::Constant(lanes)) = &self.op { Some(lanes) } else { None }
    }
}

/// The instructions of one task with their dependence graph.
#[derive(Clone, Debug)]
pub(super) struct Body {
    /// The instructions, in an order that computes every value before its use. Values that are held in registers
    /// throughout are in the list but not issued in the body.
    pub(super) instructions: Vec<Instruction>,
    /// For each instruction, its index in the graph; `None` for values that are held in registers.
    pub(super) place: Vec<Option<usize>>,
    /// For each operation of the graph, the index of its instruction.
    pub(super) instruction: Vec<usize>,
    pub(super) graph: Graph,
    /// The number of spill places of a task, for vectors and for accumulators.
    pub(super) spilled: [usize; 2],
}

/// The share of the registers for each purpose, decided before scheduling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RegisterShare {
    /// Whether registers are assigned before scheduling, in program order, or after it.
    pub(super) assign_first: bool,
    /// The number of constant vectors that stay in registers; the most used ones are chosen.
    pub(super) held_constants: usize,
    /// Vectors and accumulators that may be alive at once in program order; others are spilled.
    pub(super) alive: [usize; 2],
    /// The greatest number of tasks that a loop may have begun to receive before it has sent all results of the first of
    /// them; `None` without a bound.
    pub(super) in_flight: Option<u32>,
    /// Whether the code runs once. If so, scalar constants are operations of the body; otherwise they are in registers
    /// before it.
    pub(super) once: bool,
}

impl Body {
    pub(super) fn new(program: &Program, tile: &Tile, share: RegisterShare) -> Result<Self, TileError> {
        let instructions = lowered(program);
        let held = held(&instructions, share.held_constants);
        let memory = Memory::new(&instructions, &held, share.alive);
        let (instructions, spilled) = memory.through(&instructions)?;
        let mut graph = Graph::new();
        let machine = &tile.machine;
        let (mut place, mut instruction) = (Vec::with_capacity(instructions.len()), Vec::new());
        let mut kept = [0; 3];
        for (at, i) in instructions.iter().enumerate() {
            // Constants that are held throughout are first in the list.
            if at < held.len() || !share.once && matches!(i.op, TileOp::Program(Op::Immediate(_))) {
                kept[i.op.file().map_or(0, |file| file as usize)] += 1;
                place.push(None);
                continue;
            }
            let op = graph.op(machine, &i.op.class().to_string(), i.op.name())?;
            place.push(Some(op));
            instruction.push(at);
            for (n, &from) in i.operands.iter().enumerate() {
                let Some(from) = place[from] else { continue };
                let acc = matches!(i.op, TileOp::Program(Op::Mac { .. })) && n == 3;
                graph.flow(machine, from, op, acc.then_some("acc"), 0)?;
                if let (Some((_, path, kind, false)), Some(edge)) = (i.op.transfer(), graph.edges.last_mut())
                {
                    // The register of a sent value is read until the last access of the send.
                    edge.reads = kind.accesses(path).last().map(|access| access.0);
                }
            }
            if i.op == TileOp::AddCarry {
                // The sum whose carry is added is the instruction before this one.
                let below = place[at - 1].ok_or(TileError::UnissuedCarry)?;
                graph.fix(below, op, 1);
            }
        }
        memory_order(&instructions, &place, tile, &mut graph)?;
        link_order(&instructions, &place, machine, share.in_flight, &mut graph);
        graph.held = machine
            .files
            .iter()
            .map(|f| ValueKind::ALL.iter().position(|kind| kind.name() == f.name).map_or(0, |n| kept[n]))
            .collect();
        Ok(Self { instructions, place, instruction, graph, spilled })
    }

    /// The tile's operation for an operation of the graph.
    pub(super) fn op(&self, op: usize) -> &TileOp {
        &self.instructions[self.instruction[op]].op
    }
}

/// Rewrites the program in operations of the engine. A value of 64 bits becomes two of 32, the low word first.
fn lowered(program: &Program) -> Vec<Instruction> {
    let mut instructions: Vec<Instruction> = Vec::new();
    // For each operation of the program, the index of its value, or those of its two halves.
    let mut values: Vec<[usize; 2]> = Vec::new();
    for &Operation { op, operands } in &program.ops {
        let v = |n: usize| values[operands[n]][0];
        let mut push = |op, operands: Vec<usize>| {
            instructions.push(Instruction { op, operands });
            instructions.len() - 1
        };
        let scalar = |op| TileOp::Program(op);
        let value = match op {
            Op::Receive { link, path: Path::Memory, .. } | Op::Send { link, path: Path::Memory, .. } => {
                let receives = matches!(op, Op::Receive { .. });
                push(TileOp::Acquire { link, receives }, vec![]);
                let value = push(TileOp::Program(op), (0..operands.len()).map(v).collect());
                push(TileOp::Release { link, receives }, vec![]);
                [value; 2]
            }
            Op::SrsLong => [0, 1].map(|half| push(TileOp::SrsLongHalf { half }, vec![v(0)])),
            Op::ExtractLong { lane } => {
                let half = values[operands[0]][lane / (LANES / 2)];
                [0, 1].map(|word| {
                    let lane = 2 * (lane % (LANES / 2)) + word;
                    push(TileOp::Program(Op::Extract { lane }), vec![half])
                })
            }
            Op::LongAdd => {
                let [low, high] = values[operands[0]];
                let sign = push(scalar(Op::ScalarShift(31)), vec![v(1)]);
                let low = push(scalar(Op::ScalarAdd), vec![low, v(1)]);
                [low, push(TileOp::AddCarry, vec![high, sign])]
            }
            Op::LongAnd => [push(scalar(Op::ScalarAnd), vec![v(0), v(1)]); 2],
            Op::LongShift(by) => {
                let [low, high] = values[operands[0]];
                let low = push(TileOp::ShiftRightLogical(by), vec![low]);
                let high = push(TileOp::ShiftLeft(32 - by), vec![high]);
                [push(TileOp::Or, vec![low, high]); 2]
            }
            _ => [push(TileOp::Program(op), (0..operands.len()).map(v).collect()); 2],
        };
        values.push(value);
    }
    instructions
}

/// The most used constant vectors, in program order where uses are equal.
fn held(instructions: &[Instruction], most: usize) -> Vec<usize> {
    let mut uses = vec![0_usize; instructions.len()];
    instructions.iter().flat_map(|i| &i.operands).for_each(|&o| uses[o] += 1);
    let mut constants: Vec<usize> =
        (0..instructions.len()).filter(|&at| instructions[at].constant().is_some()).collect();
    constants.sort_by_key(|&at| core::cmp::Reverse(uses[at]));
    constants.truncate(most);
    constants
}

/// A walk through the program that tracks which values are in registers and which are spilled. When a register is needed,
/// the value whose next use is furthest away is spilled (Belady).
struct Memory<'a> {
    instructions: &'a [Instruction],
    held: &'a [usize],
    limits: [usize; 2],
    /// Future uses of each value, the next one last.
    uses: Vec<Vec<usize>>,
    /// The vectors and the accumulators that are in registers.
    resident: [BTreeSet<usize>; 2],
    /// Values that have been spilled, with their places in memory.
    gone: BTreeMap<usize, usize>,
    /// The number of spill places in use, by kind.
    places: [usize; 2],
}

impl<'a> Memory<'a> {
    fn new(instructions: &'a [Instruction], held: &'a [usize], limits: [usize; 2]) -> Self {
        let mut uses = vec![Vec::new(); instructions.len()];
        for (at, i) in instructions.iter().enumerate().rev() {
            i.operands.iter().for_each(|&o| uses[o].push(at));
        }
        let (resident, gone) = (Default::default(), BTreeMap::new());
        Self { instructions, held, limits, uses, resident, gone, places: [0; 2] }
    }

    /// The file of a value that can be spilled, which is a vector or an accumulator.
    fn spillable(&self, value: usize) -> Option<ValueKind> {
        self.instructions[value].op.file().filter(|&file| file != ValueKind::Scalar)
    }

    /// The instructions with stores and loads of spilled values, held constants first, and the number of spill places for
    /// vectors and for accumulators.
    fn through(mut self, instructions: &[Instruction]) -> Result<(Vec<Instruction>, [usize; 2]), TileError> {
        let mut out: Vec<Instruction> = self.held.iter().map(|&at| instructions[at].clone()).collect();
        // For each value, the index in `out` of the instruction that holds it now.
        let mut at_now: BTreeMap<usize, usize> =
            self.held.iter().enumerate().map(|(n, &at)| (at, n)).collect();
        let mut first: BTreeMap<usize, usize> = BTreeMap::new();
        for (at, i) in instructions.iter().enumerate() {
            if i.op.is_in_memory() {
                continue;
            }
            let needed: BTreeSet<usize> = i.operands.iter().copied().collect();
            for &value in &needed {
                let Some(file) = self.spillable(value) else { continue };
                if self.resident[file as usize].contains(&value) || self.held.contains(&value) {
                    continue;
                }
                self.make_room(file, &needed)?;
                let op = match instructions[value].op {
                    op if op.is_in_memory() => op,
                    _ => TileOp::Reload(file, self.gone[&value]),
                };
                out.push(Instruction { op, operands: vec![] });
                at_now.insert(value, out.len() - 1);
                self.resident[file as usize].insert(value);
            }
            let operands = i.operands.iter().map(|o| at_now[o]).collect();
            for &value in &needed {
                self.uses[value].retain(|&u| u > at);
                if self.uses[value].is_empty() {
                    self.resident.iter_mut().for_each(|r| {
                        r.remove(&value);
                    });
                }
            }
            if let Some(file) = self.spillable(at) {
                self.make_room(file, &BTreeSet::new())?;
                if !self.uses[at].is_empty() {
                    self.resident[file as usize].insert(at);
                }
            }
            out.push(Instruction { op: i.op, operands });
            at_now.insert(at, out.len() - 1);
            first.insert(at, out.len() - 1);
        }
        let stores = self.gone.iter().map(|(value, &place)| (first[value], place)).collect();
        Ok((with_stores(out, &stores), self.places))
    }

    /// Spills values until one more fits the file.
    fn make_room(&mut self, file: ValueKind, needed: &BTreeSet<usize>) -> Result<(), TileError> {
        let (n, registers) = (file as usize, self.limits[file as usize]);
        while self.resident[n].len() >= registers {
            let next = |v: &usize| self.uses[*v].last().copied().unwrap_or(usize::MAX);
            let furthest = self.resident[n].iter().copied().filter(|v| !needed.contains(v)).max_by_key(next);
            let furthest = furthest.ok_or(TileError::TooFewRegisters { file: file.name(), registers })?;
            if !self.instructions[furthest].op.is_in_memory() && !self.gone.contains_key(&furthest) {
                self.gone.insert(furthest, self.places[n]);
                self.places[n] += 1;
            }
            self.resident[n].remove(&furthest);
        }
        Ok(())
    }
}

/// The instructions with a store to the given place right after each value that is reloaded later.
fn with_stores(instructions: Vec<Instruction>, stores: &BTreeMap<usize, usize>) -> Vec<Instruction> {
    let mut now = Vec::with_capacity(instructions.len());
    let mut out: Vec<Instruction> = Vec::with_capacity(instructions.len() + stores.len());
    for (at, mut i) in instructions.into_iter().enumerate() {
        i.operands.iter_mut().for_each(|o| *o = now[*o]);
        let file = i.op.file().unwrap_or(ValueKind::Vector);
        now.push(out.len());
        out.push(i);
        if let Some(&place) = stores.get(&at) {
            out.push(Instruction { op: TileOp::Spill(file, place), operands: vec![now[at]] });
        }
    }
    out
}

/// Adds edges so that every load of a place follows its store, and the next task's store follows these loads.
fn memory_order(
    instructions: &[Instruction],
    place: &[Option<usize>],
    tile: &Tile,
    graph: &mut Graph,
) -> Result<(), TileError> {
    let mut stored: BTreeMap<(ValueKind, usize), usize> = BTreeMap::new();
    for (at, i) in instructions.iter().enumerate() {
        let Some(op) = place[at] else { continue };
        match i.op {
            TileOp::Spill(kind, n) => {
                stored.insert((kind, n), op);
            }
            TileOp::Reload(kind, n) => {
                let store = stored[&(kind, n)];
                let class = tile.machine.class(&Class::Store(kind).to_string())?;
                let visible = tile.machine.classes[class].latency;
                graph.order(store, op, i32::try_from(visible).unwrap_or(i32::MAX), 0);
                graph.order(op, store, 0, 1);
            }
            _ => {}
        }
    }
    Ok(())
}

/// Orders the transfers of each link as in the program, within a task and from one task to the next: a transfer begins
/// when all words of the previous one have been accessed. A buffer in memory is accessed once between the acquisition of
/// its lock and its release, which are placed as close together as possible: a lock held while another one is waited for
/// could deadlock both tiles.
///
/// With a bound on tasks in flight, the receives of a task follow all sends of the task that many before it: then no link
/// runs further ahead of another, and FIFOs that hold that many tasks suffice.
fn link_order(
    instructions: &[Instruction],
    place: &[Option<usize>],
    machine: &Machine,
    in_flight: Option<u32>,
    graph: &mut Graph,
) {
    let cycles = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    // For each link, its transfers: first operation, last operation, and the delay after the last one until the next may
    // begin.
    let mut links: BTreeMap<(bool, usize), Vec<(usize, usize, i32)>> = BTreeMap::new();
    for (at, i) in instructions.iter().enumerate() {
        let Some(op) = place[at] else { continue };
        match i.op {
            TileOp::Acquire { link, receives } => {
                links.entry((receives, link)).or_default().push((op, op, 1))
            }
            TileOp::Release { link, receives } => {
                if let Some((_, last, apart)) = links.entry((receives, link)).or_default().last_mut() {
                    graph.fix(*last, op, *apart);
                    (*last, *apart) = (op, 1);
                }
            }
            _ => {
                let Some((link, path, kind, receives)) = i.op.transfer() else { continue };
                let ops = links.entry((receives, link)).or_default();
                match ops.last_mut().filter(|_| path == Path::Memory) {
                    Some((acquire, last, apart)) => {
                        let class = &machine.classes[graph.ops[*acquire].class];
                        graph.fix(*acquire, op, cycles(class.latency as usize));
                        (*last, *apart) = (op, cycles(kind.memory_accesses()));
                    }
                    None => ops.push((op, op, cycles(kind.beats(path)))),
                }
            }
        }
    }
    if let Some(tasks) = in_flight {
        let ends =
            |receives: bool| links.iter().filter(move |((r, _), _)| *r == receives).map(|(_, ops)| ops);
        for sent in ends(false).filter_map(|ops| ops.last()) {
            for received in ends(true).filter_map(|ops| ops.first()) {
                graph.order(sent.1, received.0, 1, tasks);
            }
        }
    }
    for ops in links.values() {
        ops.windows(2).for_each(|w| graph.order(w[0].1, w[1].0, w[0].2, 0));
        if let [first, .., last] = ops[..] {
            graph.order(last.1, first.0, last.2, 1);
        }
    }
}
