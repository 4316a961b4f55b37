//! The processor beside its model: instruction memories and rows are loaded, the program runs with stalls and an
//! occasional reset in mid-flight, the DMA writes rows while it runs, and the global bank is read afterwards.

use super::programs::{Traced, all};
use super::trace::{End, Moment, Program, Trace};
use crate::lockstep::{Bench, Expected, Fault, Inputs, Oracle};
use crate::{Block, Signal};
use pairwright_chip::MachineSpec;
use pairwright_chip::isa::{Channel, Direction, FwdPath, Loc, Operand};
use pairwright_chip::machine::{Class, DIGITS, Datapath, Row, RowDigits};
use pairwright_curve::bls12_381::Fq;
use pairwright_field::PrimeField;
use rand_chacha::ChaCha20Rng;
use rand_core::Rng;
use std::collections::BTreeMap;

/// The hardware's state number when the processor is idle or has stopped after a refusal.
const IDLE: u64 = 6;
const TRAP: u64 = 7;
/// Cycles after a refusal during which the state must not change.
const STOPPED: u64 = 5;
/// Resets of a program in mid-flight.
const RESETS: u32 = 1;

/// The progress of the bench with a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Progress {
    /// Instruction words and rows are written.
    Load(usize),
    /// The processor is started.
    Start,
    /// A cycle of the run: the index of the moment, and its cycles that have passed.
    Run(usize, u64),
    /// The processor has refused something; the next program begins with a reset.
    Stopped(u64),
    /// Rows of the global bank are read.
    Store(usize),
}

/// The model's traces as a bench, for the control alone or for the whole processor.
pub(super) struct Processor {
    programs: Vec<Traced>,
    /// Whether the block has a data path, so that values are compared too.
    whole: bool,
    place: Progress,
    program: usize,
    resets: u32,
    /// The number of words of each instruction memory that earlier programs have written.
    words_written: [usize; 2],
    writes: Vec<[Option<(u16, u32)>; 2]>,
    /// Rows of the global bank that the program does not use, with the values that the DMA wrote there while it ran.
    aside: BTreeMap<u8, Row<Fq>>,
    stalled: u32,
    left: u32,
    /// Indexes of outputs, registers and inputs by name.
    outputs: BTreeMap<String, usize>,
    registers: BTreeMap<String, usize>,
    inputs: BTreeMap<String, usize>,
    /// The row that the DMA writes in this cycle.
    dma: Option<(u8, Row<Fq>)>,
    oracle: Oracle,
    cycles: u64,
}

fn numbered(signals: &[Signal]) -> BTreeMap<String, usize> {
    signals.iter().enumerate().map(|(at, signal)| (signal.name.clone(), at)).collect()
}

impl Processor {
    /// A bench of programs for a block, with `seeds` random programs of each kind.
    pub(super) fn new(block: &Block, spec: &MachineSpec, seeds: u64, with_pairing: bool) -> Self {
        let programs = all(spec, seeds, with_pairing);
        let cycles = programs.iter().map(|p| p.trace.cycles * 3 / 2 + 1_500).sum();
        let mut bench = Self {
            programs,
            whole: block.inputs.iter().any(|signal| signal.name == "dma_in"),
            place: Progress::Load(0),
            program: 0,
            resets: 0,
            words_written: [1024; 2],
            writes: Vec::new(),
            aside: BTreeMap::new(),
            stalled: 0,
            left: 0,
            outputs: numbered(&block.outputs),
            registers: numbered(&block.registers),
            inputs: numbered(&block.inputs),
            dma: None,
            oracle: Oracle::default(),
            cycles,
        };
        bench.prepare();
        bench
    }

    fn traced(&self) -> &Traced {
        &self.programs[self.program % self.programs.len()]
    }

    fn trace(&self) -> &Trace {
        &self.traced().trace
    }

