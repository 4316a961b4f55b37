//! The model of a unit, clocked cycle by cycle, with a memory that responds like the model's own or at random.

use super::control::DEPTH;
use super::element::{Element, Op, Word, word};
use super::running::{Command, Load};
use super::{Design, LARGEST};
use crate::Block;
use crate::blocks::{Cursor, any};
use crate::lockstep::{Bench, Expected, Fault, Inputs, Oracle, Stalls};
use pairwright_chip::machine::Datapath;
use pairwright_mtu::clocked::{Flow, MemoryRequest, MemoryResponse, Phase, Ports};
use pairwright_sim::dram::{Dram, Piece};
use rand_chacha::ChaCha20Rng;
use rand_core::Rng;
use std::collections::VecDeque;

/// log2 of the leaves of the jobs whose cycle counts are compared with the model's own run.
const MEASURED: u32 = 10;
/// Number of jobs before the measured ones.
const BEFORE: u32 = 6;
/// Cycles by which the memory accepts requests ahead of its pins.
const AHEAD: u64 = 8;

/// The memory that a unit is connected to.
struct Memory {
    /// The model's memory, or `None` for one of random latency.
    dram: Option<Dram>,
    booked: u64,
    now: u64,
    arriving: VecDeque<(u64, Vec<Word>)>,
    leaving: VecDeque<(u64, u64)>,
    /// Probabilities, in eighths per cycle, that a request is accepted, a row arrives, and a result is completed.
    rates: [u32; 3],
}

/// Cases that a run must cover.
const CASES: [&str; 17] = [
    "a level in a slot of its own",
    "a deep level",
    "a slot in which nothing is ready",
    "no leaves have come",
    "no room for results",
    "a request that memory does not take",
    "a request that waits for room of the input buffer",
    "a write after a read",
    "two blocks in a cycle",
    "words at the end that are no block",
    "a command that is refused",
    "a command while another runs",
    "a reset in mid-flight",
    "Build MLE of 2^10 leaves in the model's cycles",
    "an MLE evaluation of 2^10 leaves in the model's cycles",
    "all products of 2^10 leaves in the model's cycles",
    "a Merkle tree of 2^10 leaves in the model's cycles",
];

/// The model's register contents before a cycle.
struct CycleState {
    command: Command,
    phase: Phase,
    moves: bool,
    request: Option<MemoryRequest>,
    flow: Flow<Word>,
    ports: Ports,
}

/// The model with its jobs.
pub struct Unit<F: Datapath> {
    design: Design,
    /// Whether the block has a data path, so that words are compared.
    whole: bool,
    load: Option<Load<F>>,
    memory: Memory,
    next: Option<(Command, bool)>,
    jobs: u32,
    refused: bool,
    answer: MemoryResponse,
    row: Vec<Word>,
    challenges: Vec<Option<Word>>,
    elements: Vec<Element<F>>,
    cases: [u64; 17],
    results: [u64; 4],
    /// Cycle counts of the long jobs, as text.
    took: Vec<String>,
    stalls: Stalls,
    oracle: Oracle,
}

impl<F: Datapath> Unit<F> {
    /// The model without a job; `whole` says whether the block has a data path.
    pub fn new(design: &Design, whole: bool) -> Self {
        Self {
            design: *design,
            whole,
            load: None,
            memory: Memory {
                dram: None,
                booked: 0,
                now: 0,
                arriving: VecDeque::new(),
                leaving: VecDeque::new(),
                rates: [8; 3],
            },
            next: None,
            jobs: 0,
            refused: false,
            answer: MemoryResponse::default(),
            row: Vec::new(),
            challenges: vec![None; LARGEST as usize],
            elements: (0..design.pes()).map(|_| Element::new()).collect(),
            cases: [0; 17],
            results: [0; 4],
            took: Vec::new(),
            stalls: Stalls::default(),
            oracle: Oracle::default(),
        }
    }

