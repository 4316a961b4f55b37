//! Execution of the sender's instructions on engines, banks and DRAM.

use super::account::{Account, MsmPhases};
use super::claim::{Claim, fits, table_of};
use super::error::Fault;
use super::pairing::Routines;
use super::payload::{Payload, ROW_WORDS, Word};
use super::sender::{Engines, Executed, Span};
use super::task::Generators;
use super::timed::Timed;
use super::waits::ElementWaits;
use crate::isa::{Group, L1, LoopReg, Memory, Tables, Transform};
use crate::machine::dma::{Block, Contents, Dma, ElementPlace, Order};
use crate::machine::layout::{point_words, points_of_a_set};
use crate::machine::msm::{DigitPlan, Fetch, Msm, MsmWork, splitter};
use crate::machine::poly::{Bank, Cell, Layout, PolyOp, PolyWork, map, place, twiddle};
use pairwright_field::PrimeField;
use pairwright_sim::Access;
use pairwright_sim::dram::Dram;

/// The MSM in progress.
#[derive(Clone, Copy, Debug)]
struct Running {
    group: Group,
    plan: DigitPlan,
    /// The lowest of the windows that the current pass over the points serves.
    first: u32,
}

/// The chip without its sender: engines, memories and DRAM.
pub(super) struct ChipEngines<F, P1, P2> {
    pub(super) poly: PolyOp<F>,
    pub(super) g1: Msm<P1>,
    pub(super) g2: Msm<P2>,
    pub(super) dma: Dma,
    pub(super) dram: Dram,
    pub(super) contents: Contents,
    pub(super) concurrent: bool,
    pub(super) lanes: u32,
    /// The region of DRAM of each address generator.
    pub(super) regions: Vec<u32>,
    pub(super) generators: Vec<(Generators<F>, u64)>,
    pub(super) plans: std::collections::VecDeque<(Group, DigitPlan)>,
    pub(super) points: [Points<P1, P2>; 2],
    pub(super) scalars: [Vec<Word>; 2],
    /// The words of the global bank that hold the result of an MSM.
    pub(super) global: Vec<Word>,
    running: Option<Running>,
    pub(super) account: Account,
    /// The counts of operations of the polynomial engine, in a run without their data.
    pub(super) timed: Option<Timed>,
    /// The pairing processor, if routines are loaded.
    pub(super) pairing: Option<Box<dyn Routines>>,
}

/// The contents of the point memory of a set.
pub(super) enum Points<P1, P2> {
    G1(Vec<P1>),
    G2(Vec<P2>),
}

impl<F: PrimeField, P1: Payload, P2: Payload> ChipEngines<F, P1, P2> {
    pub(super) fn new(
        (poly, g1, g2): (PolyOp<F>, Msm<P1>, Msm<P2>),
        (dma, dram): (Dma, Dram),
        (concurrent, lanes): (bool, u32),
    ) -> Self {
        let account = Account::new(String::new(), dram.stats());
        Self {
            poly,
            g1,
            g2,
            dma,
            dram,
            contents: Contents::new(),
            concurrent,
            lanes,
            regions: Vec::new(),
            generators: Vec::new(),
            plans: std::collections::VecDeque::new(),
            points: [Points::G1(Vec::new()), Points::G1(Vec::new())],
            scalars: [Vec::new(), Vec::new()],
            global: Vec::new(),
            running: None,
            account,
            timed: None,
            pairing: None,
        }
    }

    /// Executes a transfer with its data.
    fn transfer(
        &mut self,
        now: u64,
        memory: Memory,
        length: u16,
        src: u8,
        stream: u8,
        access: Access,
    ) -> Result<Span, Fault> {
        let before = self.dram.stats().moved_bytes;
        let moved = self.dma.transfer(now, stream.into(), access, length.into(), &mut self.dram)?;
        match access {
            Access::Read => self.load(memory, src, moved.block)?,
            Access::Write => self.store(memory, src, moved.block)?,
        }
        let end = moved.time.done.max(now + 1);
        let bytes = (self.dram.stats().moved_bytes - before) as f64;
        let wire = (bytes / self.dram.peak_bytes_per_cycle()).ceil() as u64;
        // Where the banks' ports are nearly as slow as the memory, a faster memory saves no more than the difference.
        let wire = wire.min(2 * wire.saturating_sub(moved.ports));
        Ok(Span { free: self.dma.ready().clamp(now + 1, end), end, wire: Some(wire) })
    }