    /// Prepares the words to be written before the program starts.
    fn prepare(&mut self) {
        let Program { image, beyond, .. } = &self.traced().program;
        let memories = [[&image.l1, &beyond[0]], [&image.l2, &beyond[1]]];
        let lengths = memories.map(|words| words[0].len() + words[1].len());
        let [l1, l2] = [0, 1].map(|memory| {
            let words = memories[memory].into_iter().flatten().copied();
            let padded = (0u16..).zip(words.chain(std::iter::repeat(0)));
            padded.take(lengths[memory].max(self.words_written[memory])).collect::<Vec<_>>()
        });
        let l1 = l1.into_iter().map(|word| [Some(word), None]);
        let l2 = l2.into_iter().map(|word| [None, Some(word)]);
        let mut writes: Vec<_> = l1.chain(l2).collect();
        // Rows are written in parallel with the words.
        writes.resize(writes.len().max(self.traced().program.rows.len()), [None; 2]);
        self.writes = writes;
        self.words_written = lengths;
        self.aside.clear();
    }

    fn next_program(&mut self) {
        self.program += 1;
        self.resets = 0;
        self.place = Progress::Load(0);
        self.prepare();
    }

    fn moment(&self) -> Option<&Moment> {
        match self.place {
            Progress::Run(at, _) => self.trace().moments.get(at),
            _ => None,
        }
    }

    /// The number of cycles of a moment.
    fn length(&self, at: usize) -> u64 {
        let trace = self.trace();
        let end = trace.moments.get(at + 1).map_or(trace.cycles, |next| next.start);
        end.saturating_sub(trace.moments[at].start)
    }

    /// Whether this is the last cycle of the current moment.
    fn last_cycle(&self) -> bool {
        matches!(self.place, Progress::Run(at, passed) if passed + 1 >= self.length(at))
    }

    fn advance(&mut self) {
        self.place = match self.place {
            Progress::Load(at) if at + 1 < self.writes.len() => Progress::Load(at + 1),
            Progress::Load(_) => Progress::Start,
            Progress::Start => Progress::Run(0, 0),
            Progress::Run(at, passed) if passed + 1 < self.length(at) => Progress::Run(at, passed + 1),
            Progress::Run(at, _) if at + 1 < self.trace().moments.len() => Progress::Run(at + 1, 0),
            Progress::Run(..) => match self.trace().end {
                End::Finished => {
                    let Traced { program, trace } = self.traced();
                    let judged =
                        program.want.iter().map(|(row, want)| trace.rows[usize::from(*row)] == Some(*want));
                    let judged: Vec<bool> = judged.collect();
                    judged.into_iter().for_each(|right| self.oracle.judge(Some(right)));
                    Progress::Store(0)
                }
                End::Refused(_) => Progress::Stopped(0),
            },
            Progress::Stopped(cycles) => Progress::Stopped(cycles + 1),
            Progress::Store(255) => return self.next_program(),
            Progress::Store(at) => Progress::Store(at + 1),
        };
    }

    fn output(&self, name: &str) -> usize {
        self.outputs[name]
    }

    fn set(&self, input: &mut Inputs, name: &str, value: &[u64]) {
        if let Some(at) = self.inputs.get(name) {
            input.set(*at, value);
        }
    }

    /// A row that the program does not use.
    fn unused(&self, rng: &mut ChaCha20Rng) -> Option<u8> {
        let row = (rng.next_u32() % 256) as u8;
        (!self.trace().used.contains(&row)).then_some(row)
    }

    /// Writes the expected issue outputs: the operations, and which operands are forwarded from which path.
    fn slot_outputs(&self, moment: &Moment, out: &mut Expected) {
        let mut say = |name: &str, value: u64| out.value(self.output(name), &[value]);
        let is = |channel: Channel| moment.issued.iter().position(|issued| issued.channel == channel);
        for (name, channel) in [("mm", Channel::Mm), ("arith", Channel::Arith)] {
            let word = is(channel);
            say(&format!("{name}_issues"), u64::from(word.is_some()));
            if let Some(word) = word {
                say(&format!("{name}_word"), word as u64);
            }
        }
        say("inv_issues", u64::from(is(Channel::Inv).is_some()));
        if let Some(word) = is(Channel::Arith) {
            let op = moment.issued[word].word.op;
            // The operations in the order of the table, where inversion follows the sums.
            let kinds = ["add", "sub", "mul_xi", "conj", "neg", "vld"];
            let kind = kinds.iter().position(|kind| *kind == op.mnemonic()).unwrap_or_default();
            say("arith_kind", 1 << kind);
        }
        if moment.issued.is_empty() {
            return;
        }
        let mut forwarded = 0;
        let mut paths = [None; 4];
        for (w, issued) in moment.issued.iter().enumerate() {
            for (k, source) in issued.word.src.iter().enumerate() {
                if let Some(Operand::Forward(channel)) = source {
                    forwarded |= 1 << (2 * w + k);
                    paths[2 * w + k] = Some((*channel, issued.word.path == Some(FwdPath::Two)));
                }
            }
        }
        say("forwarded", forwarded);
        if paths[..2 * moment.issued.len()].iter().all(Option::is_some) && moment.issued.len() == 2 {
            let all = paths.iter().flatten().enumerate();
            say("channels", all.clone().map(|(k, (channel, _))| (*channel as u64) << (2 * k)).sum());
            say("on_path2", all.map(|(k, (_, two))| u64::from(*two) << k).sum());
        }
    }

