//! A run of scheduled instructions, cycle by cycle: registers and memory hold what has arrived, nothing else. An
//! operation that reads too early reads what was there before, one that reads too late what came after.

use super::lower::{Action, FILES, Step};
use super::{Item, Items, Kernel, TileError};
use crate::digits::{DIGITS, Digits};
use crate::program::{LANES, Payload, Rounding, Sign};
use std::collections::{BTreeMap, VecDeque};

type Vector = [i32; LANES];
type Accumulator = [i128; LANES];

/// What registers and memory hold before anything is written: no number of a kernel.
const NOISE: i32 = 0x5A5A_5A5A;

/// What arrives at the start of a cycle.
enum Arrival {
    Vector(usize, Vector),
    Accumulator(usize, Accumulator),
    /// With the carry, if the operation gives one.
    Scalar(usize, i32, Option<bool>),
    Spilled(usize, Vector),
    SpilledAccumulator(usize, Accumulator),
    Result {
        task: usize,
        number: usize,
        half: usize,
        value: Vector,
    },
}

/// Products on their way to the accumulator that they read late: what is read, what is added, where it goes, when.
struct Sum {
    from: usize,
    products: Accumulator,
    to: usize,
    cycle: u64,
}

/// An access of a send: the lanes of a register that go into an item of a link.
struct Tap {
    register: usize,
    link: usize,
    item: usize,
    lanes: core::ops::Range<usize>,
}

struct State {
    vectors: Vec<Vector>,
    accumulators: Vec<Accumulator>,
    scalars: Vec<i32>,
    carry: bool,
    spilled: Vec<Vector>,
    spilled_accumulators: Vec<Accumulator>,
    results: Vec<Vec<Digits>>,
    received: BTreeMap<usize, VecDeque<Item>>,
    sent: Items,
}

/// The lower 80 bits with their sign.
fn wrap(lane: i128) -> i128 {
    lane << 48 >> 48
}

fn shifted(lane: i128, by: u32, rounding: Rounding) -> i128 {
    match rounding {
        Rounding::Floor => lane >> by,
        Rounding::Nearest if by == 0 => lane,
        Rounding::Nearest => (lane + (1 << (by - 1))) >> by,
    }
}