    fn capacity(asked: usize, holds: usize) -> Result<(), Fault> {
        if asked <= holds { Ok(()) } else { Err(Fault::Capacity { asked, holds }) }
    }

    fn load(&mut self, memory: Memory, src: u8, block: Block) -> Result<(), Fault> {
        let set = usize::from(src & 1);
        let length = block.length as usize;
        match memory {
            Memory::A | Memory::B | Memory::C | Memory::Twiddles | Memory::Base => {
                Self::capacity(length, map::WORDS as usize)?;
                let bank = match memory {
                    Memory::A => Bank::A,
                    Memory::B => Bank::B,
                    Memory::Base => Bank::Base,
                    _ => Bank::C,
                };
                let layout = self.dma.stream(block.stream)?.layout;
                let carried = if self.timed.is_some() { Block { length: 0, ..block } } else { block };
                for (entry, (address, at)) in self.dma.elements(carried)?.enumerate() {
                    let mut word = [[0; 4]];
                    self.contents.read(address, &mut word)?;
                    let value =
                        element(&word[0]).ok_or(Fault::Value { entry, what: "element of the field" })?;
                    let cell = match bank {
                        Bank::A | Bank::B => cell(layout, at)?,
                        // The second operand of a vector operation is stored in the cell beside the first.
                        Bank::C if memory == Memory::C => map::beside(cell(layout, at)?),
                        Bank::C | Bank::Base => twiddle::word(at.index),
                    };
                    self.poly.poke(bank, src, cell, value)?;
                }
                match bank {
                    Bank::A | Bank::B => self.account.moved.vectors += length as u64,
                    Bank::C | Bank::Base => self.account.moved.tables += length as u64,
                }
            }
            Memory::Points => {
                let words = self.dma.stream(block.stream)?.element_words;
                let group = if u64::from(words) == point_words(Group::G2) { Group::G2 } else { Group::G1 };
                Self::capacity(length, points_of_a_set(group) as usize)?;
                self.points[set] = match group {
                    Group::G1 => Points::G1(self.read_points(block)?),
                    Group::G2 => Points::G2(self.read_points(block)?),
                };
                self.account.moved.points += length as u64 * u64::from(words);
            }
            Memory::Scalars => {
                Self::capacity(length, points_of_a_set(Group::G1) as usize)?;
                let mut scalars = std::mem::take(&mut self.scalars[set]);
                scalars.clear();
                for (address, _) in self.dma.elements(block)? {
                    let mut word = [[0; 4]];
                    self.contents.read(address, &mut word)?;
                    scalars.push(word[0]);
                }
                self.scalars[set] = scalars;
                self.account.moved.scalars += length as u64;
            }
            Memory::Global => {
                let pairing = self.pairing.as_mut().ok_or(Fault::NoPairing)?;
                let mut words = [[0; 4]; ROW_WORDS];
                for (entry, (address, _)) in self.dma.elements(block)?.enumerate() {
                    self.contents.read(address, &mut words)?;
                    let row = block.position as u32 + entry as u32;
                    pairing.load(row, &words)?.ok_or(Fault::Value { entry, what: "row of residues" })?;
                }
            }
        }
        Ok(())
    }

    fn read_points<P: Payload>(&self, block: Block) -> Result<Vec<P>, Fault> {
        if !P::CARRIED {
            return Ok((0..block.length).filter_map(|_| P::from_words(&[])).collect());
        }
        let words = self.dma.stream(block.stream)?.element_words as usize;
        let mut buffer = vec![[0; 4]; words];
        self.dma
            .elements(block)?
            .enumerate()
            .map(|(entry, (address, _))| {
                self.contents.read(address, &mut buffer)?;
                P::from_words(&buffer).ok_or(Fault::Value { entry, what: "point" })
            })
            .collect()
    }

