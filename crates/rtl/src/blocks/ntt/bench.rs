//! The model of the set: `chip`'s engine, clocked cycle by cycle, with jobs that are loaded through the DMA's port.

use super::super::butterfly::Unit;
use super::{BEFORE, C_BANKS};
use crate::Block;
use crate::lockstep::{Bench, Expected, Inputs, Oracle, Stalls, operand};
use pairwright_chip::isa::Transform;
use pairwright_chip::machine::poly::{
    Bank, Beat, Cell, Layout, PolyOp, PolySpec, SubNtt, UNITS, map, place, twiddle,
};
use pairwright_chip::machine::{DIGITS, Datapath};
use pairwright_poly::{Domain, plain};
use pairwright_sim::Pipe;
use rand_chacha::ChaCha20Rng;
use rand_core::Rng;
use std::collections::VecDeque;

/// The quantity of the model that a register of the block holds.
#[derive(Clone, Copy, Debug)]
enum RegisterQuantity {
    Busy,
    Inverse,
    LogLen,
    Base,
    Hold,
    Stage,
    Round,
    Done,
    Valid,
    RoundAt(usize),
    Row(usize),
    TableRow(usize),
    Odd(usize, usize),
    Dma(usize, usize),
    Read(Bank, usize),
    Word(usize, usize),
    Factor(usize, usize),
    Write(usize),
    WriteRow(usize),
    WriteWord(usize),
    WriteB,
    TableWrite(usize),
    TableWriteRow,
}

impl RegisterQuantity {
    /// The quantity that a register name stands for; `None` for registers of the units.
    fn of(name: &str) -> Option<Self> {
        let numbers: Vec<usize> =
            name.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect();
        let plain: String = name.chars().filter(|c| !c.is_ascii_digit()).collect();
        let number = |k: usize| numbers.get(k).copied().unwrap_or_default();
        Some(match plain.as_str() {
            "busy" => Self::Busy,
            "inverse" => Self::Inverse,
            "log_len" => Self::LogLen,
            "base" => Self::Base,
            "hold" => Self::Hold,
            "stage" => Self::Stage,
            "round" => Self::Round,
            "done" => Self::Done,
            "valid" => Self::Valid,
            "r_round" => Self::RoundAt(number(0)),
            "row_" => Self::Row(number(0)),
            "c_row_" => Self::TableRow(number(0)),
            "r_odd_" => Self::Odd(number(0), number(1)),
            "r_dma_memory" => Self::Dma(number(0), 0),
            "r_dma_bank" => Self::Dma(number(0), 1),
            "a_.q" => Self::Read(Bank::A, number(0)),
            "b_.q" => Self::Read(Bank::B, number(0)),
            "c_.q" => Self::Read(Bank::C, number(0)),
            "r_word_" => Self::Word(number(0), number(1)),
            "r_factor_" => Self::Factor(number(0), number(1)),
            "write_" => Self::Write(number(0)),
            "write_row_" => Self::WriteRow(number(0)),
            "write_word_" => Self::WriteWord(number(0)),
            "write_b" => Self::WriteB,
            "c_write_" => Self::TableWrite(number(0)),
            "c_write_row" => Self::TableWriteRow,
            _ => return None,
        })
    }
}

/// A sub-NTT and the location of its vector.
#[derive(Clone, Copy, Debug)]
struct Job {
    inverse: bool,
    log_len: u32,
    base: u32,
    hold: Bank,
}

/// The addresses of a round.
#[derive(Clone, Copy, Debug)]
struct Issued {
    round: u32,
    rows: [u32; super::BANKS],
    table_rows: [Option<u32>; C_BANKS],
    odd: [bool; UNITS],
}

/// The contents of the pipeline registers in a cycle.
struct View<'a, F> {
    beats: Vec<Option<&'a Beat<F>>>,
    issued: Vec<Option<Issued>>,
}

/// An action of the DMA.
#[derive(Clone, Copy, Debug)]
enum Step<F> {
    Write(Bank, Cell, F),
    Start(Job),
    Wait,
    Read(Bank, Cell, F),
}