    /// Writes the expected read outputs: banks and ports of the rows read. The first row of a bank uses its first port.
    fn read_outputs(&self, moment: &Moment, out: &mut Expected) {
        let mut of_bank: [Vec<Loc>; 3] = Default::default();
        let (mut reads, mut ports) = (0, 0);
        for (k, (at, _)) in moment.reads.iter().enumerate().filter_map(|(k, read)| Some((k, (*read)?))) {
            let rows = &mut of_bank[usize::from(at.bank)];
            let port = rows.iter().position(|row| *row == at).unwrap_or_else(|| {
                rows.push(at);
                rows.len() - 1
            });
            reads |= 1 << k;
            ports |= (port as u64) << k;
        }
        let rows = of_bank.iter().enumerate().flat_map(|(bank, rows)| {
            rows.iter().enumerate().map(move |(port, at)| u64::from(at.row) << (10 * bank + 5 * port))
        });
        out.value(self.output("port_rows"), &[rows.sum()]);
        out.value(self.output("reads"), &[reads]);
        out.value(self.output("read_ports"), &[ports]);
    }

    fn result_outputs(&self, moment: &Moment, out: &mut Expected) {
        let (mut writes, mut channels, mut rows) = (0u64, 0u64, 0u64);
        for (channel, (to, _)) in moment.results.iter().enumerate().filter_map(|(c, r)| Some((c, (*r)?))) {
            let Some(to) = to else { continue };
            let bank = usize::from(to.bank);
            writes |= 1 << bank;
            channels |= (channel as u64) << (2 * bank);
            rows |= u64::from(to.row) << (5 * bank);
        }
        out.value(self.output("writes"), &[writes]);
        out.value(self.output("write_channels"), &[channels]);
        out.value(self.output("write_rows"), &[rows]);
    }

    fn move_outputs(&self, moment: &Moment, out: &mut Expected) {
        let flag = |direction| moment.moved.is_some_and(|moved| moved.direction == direction);
        out.flag(self.output("reads_global"), flag(Direction::In));
        out.flag(self.output("writes_global"), flag(Direction::Out));
        if let Some(moved) = moment.moved {
            out.value(self.output("global_row"), &[moved.global.into()]);
            out.value(self.output("local_bank"), &[moved.local.bank.into()]);
            out.value(self.output("local_row"), &[moved.local.row.into()]);
        }
    }

    /// The hardware's number of the current state.
    fn state(&self) -> Option<u64> {
        match self.place {
            Progress::Load(_) | Progress::Start | Progress::Store(_) => Some(IDLE),
            Progress::Stopped(_) => Some(TRAP),
            Progress::Run(..) => self.moment()?.class.map(|class| match class {
                Class::Dispatch => 0,
                Class::Fill => 1,
                Class::Issue => 2,
                Class::Inversion => 3,
                Class::Drain => 4,
                Class::Switch => 5,
            }),
        }
    }

    /// The digits of a row as one word of the hardware; the second coefficient follows the bits of the first.
    fn packed(value: &RowDigits) -> [u64; 2 * DIGITS] {
        let mut packed = *value;
        let shift = 64 * DIGITS as u32 - Fq::BITS;
        for k in 0..DIGITS {
            let digit = value[DIGITS + k];
            packed[DIGITS + k - 1] |= digit << (64 - shift);
            packed[DIGITS + k] = digit >> shift;
        }
        packed
    }

    fn row(value: &Row<Fq>) -> [u64; 2 * DIGITS] {
        let mut digits = [0; 2 * DIGITS];
        digits[..DIGITS].copy_from_slice(&value.c0.digits());
        digits[DIGITS..].copy_from_slice(&value.c1.digits());
        Self::packed(&digits)
    }

