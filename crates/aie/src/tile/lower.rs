//! From a program to what the engine issues: operations of 32 bits where the program has 64, values brought from and
//! taken to memory where registers end, and the graph of what waits for what.

use super::{Tile, TileError};
use crate::program::{LANES, Op, Path, Payload, Program, Rounding, Sign};
use pairwright_sim::schedule::{Graph, Machine};
use std::collections::{BTreeMap, BTreeSet};

/// What an operation does with its operands, in the order of [`Step::operands`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Action {
    Operand {
        number: usize,
        half: usize,
    },
    Constant([i32; LANES]),
    Result {
        number: usize,
        half: usize,
    },
    Receive {
        link: usize,
        path: Path,
        payload: Payload,
    },
    Send {
        link: usize,
        path: Path,
        payload: Payload,
    },
    /// The lock of a link's buffer in shared memory, before it is read or written.
    Acquire {
        link: usize,
        receives: bool,
    },
    /// And after it.
    Release {
        link: usize,
        receives: bool,
    },
    /// To a place in memory that is the task's own.
    Spill(usize),
    Reload(usize),
    SpillAccumulator(usize),
    ReloadAccumulator(usize),
    /// Operands x, x', z, and the accumulator if there is one.
    Mac {
        sign: Sign,
        xs: [u8; LANES],
        zs: [u8; LANES],
    },
    Srs {
        shift: u32,
        rounding: Rounding,
    },
    /// Four of the eight lanes as 64 bits each.
    SrsLong {
        half: usize,
    },
    Ups,
    Add,
    Sub,
    Permute([u8; LANES]),
    Extract {
        lane: usize,
    },
    Update {
        lane: usize,
    },
    Immediate(i32),
    ScalarAdd,
    /// With the carry of the scalar sum issued in the cycle before.
    ScalarAddCarry,
    ScalarAnd,
    ScalarOr,
    /// With the sign.
    ShiftRight(u32),
    /// Without.
    ShiftDown(u32),
    ShiftUp(u32),
}

/// The files in the order in which this module counts them.
pub(super) const FILES: [&str; 3] = ["vector", "accumulator", "scalar"];

impl Action {
    /// Its class in the machine.
    pub(super) fn class(&self) -> &'static str {
        match self {
            Self::Operand { .. } | Self::Constant(_) | Self::Reload(_) => "load",
            Self::Result { .. } | Self::Spill(_) => "store",
            Self::Receive { path, payload, .. } => match (path, payload) {
                (Path::Stream, Payload::Vector) => "receive stream vector",
                (Path::Stream, Payload::Accumulator) => "receive stream accumulator",
                (Path::Stream, Payload::Scalar) => "receive stream scalar",
                (Path::Cascade, Payload::Vector) => "receive cascade vector",
                (Path::Cascade, Payload::Accumulator) => "receive cascade accumulator",
                (Path::Cascade, Payload::Scalar) => "receive cascade scalar",
                (Path::Memory, Payload::Vector) => "load",
                (Path::Memory, Payload::Accumulator) => "load accumulator",
                (Path::Memory, Payload::Scalar) => "load scalar",
            },
            Self::Send { path, payload, .. } => match (path, payload) {
                (Path::Stream, Payload::Vector) => "send stream vector",
                (Path::Stream, Payload::Accumulator) => "send stream accumulator",
                (Path::Stream, Payload::Scalar) => "send stream scalar",
                (Path::Cascade, Payload::Vector) => "send cascade vector",
                (Path::Cascade, Payload::Accumulator) => "send cascade accumulator",
                (Path::Cascade, Payload::Scalar) => "send cascade scalar",
                (Path::Memory, Payload::Vector | Payload::Scalar) => "store",
                (Path::Memory, Payload::Accumulator) => "store accumulator",
            },
            Self::Acquire { .. } => "acquire",
            Self::Release { .. } => "release",
            Self::SpillAccumulator(_) => "store accumulator",
            Self::ReloadAccumulator(_) => "load accumulator",
            Self::Mac { .. } => "mac",
            Self::Srs { .. } | Self::SrsLong { .. } => "srs",
            Self::Ups => "ups",
            Self::Add | Self::Sub | Self::Permute(_) => "vector",
            Self::Extract { .. } => "extract",
            Self::Update { .. } => "update",
            _ => "scalar",
        }
    }

    /// Where its result goes: an index into [`FILES`].
    pub(super) fn file(&self) -> Option<usize> {
        if let Self::Receive { payload, .. } = self {
            return Some(match payload {
                Payload::Vector => 0,
                Payload::Accumulator => 1,
                Payload::Scalar => 2,
            });
        }
        match self.class() {
            "store" | "store accumulator" | "acquire" | "release" => None,
            _ if matches!(self, Self::Send { .. }) => None,
            "load" | "srs" | "vector" | "update" => Some(0),
            "load accumulator" | "mac" | "ups" => Some(1),
            _ => Some(2),
        }
    }
}

