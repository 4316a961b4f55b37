//! The unit's side of memory: streams that read ahead into the input buffer and write whole blocks from the output
//! buffer, and the neighbouring stages that can stand in their place.

use super::io::Run;
use crate::{MtuError, Sram, StageUse, UnitConfig};
use pairwright_sim::dram::{Dram, Piece};
use std::collections::VecDeque;

/// Cycles of requests that the memory's controller holds ahead of its pins.
const AHEAD: u64 = 8;

/// Words that come in the order of their addresses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input {
    /// Byte address of the first word.
    pub(super) address: u64,
    pub(super) words: u64,
    requested: u64,
    arrived: u64,
    taken: u64,
}

impl Input {
    pub(super) fn new(address: u64, words: u64) -> Self {
        Self { address, words, requested: 0, arrived: 0, taken: 0 }
    }

    /// Words that are in the buffer or on their way there.
    fn held(&self) -> u64 {
        self.requested - self.taken
    }
}

/// The source of the words of the inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    Memory,
    /// The buffer of whole levels: they are there.
    Chip,
    /// A stage that gives so many a cycle.
    Upstream(u32),
}

/// Words that leave in the order of their addresses, and wait until they are a block.
#[derive(Clone, Copy, Default, Debug)]
struct Output {
    /// Index of the first word that waits.
    from: u64,
    waiting: u32,
}

/// Both buffers, the memory behind them, and the neighbours.
pub(super) struct Memory {
    dram: Dram,
    word: u64,
    block: u64,
    /// When the controller takes another request.
    booked: u64,
    /// The direction of the last request, and how many in a row had it.
    writing: bool,
    in_row: u32,
    most_in_row: u32,
    origin: Origin,
    inputs: Vec<Input>,
    /// Words that each input may hold, and that it asks for at a time.
    room_of_input: u64,
    block_of_input: u64,
    turn: usize,
    arriving: VecDeque<(u64, usize, u64)>,
    outputs: Vec<Output>,
    lanes: u32,
    block_of_output: u64,
    /// Blocks that are ready to be written: level, lane, first index, words.
    blocks: VecDeque<Run>,
    leaving: VecDeque<(u64, u64)>,
    room_of_outputs: u64,
    held_outputs: u64,
    /// First address of the results.
    results: u64,
    leaves: u64,
    upstream: Option<StageUse>,
    downstream: Option<StageUse>,
    /// Leaves that wait for the stage downstream.
    downstream_waiting: u64,
    until: u64,
    pub(super) high_water: Sram,
}

/// What a memory holds besides inputs, and for whom.
pub(super) struct Plan {
    /// Levels that are written, times lanes of each: how many streams of results.
    pub(super) levels: u32,
    pub(super) lanes: u32,
    /// First byte address of the results, and leaves of the tree, which decide where a level lies.
    pub(super) results: u64,
    pub(super) leaves: u64,
    pub(super) downstream: Option<u32>,
    /// How many levels' streams are in use at a time.
    pub(super) written: u32,
}

impl Memory {
    pub(super) fn new(config: &UnitConfig, plan: &Plan) -> Result<Self, MtuError> {
        let word = u64::from(config.word_bytes);
        let block = u64::from(config.block_bytes) / word;
        let room = u64::from(config.output_bytes) / word;
        // Unfinished blocks take half of the buffer at most.
        let streams = u64::from(plan.written.max(1)) * u64::from(plan.lanes);
        Ok(Self {
            dram: Dram::new(&config.dram, config.hz())?,
            word,
            block,
            booked: 0,
            writing: false,
            in_row: 0,
            most_in_row: config.blocks_in_row,
            origin: Origin::Memory,
            inputs: Vec::new(),
            room_of_input: u64::from(config.input_bytes) / word,
            block_of_input: block,
            turn: 0,
            arriving: VecDeque::new(),
            outputs: vec![Output::default(); ((plan.levels + 2) * plan.lanes) as usize],
            lanes: plan.lanes,
            block_of_output: block.min(room / (2 * streams)).max(1),
            blocks: VecDeque::new(),
            leaving: VecDeque::new(),
            room_of_outputs: room,
            held_outputs: 0,
            results: plan.results,
            leaves: plan.leaves,
            upstream: None,
            downstream: plan.downstream.map(StageUse::new),
            downstream_waiting: 0,
            until: 0,
            high_water: Sram::default(),
        })
    }

