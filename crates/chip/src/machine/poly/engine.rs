//! The engine: two sets of banks, and the group of butterfly units that works on them.

use super::butterfly::{Beat, ButterflyTask, Direction, Line, UNITS};
use super::map::{self, BANKS, C_BANKS, C_ROWS, Cell, ROWS};
use super::network::{Selects, WIDTH};
use super::twiddle;
use super::{PolyError, PolySpec, RowTables};
use crate::isa::Transform;
use core::ops::Range;
use pairwright_device::sum_fields;
use pairwright_field::PrimeField;
use pairwright_sim::Banks;
use serde::Serialize;

/// A group of banks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Bank {
    /// Banks_A: eight banks of 128 words.
    A,
    /// Banks_B: eight banks of 128 words.
    B,
    /// Banks_C: four banks of 256 words.
    C,
    /// The plain table from which the tables of rows are generated, four banks of 256 words. It exists in designs with
    /// [`RowTables::Generate`] and is shared by both sets; the number of the set is ignored.
    Base,
}

/// The cycles and counts of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct PolyWork {
    /// Cycles from the first read to the last write, inclusive.
    pub cycles: u64,
    /// Cycles in which a processing element accepted operands, summed over the elements.
    #[serde(rename = "pe_cycles")]
    pub element_cycles: u64,
    /// Number of modular products.
    pub products: u64,
    /// Modular additions and subtractions; halving is not counted.
    pub additions: u64,
    /// Words read from Banks_A and Banks_B.
    pub reads: u64,
    /// Words written to Banks_A and Banks_B.
    pub writes: u64,
    /// Words read from Banks_C and from the base table.
    pub table_reads: u64,
    /// Words written to Banks_C.
    pub table_writes: u64,
}

sum_fields! {
    PolyWork { cycles, element_cycles, products, additions, reads, writes, table_reads, table_writes }
}

/// A set of banks.
#[derive(Clone, Debug)]
pub(super) struct Set<F> {
    number: u8,
    a: Banks<F>,
    b: Banks<F>,
    pub(super) c: Banks<F>,
    /// For each row, whether Banks_A or Banks_B hold the vector: a transform of an odd number of stages moves it to the
    /// others.
    holder: [Bank; ROWS as usize],
    /// First row of the table in Banks_C that operations use.
    pub(super) table: u32,
}

impl<F: PrimeField> Set<F> {
    fn new(number: u8) -> Self {
        let vector = || Banks::single_port(BANKS, ROWS);
        Self {
            number,
            a: vector(),
            b: vector(),
            c: Banks::single_port(C_BANKS, C_ROWS),
            holder: [Bank::A; ROWS as usize],
            table: 0,
        }
    }

    pub(super) fn fault(&self, memory: Bank) -> impl Fn(pairwright_sim::SimError) -> PolyError + use<F> {
        let set = self.number;
        move |why| PolyError::Access { memory, set, why }
    }

    fn vector(&mut self, memory: Bank) -> &mut Banks<F> {
        if memory == Bank::A { &mut self.a } else { &mut self.b }
    }

    pub(super) fn read(&mut self, memory: Bank, bank: u32, row: u32) -> Result<F, PolyError> {
        let fault = self.fault(memory);
        self.vector(memory).read(bank, row).map_err(fault)
    }

    pub(super) fn read_c(&mut self, cell: Cell) -> Result<F, PolyError> {
        let fault = self.fault(Bank::C);
        self.c.read(cell.bank, cell.row).map_err(fault)
    }

    /// The banks that hold the vector in some rows.
    pub(super) fn holder(&self, rows: Range<u32>) -> Result<Bank, PolyError> {
        let first = rows.start;
        let holder = self.holder[first as usize];
        match rows.into_iter().find(|row| self.holder[*row as usize] != holder) {
            None => Ok(holder),
            Some(row) => Err(PolyError::Split { set: self.number, first, row }),
        }
    }

    /// Advances the pipeline `line` by a cycle: the beat at its end is written, `input` enters it.
    pub(super) fn cycle(
        &mut self,
        line: &mut Line<F>,
        input: Option<Beat<F>>,
        work: &mut PolyWork,
    ) -> Result<(), PolyError> {
        if let Some(beat) = line.front() {
            let fault = self.fault(beat.to);
            let banks = self.vector(beat.to);
            for (cell, word) in beat.cells() {
                banks.write(cell.bank, cell.row, *word).map_err(&fault)?;
                work.writes += 1;
            }
        }
        line.tick(input);
        self.a.tick();
        self.b.tick();
        self.c.tick();
        work.cycles += 1;
        Ok(())
    }
}

