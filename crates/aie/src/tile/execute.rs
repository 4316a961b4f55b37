//! Executes scheduled instructions cycle by cycle. Registers and memory hold only the values that have arrived: an
//! operation that reads too early reads the value from before, one that reads too late the value that came after. The
//! arithmetic is that of [`Op::compute`]; the schedule alone decides when and where values are read and written.

use super::lower::TileOp;
use super::{Item, Items, Kernel, TileError};
use crate::digits::{DIGITS, Digits};
use crate::program::{LANES, Op, Operands, Value, ValueKind};
use std::collections::{BTreeMap, VecDeque};

/// The lanes of a vector or an accumulator; a scalar is in lane 0.
type Lanes = [i128; LANES];

/// The initial content of registers and memory, a value that does not occur in a kernel.
const NOISE: i32 = 0x5A5A_5A5A;

/// The destination of an operation's result.
#[derive(Clone, Copy)]
enum Destination {
    Register(ValueKind, usize),
    Spilled(ValueKind, usize),
    Result { task: usize, number: usize, half: usize },
}

/// A value that arrives at the start of a cycle, with the carry out if it is a scalar sum.
struct Arrival {
    to: Destination,
    lanes: Lanes,
    carry: Option<bool>,
}

/// Products that wait for the cycle in which their multiply-accumulate reads the accumulator.
struct PendingSum {
    accumulator: usize,
    products: Lanes,
    to: Destination,
    arrives: u64,
}

/// One access of a send: copies lanes of a register into an item of a link.
struct Tap {
    file: ValueKind,
    register: usize,
    link: usize,
    item: usize,
    lanes: core::ops::Range<usize>,
}

struct State {
    /// Registers by kind of value.
    registers: [Vec<Lanes>; 3],
    spilled: [Vec<Lanes>; 2],
    carry: bool,
    results: Vec<Vec<Digits>>,
    received: BTreeMap<usize, VecDeque<Item>>,
    sent: Items,
}

/// The operands of an operation, read in the current cycle.
struct Read<'s> {
    state: &'s State,
    from: &'s [(ValueKind, usize)],
}

impl Operands<i128> for Read<'_> {
    fn lanes(&self, n: usize) -> &Lanes {
        let (file, register) = self.from[n];
        &self.state.registers[file as usize][register]
    }
    fn word(&self, n: usize) -> i128 {
        self.lanes(n)[0]
    }
    /// The products are computed at once; the accumulator is read in a later cycle.
    fn accumulator(&self) -> Option<&Lanes> {
        None
    }
}

/// A scalar as its register holds it: 32 bits, signed.
fn scalar(value: i128) -> Lanes {
    let mut lanes = [0; LANES];
    lanes[0] = (value as i32).into();
    lanes
}

/// The sum of accumulator lanes, wrapped to 80 bits, signed.
fn accumulated(a: &Lanes, b: &Lanes) -> Lanes {
    core::array::from_fn(|l| (a[l] + b[l]) << 48 >> 48)
}

impl State {
    fn arrive(&mut self, Arrival { to, lanes, carry }: Arrival) {
        match to {
            Destination::Register(file, register) => self.registers[file as usize][register] = lanes,
            Destination::Spilled(file, place) => self.spilled[file as usize][place] = lanes,
            Destination::Result { task, number, half } => {
                let digits = &mut self.results[task][number].0[half * LANES..][..LANES];
                digits.iter_mut().zip(lanes).for_each(|(digit, lane)| *digit = lane as i32);
            }
        }
        self.carry = carry.unwrap_or(self.carry);
    }

    fn give(&mut self, tap: &Tap) {
        let from = &self.registers[tap.file as usize][tap.register];
        if let Some(item) = self.sent.get_mut(&tap.link).and_then(|items| items.get_mut(tap.item)) {
            item[tap.lanes.clone()].copy_from_slice(&from[tap.lanes.clone()]);
        }
    }

