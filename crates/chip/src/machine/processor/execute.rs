//! The stages of the pipeline: decode and read, execute, and write-back, slot by slot of a routine.
//!
//! A cycle has three steps. First every channel shows the result in its last register; results with a destination are
//! written to their banks. Then the words of this slot take their forwarded operands, over path 2 from those results and
//! over path 1 from the registers that hold the results of the cycle before; meanwhile the words of the next slot are
//! fetched and read their rows, as the banks held them when the cycle began. Last comes the clock edge.

use super::front::{Fetched, Placed, fetch, is_bubble};
use super::ledger::Ledger;
use super::probe::{Issue, Probe, Snapshot, row_digits};
use super::run::Class;
use crate::isa::{Channel, FwdPath, L2, Loc, Operand};
use crate::machine::datapath::{Datapath, Row};
use crate::machine::error::{Fault, MachineError};
use crate::machine::fp2::Multiplier;
use crate::machine::inversion::Inverter;
use crate::spec::{Forwarding, MachineSpec};
use pairwright_sim::{Banks, Clocked, Pipe, Ports};

const CHANNELS: [Channel; 3] = [Channel::Mm, Channel::Arith, Channel::Inv];

/// The mark of a value in the pipeline: the instruction and slot that produced it, and its destination.
#[derive(Clone, Copy, Debug)]
struct Tag {
    pc: u16,
    slot: u32,
    to: Option<Loc>,
}

/// An operand after decoding.
#[derive(Clone, Copy, Debug)]
enum Source<F> {
    None,
    Value(Row<F>),
    Forward(Channel, FwdPath),
}

/// The words of a slot with the rows they have read.
#[derive(Clone, Copy, Debug)]
struct Decoded<F> {
    fetched: Fetched,
    sources: [[Source<F>; 2]; 2],
}

/// The pairing processor below its L1 program: banks, channels, forwarding registers.
#[derive(Clone, Debug)]
pub(super) struct Pipeline<F> {
    memory: Vec<L2>,
    width: u32,
    forwarding: Forwarding,
    pub(super) banks: Banks<Row<F>>,
    mm: Multiplier<F, Tag>,
    arith: Pipe<(Tag, Row<F>)>,
    inv: Pipe<(Tag, Row<F>)>,
    inverter: Inverter,
    /// The write-back registers, that is forwarding path 1: what each channel showed in the cycle before.
    shown: [Option<Row<F>>; 3],
}

impl<F: Datapath> Pipeline<F> {
    pub(super) fn new(spec: &MachineSpec, memory: Vec<L2>) -> Result<Self, MachineError> {
        let multiplier = Multiplier::<F, Tag>::config(&spec.mm);
        let inverter = Inverter::new::<F>(&spec.inversion, multiplier).ok_or(MachineError::Interval {
            interval: spec.inversion.interval,
            latency: multiplier.latency(),
        })?;
        let ports = Ports { reads: spec.banks.reads, writes: spec.banks.writes };
        Ok(Self {
            memory,
            width: spec.issue.width,
            forwarding: spec.forwarding,
            banks: Banks::new(spec.banks.count, spec.banks.rows, ports),
            mm: Multiplier::new(&spec.mm),
            arith: Pipe::new(spec.arith.latency),
            inv: Pipe::new(1),
            inverter,
            shown: [None; 3],
        })
    }

    /// Empties the pipeline, as is necessary after an error. The banks keep their values.
    pub(super) fn flush(&mut self) {
        while !self.drained() {
            self.edge([None; 2], None);
        }
        self.banks.restart();
        self.mm.idle(u64::MAX);
        self.shown = [None; 3];
    }

    fn drained(&self) -> bool {
        self.mm.in_flight() == 0 && self.arith.is_empty() && self.inv.is_empty()
    }

    /// Passes cycles in which no instruction is in flight.
    pub(super) fn idle<P: Probe>(&mut self, class: Class, cycles: u64, ledger: &mut Ledger, probe: &mut P) {
        if cycles == 0 {
            return;
        }
        self.watch(class, None, ledger, probe);
        self.banks.skip(cycles);
        self.mm.idle(cycles);
        self.shown = [None; 3];
        ledger.count_cycles(class, cycles);
    }

