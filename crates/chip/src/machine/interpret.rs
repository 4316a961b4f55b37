//! A reference interpreter of L2 words on a design, without a clock, against which the cycle model and the compiler are
//! checked. It shares with them the results of operations ([`L2Op::apply`](crate::isa::L2Op::apply)), and nothing that
//! concerns time.
//!
//! Every instruction that has issued stays in a list, with the slot in which its result is ready. The value of an operand is
//! looked up there by the rule of [`MachineSpec`]: path 2 is the channel's result that is ready in this slot, path 1 the
//! result of the slot before, and a row is the latest result for it that was ready at least two slots ago. Everything that
//! the hardware could not do is recorded as a [`Refusal`]. All refusals are found, whereas the cycle model stops at the
//! first.

use crate::isa::{Channel, Fp2, FwdPath, L2, Loc, Operand};
use crate::spec::MachineSpec;
use std::collections::{BTreeMap, BTreeSet};
use thiserror::Error;

/// An instruction that the hardware could not execute.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Error)]
#[error("slot {slot}, word {pc}: {why}")]
pub struct Refusal {
    /// Slot of the instruction, counted from the first slot of the first routine.
    pub slot: u32,
    /// Its address in the L2 memory.
    pub pc: u16,
    /// The reason why it cannot be executed.
    pub why: Why,
}

/// Why an instruction is refused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Error)]
#[non_exhaustive]
pub enum Why {
    /// The routine continues after the last word of the memory.
    #[error("the routine does not end")]
    Runaway,
    /// A second word for the slot, on a design that issues one.
    #[error("a second word for the slot, and the design issues one")]
    SingleIssue,
    /// A third word for the slot, or a second word after the last word of the routine.
    #[error("one word too many for the slot")]
    PairEnd,
    /// The two words of a slot are not one for the multiplier and one for the arithmetic unit.
    #[error("these words cannot issue together")]
    Pair,
    /// An operand that the operation needs is missing.
    #[error("operand {0} is missing")]
    Missing(usize),
    /// An operand is forwarded, but the word names no path.
    #[error("operand {0} is forwarded over no path")]
    NoPath(usize),
    /// The design does not have this forwarding path.
    #[error("the machine has no forwarding path {0:?}")]
    NoSuchPath(FwdPath),
    /// No result of the channel is on the path in this slot.
    #[error("no result of {0:?} on forwarding path {1:?}")]
    Nothing(Channel, FwdPath),
    /// The design does not have this location.
    #[error("row {} of bank {} does not exist", .0.row, .0.bank)]
    Address(Loc),
    /// The row is read before anything was written to it.
    #[error("row {} of bank {} holds nothing yet", .0.row, .0.bank)]
    Unwritten(Loc),
    /// More rows of this bank are read for the slot than it has read ports.
    #[error("too many reads of bank {0}")]
    ReadPorts(u8),
    /// More results arrive at this bank in a cycle than it has write ports.
    #[error("too many writes to bank {0}")]
    WritePorts(u8),
    /// Two results arrive at this row in a cycle.
    #[error("two results for row {} of bank {}", .0.row, .0.bank)]
    Collision(Loc),
    /// The multiplier cannot accept a product yet.
    #[error("the multiplier takes no product yet")]
    Busy,
    /// The inverter needs the multiplier while products are in flight there.
    #[error("an inversion with products in flight")]
    InFlight,
}

/// An instruction that has issued.
#[derive(Clone, Debug)]
struct Issued<R> {
    slot: u32,
    pc: u16,
    channel: Channel,
    /// The slot in which its result is on path 2.
    ready: u32,
    to: Option<Loc>,
    /// `None` if an operand was refused.
    value: Option<R>,
}

/// The state of an interpretation: routines are executed one after the other, slot by slot, on rows of type `R`.
#[derive(Clone, Debug)]
pub struct Interpreter<'a, R> {
    spec: &'a MachineSpec,
    start: BTreeMap<Loc, R>,
    issued: Vec<Issued<R>>,
    slots: u32,
    refusals: BTreeSet<Refusal>,
}