    /// The value of an operation that reads its operands in the current cycle, and the carry out of a scalar sum.
    fn value(&self, op: &TileOp, task: &[Digits], from: &[(ValueKind, usize)]) -> (Lanes, Option<bool>) {
        let read = Read { state: self, from };
        let sum = |carry: bool| {
            let [a, b] = [0, 1].map(|n| u64::from(read.word(n) as u32));
            let sum = a + b + u64::from(carry);
            (scalar((sum as i32).into()), Some(sum >> 32 == 1))
        };
        let lanes = match *op {
            TileOp::Program(Op::Load { number, half }) => {
                core::array::from_fn(|l| task[number].0[half * LANES + l].into())
            }
            TileOp::Program(Op::Store { .. }) | TileOp::Spill(..) => *read.lanes(0),
            TileOp::Program(Op::ScalarAdd) => return sum(false),
            TileOp::AddCarry => return sum(self.carry),
            TileOp::Reload(file, place) => self.spilled[file as usize][place],
            TileOp::SrsLongHalf { half } => core::array::from_fn(|word| {
                let lane = read.lanes(0)[half * LANES / 2 + word / 2].clamp(i64::MIN.into(), i64::MAX.into());
                ((lane >> (32 * (word % 2))) as i32).into()
            }),
            TileOp::Or => scalar(read.word(0) | read.word(1)),
            TileOp::ShiftRightLogical(by) => scalar((read.word(0) as u32 >> by).into()),
            TileOp::ShiftLeft(by) => scalar(read.word(0) << by),
            TileOp::Acquire { .. } | TileOp::Release { .. } => unreachable!("locks give nothing"),
            TileOp::Program(op) => match (op.compute(&read), op) {
                // A shift saturates to the range of a lane.
                (Value::Lanes(lanes), Op::Srs { .. }) => {
                    lanes.map(|lane| lane.clamp(i32::MIN.into(), i32::MAX.into()))
                }
                // Sums of vectors wrap around at 32 bits.
                (Value::Lanes(lanes), Op::Add | Op::Sub) => lanes.map(|lane| (lane as i32).into()),
                (Value::Lanes(lanes), _) => lanes,
                (Value::Word(word), _) => scalar(word),
                (Value::Nothing, _) => unreachable!("links take and give values"),
            },
        };
        (lanes, None)
    }
}

impl Kernel {
    /// Runs the schedule for these tasks, each an iteration of the loop, on registers and memory in which a value is
    /// visible from the cycle of its arrival on. Only the arithmetic is shared with
    /// [`Program::run`](crate::Program::run).
    ///
    /// # Errors
    /// [`TileError::Operands`] if a task has another number of operands than the program; [`TileError::Transfers`] if
    /// the program exchanges values with other tiles.
    pub fn run(&self, tasks: &[Vec<Digits>]) -> Result<Vec<Vec<Digits>>, TileError> {
        if let Some(task) = tasks.iter().find(|t| t.len() != self.inputs) {
            return Err(TileError::Operands { given: task.len(), taken: self.inputs });
        }
        if self.body.instructions.iter().any(|i| i.op.transfer().is_some()) {
            return Err(TileError::Transfers);
        }
        Ok(self.execute(tasks, BTreeMap::new())?.0)
    }

    /// Runs the kernel of one of several tiles for `tasks` tasks on the items that it receives, and returns the items
    /// that it sends. Links are numbered as in the kernel's program.
    ///
    /// # Errors
    /// [`TileError::Operands`] if the program takes any; [`TileError::LinkRunsDry`] for a link with too few items.
    pub(crate) fn exchange(&self, tasks: usize, received: &Items) -> Result<Items, TileError> {
        if self.inputs > 0 {
            return Err(TileError::Operands { given: 0, taken: self.inputs });
        }
        let received = received.iter().map(|(&link, items)| (link, items.iter().copied().collect()));
        Ok(self.execute(&vec![vec![]; tasks], received.collect())?.1)
    }