/// The model with its jobs.
pub struct Engine<F: Datapath> {
    what: Vec<RegisterQuantity>,
    poly: PolyOp<F>,
    run: Option<SubNtt<F>>,
    job: Option<Job>,
    issued: Pipe<Issued>,
    units: Vec<Unit<F>>,
    done: bool,
    /// The write at the banks' ports in this cycle.
    write: Option<(Bank, Cell, F)>,
    /// Memory and bank that the DMA addressed, one and two edges ago.
    named: [Option<[u64; 2]>; 2],
    /// The cell being read, with the expected word if the host computed it.
    reads: Option<(Bank, Cell, Option<F>)>,
    read: Option<F>,
    script: VecDeque<Step<F>>,
    jobs: u32,
    long: bool,
    stalls: Stalls,
    oracle: Oracle,
}

impl<F: Datapath> Engine<F> {
    /// The model with empty banks.
    ///
    /// # Panics
    /// For a design that the block was not printed for.
    pub fn new(block: &Block, spec: &PolySpec) -> Self {
        let poly = PolyOp::new(spec).expect("a design that was printed");
        Self {
            what: block.registers.iter().map_while(|r| RegisterQuantity::of(&r.name)).collect(),
            poly,
            run: None,
            job: None,
            issued: Pipe::new(spec.butterfly_latency()),
            units: (0..UNITS).map(|_| Unit::new(spec)).collect(),
            done: false,
            write: None,
            named: [None; 2],
            reads: None,
            read: None,
            script: VecDeque::new(),
            jobs: 0,
            long: false,
            stalls: Stalls::default(),
            oracle: Oracle::default(),
        }
    }

    /// Plans a job: a vector and a table to load, a transform, and the expected result. The first two jobs have 1,024
    /// points.
    fn plan(&mut self, rng: &mut ChaCha20Rng) {
        let kinds = [Transform::Ntt, Transform::CosetIntt, Transform::CosetNtt, Transform::Intt];
        self.long = self.jobs < 2;
        let kind = kinds[if self.long { self.jobs } else { rng.next_u32() % 4 } as usize];
        let log_len = if self.long { 10 } else { 4 + rng.next_u32() % 3 };
        self.jobs += 1;
        let slot = (rng.next_u32() % (map::WORDS >> log_len)) as u8;
        let hold = if rng.next_u32() & 1 == 0 { Bank::A } else { Bank::B };
        let Ok(domain) = Domain::<F>::new(log_len) else { return };
        let coset = if twiddle::is_coset(kind) { operand::<F>(rng) } else { F::ONE };
        let coset = if coset.is_zero() { F::from(7) } else { coset };
        let mut vector: Vec<F> = (0..1 << log_len).map(|_| operand::<F>(rng)).collect();
        let inverse = twiddle::is_inverse(kind);
        let (before, after) = if inverse {
            (Layout::Natural, Layout::BitReversed)
        } else {
            (Layout::BitReversed, Layout::Natural)
        };
        let cell = |layout, i: usize| place(layout, log_len, slot, i as u32).ok();
        let table = twiddle::table(kind, log_len, domain.root(), coset).unwrap_or_default();
        let words = (0..).zip(table).map(|(k, word)| Step::Write(Bank::C, twiddle::word(k), word));
        self.script.extend(words);
        let at = |layout, i| cell(layout, i).unwrap_or(Cell { bank: 0, row: 0 });
        let words = vector.iter().enumerate().map(|(i, word)| Step::Write(hold, at(before, i), *word));
        self.script.extend(words);
        let base = u32::from(slot) * map::rounds(log_len);
        self.script.extend([Step::Start(Job { inverse, log_len, base, hold }), Step::Wait]);
        match kind {
            Transform::Ntt => plain::ntt(&domain, &mut vector),
            Transform::Intt => plain::intt(&domain, &mut vector),
            Transform::CosetNtt => plain::coset_ntt(&domain, coset, &mut vector),
            Transform::CosetIntt => plain::coset_intt(&domain, coset, &mut vector),
        }
        let other = if hold == Bank::A { Bank::B } else { Bank::A };
        let memory = if log_len % 2 == 0 { hold } else { other };
        let reads = vector.iter().enumerate().map(|(i, word)| Step::Read(memory, at(after, i), *word));
        self.script.extend(reads);
    }