    fn store(&mut self, memory: Memory, src: u8, block: Block) -> Result<(), Fault> {
        let bank = match memory {
            Memory::A => Bank::A,
            Memory::B => Bank::B,
            Memory::C | Memory::Twiddles => Bank::C,
            Memory::Global => {
                // The words are an MSM's result, or rows of the pairing processor.
                let rows = self.dma.stream(block.stream)?.element_words as usize == ROW_WORDS;
                let elements: Vec<u64> = self.dma.elements(block)?.map(|(address, _)| address).collect();
                for (row, address) in (block.position as u32..).zip(elements) {
                    match &self.pairing {
                        Some(pairing) if rows => self.contents.write(address, &pairing.store(row))?,
                        _ => self.contents.write(address, &self.global)?,
                    }
                }
                return Ok(());
            }
            Memory::Points => return Err(Fault::NoTransfer("the point memory")),
            Memory::Scalars => return Err(Fault::NoTransfer("the scalar memory")),
            Memory::Base => return Err(Fault::NoTransfer("the plain table")),
        };
        let layout = self.dma.stream(block.stream)?.layout;
        let carried = if self.timed.is_some() { Block { length: 0, ..block } } else { block };
        for (entry, (address, at)) in self.dma.elements(carried)?.enumerate() {
            let cell = match memory {
                Memory::C => map::beside(cell(layout, at)?),
                Memory::Twiddles => twiddle::word(at.index),
                _ => cell(layout, at)?,
            };
            let value = self
                .poly
                .peek(bank, src, cell)
                .ok_or(Fault::NotLoaded { asked: entry + 1, loaded: entry })?;
            self.contents.write(address, &[super::word(&value)])?;
        }
        match bank {
            Bank::A | Bank::B => self.account.moved.vectors += u64::from(block.length),
            Bank::C | Bank::Base => self.account.moved.tables += u64::from(block.length),
        }
        Ok(())
    }

    /// Executes a batch of sub-NTTs.
    fn transform(
        &mut self,
        kind: Transform,
        length: u16,
        src: u8,
        batch: u8,
        tables: Tables,
    ) -> Result<u64, Fault> {
        if !fits(length, batch, map::WORDS as usize) {
            let asked = usize::from(length) << batch;
            return Err(Fault::Capacity { asked, holds: map::WORDS as usize });
        }
        let work = match &mut self.timed {
            Some(timed) => {
                let instruction = L1::SubNtt { kind, length, src: 0, batch, tables };
                timed.take::<F>(instruction, self.poly.config(), |poly| {
                    transform(poly, kind, length, 0, batch, tables)
                })?
            }
            None => transform(&mut self.poly, kind, length, src, batch, tables)?,
        };
        self.account.poly += work;
        Ok(work.cycles)
    }

    fn tables(&mut self, length: u16, batch: u8, src: u8, stream: u8) -> Result<u64, Fault> {
        let log_len = length.trailing_zeros();
        let (generators, position) =
            self.generators.get_mut(usize::from(stream)).ok_or(Fault::Stream(stream))?;
        self.account.outside.row_generators += 1 << batch;
        let kind = if generators.inverse { Transform::CosetIntt } else { Transform::CosetNtt };
        let generate = |poly: &mut PolyOp<F>, src: u8, first: Option<u64>| -> Result<PolyWork, Fault> {
            let mut sum = PolyWork::default();
            for slot in 0..1u8 << batch {
                let generator = first.map_or(F::ONE, |first| generators.at(first + u64::from(slot)));
                poly.select_table(src, log_len, slot)?;
                sum += poly.generate_twiddles(src, kind, log_len, generator)?;
            }
            Ok(sum)
        };
        let work = match &mut self.timed {
            Some(timed) => {
                // The direction does not influence the cycles, but it is part of the simulated operation.
                let instruction =
                    L1::GenTwiddles { length, batch, src: 0, stream: u8::from(generators.inverse) };
                timed.take::<F>(instruction, self.poly.config(), |poly| generate(poly, 0, None))?
            }
            None => generate(&mut self.poly, src, Some(*position))?,
        };
        *position += 1 << batch;
        self.account.poly += work;
        Ok(work.cycles)
    }