    /// Whether the current or next job is one whose cycles are compared with the model's own run.
    fn measured(&self) -> bool {
        let job = if self.load.is_some() { self.jobs.saturating_sub(1) } else { self.jobs };
        (BEFORE..BEFORE + 4).contains(&job)
    }

    /// The next command, and whether it uses the model's memory.
    fn plan(&mut self, rng: &mut ChaCha20Rng) -> (Command, bool) {
        let op = |k: u32| Op::ALL[(k % 4) as usize];
        let job = self.jobs;
        if (BEFORE..BEFORE + 4).contains(&job) {
            let op = op(job - BEFORE);
            return (Command { op, keep: op == Op::Product, log_size: MEASURED }, true);
        }
        if job == 0 {
            // Many results, which the memory accepts slowly.
            return (Command { op: Op::Build, keep: false, log_size: 8 }, false);
        }
        let op = op(rng.next_u32());
        let least = self.design.log() + 1;
        let most = match op {
            Op::Hash => 6,
            _ if job % 32 == 31 => LARGEST,
            _ => 8,
        };
        let log_size = least + rng.next_u32() % (most + 1 - least);
        (Command { op, keep: rng.next_u32() & 1 == 1, log_size }, rng.next_u32().is_multiple_of(4))
    }

    /// Computes the memory's responses in this cycle, and the row that arrives.
    fn answers(&mut self, rng: &mut ChaCha20Rng) {
        (self.answer, self.row) = (MemoryResponse::default(), Vec::new());
        let (Some(load), memory) = (&mut self.load, &mut self.memory) else { return };
        let chance = |rng: &mut ChaCha20Rng, rate: u32| rng.next_u32() % 8 < rate;
        let ideal = memory.dram.is_some();
        self.answer.ready =
            if ideal { memory.booked <= memory.now + AHEAD } else { chance(rng, memory.rates[0]) };
        let unit = self.design.unit();
        if let Some(ask) = load.model.request().filter(|_| self.answer.ready) {
            let first = ask.address / u64::from(unit.word_bytes);
            let due = match &mut memory.dram {
                Some(dram) => {
                    let piece = Piece { address: ask.address, bytes: unit.word_bytes * ask.words as u32 };
                    let transfer = dram.transfer(memory.now, ask.writes.is_some(), [piece]);
                    memory.booked = transfer.issued;
                    transfer.done
                }
                None => memory.now + 1 + u64::from(rng.next_u32() % 24),
            };
            if let Some((level, index)) = ask.writes {
                for k in 0..ask.words {
                    let result = load.model.result(level, index + k).unwrap_or_default();
                    load.memory.insert(first + k, result);
                }
                memory.leaving.push_back((due, ask.words));
            } else {
                let row =
                    (first..first + ask.words).map(|k| load.memory.get(&k).copied().unwrap_or_default());
                memory.arriving.push_back((due, row.collect()));
            }
        }
        memory.now += 1;
        let now = memory.now;
        if (ideal || chance(rng, memory.rates[1]))
            && let Some((_, row)) = memory.arriving.pop_front_if(|(at, _)| *at <= now)
        {
            self.answer.arrived = row.len() as u64;
            self.row = row;
        }
        while self.answer.left < 8
            && (ideal || chance(rng, memory.rates[2]))
            && let Some((_, words)) = memory.leaving.pop_front_if(|(at, _)| *at <= now)
        {
            self.answer.left += words;
        }
    }

    /// Whole blocks that wait to be written.
    fn whole_blocks(&self, ports: &Ports) -> usize {
        ports.blocks.iter().filter(|(.., words)| *words == self.design.pes()).count()
    }