    /// The results of every task, and the items sent on each link.
    fn execute(
        &self,
        tasks: &[Vec<Digits>],
        received: BTreeMap<usize, VecDeque<Item>>,
    ) -> Result<(Vec<Vec<Digits>>, Items), TileError> {
        let (body, machine) = (&self.body, &self.tile.machine);
        let noise = [i128::from(NOISE); LANES];
        let mut state = State {
            registers: ValueKind::ALL.map(|file| vec![noise; self.tile.registers(file)]),
            spilled: body.spilled.map(|places| vec![noise; places]),
            carry: true,
            results: vec![vec![Digits([NOISE; DIGITS]); self.outputs]; tasks.len()],
            received,
            sent: BTreeMap::new(),
        };
        // Values that are held throughout occupy the last registers of their file and are present before the loop.
        let mut held = BTreeMap::new();
        for (at, i) in body.instructions.iter().enumerate().filter(|(at, _)| body.place[*at].is_none()) {
            let file = i.op.file().unwrap_or(ValueKind::Scalar);
            let taken = held.values().filter(|&&(f, _)| f == file).count();
            let register = self.tile.registers(file) - 1 - taken;
            held.insert(at, (file, register));
            state.registers[file as usize][register] = state.value(&i.op, &[], &[]).0;
        }
        let mut words: BTreeMap<u64, Vec<(usize, usize)>> = BTreeMap::new();
        for fact in self.plan.facts(tasks.len() as u32) {
            words.entry(fact.cycle).or_default().push((fact.op, fact.iteration as usize));
        }
        let mut arrivals: BTreeMap<u64, Vec<Arrival>> = BTreeMap::new();
        let mut sums: BTreeMap<u64, Vec<PendingSum>> = BTreeMap::new();
        let mut taps: BTreeMap<u64, Vec<Tap>> = BTreeMap::new();
        loop {
            let firsts =
                [words.keys().next(), arrivals.keys().next(), sums.keys().next(), taps.keys().next()];
            let Some(cycle) = firsts.into_iter().flatten().min().copied() else { break };
            arrivals.remove(&cycle).into_iter().flatten().for_each(|a| state.arrive(a));
            taps.remove(&cycle).into_iter().flatten().for_each(|tap| state.give(&tap));
            for PendingSum { accumulator, products, to, arrives } in sums.remove(&cycle).into_iter().flatten()
            {
                let lanes =
                    accumulated(&state.registers[ValueKind::Accumulator as usize][accumulator], &products);
                arrivals.entry(arrives).or_default().push(Arrival { to, lanes, carry: None });
            }
            for (op, task) in words.remove(&cycle).into_iter().flatten() {
                let i = &body.instructions[body.instruction[op]];
                let class = &machine.classes[body.graph.ops[op].class];
                let copy = task % self.registers.copies as usize;
                let register = |&at: &usize| match body.place[at] {
                    Some(op) => {
                        (body.op(op).file().unwrap_or(ValueKind::Scalar), self.registers.of[op][copy])
                    }
                    None => held[&at],
                };
                let from: Vec<(ValueKind, usize)> = i.operands.iter().map(register).collect();
                let given = self.registers.of[op].get(copy).copied().unwrap_or(0);
                let to = match (i.op, i.op.file()) {
                    (TileOp::Program(Op::Store { number, half }), _) => {
                        Destination::Result { task, number, half }
                    }
                    (TileOp::Spill(file, place), _) => Destination::Spilled(file, place),
                    (_, Some(file)) => Destination::Register(file, given),
                    (TileOp::Program(Op::Send { link, path, kind }), None) => {
                        let items = state.sent.entry(link).or_default();
                        items.push(noise);
                        let (item, accesses) = (items.len() - 1, kind.accesses(path));
                        for (n, &(after, _)) in accesses.iter().enumerate() {
                            let lanes = n * LANES / accesses.len()..(n + 1) * LANES / accesses.len();
                            let tap = Tap { file: kind, register: from[0].1, link, item, lanes };
                            match after {
                                0 => state.give(&tap),
                                _ => taps.entry(cycle + u64::from(after)).or_default().push(tap),
                            }
                        }
                        continue;
                    }
                    // All received items are present from the start, so locks do not wait.
                    (_, None) => continue,
                };
                let arrives = cycle + u64::from(class.latency);
                let (lanes, carry) = match i.op {
                    TileOp::Program(Op::Receive { link, .. }) => {
                        let item = state.received.get_mut(&link).and_then(VecDeque::pop_front);
                        (item.ok_or(TileError::LinkRunsDry(link))?, None)
                    }
                    _ => state.value(&i.op, &tasks[task], &from),
                };
                match (i.op, from.get(3)) {
                    (TileOp::Program(Op::Mac { .. }), Some(&(_, accumulator))) => {
                        let read = cycle + u64::from(class.reads.get("acc").copied().unwrap_or(0));
                        let sum = PendingSum { accumulator, products: lanes, to, arrives };
                        if read == cycle {
                            let held = &state.registers[ValueKind::Accumulator as usize][accumulator];
                            let lanes = accumulated(held, &sum.products);
                            arrivals.entry(arrives).or_default().push(Arrival { to, lanes, carry });
                        } else {
                            sums.entry(read).or_default().push(sum);
                        }
                    }
                    _ => arrivals.entry(arrives).or_default().push(Arrival { to, lanes, carry }),
                }
            }
        }
        Ok((state.results, state.sent))
    }
}