/// An operation of the engine; its value is named by its place.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) action: Action,
    pub(super) operands: Vec<usize>,
}

impl Step {
    /// The constant that it loads, if it does.
    pub(super) fn constant(&self) -> Option<&[i32; LANES]> {
        if let Action::Constant(lanes) = &self.action { Some(lanes) } else { None }
    }
}

/// The body of a task.
#[derive(Clone, Debug)]
pub(super) struct Body {
    /// In an order that computes every value before its use. Those of `held` are not issued in the body.
    pub(super) steps: Vec<Step>,
    /// For each step, its place in the graph; none for what is held in registers.
    pub(super) place: Vec<Option<usize>>,
    /// For each operation of the graph, its step.
    pub(super) step: Vec<usize>,
    pub(super) graph: Graph,
    /// Places in memory for values of the task: vectors, accumulators.
    pub(super) spilled: [usize; 2],
}

/// How registers are shared out before scheduling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Share {
    /// Are registers assigned before the schedule, in program order, or to the schedule?
    pub(super) first: bool,
    /// Constant vectors that stay in registers: those used most.
    pub(super) held: usize,
    /// Vectors that may be alive at once in program order.
    pub(super) vectors: usize,
    /// Accumulators, likewise.
    pub(super) accumulators: usize,
    /// Does it run once? Then scalar constants are operations as well, not there before.
    pub(super) once: bool,
}

impl Body {
    pub(super) fn new(program: &Program, tile: &Tile, share: Share) -> Result<Self, TileError> {
        let steps = steps(program);
        let held = held(&steps, share.held);
        let memory = Memory::new(&steps, &held, [share.vectors, share.accumulators]);
        let (steps, spilled) = memory.through(&steps)?;
        let mut graph = Graph::new();
        let machine = &tile.machine;
        let (mut place, mut step) = (Vec::with_capacity(steps.len()), Vec::new());
        let mut kept = [0; 3];
        for (at, s) in steps.iter().enumerate() {
            // What is only loaded for ever: constants that were not given back to memory are first in the list.
            if at < held.len() || !share.once && matches!(s.action, Action::Immediate(_)) {
                kept[s.action.file().unwrap_or(2)] += 1;
                place.push(None);
                continue;
            }
            let op = graph.op(machine, s.action.class(), name(&s.action))?;
            place.push(Some(op));
            step.push(at);
            for (n, &from) in s.operands.iter().enumerate() {
                let Some(from) = place[from] else { continue };
                let acc = matches!(s.action, Action::Mac { .. }) && n == 3;
                graph.flow(machine, from, op, acc.then_some("acc"), 0)?;
                if let (Action::Send { path, payload, .. }, Some(edge)) = (&s.action, graph.edges.last_mut())
                {
                    // Its register is read until the last access.
                    edge.reads = payload.accesses(*path).last().map(|access| access.0);
                }
            }
            if s.action == Action::ScalarAddCarry {
                // The sum that carries is the step before it.
                let below = place[at - 1].ok_or(TileError::UnissuedCarry)?;
                graph.fix(below, op, 1);
            }
        }
        memory_order(&steps, &place, tile, &mut graph)?;
        link_order(&steps, &place, machine, &mut graph);
        graph.held = machine
            .files
            .iter()
            .map(|f| FILES.iter().position(|n| *n == f.name).map_or(0, |n| kept[n]))
            .collect();
        Ok(Self { steps, place, step, graph, spilled })
    }
}