impl<'a, R: Fp2 + Copy> Interpreter<'a, R> {
    /// The state before the first slot of a routine: nothing is in flight, and the banks hold `rows`.
    pub fn new(spec: &'a MachineSpec, rows: BTreeMap<Loc, R>) -> Self {
        Self { spec, start: rows, issued: Vec::new(), slots: 0, refusals: BTreeSet::new() }
    }

    /// Runs the routine at `addr` to its last word, or to the first slot that cannot be formed.
    pub fn routine(&mut self, memory: &[L2], addr: u16) {
        let mut pc = addr;
        while let Some(words) = self.fetch(memory, pc) {
            self.slot(&words);
            match words.last() {
                Some((last, word)) if !word.last => pc = last + 1,
                _ => return,
            }
        }
    }

    /// The words of the slot at `pc`, unless they cannot issue together.
    fn fetch(&mut self, memory: &[L2], pc: u16) -> Option<Vec<(u16, L2)>> {
        let word = |pc: u16| memory.get(usize::from(pc)).map(|word| (pc, *word));
        let Some(first) = word(pc) else { return self.stop(pc.saturating_sub(1), Why::Runaway) };
        if !first.1.with_next {
            return Some(vec![first]);
        }
        if self.spec.issue.width < 2 {
            return self.stop(pc, Why::SingleIssue);
        }
        if first.1.last {
            return self.stop(pc, Why::PairEnd);
        }
        let Some(second) = word(pc + 1) else { return self.stop(pc, Why::Runaway) };
        if second.1.with_next {
            return self.stop(pc + 1, Why::PairEnd);
        }
        let channels = BTreeSet::from([first.1.op.channel(), second.1.op.channel()]);
        if channels != BTreeSet::from([Some(Channel::Mm), Some(Channel::Arith)]) {
            return self.stop(pc + 1, Why::Pair);
        }
        Some(vec![first, second])
    }

    fn stop<T>(&mut self, pc: u16, why: Why) -> Option<T> {
        self.refuse(pc, why);
        None
    }

    fn refuse(&mut self, pc: u16, why: Why) {
        self.refusals.insert(Refusal { slot: self.slots, pc, why });
    }

    /// Issues the words of one slot, one or two, with their addresses.
    pub fn slot(&mut self, words: &[(u16, L2)]) {
        let mut read = BTreeSet::new();
        let mut fresh = Vec::new();
        for &(pc, word) in words {
            let operands: Vec<Option<R>> =
                (0..word.op.operands()).map(|index| self.operand(pc, &word, index, &mut read)).collect();
            let Some(channel) = word.op.channel() else { continue };
            self.structure(pc, channel);
            let value = match operands[..] {
                [Some(a), Some(b)] => Some(word.op.apply(a, b)),
                [Some(a)] => Some(word.op.apply(a, a)),
                _ => None,
            };
            let ready = self.slots + self.latency(channel);
            fresh.push(Issued { slot: self.slots, pc, channel, ready, to: word.dst, value });
        }
        for issued in fresh {
            let ready = issued.ready;
            self.issued.push(issued);
            self.arrive(ready);
        }
        self.slots += 1;
    }

    fn latency(&self, channel: Channel) -> u32 {
        match channel {
            Channel::Mm => self.spec.mm.product_latency(),
            Channel::Arith => self.spec.arith.latency,
            // The issue stage waits for the inverter, so the next slot finds the result.
            Channel::Inv => 1,
        }
    }

    /// The value of an operand; rows that are read are added to `read`.
    fn operand(&mut self, pc: u16, word: &L2, index: usize, read: &mut BTreeSet<Loc>) -> Option<R> {
        match word.src[index] {
            None => self.stop(pc, Why::Missing(index)),
            Some(Operand::Forward(channel)) => match word.path {
                None => self.stop(pc, Why::NoPath(index)),
                Some(path) => self.forwarded(pc, channel, path),
            },
            Some(Operand::Row(at)) => self.row(pc, at, read),
        }
    }