    /// Accumulates the points and scalars in the memories of a set into buckets.
    fn accumulate(&mut self, now: u64, length: u16, src: u8, group: Group) -> Result<Span, Fault> {
        let running = match self.running {
            Some(running) => running,
            None => {
                let (planned, plan) = self.plans.pop_front().ok_or(Fault::NoPlan)?;
                if planned != group {
                    return Err(Fault::NoPlan);
                }
                self.account.outside.bucket_words += match group {
                    Group::G1 => self.g1.begin(now, plan.windows),
                    Group::G2 => self.g2.begin(now, plan.windows),
                };
                let rounds = plan.windows.div_ceil(self.lanes);
                let running = Running { group, plan, first: (rounds - 1) * self.lanes };
                self.running = Some(running);
                running
            }
        };
        let set = usize::from(src & 1);
        let (asked, scalars) = (usize::from(length), &self.scalars[set]);
        let phases = &mut self.account.msm[group as usize];
        let Running { plan, first, .. } = running;
        let split = splitter::<F>();
        if plan.halves > 1 && split.is_none() {
            return Err(Fault::NoEndomorphism);
        }
        let fetch = Fetch { plan, first, lanes: self.lanes.min(plan.windows - first), split };
        let not_loaded = |loaded: usize| Fault::NotLoaded { asked, loaded };
        let scalars = scalars.get(..asked).ok_or_else(|| not_loaded(scalars.len()))?;
        // A scalar belongs to all multiples of its point.
        let asked = asked * plan.levels as usize;
        let work = match (&self.points[set], group) {
            (Points::G1(points), Group::G1) => {
                let points = points.get(..asked).ok_or_else(|| not_loaded(points.len()))?;
                self.g1.accumulate(now, fetch.operands(points, scalars))?
            }
            (Points::G2(points), Group::G2) => {
                let points = points.get(..asked).ok_or_else(|| not_loaded(points.len()))?;
                self.g2.accumulate(now, fetch.operands(points, scalars))?
            }
            _ => return Err(not_loaded(0)),
        };
        // A coordinate in G2 is two elements of Fp.
        self.account.images += u64::from(plan.halves - 1) * asked as u64 * (1 + group as u64);
        phases.accumulation = sum(phases.accumulation, work);
        Ok(Span { free: work.end, end: work.end, wire: None })
    }

    fn phase(
        &mut self,
        now: u64,
        work: impl FnOnce(&mut Self, &mut Running) -> Result<(MsmWork, fn(&mut MsmPhases) -> &mut MsmWork), Fault>,
    ) -> Result<Span, Fault> {
        let mut running = self.running.take().ok_or(Fault::NoPlan)?;
        let (work, phase) = work(self, &mut running)?;
        let total = phase(&mut self.account.msm[running.group as usize]);
        *total = sum(*total, work);
        self.running = Some(running);
        let end = work.end.max(now + 1);
        Ok(Span { free: end, end, wire: None })
    }
}

/// The counts of two operations one after the other; the first may be empty.
fn sum(mut a: MsmWork, b: MsmWork) -> MsmWork {
    if a == MsmWork::default() {
        return b;
    }
    a += b;
    a
}

/// Executes a batch of sub-NTTs in a set of banks of an engine.
fn transform<F: PrimeField>(
    poly: &mut PolyOp<F>,
    kind: Transform,
    length: u16,
    src: u8,
    batch: u8,
    tables: Tables,
) -> Result<PolyWork, Fault> {
    let log_len = length.trailing_zeros();
    if poly.config().batch && tables == Tables::Shared {
        poly.select_table(src, log_len, 0)?;
        return Ok(poly.sub_ntts(src, 0..1 << batch, kind, log_len)?);
    }
    let mut sum = PolyWork::default();
    for slot in 0..1u8 << batch {
        poly.select_table(src, log_len, table_of(tables, slot))?;
        sum += poly.sub_ntt(src, slot, kind, log_len)?;
    }
    Ok(sum)
}