/// The other of Banks_A and Banks_B.
pub(super) fn other(memory: Bank) -> Bank {
    if memory == Bank::A { Bank::B } else { Bank::A }
}

/// The Poly-OP engine over the scalar field `F`. An operation that is refused before its first cycle changes nothing; after
/// a [`PolyError::Access`] the set's banks hold the results of the cycles before.
#[derive(Clone, Debug)]
pub struct PolyOp<F> {
    pub(super) config: PolySpec,
    pub(super) sets: [Set<F>; 2],
    pub(super) base: Option<Banks<F>>,
    /// Products of the units, cycle by cycle, for tests.
    #[cfg(test)]
    pub(super) products: Option<Vec<[Option<(F, F, F)>; UNITS]>>,
}

impl<F: PrimeField> PolyOp<F> {
    /// An engine with empty banks.
    ///
    /// # Errors
    /// [`PolyError::Parameter`].
    pub fn new(config: &PolySpec) -> Result<Self, PolyError> {
        config.check()?;
        let base = (config.row_tables == RowTables::Generate).then(|| Banks::single_port(C_BANKS, C_ROWS));
        Ok(Self {
            config: *config,
            sets: [Set::new(0), Set::new(1)],
            base,
            #[cfg(test)]
            products: None,
        })
    }

    /// The parameters of the engine.
    pub fn config(&self) -> &PolySpec {
        &self.config
    }

    pub(super) fn set(&mut self, set: u8) -> Result<&mut Set<F>, PolyError> {
        self.sets.get_mut(usize::from(set)).ok_or(PolyError::Set { set })
    }

    /// Sets a word, as the DMA does between operations. If the word lies in Banks_A, its row holds the vector from then on,
    /// wherever it was before; see [`PolyOp::hold`].
    ///
    /// # Errors
    /// No such set, bank or row.
    pub fn poke(&mut self, memory: Bank, set: u8, cell: Cell, word: F) -> Result<(), PolyError> {
        let Cell { bank, row } = cell;
        let none = PolyError::Cell { memory, bank, row };
        let banks = self.set(set)?;
        let done = match memory {
            Bank::A => {
                if let Some(holder) = banks.holder.get_mut(row as usize) {
                    *holder = Bank::A;
                }
                banks.a.poke(bank, row, word)
            }
            Bank::B => banks.b.poke(bank, row, word),
            Bank::C => banks.c.poke(bank, row, word),
            Bank::Base => match &mut self.base {
                Some(base) => base.poke(bank, row, word),
                None => return Err(none),
            },
        };
        done.map_err(|_| none)
    }

    /// The value of a word, as the DMA reads it between operations; `None` if it was never set or does not exist.
    pub fn peek(&self, memory: Bank, set: u8, cell: Cell) -> Option<F> {
        let banks = self.sets.get(usize::from(set))?;
        let banks = match memory {
            Bank::A => &banks.a,
            Bank::B => &banks.b,
            Bank::C => &banks.c,
            Bank::Base => self.base.as_ref()?,
        };
        banks.peek(cell.bank, cell.row).copied()
    }

    /// The banks, A or B, that hold the vector of `2^log_len` points in a slot.
    ///
    /// # Errors
    /// No such set, slot or length; [`PolyError::Split`] if the slot's rows are in both.
    pub fn holder(&self, set: u8, slot: u8, log_len: u32) -> Result<Bank, PolyError> {
        let rows = rows(slot..slot.saturating_add(1), log_len)?;
        self.sets.get(usize::from(set)).ok_or(PolyError::Set { set })?.holder(rows)
    }

    /// Declares that banks `memory`, A or B, hold the vector in some rows, where the data do not come from a transform or
    /// from a [`PolyOp::poke`] into Banks_A. Rows beyond the banks are ignored.
    ///
    /// # Errors
    /// No such set.
    pub fn hold(&mut self, set: u8, rows: Range<u32>, memory: Bank) -> Result<(), PolyError> {
        let holder = &mut self.set(set)?.holder;
        let rows = rows.start.min(ROWS) as usize..rows.end.min(ROWS) as usize;
        holder[rows].fill(if memory == Bank::B { Bank::B } else { Bank::A });
        Ok(())
    }

    /// Selects the table of `2^log_len` twiddles in the Banks_C of set `set` that transforms use and generation writes from
    /// now on. The tables lie one after the other; initially the first is selected.
    ///
    /// # Errors
    /// No such set or length, or a table beyond the banks.
    pub fn select_table(&mut self, set: u8, log_len: u32, table: u8) -> Result<(), PolyError> {
        let tables = map::slots(log_len)?;
        if u32::from(table) >= tables {
            return Err(PolyError::Slots {
                first: table,
                end: table.saturating_add(1),
                log_len,
                slots: tables,
            });
        }
        self.set(set)?.table = (u32::from(table) << log_len) / C_BANKS;
        Ok(())
    }

