//! An independent check of a routine's words against its formula and the machine.
//!
//! Nothing here is shared with the scheduler, the lifetimes or the colouring: slots are counted again from the words,
//! and the words are executed on random field elements under the timing contract of [`MachineSpec`]. A formula is a
//! rational function of the coordinates of its inputs, of degree far below the field's 2³⁸¹ elements, so words that
//! compute another one agree with it on a random point with a chance that never comes.

use super::graph::{Graph, Node};
use super::symbol::Fp2;
use crate::MachineSpec;
use crate::isa::{Channel, FwdPath, L2, L2Op, Loc, Operand};
use pairwright_curve::bls12_381::Fq2;
use pairwright_field::Field;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use std::collections::{BTreeMap, BTreeSet};
use thiserror::Error;

/// What is wrong with the words of a routine. Slots count from the routine's first.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// The mark of the last word is missing, or stands on another one.
    #[error("word {word}: the mark of the last word is wrong")]
    LastMark {
        /// Index of the word.
        word: usize,
    },
    /// Words that may not share a slot: too many, two for one channel, or a word that issues alone.
    #[error("slot {slot}: these words can not issue together")]
    Together {
        /// The slot.
        slot: i32,
    },
    /// A word with more or fewer operands than its operation has, or with a path and nothing forwarded over it, or
    /// the other way round, or a no-operation that writes.
    #[error("slot {slot}: operands, path or destination do not belong to the operation")]
    Form {
        /// The slot.
        slot: i32,
    },
    /// A product starts while the multiplier can not take one.
    #[error("slot {slot}: the multiplier takes no product yet")]
    Interval {
        /// The slot.
        slot: i32,
    },
    /// An inversion starts while products are in flight.
    #[error("slot {slot}: an inversion with products in flight")]
    Busy {
        /// The slot.
        slot: i32,
    },
    /// An operand over a path that the machine does not have.
    #[error("slot {slot}: the machine has no such forwarding path")]
    NoPath {
        /// The slot.
        slot: i32,
    },
    /// An operand over a path on which no result stands in this slot.
    #[error("slot {slot}: no result on the forwarding path")]
    NothingForwarded {
        /// The slot.
        slot: i32,
    },
    /// A row that the machine does not have.
    #[error("slot {slot}: row {} of bank {} does not exist", at.row, at.bank)]
    Outside {
        /// The slot.
        slot: i32,
        /// The row.
        at: Loc,
    },
    /// A row that belongs to the program around.
    #[error("slot {slot}: row {} of bank {} is reserved", at.row, at.bank)]
    Reserved {
        /// The slot.
        slot: i32,
        /// The row.
        at: Loc,
    },
    /// A row is read that holds nothing yet.
    #[error("slot {slot}: row {} of bank {} is read before anything is written to it", at.row, at.bank)]
    Unwritten {
        /// The slot.
        slot: i32,
        /// The row.
        at: Loc,
    },
    /// More rows of a bank are read for a slot than it has read ports.
    #[error("slot {slot}: too many reads of bank {bank}")]
    ReadPorts {
        /// The slot.
        slot: i32,
        /// The bank.
        bank: u8,
    },
    /// More results reach a bank in a cycle than it has write ports, or two reach one row.
    #[error("cycle {cycle}: too many writes to bank {bank}")]
    WritePorts {
        /// The cycle.
        cycle: i32,
        /// The bank.
        bank: u8,
    },
    /// An input that must be left as it is has changed.
    #[error("input {name} has not been kept")]
    Kept {
        /// The input.
        name: String,
    },
    /// An output's row does not hold the formula's value at the end.
    #[error("output {name} has another value than the formula's")]
    Output {
        /// The output.
        name: String,
    },
}

/// What the words turned out to take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// Issue slots, bubbles included.
    pub slots: u32,
    /// Slots until the last result is in its bank.
    pub cycles: u32,
    /// Operands taken from forwarding paths 1 and 2.
    pub forwards: [usize; 2],
}

/// Checks the words of a routine against the machine and against its graph, as it was before any pass. `seed` draws
/// the field elements.
///
/// # Errors
/// The first thing found wrong.
pub fn validate(words: &[L2], graph: &Graph, spec: &MachineSpec, seed: u64) -> Result<Facts, Fault> {
    validate_chain(words, graph, &[], 1, spec, seed)
}