    /// Counts the cases that a cycle covers, from the register contents before and after it.
    fn note(&mut self, seen: &CycleState, issues: bool, after: &Ports) {
        let CycleState { command, phase, moves, request, flow, ports } = seen;
        let slot = flow.levels.slot.unwrap_or(0);
        let deep = slot % 16 == 0;
        let has_slot = *moves && flow.levels.slot.is_some() && flow.levels.cooldown == 0;
        let full = ports.held + u64::from(self.design.pes()) > u64::from(self.design.room());
        let runs = *phase == Phase::Run;
        let [requested, arrived, taken] = ports.input;
        let reads = request.is_some_and(|ask| ask.writes.is_none());
        let more = command.op != Op::Build && requested < 1 << command.log_size;
        let writes = self.answer.ready && request.is_some_and(|ask| ask.writes.is_some());
        let [before, now] = [ports, after].map(|ports| self.whole_blocks(ports));
        let cases = [
            issues && !deep,
            issues && deep,
            has_slot && !issues,
            runs && !moves && !full && arrived == taken,
            runs && full,
            request.is_some() && !self.answer.ready,
            runs && more && !reads,
            writes && !ports.writing,
            now + usize::from(writes) > before + 1,
            *phase == Phase::Drain && ports.blocks.len() > before,
        ];
        for (count, there) in self.cases.iter_mut().zip(cases) {
            *count += u64::from(there);
        }
    }

    /// One cycle of the model in which the clock is not stalled.
    fn step(&mut self) {
        let Some(load) = &mut self.load else { return };
        let seen = CycleState {
            command: load.command,
            phase: load.model.phase(),
            moves: load.model.moves(),
            request: load.model.request(),
            flow: load.model.flow(),
            ports: load.model.ports(),
        };
        if seen.phase == Phase::Table && self.answer.arrived > 0 {
            // The rest of the last row of the table is whatever follows it in memory.
            let first = seen.ports.input[1] as usize;
            let row = self.challenges.iter_mut().skip(first).take(self.design.pes() as usize);
            for (k, challenge) in row.enumerate() {
                *challenge = self.row.get(k).copied();
            }
        }
        let issued = load.model.cycle(self.answer);
        if seen.moves {
            for (k, element) in self.elements.iter_mut().enumerate() {
                let operands = issued.iter().find(|issue| issue.element == k).map(|issue| {
                    let r = load.challenges.get(issue.level as usize - 1).copied().unwrap_or(F::ZERO);
                    (issue.operands, r)
                });
                element.tick(seen.command.op, operands);
            }
        }
        let after = load.model.ports();
        let last = self.design.pes() as usize - 1;
        self.note(&seen, issued.iter().any(|issue| issue.element == last), &after);
    }

    /// Checks a finished job: the contents of memory, and the cycle count.
    fn judge(&mut self) {
        let Some(load) = self.load.take() else { return };
        for (address, want) in &load.want {
            self.oracle.judge(Some(load.memory.get(address) == Some(want)));
            self.results[load.command.op as usize] += 1;
        }
        if self.memory.dram.is_some() {
            let right = self.memory.now == load.cycles;
            self.oracle.judge(Some(right));
            if load.command.log_size == MEASURED && right {
                self.cases[13 + load.command.op as usize] += 1;
                let (job, cycles) = (load.command.workload().name(), self.memory.now);
                self.took.push(format!("{job} in {cycles} cycles"));
            }
        }
    }
}