    /// The values in the stages of a unit, preceded by its input.
    fn held(&self, unit: usize) -> Vec<Option<[F; 3]>> {
        let stages = 1 + super::butterfly::latency(self.poly.config()) as usize;
        match &self.run {
            None => vec![None; stages],
            Some(run) => {
                let words =
                    |beat: &Beat<F>| [beat.words[2 * unit], beat.words[2 * unit + 1], beat.factors[unit]];
                run.registers().skip(BEFORE as usize).take(stages).map(|beat| beat.map(words)).collect()
            }
        }
    }

    /// The addresses of the round that enters in this cycle.
    fn issue(&self) -> Option<Issued> {
        let (run, job) = (self.run.as_ref()?, self.job?);
        let (round, bit) = (run.round(), run.bit());
        if round == map::rounds(job.log_len) {
            return None;
        }
        let mut issued = Issued { round, rows: [0; 8], table_rows: [None; C_BANKS], odd: [false; UNITS] };
        for (bank, row) in (0..).zip(&mut issued.rows) {
            *row = job.base + if job.inverse { map::scattered(job.log_len, round, bank) } else { round };
        }
        for (unit, odd) in (0..).zip(&mut issued.odd) {
            let at = twiddle::cell(bit, map::first(job.log_len, bit, round, unit) % (1 << bit), unit);
            *odd = at.bank & 1 == 1;
            issued.table_rows[at.bank as usize] = Some(at.row);
        }
        Some(issued)
    }

    /// The contents of all pipeline registers.
    fn view(&self) -> View<'_, F> {
        let latency = self.poly.config().butterfly_latency() as usize;
        let beats = self.run.as_ref().map_or_else(|| vec![None; latency], |run| run.registers().collect());
        View { beats, issued: self.issued.registers().map(Option::<&Issued>::copied).collect() }
    }

    fn expect(&self, view: &View<'_, F>, what: RegisterQuantity, at: usize, out: &mut Expected) {
        let mut value = |value: Option<u64>| match value {
            Some(value) => out.value(at, &[value]),
            None => out.unconstrained(at),
        };
        let flag = |flag: bool| Some(u64::from(flag));
        let issued = |k: usize| view.issued[k];
        let beat = |k: usize| view.beats[k];
        let run = self.run.as_ref();
        let last = self.poly.config().butterfly_latency() as usize - 1;
        let cell = |bank: usize| {
            let beat = beat(last)?;
            beat.cells().find(|(cell, _)| cell.bank as usize == bank).map(|(cell, word)| (cell.row, *word))
        };
        let dma = |bank: usize| self.write.filter(|(_, cell, _)| cell.bank as usize == bank);
        let to_table = |bank: usize| dma(bank).filter(|(memory, ..)| *memory == Bank::C);
        let to_vector = |bank: usize| dma(bank).filter(|(memory, ..)| *memory != Bank::C);
        let word: Option<F> = match what {
            RegisterQuantity::Busy => return value(flag(run.is_some())),
            RegisterQuantity::Inverse => {
                return value(self.job.filter(|_| run.is_some()).map(|job| u64::from(job.inverse)));
            }
            RegisterQuantity::LogLen => {
                return value(self.job.filter(|_| run.is_some()).map(|job| u64::from(job.log_len)));
            }
            RegisterQuantity::Base => {
                return value(self.job.filter(|_| run.is_some()).map(|job| u64::from(job.base)));
            }
            RegisterQuantity::Hold => return value(self.hold()),
            RegisterQuantity::Stage => return value(run.map(|run| u64::from(run.stage()))),
            RegisterQuantity::Round => return value(run.map(|run| u64::from(run.round()))),
            RegisterQuantity::Done => return value(flag(self.done)),
            RegisterQuantity::Valid => {
                let bit = |k: usize| u64::from(beat(k).is_some()) << k;
                return value(Some((0..=last).map(bit).sum()));
            }
            RegisterQuantity::RoundAt(k) => return value(issued(k).map(|issued| u64::from(issued.round))),
            RegisterQuantity::Row(bank) => {
                return value(issued(0).map(|issued| u64::from(issued.rows[bank])));
            }
            RegisterQuantity::TableRow(bank) => {
                return value(issued(0).and_then(|issued| issued.table_rows[bank]).map(u64::from));
            }
            RegisterQuantity::Odd(k, unit) => {
                return value(issued(k).map(|issued| u64::from(issued.odd[unit])));
            }
            RegisterQuantity::Dma(k, which) => return value(self.named[k].map(|named| named[which])),
            RegisterQuantity::Write(bank) => {
                return value(flag(cell(bank).is_some() || to_vector(bank).is_some()));
            }
            RegisterQuantity::WriteRow(bank) => {
                let row = cell(bank).map(|(row, _)| row).or(to_vector(bank).map(|(_, cell, _)| cell.row));
                return value(row.map(u64::from));
            }
            RegisterQuantity::WriteB => {
                let of_run = run.filter(|_| beat(last).is_some()).map(|run| run.from() == Bank::A);
                let of_dma = self.write.filter(|(memory, ..)| *memory != Bank::C).map(|(m, ..)| m == Bank::B);
                return value(of_run.or(of_dma).map(u64::from));
            }
            RegisterQuantity::TableWrite(bank) => return value(flag(to_table(bank).is_some())),
            RegisterQuantity::TableWriteRow => {
                let row = self.write.filter(|(memory, ..)| *memory == Bank::C).map(|(_, cell, _)| cell.row);
                return value(row.map(u64::from));
            }
            RegisterQuantity::WriteWord(bank) => {
                cell(bank).map(|(_, word)| word).or(dma(bank).map(|(.., word)| word))
            }
            RegisterQuantity::Word(k, port) => beat(k).map(|beat| beat.words[port]),
            RegisterQuantity::Factor(k, unit) => beat(k).map(|beat| beat.factors[unit]),
            RegisterQuantity::Read(Bank::C, bank) => beat(1).zip(issued(1)).and_then(|(beat, issued)| {
                (0..UNITS)
                    .find(|unit| (unit & 2) + usize::from(issued.odd[*unit]) == bank)
                    .map(|unit| beat.factors[unit])
            }),
            RegisterQuantity::Read(memory, bank) => {
                let reads = run.is_some_and(|run| run.from() == memory);
                beat(1).filter(|_| reads).map(|beat| beat.words[bank])
            }
        };
        match word {
            Some(word) => out.value(at, &word.digits()),
            None => out.unconstrained(at),
        }
    }

    /// Whether banks B hold the vector, if it is known.
    fn hold(&self) -> Option<u64> {
        let memory = self.run.as_ref().map(SubNtt::from).or(self.job.map(|job| job.hold))?;
        Some(u64::from(memory == Bank::B))
    }
}