fn name(action: &Action) -> String {
    match action {
        Action::Operand { number, half } => format!("operand {number}.{half}"),
        Action::Result { number, half } => format!("result {number}.{half}"),
        Action::Constant(_) => "constant".to_owned(),
        Action::Receive { link, .. } => format!("receive {link}"),
        Action::Send { link, .. } => format!("send {link}"),
        Action::Acquire { link, .. } => format!("acquire {link}"),
        Action::Release { link, .. } => format!("release {link}"),
        Action::Spill(n) | Action::SpillAccumulator(n) => format!("spill {n}"),
        Action::Reload(n) | Action::ReloadAccumulator(n) => format!("reload {n}"),
        Action::Mac { sign: Sign::Plus, .. } => "mac".to_owned(),
        Action::Mac { sign: Sign::Minus, .. } => "msc".to_owned(),
        Action::Srs { shift, .. } => format!("srs {shift}"),
        Action::SrsLong { half } => format!("srs long {half}"),
        Action::Ups => "ups".to_owned(),
        Action::Add => "vadd".to_owned(),
        Action::Sub => "vsub".to_owned(),
        Action::Permute(_) => "permute".to_owned(),
        Action::Extract { lane } => format!("extract {lane}"),
        Action::Update { lane } => format!("update {lane}"),
        Action::Immediate(value) => format!("{value}"),
        Action::ScalarAdd => "add".to_owned(),
        Action::ScalarAddCarry => "addc".to_owned(),
        Action::ScalarAnd => "and".to_owned(),
        Action::ScalarOr => "or".to_owned(),
        Action::ShiftRight(s) => format!("asr {s}"),
        Action::ShiftDown(s) => format!("lsr {s}"),
        Action::ShiftUp(s) => format!("lsl {s}"),
    }
}