/// The field element whose Montgomery form is in a word; `None` if it is not below the modulus.
pub(super) fn element<F: PrimeField>(word: &Word) -> Option<F> {
    let mut limbs = F::Limbs::default();
    let n = limbs.as_ref().len();
    limbs.as_mut().copy_from_slice(word.get(..n)?);
    F::from_montgomery(limbs)
}

/// The cell of Banks_A or Banks_B for an entry of a transfer.
fn cell(layout: crate::machine::dma::Layout, at: ElementPlace) -> Result<Cell, Fault> {
    let (order, log_len) = match layout.order {
        Order::Linear => (Layout::Linear, map::WORDS.ilog2()),
        // The transfer has already reversed the bits.
        Order::Natural | Order::BitReversed => (Layout::Natural, layout.log_len),
    };
    Ok(place(order, log_len, at.slot as u8, at.index)?)
}

impl<F: PrimeField, P1: Payload, P2: Payload> Engines for ChipEngines<F, P1, P2> {
    fn execute(&mut self, now: u64, instruction: &L1) -> Result<Span, Fault> {
        let after = |cycles: u64| {
            let end = now + cycles.max(1);
            Span { free: end, end, wire: None }
        };
        match *instruction {
            L1::Load { memory, length, src, stream } => {
                self.transfer(now, memory, length, src, stream, Access::Read)
            }
            L1::Store { memory, length, src, stream } => {
                self.transfer(now, memory, length, src, stream, Access::Write)
            }
            L1::SubNtt { kind, length, src, batch, tables } => {
                self.transform(kind, length, src, batch, tables).map(after)
            }
            L1::GenTwiddles { length, batch, src, stream } => {
                self.tables(length, batch, src, stream).map(after)
            }
            L1::Vector { op, length, src } => {
                let work = match &mut self.timed {
                    Some(timed) => {
                        let instruction = L1::Vector { op, length, src: 0 };
                        timed.take::<F>(instruction, self.poly.config(), |poly| {
                            Ok(poly.vector(0, op, length.into())?)
                        })?
                    }
                    None => self.poly.vector(src, op, length.into())?,
                };
                self.account.poly += work;
                Ok(after(work.cycles))
            }
            L1::MsmOp1 { length, src, group } => self.accumulate(now, length, src, group),
            L1::MsmInitP2 => self.phase(now, |core, running| {
                let work = match running.group {
                    Group::G1 => core.g1.reduce(now, running.first)?,
                    Group::G2 => core.g2.reduce(now, running.first)?,
                };
                running.first = running.first.saturating_sub(core.lanes);
                Ok((work, |phases| &mut phases.reduction))
            }),
            L1::MsmInitP3 => {
                let span = self.phase(now, |core, running| {
                    let work = match running.group {
                        Group::G1 => {
                            let (work, value) = core.g1.aggregate(now)?;
                            core.global = value.to_words(Group::G1);
                            work
                        }
                        Group::G2 => {
                            let (work, value) = core.g2.aggregate(now)?;
                            core.global = value.to_words(Group::G2);
                            work
                        }
                    };
                    Ok((work, |phases| &mut phases.aggregation))
                });
                self.running = None;
                span
            }
            _ => {
                let pairing = self.pairing.as_mut().ok_or(Fault::NoPairing)?;
                let end = pairing.execute(now, instruction)?.max(now);
                Ok(Span { free: end, end, wire: None })
            }
        }
    }

    fn claim(&self, instruction: &L1) -> Claim {
        let region = |k: u8| self.regions.get(usize::from(k)).copied().unwrap_or(0);
        Claim::of(instruction, self.concurrent, region)
    }

    fn next_bit(&mut self, reg: LoopReg) -> Result<bool, Fault> {
        Ok(self.pairing.as_mut().ok_or(Fault::NoPairing)?.next_bit(reg)?)
    }

    fn executed(&mut self, done: &Executed) {
        self.account.note(done);
    }

    fn closed(&mut self, waits: [ElementWaits; 3]) {
        self.account.elements.iter_mut().zip(waits).for_each(|(part, waits)| part.waits += waits);
    }
}