    fn forwarded(&mut self, pc: u16, channel: Channel, path: FwdPath) -> Option<R> {
        let (built, since_ready) = match path {
            FwdPath::One => (self.spec.forwarding.path1, 1),
            FwdPath::Two => (self.spec.forwarding.path2, 0),
        };
        if !built {
            return self.stop(pc, Why::NoSuchPath(path));
        }
        let on_path = |i: &&Issued<R>| i.channel == channel && i.ready + since_ready == self.slots;
        match self.issued.iter().find(on_path) {
            Some(issued) => issued.value,
            None => self.stop(pc, Why::Nothing(channel, path)),
        }
    }

    fn row(&mut self, pc: u16, at: Loc, read: &mut BTreeSet<Loc>) -> Option<R> {
        if !self.exists(at) {
            return self.stop(pc, Why::Address(at));
        }
        if read.insert(at) && self.over(read.iter(), at.bank, self.spec.banks.reads) {
            self.refuse(pc, Why::ReadPorts(at.bank));
        }
        match self.seen(at, self.slots) {
            Some(value) => value,
            None => self.stop(pc, Why::Unwritten(at)),
        }
    }

    fn exists(&self, at: Loc) -> bool {
        u32::from(at.bank) < self.spec.banks.count && u32::from(at.row) < self.spec.banks.rows
    }

    fn over<'r>(&self, rows: impl Iterator<Item = &'r Loc>, bank: u8, ports: u32) -> bool {
        rows.filter(|at| at.bank == bank).count() > ports as usize
    }

    /// The value of a row that a word of a slot reads: `None` if it was never written, `Some(None)` if its value is unknown.
    fn seen(&self, at: Loc, slot: u32) -> Option<Option<R>> {
        let written = self.issued.iter().filter(|i| i.to == Some(at) && i.ready + 2 <= slot);
        match written.max_by_key(|i| i.ready) {
            Some(issued) => Some(issued.value),
            None => self.start.get(&at).map(|value| Some(*value)),
        }
    }

    /// Refuses the instruction if the channel cannot accept it in this slot.
    fn structure(&mut self, pc: u16, channel: Channel) {
        let (slot, interval) = (self.slots, self.spec.mm.interval());
        let mut products = self.issued.iter().filter(|i| i.channel == Channel::Mm);
        match channel {
            Channel::Mm if products.any(|i| i.slot + interval > slot) => self.refuse(pc, Why::Busy),
            Channel::Inv if products.any(|i| i.ready > slot) => self.refuse(pc, Why::InFlight),
            _ => {}
        }
    }

    /// Writes the results that are ready in one slot to their banks, in the order of the channels.
    fn arrive(&mut self, ready: u32) {
        let mut results: Vec<(Channel, u32, u16, Loc)> = self
            .issued
            .iter()
            .filter(|i| i.ready == ready)
            .filter_map(|i| Some((i.channel, i.slot, i.pc, i.to?)))
            .collect();
        results.sort_unstable();
        let mut written: Vec<Loc> = Vec::new();
        for (_, slot, pc, to) in results {
            let why = if !self.exists(to) {
                Some(Why::Address(to))
            } else if written.contains(&to) {
                Some(Why::Collision(to))
            } else {
                written.push(to);
                self.over(written.iter(), to.bank, self.spec.banks.writes).then_some(Why::WritePorts(to.bank))
            };
            self.refusals.extend(why.map(|why| Refusal { slot, pc, why }));
        }
    }

    /// Number of slots so far.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    /// Slots from the first one until the last result is in its bank.
    pub fn cycles(&self) -> u32 {
        self.issued.iter().map(|issued| issued.ready + 1).max().unwrap_or(0)
    }

    /// All requests so far that the hardware could not serve.
    pub fn refusals(&self) -> &BTreeSet<Refusal> {
        &self.refusals
    }

    /// The rows of the banks when every result has arrived; `None` if anything was refused.
    pub fn rows(&self) -> Option<BTreeMap<Loc, R>> {
        if !self.refusals.is_empty() {
            return None;
        }
        let written: BTreeSet<Loc> =
            self.start.keys().copied().chain(self.issued.iter().filter_map(|i| i.to)).collect();
        written.into_iter().map(|at| Some((at, self.seen(at, u32::MAX)??))).collect()
    }
}