    /// New inputs, after the old ones have been taken.
    pub(super) fn begin(&mut self, config: &UnitConfig, inputs: Vec<Input>, origin: Origin) {
        let streams = inputs.len().max(1) as u64;
        let all = u64::from(config.input_bytes) / self.word;
        self.room_of_input = (all / streams).max(1);
        self.block_of_input = self.block.min(self.room_of_input / 2).max(1);
        if let Origin::Upstream(words) = origin {
            // Registers between two stages, not a buffer for memory.
            self.room_of_input = 2 * u64::from(words.max(2 * config.pes));
            self.upstream = Some(StageUse::new(words));
        }
        (self.inputs, self.origin, self.turn) = (inputs, origin, 0);
        if origin == Origin::Chip {
            for input in &mut self.inputs {
                (input.requested, input.arrived) = (input.words, input.words);
            }
        }
    }

    /// Reads words that the unit needs before it begins.
    pub(super) fn preload(&mut self, address: u64, words: u64) -> u64 {
        let bytes = (words * self.word) as u32;
        let transfer = self.dram.transfer(0, false, [Piece { address, bytes }]);
        (self.booked, self.until) = (transfer.issued, transfer.done);
        transfer.done
    }

    /// Whether every input has so many words in the buffer.
    pub(super) fn has(&self, words: u32) -> bool {
        self.inputs.iter().all(|i| i.arrived - i.taken >= u64::from(words))
    }

    /// Takes so many words of every input.
    pub(super) fn take(&mut self, words: u32) {
        self.inputs.iter_mut().for_each(|i| i.taken += u64::from(words));
    }

    /// Whether so many words could leave in a cycle.
    pub(super) fn has_room(&self, words: u32) -> bool {
        self.held_outputs + u64::from(words) <= self.room_of_outputs
    }

    /// Words in the buffers.
    pub(super) fn held(&self) -> (u64, u64) {
        (self.inputs.iter().map(Input::held).sum(), self.held_outputs)
    }

    /// Nodes that leave the unit.
    pub(super) fn accept(&mut self, run: Run) {
        self.held_outputs += u64::from(run.words);
        self.high_water.output = self.high_water.output.max(self.held_outputs * self.word);
        if run.level == 1 && self.downstream.is_some() {
            self.downstream_waiting += u64::from(run.words);
            return;
        }
        let place = (run.level * self.lanes + run.lane) as usize;
        let Some(output) = self.outputs.get_mut(place) else { return };
        if output.waiting == 0 {
            output.from = run.index;
        }
        output.waiting += run.words;
        while u64::from(output.waiting) >= self.block_of_output {
            let words = self.block_of_output as u32;
            self.blocks.push_back(Run { words, index: output.from, ..run });
            output.from += u64::from(words);
            output.waiting -= words;
        }
    }

    /// Makes a block of whatever waits.
    pub(super) fn flush(&mut self) {
        for (place, output) in (0u32..).zip(&mut self.outputs) {
            if output.waiting > 0 {
                let (level, lane) = (place / self.lanes, place % self.lanes);
                self.blocks.push_back(Run { level, lane, index: output.from, words: output.waiting });
                output.waiting = 0;
            }
        }
    }

    /// Has the memory send what it gathers, when nothing more comes.
    pub(super) fn end(&mut self) {
        self.until = self.until.max(self.dram.flush());
    }

    /// Whether everything that left the unit has arrived.
    pub(super) fn is_flushed(&self) -> bool {
        self.held_outputs == 0
    }

    /// Nodes of a level.
    fn nodes(&self, level: u32) -> u64 {
        self.leaves >> level.saturating_sub(1).min(63)
    }

    /// The byte address of a level's first node: levels one after the other, leaves of a forward tree first.
    pub(super) fn place(&self, level: u32) -> u64 {
        let before = if level <= 1 { 0 } else { 2 * (self.leaves - self.nodes(level)) };
        self.results + before * self.word
    }

    fn address(&self, run: &Run) -> u64 {
        let lane = u64::from(run.lane) * (self.nodes(run.level) / u64::from(self.lanes)).max(1);
        self.place(run.level) + (lane + run.index) * self.word
    }