    fn say(&self, out: &mut Expected, name: &str, value: &[u64]) {
        if let Some(at) = self.registers.get(name) {
            out.value(*at, value);
        }
    }
}

impl Bench for Processor {
    fn stimulus(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        if self.left == 0 {
            self.left = 1 + rng.next_u32() % 256;
            self.stalled = [0, 0, 0, 1, 4][(rng.next_u32() % 5) as usize];
        }
        self.left -= 1;
        let stopped = matches!(self.place, Progress::Stopped(cycles) if cycles >= STOPPED);
        let mid_flight = matches!(self.place, Progress::Run(..)) && self.resets < RESETS;
        let reset = stopped || mid_flight && rng.next_u32().is_multiple_of(400);
        let moves = rng.next_u32() % 8 >= self.stalled;
        input.set(0, &[u64::from(reset)]);
        input.set(1, &[u64::from(moves)]);
        input.set(2, &[u64::from(self.place == Progress::Start)]);
        self.dma = None;
        match self.place {
            Progress::Load(at) => {
                for (name, word) in ["load_l1", "load_l2"].iter().zip(self.writes[at]) {
                    if let Some((address, word)) = word {
                        self.set(input, name, &[1]);
                        self.set(input, "load_address", &[address.into()]);
                        self.set(input, "load_word", &[word.into()]);
                    }
                }
                self.dma = self.traced().program.rows.get(at).copied();
            }
            Progress::Run(..) if rng.next_u32().is_multiple_of(4) => {
                let value = Row::new(
                    Fq::from_digits(&[rng.next_u64(), 1, 2, 3, 4, 5]).unwrap_or_default(),
                    Fq::default(),
                );
                self.dma = self.unused(rng).map(|row| (row, value));
            }
            Progress::Store(at) => self.set(input, "dma_row", &[at as u64]),
            _ => {}
        }
        if let Some((row, value)) = self.dma {
            self.set(input, "dma_write", &[1]);
            self.set(input, "dma_row", &[row.into()]);
            self.set(input, "dma_in", &Self::row(&value));
        }
        // Control samples a row in the cycle in which it says so; in other cycles the input is random.
        let taken = self.moment().filter(|_| self.last_cycle()).and_then(|moment| moment.scan_row);
        let digits = match taken {
            Some((_, after, reg)) => self.trace().registers[after].scans[reg as usize],
            None => crate::lockstep::operand::<Fq>(rng).digits(),
        };
        self.set(input, "scan_value", &digits);
    }

    fn outputs(&self, out: &mut Expected) {
        if let Some(state) = self.state() {
            out.value(self.output("state"), &[state]);
        }
        if let (Progress::Stopped(_), End::Refused(cause)) = (self.place, self.trace().end) {
            out.value(self.output("cause"), &[cause as u64]);
        }
        if self.whole {
            let switching = self.state() == Some(5);
            if self.state().is_some() {
                out.flag(self.output("dma_ready"), !switching);
            }
            if let Progress::Store(at) = self.place {
                let aside = self.aside.get(&(at as u8)).copied();
                if let Some(row) = aside.or(self.trace().rows[at]) {
                    out.value(self.output("dma_out"), &Self::row(&row));
                }
            }
        }
        let Some(moment) = self.moment().filter(|moment| moment.class.is_some()) else { return };
        let first = matches!(self.place, Progress::Run(_, 0));
        let class = moment.class;
        let shown = moment.results.iter().enumerate().map(|(c, r)| u64::from(r.is_some()) << c).sum();
        if matches!(class, Some(Class::Issue | Class::Drain)) {
            out.value(self.output("shown"), &[shown]);
        }
        self.result_outputs(moment, out);
        if self.whole {
            return;
        }
        if class == Some(Class::Issue) {
            self.slot_outputs(moment, out);
        } else {
            for name in ["mm_issues", "arith_issues", "inv_issues"] {
                out.flag(self.output(name), false);
            }
        }
        let decodes = self.decodes();
        if let Some(decodes) = decodes {
            out.flag(self.output("decodes"), decodes);
        }
        if decodes == Some(true) {
            self.read_outputs(moment, out);
        }
        if first {
            self.move_outputs(moment, out);
        }
        if let Some((row, ..)) = moment.scan_row.filter(|_| self.last_cycle()) {
            out.value(self.output("scan_row"), &[row.into()]);
        }
    }