impl<F: Datapath> Bench for Unit<F> {
    fn stimulus(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        self.stalls.stimulus(rng, input);
        let next = match self.next {
            Some(next) => next,
            None => {
                let next = self.plan(rng);
                self.next = Some(next);
                next
            }
        };
        let [mut rst, mut en, valid] = input.flags();
        // The long jobs run without stalls.
        if self.measured() {
            (rst, en) = (false, true);
            input.set(0, &[0]);
            input.set(1, &[1]);
        }
        let mut command = next.0;
        let odd = rng.next_u32().is_multiple_of(4);
        if odd && self.load.is_some() {
            command.op = Op::ALL[(rng.next_u32() % 4) as usize];
        } else if odd {
            let small = rng.next_u32() % (self.design.log() + 1);
            command.log_size = [small, 13 + rng.next_u32() % 3][(rng.next_u32() % 2) as usize];
        }
        let small = [command.op as u64, u64::from(command.keep), u64::from(command.log_size)];
        for (at, value) in (3..).zip(small) {
            input.set(at, &[value]);
        }
        self.cases[11] += u64::from(valid && en && !rst && self.load.is_some());
        // A finished unit makes no further requests.
        if en && !rst && self.load.as_ref().is_some_and(|load| !load.model.is_finished()) {
            self.answers(rng);
        } else {
            (self.answer, self.row) = (MemoryResponse::default(), Vec::new());
        }
        // Inputs are ignored while the clock is stalled, so they are random.
        let noise = |rng: &mut ChaCha20Rng, bits: u32| {
            if en && !rst { 0 } else { rng.next_u64() & ((1 << bits) - 1) }
        };
        input.set(6, &[u64::from(self.answer.ready) | noise(rng, 1)]);
        input.set(7, &[u64::from(self.answer.arrived > 0) | noise(rng, 1)]);
        input.set(8, &[self.answer.left | noise(rng, 4)]);
        if self.whole {
            let words = (0..self.design.pes() as usize)
                .flat_map(|k| self.row.get(k).copied().unwrap_or_else(|| word(&F::ONE)));
            input.set(9, &words.collect::<Vec<_>>());
        }
    }

    fn outputs(&self, out: &mut Expected) {
        let finished = self.load.as_ref().is_some_and(|load| load.model.is_finished());
        out.flag(0, self.load.is_none());
        out.flag(1, finished);
        out.flag(2, self.refused);
        let Some(load) = &self.load else {
            out.flag(3, false);
            return;
        };
        let ask = load.model.request();
        out.flag(3, ask.is_some());
        if !self.whole {
            out.flag(7, load.model.moves());
        }
        let Some(ask) = ask else { return };
        out.flag(4, ask.writes.is_some());
        out.value(5, &[ask.address / u64::from(self.design.unit().word_bytes)]);
        out.value(6, &[ask.words]);
        if let Some((level, index)) = ask.writes.filter(|_| self.whole) {
            for k in 0..ask.words {
                any(load.model.result(level, index + k), 7 + k as usize, out);
            }
        }
    }

    fn edge(&mut self, input: &Inputs) {
        let [rst, en, valid] = input.flags();
        if rst {
            let flies = self.load.take().is_some();
            self.cases[12] += u64::from(flies);
            self.refused = false;
            // A row that arrives in the cycle of a reset may still have been written into the table.
            self.challenges.fill(None);
            self.elements.iter_mut().for_each(|element| *element = Element::new());
            return;
        }
        if !en {
            return;
        }
        let number = |at: usize| input.get(at)[0] as u32;
        let command = Command { op: Op::ALL[number(3) as usize], keep: number(4) == 1, log_size: number(5) };
        let fits = command.log_size > self.design.log() && command.log_size <= LARGEST;
        let idle = self.load.is_none();
        self.refused = valid && idle && !fits;
        self.cases[10] += u64::from(self.refused);
        if let Some(load) = &self.load {
            if load.model.is_finished() {
                self.judge();
            } else {
                self.step();
            }
        } else if valid && fits {
            let (command, ideal) = self.next.take().unwrap_or((command, false));
            let mut rng = <ChaCha20Rng as rand_core::SeedableRng>::seed_from_u64(u64::from(self.jobs));
            self.jobs += 1;
            let unit = self.design.unit();
            let any = [0; 3].map(|_| [1, 2, 4, 6, 8][(rng.next_u32() % 5) as usize]);
            let rates = if self.jobs == 1 { [8, 8, 1] } else { any };
            self.load = Some(Load::new(&self.design, command, &mut rng));
            self.memory = Memory {
                dram: ideal.then(|| Dram::new(&unit.dram, 1e9).expect("a memory of the model")),
                booked: 0,
                now: 0,
                arriving: VecDeque::new(),
                leaving: VecDeque::new(),
                rates,
            };
        }
    }