/// The program in the engine's operations. Values of 64 bits are two: the low word first.
fn steps(program: &Program) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    // For each operation of the program, its value or the two halves of it.
    let mut values: Vec<[usize; 2]> = Vec::new();
    for op in program.ops() {
        let v = |a: usize| values[a][0];
        let mut push = |action, operands: Vec<usize>| {
            steps.push(Step { action, operands });
            steps.len() - 1
        };
        let one = |at| [at, at];
        let value = match op {
            Op::Load { number, half } => one(push(Action::Operand { number: *number, half: *half }, vec![])),
            Op::Constant(c) => one(push(Action::Constant(*c), vec![])),
            Op::Store { number, half, from } => {
                one(push(Action::Result { number: *number, half: *half }, vec![v(from.0)]))
            }
            Op::Receive { link, path, payload } => {
                let (link, path, payload) = (*link, *path, *payload);
                if path == Path::Memory {
                    push(Action::Acquire { link, receives: true }, vec![]);
                }
                let value = push(Action::Receive { link, path, payload }, vec![]);
                if path == Path::Memory {
                    push(Action::Release { link, receives: true }, vec![]);
                }
                one(value)
            }
            Op::Send { link, path, payload, from } => {
                let (link, path, payload, from) = (*link, *path, *payload, v(*from));
                if path == Path::Memory {
                    push(Action::Acquire { link, receives: false }, vec![]);
                }
                let value = push(Action::Send { link, path, payload }, vec![from]);
                if path == Path::Memory {
                    push(Action::Release { link, receives: false }, vec![]);
                }
                one(value)
            }
            Op::Mac { acc, sign, x, xs, z, zs } => {
                let operands = [x[0].0, x[1].0, z.0].into_iter().chain(acc.map(|a| a.0));
                let operands = operands.map(v).collect();
                one(push(Action::Mac { sign: *sign, xs: *xs, zs: *zs }, operands))
            }
            Op::Srs { from, shift, rounding } => {
                one(push(Action::Srs { shift: *shift, rounding: *rounding }, vec![v(from.0)]))
            }
            Op::Ups(a) => one(push(Action::Ups, vec![v(a.0)])),
            Op::Add(a, b) => one(push(Action::Add, vec![v(a.0), v(b.0)])),
            Op::Sub(a, b) => one(push(Action::Sub, vec![v(a.0), v(b.0)])),
            Op::Permute { from, lanes } => {
                one(push(Action::Permute(*lanes), vec![v(from[0].0), v(from[1].0)]))
            }
            Op::Extract { from, lane } => one(push(Action::Extract { lane: *lane }, vec![v(from.0)])),
            Op::Update { into, lane, value } => {
                one(push(Action::Update { lane: *lane }, vec![v(into.0), v(value.0)]))
            }
            Op::Immediate(value) => one(push(Action::Immediate(*value), vec![])),
            Op::ScalarAdd(a, b) => one(push(Action::ScalarAdd, vec![v(a.0), v(b.0)])),
            Op::ScalarAnd(a, b) => one(push(Action::ScalarAnd, vec![v(a.0), v(b.0)])),
            Op::ScalarShift(a, s) => one(push(Action::ShiftRight(*s), vec![v(a.0)])),
            Op::SrsLong(a) => [0, 1].map(|half| push(Action::SrsLong { half }, vec![v(a.0)])),
            Op::ExtractLong { from, lane } => {
                let half = values[from.0][lane / (LANES / 2)];
                [0, 1].map(|word| push(Action::Extract { lane: 2 * (lane % (LANES / 2)) + word }, vec![half]))
            }
            Op::LongAdd(a, b) => {
                let [low, high] = values[a.0];
                let sign = push(Action::ShiftRight(31), vec![v(b.0)]);
                let low = push(Action::ScalarAdd, vec![low, v(b.0)]);
                [low, push(Action::ScalarAddCarry, vec![high, sign])]
            }
            Op::LongAnd(a, b) => one(push(Action::ScalarAnd, vec![v(a.0), v(b.0)])),
            Op::LongShift(a, s) => {
                let [low, high] = values[a.0];
                let low = push(Action::ShiftDown(*s), vec![low]);
                let high = push(Action::ShiftUp(32 - s), vec![high]);
                one(push(Action::ScalarOr, vec![low, high]))
            }
        };
        values.push(value);
    }
    steps
}

/// The constant vectors that are used most, and those of equal use in program order.
fn held(steps: &[Step], most: usize) -> Vec<usize> {
    let mut uses = vec![0_usize; steps.len()];
    steps.iter().flat_map(|s| &s.operands).for_each(|&o| uses[o] += 1);
    let mut constants: Vec<usize> =
        (0..steps.len()).filter(|&at| matches!(steps[at].action, Action::Constant(_))).collect();
    constants.sort_by_key(|&at| core::cmp::Reverse(uses[at]));
    constants.truncate(most);
    constants
}

/// What lies in registers on the way through the program, and what has gone to memory: when a register is needed, the
/// value is given up whose next use is furthest (Belady).
struct Memory<'a> {
    held: &'a [usize],
    limits: [usize; 2],
    /// Uses of each value that are still to come, the next one last.
    uses: Vec<Vec<usize>>,
}