/// The memories, indexed by the DMA's memory number.
const MEMORIES: [Bank; 3] = [Bank::A, Bank::B, Bank::C];

impl<F: Datapath> Bench for Engine<F> {
    fn stimulus(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        self.stalls.stimulus(rng, input);
        if self.long {
            input.set(0, &[0]);
        }
        let [_, _, valid] = input.flags();
        if self.script.is_empty() {
            self.plan(rng);
        }
        // While a transform runs the DMA's port is ignored; otherwise it reads in cycles without a write.
        let busy = self.run.is_some();
        let mut dma = (busy && valid, MEMORIES[(rng.next_u32() % 3) as usize]);
        let mut cell = Cell { bank: rng.next_u32() % 4, row: rng.next_u32() % 128 };
        let mut word = operand::<F>(rng);
        let mut command = busy && valid;
        let mut job = Job { inverse: valid, log_len: 4, base: 0, hold: Bank::A };
        match self.script.front().filter(|_| !busy) {
            Some(Step::Write(memory, to, what)) if valid => {
                (dma, cell, word) = ((true, *memory), *to, *what);
                command = rng.next_u32() & 1 == 1;
            }
            Some(Step::Read(memory, from, _)) => (dma, cell) = ((false, *memory), *from),
            Some(Step::Start(what)) => (command, job) = (valid, *what),
            _ => {}
        }
        let number = MEMORIES.iter().position(|memory| *memory == dma.1).unwrap_or_default();
        let small = [
            u64::from(command),
            u64::from(job.inverse),
            u64::from(job.log_len),
            u64::from(job.base),
            u64::from(job.hold == Bank::B),
            u64::from(dma.0),
            number as u64,
            u64::from(cell.bank),
            u64::from(cell.row),
        ];
        for (at, value) in (2..).zip(small) {
            input.set(at, &[value]);
        }
        input.set(11, &word.digits());
    }