    fn edge(&mut self, input: &Inputs) {
        let [reset, moves, _] = input.flags();
        if reset {
            if matches!(self.place, Progress::Stopped(_)) {
                self.next_program();
            } else {
                self.resets += u32::from(matches!(self.place, Progress::Run(..)));
                self.place = Progress::Load(0);
                self.aside.clear();
            }
        } else if moves {
            let free = self.state().is_some_and(|state| state != 5);
            if let (Progress::Run(..), Some((row, value)), true) = (self.place, self.dma, free) {
                self.aside.insert(row, value);
            }
            self.advance();
        }
    }

    fn registers(&self, out: &mut Expected) {
        let Some(moment) = self.moment() else { return };
        let first = matches!(self.place, Progress::Run(_, 0));
        let registers = &self.trace().registers[moment.registers];
        let prefix = if self.whole { "control." } else { "" };
        for (k, count) in registers.counters.iter().enumerate() {
            self.say(out, &format!("{prefix}sequencer.count_{k}"), &[(*count).into()]);
            self.say(out, &format!("{prefix}sequencer.left_{k}"), &[registers.bits[k].into()]);
            if registers.bits[k] > 0 {
                self.say(out, &format!("{prefix}sequencer.scan_{k}"), &registers.scans[k]);
            }
        }
        if moment.class.is_none() {
            return;
        }
        self.say(out, &format!("{prefix}sequencer.pc"), &[moment.l1_pc.into()]);
        self.say(out, &format!("{prefix}front.mm_valid"), &[moment.stages]);
        if let Some(pc) = self.next_slot() {
            self.say(out, &format!("{prefix}front.pc"), &[pc.into()]);
        }
        if !self.whole {
            return;
        }
        let Progress::Run(at, _) = self.place else { return };
        // Rows read in the previous cycle are in the operand registers.
        if let Some(before) = at.checked_sub(1).map(|k| &self.trace().moments[k]).filter(|_| first) {
            for (k, read) in before.reads.iter().enumerate() {
                if let Some((_, value)) = read {
                    self.say(out, &format!("source[{k}].value"), &Self::packed(value));
                }
            }
        }
        if let Some((_, value)) = moment.results[Channel::Mm as usize] {
            self.say(out, "fp2.result_c0", &value[..DIGITS]);
            self.say(out, "fp2.result_c1", &value[DIGITS..]);
        }
        if let Some((_, value)) = moment.results[Channel::Arith as usize] {
            self.say(out, "single.stage", &Self::packed(&value));
        }
        if let Some((_, value)) = moment.results[Channel::Inv as usize] {
            let name = if self.registers.contains_key("power") { "power" } else { "fp2.result_c0" };
            self.say(out, name, &value[..DIGITS]);
        }
    }

    fn oracle(&self) -> Oracle {
        self.oracle
    }

    fn cycles(&self, _asked: u64) -> u64 {
        self.cycles
    }

    fn faults(&self, block: &Block) -> Vec<Fault> {
        super::faults(block, self.whole)
    }

    fn notes(&self) -> Vec<String> {
        super::coverage(self.programs.iter().map(|p| &p.trace))
    }
}

impl Processor {
    /// The next moment, skipping inversions.
    fn next(&self) -> Option<&Moment> {
        let Progress::Run(at, _) = self.place else { return None };
        self.trace().moments[at + 1..].iter().find(|moment| moment.class != Some(Class::Inversion))
    }

    /// Whether the next slot's words are decoded in this cycle; `None` before a slot that is refused, where it is not
    /// known.
    fn decodes(&self) -> Option<bool> {
        let next = self.next();
        let slot = next.is_some_and(|next| next.l2_pc.is_some());
        match self.moment()?.class? {
            Class::Fill => Some(self.last_cycle() && next.is_none_or(|next| next.class != Some(Class::Fill))),
            Class::Issue if next.is_some_and(|next| next.class.is_none()) => None,
            Class::Issue => Some(slot),
            _ => Some(false),
        }
    }

    /// The address of the next slot, if it is decoded in this cycle.
    fn next_slot(&self) -> Option<u16> {
        self.decodes().filter(|decodes| *decodes)?;
        self.next()?.l2_pc
    }
}