impl<'a> Memory<'a> {
    fn new(steps: &[Step], held: &'a [usize], limits: [usize; 2]) -> Self {
        let mut uses = vec![Vec::new(); steps.len()];
        for (at, step) in steps.iter().enumerate().rev() {
            step.operands.iter().for_each(|&o| uses[o].push(at));
        }
        Self { held, limits, uses }
    }

    /// The steps with what comes from and goes to memory, held constants first; and how many places in memory that
    /// takes for vectors and accumulators.
    fn through(mut self, steps: &[Step]) -> Result<(Vec<Step>, [usize; 2]), TileError> {
        let in_memory = |at: usize| matches!(steps[at].action, Action::Operand { .. } | Action::Constant(_));
        let mut out: Vec<Step> = self.held.iter().map(|&at| steps[at].clone()).collect();
        // Where each value is now: its step in `out`.
        let mut at_now: BTreeMap<usize, usize> =
            self.held.iter().enumerate().map(|(n, &at)| (at, n)).collect();
        let mut resident: [BTreeSet<usize>; 2] = Default::default();
        // Values that have been given up once: their place in memory, and their first step in `out`.
        let mut gone: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        let mut first: BTreeMap<usize, usize> = BTreeMap::new();
        let mut places = [0; 2];
        for (at, step) in steps.iter().enumerate() {
            if in_memory(at) {
                continue;
            }
            let needed: BTreeSet<usize> = step.operands.iter().copied().collect();
            for &value in &needed {
                let Some(file @ (0 | 1)) = steps[value].action.file() else { continue };
                if resident[file].contains(&value) || self.held.contains(&value) {
                    continue;
                }
                self.room(file, &needed, &mut resident, &mut |v| {
                    if !in_memory(v) && !gone.contains_key(&v) {
                        gone.insert(v, (places[file], first[&v]));
                        places[file] += 1;
                    }
                })?;
                let action = match (in_memory(value), file) {
                    (true, _) => steps[value].action.clone(),
                    (false, 0) => Action::Reload(gone[&value].0),
                    (false, _) => Action::ReloadAccumulator(gone[&value].0),
                };
                out.push(Step { action, operands: vec![] });
                at_now.insert(value, out.len() - 1);
                resident[file].insert(value);
            }
            let operands = step.operands.iter().map(|o| at_now[o]).collect();
            for &value in &needed {
                self.uses[value].retain(|&u| u > at);
                if self.uses[value].is_empty() {
                    resident.iter_mut().for_each(|r| {
                        r.remove(&value);
                    });
                }
            }
            if let Some(file @ (0 | 1)) = step.action.file() {
                self.room(file, &BTreeSet::new(), &mut resident, &mut |v| {
                    if !in_memory(v) && !gone.contains_key(&v) {
                        gone.insert(v, (places[file], first[&v]));
                        places[file] += 1;
                    }
                })?;
                if !self.uses[at].is_empty() {
                    resident[file].insert(at);
                }
            }
            out.push(Step { action: step.action.clone(), operands });
            at_now.insert(at, out.len() - 1);
            first.insert(at, out.len() - 1);
        }
        Ok((with_stores(out, &gone), places))
    }

    /// Gives values up until one more fits.
    fn room(
        &self,
        file: usize,
        needed: &BTreeSet<usize>,
        resident: &mut [BTreeSet<usize>; 2],
        give_up: &mut dyn FnMut(usize),
    ) -> Result<(), TileError> {
        while resident[file].len() >= self.limits[file] {
            let next = |v: &usize| self.uses[*v].last().copied().unwrap_or(usize::MAX);
            let furthest = resident[file].iter().copied().filter(|v| !needed.contains(v)).max_by_key(next);
            let furthest =
                furthest.ok_or(TileError::Few { file: FILES[file], registers: self.limits[file] })?;
            give_up(furthest);
            resident[file].remove(&furthest);
        }
        Ok(())
    }
}