    fn registers(&self, out: &mut Expected) {
        let c = &mut Cursor { at: 0, out };
        let (p, log) = (u64::from(self.design.pes()), self.design.log() as usize);
        let load = self.load.as_ref();
        let flow = load.map(|load| load.model.flow());
        let ports = load.map(|load| load.model.ports());
        let command = load.map(|load| load.command);
        c.number(Some(load.map_or(0, |load| match load.model.phase() {
            Phase::Table => 1,
            Phase::Run => 2,
            Phase::Drain => 3,
        })));
        c.number(command.map(|command| command.op as u64));
        c.number(
            command.map(|command| u64::from(command.keep && matches!(command.op, Op::Product | Op::Hash))),
        );
        c.number(command.map(|command| u64::from(command.log_size)));
        c.number(Some(u64::from(self.refused)));
        for k in 0..3 {
            c.number(ports.as_ref().map(|ports| ports.input[k].div_ceil(p)));
        }
        let output = |level: usize| {
            ports.as_ref().map(|ports| ports.outputs.get(level - 1).copied().unwrap_or((0, 0)))
        };
        c.number(output(1).map(|(from, _)| from / p));
        c.number(ports.as_ref().map(|ports| u64::from(ports.in_row.min(16))));
        c.number(ports.as_ref().map(|ports| u64::from(ports.writing)));
        c.number(ports.as_ref().map(|ports| ports.held));
        c.number(ports.as_ref().map(|ports| self.whole_blocks(ports) as u64));
        c.number(flow.as_ref().map(|flow| u64::from(flow.cooldown)));
        c.number(flow.as_ref().map(|flow| u64::from(flow.levels.cooldown)));
        c.number(flow.as_ref().map(|flow| u64::from(flow.levels.slot.is_some())));
        c.number(flow.as_ref().map(|flow| flow.levels.slot.unwrap_or(0) as u64 % 16));
        let bits = |there: &mut dyn Iterator<Item = bool>| {
            there.enumerate().fold(0, |bits, (k, there)| bits | u64::from(there) << k)
        };
        c.number(flow.as_ref().map(|flow| bits(&mut flow.levels.flight.iter().map(Option::is_some))));
        for k in 0..DEPTH as usize {
            c.number(
                flow.as_ref().and_then(|flow| flow.levels.flight.get(k).copied().flatten()).map(u64::from),
            );
        }
        // Words that do not form a block; at the end, those that were sent as shorter blocks.
        let waiting = |level: usize| {
            let ports = ports.as_ref()?;
            let parts =
                ports.blocks.iter().filter(|(of, _, words)| *of as usize == level && u64::from(*words) < p);
            Some(u64::from(output(level)?.1 + parts.map(|(.., words)| words).sum::<u32>()))
        };
        for s in 0..log {
            c.number(flow.as_ref().map(|flow| bits(&mut flow.stages[s].iter().copied())));
            c.number(output(s + 2).map(|(from, _)| from));
            c.number(waiting(s + 2));
        }
        for k in 0..self.design.levels() as usize {
            let left = flow.as_ref().map(|flow| flow.levels.left.get(k).copied().unwrap_or(0));
            let there = flow.as_ref().map(|flow| flow.levels.queues.get(k).map_or(0, Vec::len) as u64);
            c.number(left);
            c.number(left.zip(there).map(|(left, there)| left + there));
            c.number(output(log + 2 + k).map(|(from, _)| from));
            c.number(waiting(log + 2 + k));
        }
        if !self.whole {
            return;
        }
        for k in 0..LARGEST as usize {
            c.put(self.challenges[k]);
        }
        let complement =
            load.filter(|load| load.model.phase() != Phase::Table).and_then(|load| load.challenges.last());
        c.put(complement.map(|r| word(&(F::ONE - *r))));
        let inverted = command.is_some_and(|command| command.op != Op::Build);
        let first =
            flow.as_ref().filter(|_| inverted).and_then(|flow| flow.levels.queues.first()?.first().copied());
        c.put(first);
        for element in &self.elements {
            c.at = element.expect(c.at, c.out);
        }
    }