/// What a shift makes of a value beyond the lane: the nearest it can hold.
fn saturated(lane: i128) -> i32 {
    lane.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

impl State {
    fn arrive(&mut self, arrival: Arrival) {
        match arrival {
            Arrival::Vector(r, v) => self.vectors[r] = v,
            Arrival::Accumulator(r, v) => self.accumulators[r] = v,
            Arrival::Scalar(r, v, carry) => {
                self.scalars[r] = v;
                self.carry = carry.unwrap_or(self.carry);
            }
            Arrival::Spilled(n, v) => self.spilled[n] = v,
            Arrival::SpilledAccumulator(n, v) => self.spilled_accumulators[n] = v,
            Arrival::Result { task, number, half, value } => {
                self.results[task][number].0[half * LANES..][..LANES].copy_from_slice(&value);
            }
        }
    }

    /// What a read of a link gives.
    fn take(&mut self, link: usize, to: usize) -> Result<Arrival, TileError> {
        let item = self.received.get_mut(&link).and_then(VecDeque::pop_front);
        Ok(match item.ok_or(TileError::Waits(link))? {
            Item::Vector(v) => Arrival::Vector(to, v),
            Item::Accumulator(v) => Arrival::Accumulator(to, v),
            Item::Scalar(v) => Arrival::Scalar(to, v, None),
        })
    }

    fn give(&mut self, tap: &Tap) {
        let (register, lanes) = (tap.register, tap.lanes.clone());
        match self.sent.get_mut(&tap.link).and_then(|items| items.get_mut(tap.item)) {
            Some(Item::Vector(v)) => v[lanes.clone()].copy_from_slice(&self.vectors[register][lanes]),
            Some(Item::Accumulator(v)) => {
                v[lanes.clone()].copy_from_slice(&self.accumulators[register][lanes])
            }
            Some(Item::Scalar(v)) => *v = self.scalars[register],
            None => {}
        }
    }

    /// What an operation gives that reads its operands now; `r` are their registers, `to` is the result's.
    fn value(&self, action: &Action, tasks: &[Vec<Digits>], task: usize, r: &[usize], to: usize) -> Arrival {
        let v = |n: usize| self.vectors[r[n]];
        let s = |n: usize| self.scalars[r[n]];
        let pair =
            |n: usize, select: u8| self.vectors[r[n + select as usize / LANES]][select as usize % LANES];
        let vector = |f: &dyn Fn(usize) -> i32| Arrival::Vector(to, core::array::from_fn(f));
        let scalar = |value| Arrival::Scalar(to, value, None);
        let sum = |a: i32, b: i32, c: bool| {
            let sum = u64::from(a as u32) + u64::from(b as u32) + u64::from(c);
            Arrival::Scalar(to, sum as i32, Some(sum >> 32 == 1))
        };
        match *action {
            Action::Operand { number, half } => vector(&|l| tasks[task][number].0[half * LANES + l]),
            Action::Constant(c) => Arrival::Vector(to, c),
            Action::Receive { .. } | Action::Send { .. } => unreachable!("they are taken and given by links"),
            Action::Acquire { .. } | Action::Release { .. } => unreachable!("locks give nothing"),
            Action::Result { number, half } => Arrival::Result { task, number, half, value: v(0) },
            Action::Spill(n) => Arrival::Spilled(n, v(0)),
            Action::Reload(n) => Arrival::Vector(to, self.spilled[n]),
            Action::SpillAccumulator(n) => Arrival::SpilledAccumulator(n, self.accumulators[r[0]]),
            Action::ReloadAccumulator(n) => Arrival::Accumulator(to, self.spilled_accumulators[n]),
            Action::Mac { sign, xs, zs } => {
                let z = v(2);
                Arrival::Accumulator(
                    to,
                    core::array::from_fn(|l| {
                        let product = i128::from(pair(0, xs[l])) * i128::from(z[zs[l] as usize]);
                        if sign == Sign::Plus { product } else { -product }
                    }),
                )
            }
            Action::Srs { shift, rounding } => {
                let from = self.accumulators[r[0]];
                vector(&|l| saturated(shifted(from[l], shift, rounding)))
            }
            Action::SrsLong { half } => {
                let from = self.accumulators[r[0]];
                vector(&|word| {
                    let lane = from[half * LANES / 2 + word / 2].clamp(i64::MIN.into(), i64::MAX.into());
                    (lane >> (32 * (word % 2))) as i32
                })
            }
            Action::Ups => Arrival::Accumulator(to, v(0).map(i128::from)),
            Action::Add => vector(&|l| v(0)[l].wrapping_add(v(1)[l])),
            Action::Sub => vector(&|l| v(0)[l].wrapping_sub(v(1)[l])),
            Action::Permute(lanes) => vector(&|l| pair(0, lanes[l])),
            Action::Extract { lane } => scalar(v(0)[lane]),
            Action::Update { lane } => vector(&|l| if l == lane { s(1) } else { v(0)[l] }),
            Action::Immediate(value) => scalar(value),
            Action::ScalarAdd => sum(s(0), s(1), false),
            Action::ScalarAddCarry => sum(s(0), s(1), self.carry),
            Action::ScalarAnd => scalar(s(0) & s(1)),
            Action::ScalarOr => scalar(s(0) | s(1)),
            Action::ShiftRight(by) => scalar(s(0) >> by),
            Action::ShiftDown(by) => scalar((s(0) as u32 >> by) as i32),
            Action::ShiftUp(by) => scalar(s(0) << by),
        }
    }
}

impl Item {
    fn nothing(payload: Payload) -> Self {
        match payload {
            Payload::Vector => Self::Vector([NOISE; LANES]),
            Payload::Accumulator => Self::Accumulator([NOISE.into(); LANES]),
            Payload::Scalar => Self::Scalar(NOISE),
        }
    }
}

impl Kernel {
    /// Runs the schedule for these tasks, each an iteration of the loop, on registers and memory that show a value from
    /// the cycle on in which it arrives. It knows nothing of the program's [`run`](crate::Program::run).
    ///
    /// # Errors
    /// [`TileError::Operands`] if a task has another number of operands than the program; [`TileError::Transfers`] if
    /// the program exchanges values with other tiles.
    pub fn run(&self, tasks: &[Vec<Digits>]) -> Result<Vec<Vec<Digits>>, TileError> {
        if let Some(task) = tasks.iter().find(|t| t.len() != self.inputs) {
            return Err(TileError::Operands { given: task.len(), taken: self.inputs });
        }
        let alone = |s: &Step| !matches!(s.action, Action::Receive { .. } | Action::Send { .. });
        if !self.body.steps.iter().all(alone) {
            return Err(TileError::Transfers);
        }
        Ok(self.execute(tasks, BTreeMap::new())?.0)
    }

    /// The same for a kernel of one of several tiles: what it sends in a run of so many tasks, by link, if it receives
    /// this. Links are numbered as in its program.
    ///
    /// # Errors
    /// [`TileError::Operands`] if the program takes any; [`TileError::Waits`] for a link with too few items.
    pub fn exchange(&self, tasks: usize, received: &Items) -> Result<Items, TileError> {
        if self.inputs > 0 {
            return Err(TileError::Operands { given: 0, taken: self.inputs });
        }
        let received = received.iter().map(|(&link, items)| (link, items.iter().copied().collect()));
        Ok(self.execute(&vec![vec![]; tasks], received.collect())?.1)
    }

    /// Results of every task, and what is sent.
    fn execute(
        &self,
        tasks: &[Vec<Digits>],
        received: BTreeMap<usize, VecDeque<Item>>,
    ) -> Result<(Vec<Vec<Digits>>, Items), TileError> {
        let (body, machine) = (&self.body, &self.tile.machine);
        let file = |n: usize| self.tile.registers(FILES[n]);
        let mut state = State {
            vectors: vec![[NOISE; LANES]; file(0)],
            accumulators: vec![[NOISE.into(); LANES]; file(1)],
            scalars: vec![NOISE; file(2)],
            carry: true,
            spilled: vec![[NOISE; LANES]; body.spilled[0]],
            spilled_accumulators: vec![[NOISE.into(); LANES]; body.spilled[1]],
            results: vec![vec![Digits([NOISE; DIGITS]); self.outputs]; tasks.len()],
            received,
            sent: BTreeMap::new(),
        };
        // What is held throughout has the last registers of its file, and is there before the loop.
        let mut held = BTreeMap::new();
        for (at, step) in body.steps.iter().enumerate().filter(|(at, _)| body.place[*at].is_none()) {
            let file = step.action.file().unwrap_or(2);
            let taken = held.values().filter(|&&(f, _)| f == file).count();
            let register = self.tile.registers(FILES[file]) - 1 - taken;
            held.insert(at, (file, register));
            let value = state.value(&step.action, tasks, 0, &[], register);
            state.arrive(value);
        }
        let mut words: BTreeMap<u64, Vec<(usize, usize)>> = BTreeMap::new();
        for fact in self.plan.facts(tasks.len() as u32) {
            words.entry(fact.cycle).or_default().push((fact.op, fact.iteration as usize));
        }
        let mut arrivals: BTreeMap<u64, Vec<Arrival>> = BTreeMap::new();
        let mut sums: BTreeMap<u64, Vec<Sum>> = BTreeMap::new();
        let mut taps: BTreeMap<u64, Vec<Tap>> = BTreeMap::new();
        loop {
            let firsts =
                [words.keys().next(), arrivals.keys().next(), sums.keys().next(), taps.keys().next()];
            let Some(cycle) = firsts.into_iter().flatten().min().copied() else { break };
            arrivals.remove(&cycle).into_iter().flatten().for_each(|a| state.arrive(a));
            taps.remove(&cycle).into_iter().flatten().for_each(|tap| state.give(&tap));
            for sum in sums.remove(&cycle).into_iter().flatten() {
                let from = state.accumulators[sum.from];
                let value = core::array::from_fn(|l| wrap(from[l] + sum.products[l]));
                arrivals.entry(sum.cycle).or_default().push(Arrival::Accumulator(sum.to, value));
            }
            for (op, task) in words.remove(&cycle).into_iter().flatten() {
                let step = &body.steps[body.step[op]];
                let class = &machine.classes[body.graph.ops[op].class];
                let copy = task % self.registers.copies as usize;
                let register = |at: usize| match body.place[at] {
                    Some(op) => self.registers.of[op][copy],
                    None => held[&at].1,
                };
                let from: Vec<usize> = step.operands.iter().map(|&at| register(at)).collect();
                let to = self.registers.of[op].get(copy).copied().unwrap_or(0);
                let there = cycle + u64::from(class.latency);
                let value = match step.action {
                    Action::Send { link, path, payload } => {
                        let items = state.sent.entry(link).or_default();
                        items.push(Item::nothing(payload));
                        let (item, accesses) = (items.len() - 1, payload.accesses(path));
                        for (n, &(after, _)) in accesses.iter().enumerate() {
                            let lanes = n * LANES / accesses.len()..(n + 1) * LANES / accesses.len();
                            let tap = Tap { register: from[0], link, item, lanes };
                            match after {
                                0 => state.give(&tap),
                                _ => taps.entry(cycle + u64::from(after)).or_default().push(tap),
                            }
                        }
                        continue;
                    }
                    Action::Receive { link, .. } => state.take(link, to)?,
                    // Everything that is received is there.
                    Action::Acquire { .. } | Action::Release { .. } => continue,
                    _ => state.value(&step.action, tasks, task, &from, to),
                };
                match value {
                    Arrival::Accumulator(to, products) if from.len() == 4 => {
                        let read = cycle + u64::from(class.reads.get("acc").copied().unwrap_or(0));
                        let sum = Sum { from: from[3], products, to, cycle: there };
                        if read == cycle {
                            let from = state.accumulators[sum.from];
                            let value = core::array::from_fn(|l| wrap(from[l] + sum.products[l]));
                            arrivals.entry(there).or_default().push(Arrival::Accumulator(to, value));
                        } else {
                            sums.entry(read).or_default().push(sum);
                        }
                    }
                    value => arrivals.entry(there).or_default().push(value),
                }
            }
        }
        Ok((state.results, state.sent))
    }
}