    /// Starts the transfers of a cycle and ends those that are over.
    pub(super) fn tick(&mut self, now: u64) {
        while let Some((_, stream, words)) = self.arriving.pop_front_if(|(at, ..)| *at <= now) {
            self.inputs[stream].arrived += words;
        }
        while let Some((_, words)) = self.leaving.pop_front_if(|(at, _)| *at <= now) {
            self.held_outputs -= words;
        }
        self.neighbours(now);
        while self.booked <= now + AHEAD {
            let read = if self.origin == Origin::Memory { self.next_read() } else { None };
            let write = !self.blocks.is_empty();
            // The pins keep their direction for a while: a DRAM loses time at every turn.
            let turn = self.in_row >= self.most_in_row;
            let write = if read.is_some() && write { self.writing != turn } else { write };
            if write {
                self.write(now);
            } else if let Some(stream) = read {
                self.read(now, stream);
            } else {
                break;
            }
            self.in_row = if write == self.writing { self.in_row + 1 } else { 1 };
            self.writing = write;
        }
    }

    /// The next input in turn that has room for a block.
    fn next_read(&self) -> Option<usize> {
        let n = self.inputs.len();
        (0..n).map(|i| (self.turn + i) % n).find(|&i| {
            let input = &self.inputs[i];
            let words = self.block_of_input.min(input.words - input.requested);
            words > 0 && input.held() + words <= self.room_of_input
        })
    }

    fn read(&mut self, now: u64, stream: usize) {
        let input = &mut self.inputs[stream];
        let words = self.block_of_input.min(input.words - input.requested);
        let address = input.address + input.requested * self.word;
        input.requested += words;
        self.turn = (stream + 1) % self.inputs.len();
        let transfer = self.dram.transfer(now, false, [Piece { address, bytes: (words * self.word) as u32 }]);
        self.booked = transfer.issued;
        // Words come in the order in which they were asked for.
        let at = transfer.done.max(self.arriving.back().map_or(0, |(at, ..)| *at));
        self.arriving.push_back((at, stream, words));
        let held: u64 = self.inputs.iter().map(Input::held).sum();
        self.high_water.input = self.high_water.input.max(held * self.word);
    }

    fn write(&mut self, now: u64) {
        let Some(run) = self.blocks.pop_front() else { return };
        let bytes = run.words * self.word as u32;
        let transfer = self.dram.transfer(now, true, [Piece { address: self.address(&run), bytes }]);
        self.booked = transfer.issued;
        let at = transfer.done.max(self.leaving.back().map_or(0, |(at, _)| *at));
        self.leaving.push_back((at, u64::from(run.words)));
        self.until = self.until.max(at);
    }

    /// What the stages before and after the unit do in a cycle.
    fn neighbours(&mut self, now: u64) {
        if let (Origin::Upstream(rate), Some(stage), [input, ..]) =
            (self.origin, &mut self.upstream, &mut self.inputs[..])
        {
            let left = input.words - input.requested;
            let words = u64::from(rate).min(left);
            if words > 0 && input.held() + words <= self.room_of_input {
                input.requested += words;
                input.arrived += words;
                stage.moved(now, words);
                self.high_water.input = self.high_water.input.max(input.held() * self.word);
            } else if words > 0 {
                stage.held += 1;
            }
        }
        if let Some(stage) = &mut self.downstream {
            let words = u64::from(stage.rate).min(self.downstream_waiting);
            if words > 0 {
                self.downstream_waiting -= words;
                self.held_outputs -= words;
                stage.moved(now, words);
                self.until = self.until.max(now + 1);
            } else if stage.words > 0 {
                stage.held += 1;
            }
        }
    }

    /// The next cycle after `now` in which something changes here; none if nothing ever will.
    pub(super) fn next_event(&self, now: u64) -> Option<u64> {
        let stages = matches!(self.origin, Origin::Upstream(_)) || self.downstream_waiting > 0;
        let request =
            !self.blocks.is_empty() || (self.origin == Origin::Memory && self.next_read().is_some());
        [
            stages.then_some(now + 1),
            self.arriving.front().map(|(at, ..)| *at),
            self.leaving.front().map(|(at, _)| *at),
            request.then(|| self.booked.saturating_sub(AHEAD)),
        ]
        .into_iter()
        .flatten()
        .map(|at| at.max(now + 1))
        .min()
    }

    /// When the last word that left has arrived.
    pub(super) fn until(&self) -> u64 {
        self.until
    }

    /// The memory's own account.
    pub(super) fn dram(&self) -> &Dram {
        &self.dram
    }

    /// What the stages before and after the unit saw.
    pub(super) fn stages(&self) -> (Option<StageUse>, Option<StageUse>) {
        (self.upstream, self.downstream)
    }
}