    /// Transforms the `2^log_len` points in slot `slot` of set `set` with the twiddles in its Banks_C.
    ///
    /// The input of an NTT is in [`map::Layout::BitReversed`] and its output in [`map::Layout::Natural`]; for an INTT it is
    /// the reverse. The result is in the banks that [`PolyOp::holder`] names.
    ///
    /// # Errors
    /// A transform, set, slot or length that the design or the banks do not have; [`PolyError::Access`] for words that were
    /// never set.
    pub fn sub_ntt(
        &mut self,
        set: u8,
        slot: u8,
        kind: Transform,
        log_len: u32,
    ) -> Result<PolyWork, PolyError> {
        self.stages(set, slot..slot.saturating_add(1), kind, log_len, 0..log_len)
    }

    /// Transforms several slots with the same twiddles, stage by stage together, so that the pipeline drains once per stage.
    ///
    /// # Errors
    /// As [`PolyOp::sub_ntt`]; [`PolyError::Batch`] if the design has no batches, [`PolyError::Split`] if the slots lie
    /// in different banks.
    pub fn sub_ntts(
        &mut self,
        set: u8,
        slots: Range<u8>,
        kind: Transform,
        log_len: u32,
    ) -> Result<PolyWork, PolyError> {
        if slots.len() > 1 && !self.config.batch {
            return Err(PolyError::Batch { slots: slots.len() as u32 });
        }
        self.stages(set, slots, kind, log_len, 0..log_len)
    }

    /// Runs some stages of a transform, counted in the order in which they run. Between them the layout is that of the map
    /// ([`map::cell`]): that before stage `s` for an NTT, and that after stage `n - 1 - s` for an INTT.
    ///
    /// # Errors
    /// As [`PolyOp::sub_ntt`].
    pub fn stages(
        &mut self,
        set: u8,
        slots: Range<u8>,
        kind: Transform,
        log_len: u32,
        stages: Range<u32>,
    ) -> Result<PolyWork, PolyError> {
        let mut run = self.begin(set, slots, kind, log_len, stages)?;
        #[cfg(test)]
        let mut log = self.products.take();
        while !run.is_done() {
            self.cycle(&mut run)?;
            #[cfg(test)]
            log.iter_mut().for_each(|log| log.push(run.line.entered));
        }
        #[cfg(test)]
        {
            self.products = log;
        }
        Ok(run.work)
    }

    /// Prepares the same stages, to be clocked by [`PolyOp::cycle`].
    ///
    /// # Errors
    /// As [`PolyOp::sub_ntt`], except those of the banks.
    pub fn begin(
        &self,
        set: u8,
        slots: Range<u8>,
        kind: Transform,
        log_len: u32,
        stages: Range<u32>,
    ) -> Result<SubNtt<F>, PolyError> {
        if twiddle::is_coset(kind) && !self.config.merged {
            return Err(PolyError::NotMerged { kind });
        }
        let direction = if twiddle::is_inverse(kind) { Direction::Inverse } else { Direction::Forward };
        let rows = rows(slots, log_len)?;
        let from = self.sets.get(usize::from(set)).ok_or(PolyError::Set { set })?.holder(rows.clone())?;
        let line = Line::new(&self.config, direction, self.config.butterfly_latency());
        let stages = stages.start..stages.end.min(log_len);
        Ok(SubNtt { set, direction, log_len, rows, stages, round: 0, from, line, work: PolyWork::default() })
    }

    /// Executes one cycle of a transform that is not done: the next round enters the group if there is one, and the beat
    /// that leaves the group is written.
    ///
    /// # Errors
    /// [`PolyError::Access`].
    pub fn cycle(&mut self, run: &mut SubNtt<F>) -> Result<(), PolyError> {
        let banks = self.set(run.set)?;
        let all = run.rows.end - run.rows.start;
        let mut beat = None;
        if run.round < all {
            let rounds = map::rounds(run.log_len);
            let round = Round {
                log_len: run.log_len,
                base: run.rows.start + run.round / rounds * rounds,
                stage: run.bit(),
                round: run.round % rounds,
                direction: run.direction,
            };
            beat = Some(round.fetch(banks, run.from, &mut run.work)?);
            run.round += 1;
        }
        banks.cycle(&mut run.line, beat, &mut run.work)?;
        // The next stage reads the results of this one, and a bank has one port: the pipeline has to drain.
        if run.round == all && run.line.is_empty() {
            run.from = other(run.from);
            banks.holder[run.rows.start as usize..run.rows.end as usize].fill(run.from);
            run.stages.start += 1;
            run.round = 0;
        }
        Ok(())
    }
}