    fn oracle(&self) -> Oracle {
        self.oracle
    }

    fn notes(&self) -> Vec<String> {
        let names = ["built", "evaluated", "products", "hashes"];
        let results = names.iter().zip(self.results).map(|(name, n)| format!("{n} {name}"));
        let jobs =
            format!("{} jobs; results in memory: {}", self.jobs, results.collect::<Vec<_>>().join(", "));
        vec![jobs, format!("2^{MEASURED} leaves: {}", self.took.join(", "))]
    }

    fn coverage(&self) -> Vec<(&'static str, u64)> {
        CASES.into_iter().zip(self.cases).collect()
    }

    fn faults(&self, block: &Block) -> Vec<Fault> {
        let all = if self.whole { &VALUE_FAULTS[..] } else { &FAULTS };
        all.iter().map(|fault| Fault::replaced(block, fault)).collect()
    }
}

/// Faults of the control: a description, the original text, and the replacement.
pub(super) const FAULTS: [(&str, &str, &str); 14] = [
    ("the unit moves without leaves", "& ~starved & ~full", "& ~full"),
    ("the unit moves without room", "& ~starved & ~full", "& ~starved"),
    (
        "a deep level goes in a slot of its own",
        "wire [0:0] deep = slot == 4'd0;",
        "wire [0:0] deep = slot[2:0] == 3'd0;",
    ),
    (
        "the lowest deep level goes first in an inverted tree",
        "forward ? lowest_deep : highest_deep",
        "forward ? lowest_deep : 4'd4",
    ),
    ("a forward level does not look for room", "|(parents & rooms)", "|parents"),
    ("an inverted pair is one word", "forward ? 13'd1 : 13'd2", "13'd1"),
    ("the root is not noticed", "& (acc_to == levels);", "& (acc_to == levels + 4'd1);"),
    ("a block has a word too few", "waiting_s0 == 3'd", "3'd0 == 3'd"),
    ("words at the end are forgotten", "(queued != 6'd0) | (flushes & part)", "(queued != 6'd0)"),
    ("the port does not turn", "(~reads | (writing != in_row[4]))", "(~reads | (writing != in_row[0]))"),
    (
        "results are taken back too early",
        "held + comes - {4'd0, mem_left}",
        "held + comes - {4'd0, mem_left} - {7'd0, unqueues}",
    ),
    (
        "a level begins where another ends",
        "16'd0 : {2'd0, leaves, 1'd0} - above",
        "16'd0 : {2'd0, leaves, 1'd0} - {1'd0, above[15:1]}",
    ),
    ("a row is asked for without room", "(requested - taken < 13'd32)", "(requested - taken <= 13'd32)"),
    ("the state is not reset", "if (rst) state <= IDLE;", "if (1'b0) state <= IDLE;"),
];

/// Faults of the data path, which only values can reveal.
pub(super) const VALUE_FAULTS: [(&str, &str, &str); 6] = [
    ("children are swapped", "acc_level == 4'd0 ? first : left_out", "acc_level == 4'd0 ? first : right_out"),
    ("a difference is a sum", ".s(1'd1), .a(right)", ".s(1'd0), .a(right)"),
    ("a challenge is the next one's", "acc_challenge == 4'd1 ?", "acc_challenge == 4'd2 ?"),
    ("a word of a block is old", "word_1(block_1)", "word_1(block_0)"),
    ("padding of the hash ends early", "8'h06, b, a", "8'h07, b, a"),
    ("the input buffer is read a row ahead", ".read_row_0(take_row)", ".read_row_0(take_row + 5'd1)"),
];