    /// Runs the routine at `addr`, `times` times, from its fill to the cycle in which its last result is written to its
    /// bank. Returns the number of slots. A fill of zero takes one cycle all the same, in which the first rows are read.
    pub(super) fn routine<P: Probe>(
        &mut self,
        addr: u16,
        times: u32,
        fill: u32,
        ledger: &mut Ledger,
        probe: &mut P,
    ) -> Result<u32, MachineError> {
        let mut left = times;
        // The first slot's rows are read in the last of the cycles before it.
        self.idle(Class::Fill, u64::from(fill.saturating_sub(1)), ledger, probe);
        let mut now = self.decode(usize::from(addr), 0, probe)?;
        self.idle(Class::Fill, 1, ledger, probe);
        let mut slot = 0;
        loop {
            let results = self.write_back(ledger, probe)?;
            let operands = self.forward(&now, &results, slot, ledger)?;
            let next = now.fetched.next().or_else(|| {
                left -= 1;
                (left > 0).then_some(usize::from(addr))
            });
            let next = next.map(|pc| self.decode(pc, slot + 1, probe)).transpose()?;
            self.issue(&now.fetched, operands, &results, slot, ledger, probe)?;
            slot += 1;
            match next {
                Some(next) => now = next,
                None => break,
            }
        }
        while !self.drained() {
            let results = self.write_back(ledger, probe)?;
            self.watch(Class::Drain, None, ledger, probe);
            self.edge([None; 2], None);
            self.shown = results;
            ledger.count_cycles(Class::Drain, 1);
        }
        Ok(slot)
    }

    /// The results that the channels show in this cycle, which are written to their banks.
    fn write_back<P: Probe>(
        &mut self,
        ledger: &Ledger,
        probe: &mut P,
    ) -> Result<[Option<Row<F>>; 3], MachineError> {
        let shown = [self.mm.out(), self.arith.out(), self.inv.out()];
        for (channel, (tag, value)) in CHANNELS.iter().zip(shown).filter_map(|(c, s)| Some((*c, s?))) {
            if P::ACTIVE {
                probe.result(ledger.cycle(), channel, tag.to, &row_digits(&value));
            }
            let Some(to) = tag.to else { continue };
            self.banks
                .write(to.bank.into(), to.row.into(), value)
                .map_err(|e| self.error_at((tag.pc, self.memory[usize::from(tag.pc)]), tag.slot, e))?;
        }
        Ok(shown.map(|s| s.map(|(_, value)| value)))
    }

    fn error_at(&self, (pc, word): Placed, slot: u32, fault: impl Into<Fault>) -> MachineError {
        let (cycle, instruction) = (self.banks.cycle(), word.to_string());
        MachineError::Slot { cycle, slot, pc, instruction, fault: fault.into() }
    }

    /// Fetches the words of a slot and reads their rows, in the cycle before the slot. A row that two operands need is read
    /// once.
    fn decode<P: Probe>(&mut self, pc: usize, slot: u32, probe: &mut P) -> Result<Decoded<F>, MachineError> {
        let fetched =
            fetch(&self.memory, pc, self.width).map_err(|(word, fault)| self.error_at(word, slot, fault))?;
        let mut decoded = Decoded { fetched, sources: [[Source::None; 2]; 2] };
        let mut seen: [Option<(Loc, Row<F>)>; 4] = [None; 4];
        for (w, placed) in fetched.words().enumerate() {
            for k in 0..placed.1.op.operands() {
                decoded.sources[w][k] = match placed.1.src[k] {
                    None => return Err(self.error_at(placed, slot, Fault::Operand(k))),
                    Some(Operand::Forward(channel)) => {
                        let path =
                            placed.1.path.ok_or_else(|| self.error_at(placed, slot, Fault::NoPath(k)))?;
                        Source::Forward(channel, path)
                    }
                    Some(Operand::Row(at)) => {
                        let value = match seen.iter().flatten().find(|(loc, _)| *loc == at) {
                            Some((_, value)) => *value,
                            None => self
                                .banks
                                .read(at.bank.into(), at.row.into())
                                .map_err(|e| self.error_at(placed, slot, e))?,
                        };
                        seen[2 * w + k] = Some((at, value));
                        if P::ACTIVE {
                            probe.read(self.banks.cycle(), 2 * w + k, at, &row_digits(&value));
                        }
                        Source::Value(value)
                    }
                };
            }
        }
        Ok(decoded)
    }