/// The state of a transform between two cycles.
#[derive(Clone, Debug)]
pub struct SubNtt<F> {
    set: u8,
    direction: Direction,
    log_len: u32,
    rows: Range<u32>,
    /// The stages that are not done yet.
    stages: Range<u32>,
    round: u32,
    from: Bank,
    line: Line<F>,
    work: PolyWork,
}

impl<F: PrimeField> SubNtt<F> {
    /// Whether all stages are done.
    pub fn is_done(&self) -> bool {
        self.stages.is_empty()
    }

    /// The current stage, counted in the order in which stages run.
    pub fn stage(&self) -> u32 {
        self.stages.start
    }

    /// The index bit that this stage works on.
    pub fn bit(&self) -> u32 {
        match self.direction {
            Direction::Forward => self.stages.start,
            Direction::Inverse => self.log_len - 1 - self.stages.start,
        }
    }

    /// Rounds of this stage that have entered the group, over all slots.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// The banks that this stage reads.
    pub fn from(&self) -> Bank {
        self.from
    }

    /// The counts so far.
    pub fn work(&self) -> &PolyWork {
        &self.work
    }

    /// The registers of the group's pipeline: the first holds the words that were read, the last those at the banks' write
    /// ports.
    pub fn registers(&self) -> impl Iterator<Item = Option<&Beat<F>>> {
        self.line.registers()
    }
}

/// The rows of a range of slots of `2^log_len` points.
fn rows(slots: Range<u8>, log_len: u32) -> Result<Range<u32>, PolyError> {
    let fit = map::slots(log_len)?;
    let (first, end) = (slots.start, slots.end);
    if first >= end || u32::from(end) > fit {
        return Err(PolyError::Slots { first, end, log_len, slots: fit });
    }
    let rounds = map::rounds(log_len);
    Ok(u32::from(first) * rounds..u32::from(end) * rounds)
}

/// The state of the address generator and the controller in a cycle.
struct Round {
    log_len: u32,
    /// The first row of its slot.
    base: u32,
    /// The index bit of the butterflies.
    stage: u32,
    round: u32,
    direction: Direction,
}

impl Round {
    /// Reads the words and twiddles of a beat.
    fn fetch<F: PrimeField>(
        &self,
        banks: &mut Set<F>,
        from: Bank,
        work: &mut PolyWork,
    ) -> Result<Beat<F>, PolyError> {
        let base = self.base;
        let in_step = [base + self.round; WIDTH];
        let scattered =
            core::array::from_fn(|bank| base + map::scattered(self.log_len, self.round, bank as u32));
        let c = self.round & 1 == 1;
        let (read, write, selects) = match self.direction {
            Direction::Forward => (in_step, scattered, Selects { read: [false, true], write: [false, c] }),
            Direction::Inverse => (scattered, in_step, Selects { read: [c, false], write: [true, false] }),
        };
        let mut words = [F::ZERO; WIDTH];
        for (bank, (word, row)) in words.iter_mut().zip(read).enumerate() {
            *word = banks.read(from, bank as u32, row)?;
        }
        work.reads += WIDTH as u64;
        work.element_cycles += UNITS as u64;
        work.products += UNITS as u64;
        work.additions += 2 * UNITS as u64;
        Ok(Beat {
            words,
            factors: self.twiddles(banks, work)?,
            addends: [F::ZERO; UNITS],
            task: ButterflyTask::Butterfly,
            selects,
            to: other(from),
            rows: write.map(|row| Some(row as u8)),
        })
    }

    /// Reads the twiddles of the units; a word of a bank may serve more than one unit.
    fn twiddles<F: PrimeField>(
        &self,
        banks: &mut Set<F>,
        work: &mut PolyWork,
    ) -> Result<[F; UNITS], PolyError> {
        let mut seen: [Option<(u32, F)>; C_BANKS as usize] = [None; C_BANKS as usize];
        let mut factors = [F::ZERO; UNITS];
        for (unit, factor) in (0u32..).zip(&mut factors) {
            let low = map::first(self.log_len, self.stage, self.round, unit);
            let at = twiddle::cell(self.stage, low % (1 << self.stage), unit);
            let word = &mut seen[at.bank as usize];
            *factor = match *word {
                Some((row, word)) if row == at.row => word,
                _ => {
                    let read = banks.read_c(Cell { row: banks.table + at.row, ..at })?;
                    work.table_reads += 1;
                    *word = Some((at.row, read));
                    read
                }
            };
        }
        Ok(factors)
    }
}