/// The steps with a store right after each value that is read from memory later.
fn with_stores(steps: Vec<Step>, gone: &BTreeMap<usize, (usize, usize)>) -> Vec<Step> {
    let stores: BTreeMap<usize, usize> = gone.values().map(|&(place, step)| (step, place)).collect();
    let mut now = Vec::with_capacity(steps.len());
    let mut out: Vec<Step> = Vec::with_capacity(steps.len() + stores.len());
    for (at, mut step) in steps.into_iter().enumerate() {
        step.operands.iter_mut().for_each(|o| *o = now[*o]);
        let file = step.action.file();
        now.push(out.len());
        out.push(step);
        if let Some(&place) = stores.get(&at) {
            let action = if file == Some(1) { Action::SpillAccumulator(place) } else { Action::Spill(place) };
            out.push(Step { action, operands: vec![now[at]] });
        }
    }
    out
}

/// Every load of a place follows its store, and the next task's store follows the loads.
fn memory_order(
    steps: &[Step],
    place: &[Option<usize>],
    tile: &Tile,
    graph: &mut Graph,
) -> Result<(), TileError> {
    let mut stored: [BTreeMap<usize, usize>; 2] = Default::default();
    for (at, step) in steps.iter().enumerate() {
        let Some(op) = place[at] else { continue };
        let (file, slot, load) = match step.action {
            Action::Spill(n) => (0, n, false),
            Action::SpillAccumulator(n) => (1, n, false),
            Action::Reload(n) => (0, n, true),
            Action::ReloadAccumulator(n) => (1, n, true),
            _ => continue,
        };
        if load {
            let store = stored[file][&slot];
            let class = tile.machine.class(["store", "store accumulator"][file])?;
            let visible = tile.machine.classes[class].latency;
            graph.order(store, op, i32::try_from(visible).unwrap_or(i32::MAX), 0);
            graph.order(op, store, 0, 1);
        } else {
            stored[file].insert(slot, op);
        }
    }
    Ok(())
}

/// Transfers of a link keep the order of the program, from task to task as well: one begins when all words of the one
/// before have been accessed. A buffer in memory is accessed once between the acquisition of its lock and its release,
/// which follow each other as closely as they can: a lock that is held while another one is waited for would stop both
/// tiles for ever.
fn link_order(steps: &[Step], place: &[Option<usize>], machine: &Machine, graph: &mut Graph) {
    let cycles = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    // Of each link: where a transfer begins, where it ends, and how long after that the next one may begin.
    let mut links: BTreeMap<(bool, usize), Vec<(usize, usize, i32)>> = BTreeMap::new();
    for (at, step) in steps.iter().enumerate() {
        let Some(op) = place[at] else { continue };
        match step.action {
            Action::Acquire { link, receives } => {
                links.entry((receives, link)).or_default().push((op, op, 1))
            }
            Action::Receive { link, path, payload } | Action::Send { link, path, payload } => {
                let receives = matches!(step.action, Action::Receive { .. });
                let ops = links.entry((receives, link)).or_default();
                match ops.last_mut().filter(|_| path == Path::Memory) {
                    Some((acquire, last, apart)) => {
                        let class = &machine.classes[graph.ops[*acquire].class];
                        graph.fix(*acquire, op, cycles(class.latency as usize));
                        (*last, *apart) = (op, cycles(payload.memory_accesses()));
                    }
                    None => ops.push((op, op, cycles(payload.beats(path)))),
                }
            }
            Action::Release { link, receives } => {
                if let Some((_, last, apart)) = links.entry((receives, link)).or_default().last_mut() {
                    graph.fix(*last, op, *apart);
                    (*last, *apart) = (op, 1);
                }
            }
            _ => {}
        }
    }
    for ops in links.values() {
        ops.windows(2).for_each(|w| graph.order(w[0].1, w[1].0, w[0].2, 0));
        if let [first, .., last] = ops[..] {
            graph.order(last.1, first.0, last.2, 1);
        }
    }
}