/// The same for a routine called `calls` times, each call's first slot right after the last issue slot of the call
/// before, whose results may still be in flight. `links` are pairs of an output and the input that lies in its row
/// and holds its value in the next call; the other inputs must be kept.
///
/// # Errors
/// The first thing found wrong; slots count from the first call's first.
pub fn validate_chain(
    words: &[L2],
    graph: &Graph,
    links: &[(usize, usize)],
    calls: u32,
    spec: &MachineSpec,
    seed: u64,
) -> Result<Facts, Fault> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut board = Board::new(spec, &graph.reserved);
    let mut inputs: Vec<Fq2> = graph.inputs.iter().map(|_| Fq2::random(&mut rng)).collect();
    for (input, value) in graph.inputs.iter().zip(&inputs) {
        board.rows.insert(input.at, *value);
    }
    let first = inputs.clone();
    let mut start = 0;
    let mut outputs = Vec::new();
    for _ in 0..calls {
        start = board.play(words, start)?;
        outputs = evaluate(graph, &inputs);
        links.iter().for_each(|&(output, input)| inputs[input] = outputs[output]);
    }
    let cycles = board.drain(i32::MAX)?;
    for (output, value) in graph.outputs.iter().zip(&outputs) {
        if board.rows.get(&output.at) != Some(value) {
            return Err(Fault::Output { name: output.name.clone() });
        }
    }
    for (input, value) in graph.inputs.iter().zip(&first).filter(|(i, _)| i.kept) {
        if board.rows.get(&input.at) != Some(value) {
            return Err(Fault::Kept { name: input.name.clone() });
        }
    }
    Ok(Facts { slots: start as u32, cycles: cycles.max(0) as u32, forwards: board.forwards })
}

/// The outputs of a graph on values, in their order.
pub fn evaluate<R: Fp2>(graph: &Graph, inputs: &[R]) -> Vec<R> {
    let mut values: Vec<R> = Vec::with_capacity(graph.nodes.len());
    for node in &graph.nodes {
        let value = match *node {
            Node::Input(i) => inputs[i].clone(),
            Node::Op(op, [a, b]) => apply(op, values[a].clone(), values[b].clone()),
        };
        values.push(value);
    }
    graph.outputs.iter().map(|o| values[o.node].clone()).collect()
}

fn apply<R: Fp2>(op: L2Op, a: R, b: R) -> R {
    match op {
        L2Op::Mm => a * b,
        L2Op::Add => a + b,
        L2Op::Sub => a - b,
        L2Op::Inv => a.inv_fp(),
        L2Op::MulXi => a.mul_xi(),
        L2Op::Conj => a.conj(),
        L2Op::Neg => -a,
        L2Op::Vld | L2Op::Nop => a,
    }
}

/// Banks and channels while words are executed, slot by slot.
struct Board<'a> {
    spec: &'a MachineSpec,
    reserved: BTreeSet<Loc>,
    rows: BTreeMap<Loc, Fq2>,
    /// Results by channel and the slot in which they stand on path 2.
    results: BTreeMap<(Channel, i32), Fq2>,
    /// Writes under way, by the cycle in which they commit.
    pending: BTreeMap<i32, Vec<(Loc, Fq2)>>,
    /// The last slot in which a product started.
    product: Option<i32>,
    forwards: [usize; 2],
    /// The cycle after the last result's last stage.
    done: i32,
}

impl<'a> Board<'a> {
    fn new(spec: &'a MachineSpec, reserved: &[Loc]) -> Self {
        let reserved = reserved.iter().copied().collect();
        Self {
            spec,
            reserved,
            rows: BTreeMap::new(),
            results: BTreeMap::new(),
            pending: BTreeMap::new(),
            product: None,
            forwards: [0; 2],
            done: 0,
        }
    }

    /// Executes words from slot `start` on; returns the slot after their last.
    fn play(&mut self, words: &[L2], start: i32) -> Result<i32, Fault> {
        if words.is_empty() {
            return Err(Fault::LastMark { word: 0 });
        }
        if let Some(word) = (0..words.len()).find(|&w| words[w].last != (w + 1 == words.len())) {
            return Err(Fault::LastMark { word });
        }
        let mut slot = start;
        let mut rest = words;
        while !rest.is_empty() {
            let together = rest.iter().position(|w| !w.with_next).map_or(rest.len() + 1, |n| n + 1);
            let (now, later) = rest.split_at_checked(together).ok_or(Fault::Together { slot })?;
            self.issue(now, slot)?;
            (rest, slot) = (later, slot + 1);
        }
        Ok(slot)
    }