    /// The operands of a slot's words, including those on the forwarding paths; zero where an operation takes none.
    fn forward(
        &self,
        now: &Decoded<F>,
        results: &[Option<Row<F>>; 3],
        slot: u32,
        ledger: &mut Ledger,
    ) -> Result<[[Row<F>; 2]; 2], MachineError> {
        let mut operands = [[Row::default(); 2]; 2];
        for (w, placed) in now.fetched.words().enumerate() {
            for k in 0..2 {
                operands[w][k] = match now.sources[w][k] {
                    Source::None => continue,
                    Source::Value(value) => value,
                    Source::Forward(channel, path) => {
                        let (built, on_path) = match path {
                            FwdPath::One => (self.forwarding.path1, &self.shown),
                            FwdPath::Two => (self.forwarding.path2, results),
                        };
                        if !built {
                            return Err(self.error_at(placed, slot, Fault::NoSuchPath(path)));
                        }
                        *ledger.run.forwards.of(path).of(channel) += 1;
                        on_path[channel as usize].ok_or_else(|| {
                            self.error_at(placed, slot, Fault::NothingForwarded(channel, path))
                        })?
                    }
                };
            }
        }
        Ok(operands)
    }

    /// Lets the words of a slot enter their channels: the clock edge at the end of the slot's cycle, and the cycles of an
    /// inversion after it.
    fn issue<P: Probe>(
        &mut self,
        fetched: &Fetched,
        operands: [[Row<F>; 2]; 2],
        results: &[Option<Row<F>>; 3],
        slot: u32,
        ledger: &mut Ledger,
        probe: &mut P,
    ) -> Result<(), MachineError> {
        let mut product = None;
        let mut others = [None; 2];
        let mut frozen = 0;
        for (placed, [a, b]) in fetched.words().zip(operands) {
            let (pc, word) = placed;
            let Some(channel) = word.op.channel() else { continue };
            let tag = Tag { pc, slot, to: word.dst };
            let cycles = match channel {
                Channel::Mm => {
                    if self.mm.wait() > 0 {
                        return Err(self.error_at(placed, slot, Fault::Busy(self.mm.wait())));
                    }
                    product = Some((tag, a, b));
                    u64::from(self.mm.latency())
                }
                Channel::Arith => {
                    others[0] = Some((tag, word.op.apply(a, b)));
                    u64::from(self.arith.latency())
                }
                Channel::Inv => {
                    if self.mm.working() > 0 {
                        return Err(self.error_at(placed, slot, Fault::InFlight(self.mm.working())));
                    }
                    let (inverse, took) = self.inverter.invert(&a.c0);
                    others[1] = Some((tag, Row::new(inverse, F::ZERO)));
                    frozen = took;
                    1 + took
                }
            };
            *ledger.run.issued.of(channel) += 1;
            if P::ACTIVE {
                probe.issue(&Issue { cycle: ledger.cycle(), slot, pc, word: &word, channel, cycles });
            }
        }
        self.watch(Class::Issue, Some(fetched.first.0), ledger, probe);
        self.edge(others, product);
        self.shown = *results;
        ledger.slot(fetched.second.is_some(), is_bubble(fetched));
        if others[1].is_some() {
            // The issue stage is stalled: no register but the multiplier's changes.
            self.watch(Class::Inversion, None, ledger, probe);
            self.banks.skip(frozen);
            ledger.inversion(frozen, self.inverter.chain().products());
        }
        Ok(())
    }

    fn edge(&mut self, [arith, inv]: [Option<(Tag, Row<F>)>; 2], product: Option<(Tag, Row<F>, Row<F>)>) {
        self.mm.tick(product);
        self.arith.tick(arith);
        self.inv.tick(inv);
        self.banks.tick();
    }

    fn watch<P: Probe>(&self, class: Class, l2_pc: Option<u16>, ledger: &Ledger, probe: &mut P) {
        if P::ACTIVE {
            probe.cycle(&Snapshot {
                cycle: ledger.cycle(),
                class,
                l1_pc: ledger.l1_pc,
                l2_pc,
                in_flight: self.mm.in_flight() as u32,
                stages: self.mm.stages(),
            });
        }
    }
}