    fn outputs(&self, out: &mut Expected) {
        out.flag(0, self.run.is_none());
        out.flag(1, self.done);
        match self.hold() {
            Some(hold) => out.value(2, &[hold]),
            None => out.unconstrained(2),
        }
        match self.read {
            Some(word) => out.value(3, &word.digits()),
            None => out.unconstrained(3),
        }
    }

    fn edge(&mut self, input: &Inputs) {
        let [rst, en, valid] = input.flags();
        if en {
            self.move_on(input, valid);
        }
        if rst {
            (self.run, self.job, self.done, self.write) = (None, None, false, None);
            (self.named, self.reads, self.read) = ([None; 2], None, None);
            self.issued = Pipe::new(self.issued.latency());
            let spec = *self.poly.config();
            self.units = (0..UNITS).map(|_| Unit::new(&spec)).collect();
            self.script.clear();
        }
    }

    fn registers(&self, out: &mut Expected) {
        let view = self.view();
        for (at, what) in self.what.iter().enumerate() {
            self.expect(&view, *what, at, out);
        }
        let mut at = self.what.len();
        let inverse = self.job.is_some_and(|job| job.inverse);
        for (k, unit) in self.units.iter().enumerate() {
            at = unit.expect(inverse, &self.held(k)[1..], at, out);
        }
    }

    fn oracle(&self) -> Oracle {
        self.oracle
    }
}

impl<F: Datapath> Engine<F> {
    /// A clock edge at which the block is enabled.
    fn move_on(&mut self, input: &Inputs, valid: bool) {
        let busy = self.run.is_some();
        let number = |at: usize| input.get(at)[0];
        let writes = number(7) == 1;
        let memory = MEMORIES[number(8).min(2) as usize];
        let cell = Cell { bank: number(9) as u32, row: number(10) as u32 };
        self.done = false;
        // The pending write is done, and the addressed word is read.
        if let Some((memory, cell, word)) = self.write.take() {
            self.poly.poke(memory, 0, cell, word).expect("a cell of the banks");
        }
        self.read = self.reads.take().and_then(|(memory, cell, want)| {
            let word = self.poly.peek(memory, 0, cell);
            self.oracle.judge(want.map(|want| word == Some(want)));
            word
        });
        let held: Vec<_> = (0..UNITS).map(|k| self.held(k)).collect();
        let inverse = self.job.is_some_and(|job| job.inverse);
        for (unit, held) in self.units.iter_mut().zip(&held) {
            unit.tick(inverse, held);
        }
        let issued = self.issue();
        self.issued.tick_with(issued, |_, _| {});
        if let Some(run) = &mut self.run {
            self.poly.cycle(run).expect("no bank is asked twice");
            if run.is_done() {
                self.job = self.job.map(|job| Job { hold: run.from(), ..job });
                (self.done, self.run) = (true, None);
                if matches!(self.script.front(), Some(Step::Wait)) {
                    self.script.pop_front();
                }
            }
        } else if valid && !writes {
            let hold = if number(6) == 1 { Bank::B } else { Bank::A };
            let (log_len, base) = (number(4) as u32, number(5) as u32);
            let job = Job { inverse: number(3) == 1, log_len, base, hold };
            let rounds = map::rounds(log_len);
            let kind = if job.inverse { Transform::Intt } else { Transform::Ntt };
            let slot = (base / rounds) as u8;
            self.poly.hold(0, base..base + rounds, hold).expect("a set");
            let run = self.poly.begin(0, slot..slot + 1, kind, log_len, 0..log_len);
            (self.job, self.run) = (Some(job), Some(run.expect("a job of the engine")));
            self.script.pop_front();
        }
        self.named = [Some([number(8), number(9)]), self.named[0]];
        if !busy && writes {
            let mut digits = [0; DIGITS];
            digits[..input.get(11).len()].copy_from_slice(input.get(11));
            self.write = F::from_digits(&digits).map(|word| (memory, cell, word));
            self.script.pop_front();
        } else if !busy {
            let read = |step: &Step<F>| matches!(step, Step::Read(m, c, _) if (*m, *c) == (memory, cell));
            let want = match self.script.front().copied().filter(read) {
                Some(Step::Read(.., want)) => {
                    self.script.pop_front();
                    Some(want)
                }
                _ => None,
            };
            self.reads = Some((memory, cell, want));
        }
    }
}