    fn issue(&mut self, words: &[L2], slot: i32) -> Result<(), Fault> {
        if words.len() > self.spec.issue.width as usize {
            return Err(Fault::Together { slot });
        }
        let mut channels: Vec<_> = words.iter().map(|w| w.op.channel()).collect();
        channels.sort_unstable();
        if words.len() > 1 && channels != [Some(Channel::Mm), Some(Channel::Arith)] {
            return Err(Fault::Together { slot });
        }
        // Rows are read in the cycle before the slot, before what is written in that cycle.
        self.drain(slot - 2)?;
        let mut read: BTreeSet<Loc> = BTreeSet::new();
        for word in words {
            let Some(channel) = word.op.channel() else {
                let silent = word.src == [None; 2] && word.dst.is_none() && word.path.is_none();
                silent.then_some(()).ok_or(Fault::Form { slot })?;
                continue;
            };
            let operands = self.operands(word, slot, &mut read)?;
            let latency = self.start(channel, slot)?;
            let value = apply(word.op, operands[0], operands[1]);
            self.results.insert((channel, slot + latency), value);
            self.done = self.done.max(slot + latency + 1);
            if let Some(at) = word.dst {
                self.touch(at, slot)?;
                self.pending.entry(slot + latency).or_default().push((at, value));
            }
        }
        for bank in 0..self.spec.banks.count as u8 {
            if read.iter().filter(|at| at.bank == bank).count() > self.spec.banks.reads as usize {
                return Err(Fault::ReadPorts { slot, bank });
            }
        }
        Ok(())
    }

    /// Both operands of a word; the first twice if the operation takes one.
    fn operands(&mut self, word: &L2, slot: i32, read: &mut BTreeSet<Loc>) -> Result<[Fq2; 2], Fault> {
        let given = word.src.iter().flatten().count();
        let forwarded = word.src.iter().any(|s| matches!(s, Some(Operand::Forward(_))));
        if given != word.op.operands() || word.src[0].is_none() || forwarded != word.path.is_some() {
            return Err(Fault::Form { slot });
        }
        let mut values = [Fq2::ZERO; 2];
        for (value, source) in values.iter_mut().zip(word.src) {
            *value = match source {
                None => continue,
                Some(Operand::Row(at)) => {
                    self.touch(at, slot)?;
                    read.insert(at);
                    *self.rows.get(&at).ok_or(Fault::Unwritten { slot, at })?
                }
                Some(Operand::Forward(channel)) => {
                    let (there, late) = match word.path {
                        Some(FwdPath::One) => (self.spec.forwarding.path1, 1),
                        _ => (self.spec.forwarding.path2, 0),
                    };
                    there.then_some(()).ok_or(Fault::NoPath { slot })?;
                    self.forwards[1 - late as usize] += 1;
                    *self.results.get(&(channel, slot - late)).ok_or(Fault::NothingForwarded { slot })?
                }
            };
        }
        if word.op.operands() == 1 {
            values[1] = values[0];
        }
        Ok(values)
    }

    /// The latency of a channel, if it can start an operation in this slot.
    fn start(&mut self, channel: Channel, slot: i32) -> Result<i32, Fault> {
        let mm = &self.spec.mm;
        let since = self.product.map(|last| (slot - last) as u32);
        match channel {
            Channel::Arith => Ok(self.spec.arith.latency as i32),
            Channel::Mm => {
                if since.is_some_and(|n| n < mm.interval()) {
                    return Err(Fault::Interval { slot });
                }
                self.product = Some(slot);
                Ok(mm.latency as i32)
            }
            // However many cycles an inversion takes, the issue stage stands still meanwhile: one slot.
            Channel::Inv => since.is_none_or(|n| n >= mm.latency).then_some(1).ok_or(Fault::Busy { slot }),
        }
    }

    /// A row that a word may name.
    fn touch(&self, at: Loc, slot: i32) -> Result<(), Fault> {
        if u32::from(at.bank) >= self.spec.banks.count || u32::from(at.row) >= self.spec.banks.rows {
            return Err(Fault::Outside { slot, at });
        }
        if self.reserved.contains(&at) {
            return Err(Fault::Reserved { slot, at });
        }
        Ok(())
    }

    /// Commits what is written up to a cycle, that one included.
    fn drain(&mut self, to: i32) -> Result<i32, Fault> {
        while let Some(entry) = self.pending.first_entry().filter(|e| *e.key() <= to) {
            let (cycle, writes) = entry.remove_entry();
            for (k, &(at, value)) in writes.iter().enumerate() {
                let before = &writes[..k];
                let ports = before.iter().filter(|(other, _)| other.bank == at.bank).count() + 1;
                if ports > self.spec.banks.writes as usize || before.iter().any(|(other, _)| *other == at) {
                    return Err(Fault::WritePorts { cycle, bank: at.bank });
                }
                self.rows.insert(at, value);
            }
        }
        Ok(self.done)
    }
}
