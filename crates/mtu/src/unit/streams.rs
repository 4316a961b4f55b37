//! The unit's side of the memory port, without the memory's time: streams that read ahead into the input buffer, streams of
//! results that are gathered into blocks, and what is asked of the memory next.

use super::io::{Run, elements_for};
use crate::{Job, Traversal, TreeDir, UnitConfig, Workload};
use std::collections::VecDeque;

/// Words that come in the order of their addresses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input {
    /// Byte address of the first word.
    pub(super) address: u64,
    pub(super) words: u64,
    pub(super) requested: u64,
    pub(super) arrived: u64,
    pub(super) taken: u64,
}

impl Input {
    pub(super) fn new(address: u64, words: u64) -> Self {
        Self { address, words, requested: 0, arrived: 0, taken: 0 }
    }

    /// Words that are in the buffer or on their way there.
    pub(super) fn held(&self) -> u64 {
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
pub(super) struct Output {
    /// Index of the first word that waits.
    pub(super) from: u64,
    pub(super) waiting: u32,
}

/// A request to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Request {
    /// A number of words for a stream, from a byte address on.
    Read { stream: usize, address: u64, words: u64 },
    /// Nodes, and the byte address of the first.
    Write { address: u64, run: Run },
}

/// The layout of memory, and the number of streams of results.
pub(super) struct Layout {
    /// Words of the table of challenges, which is read first.
    pub(super) challenges: u64,
    /// The first byte address after the table, of the leaves if there are any.
    pub(super) table: u64,
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

impl Layout {
    pub(super) fn of(config: &UnitConfig, job: &Job) -> Self {
        let word = u64::from(config.word_bytes);
        let challenges = match job.workload {
            Workload::BuildMle | Workload::MleEval => u64::from(job.log_size),
            _ => 0,
        };
        let table = (challenges * word).next_multiple_of(u64::from(config.block_bytes));
        let leaves = job.size();
        let forward = job.workload.direction() == TreeDir::Forward;
        let elements = elements_for(config, job);
        Self {
            challenges,
            table,
            levels: job.log_size + 1,
            lanes: if config.traversal == Traversal::Dfs && elements > 1 { elements } else { 1 },
            results: table + if forward { 0 } else { leaves * word },
            leaves,
            downstream: job.downstream,
            written: if job.workload.keeps_levels() { job.log_size } else { 1 },
        }
    }
}

/// Both buffers, and the order of requests.
pub(super) struct Streams {
    word: u64,
    block: u64,
    /// The direction of the last request, and how many in a row had it.
    pub(super) writing: bool,
    pub(super) in_row: u32,
    most_in_row: u32,
    pub(super) origin: Origin,
    pub(super) inputs: Vec<Input>,
    /// Words that each input may hold, and that it asks for at a time.
    pub(super) room_of_input: u64,
    block_of_input: u64,
    turn: usize,
    outputs: Vec<Output>,
    lanes: u32,
    block_of_output: u64,
    /// Blocks that are ready to be written: level, lane, first index, words.
    pub(super) blocks: VecDeque<Run>,
    room_of_outputs: u64,
    pub(super) held_outputs: u64,
    /// First address of the results.
    results: u64,
    leaves: u64,
}

impl Streams {
    pub(super) fn new(config: &UnitConfig, plan: &Layout) -> Self {
        let word = u64::from(config.word_bytes);
        let block = u64::from(config.block_bytes) / word;
        let room = u64::from(config.output_bytes) / word;
        // Unfinished blocks take half of the buffer at most.
        let streams = u64::from(plan.written.max(1)) * u64::from(plan.lanes);
        Self {
            word,
            block,
            writing: false,
            in_row: 0,
            most_in_row: config.blocks_in_row,
            origin: Origin::Memory,
            inputs: Vec::new(),
            room_of_input: u64::from(config.input_bytes) / word,
            block_of_input: block,
            turn: 0,
            outputs: vec![Output::default(); ((plan.levels + 2) * plan.lanes) as usize],
            lanes: plan.lanes,
            block_of_output: block.min(room / (2 * streams)).max(1),
            blocks: VecDeque::new(),
            room_of_outputs: room,
            held_outputs: 0,
            results: plan.results,
            leaves: plan.leaves,
        }
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
        }
        (self.inputs, self.origin, self.turn) = (inputs, origin, 0);
        if origin == Origin::Chip {
            for input in &mut self.inputs {
                (input.requested, input.arrived) = (input.words, input.words);
            }
        }
    }

    /// The levels of the tree.
    pub(super) fn levels(&self) -> u32 {
        (self.outputs.len() as u32 / self.lanes).saturating_sub(2)
    }

    /// Words of an input are in the buffer.
    pub(super) fn arrive(&mut self, stream: usize, words: u64) {
        self.inputs[stream].arrived += words;
    }

    /// Words of results are in memory.
    pub(super) fn leave(&mut self, words: u64) {
        self.held_outputs -= words;
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

    /// Words of the inputs that are in the buffer or on their way there.
    pub(super) fn held_inputs(&self) -> u64 {
        self.inputs.iter().map(Input::held).sum()
    }

    /// What waits of the results of a level, of the first lane.
    pub(super) fn output(&self, level: u32) -> Output {
        self.outputs.get((level * self.lanes) as usize).copied().unwrap_or_default()
    }

    /// Nodes that leave the unit for memory wait until they are a block; they are counted by `held_outputs` already.
    pub(super) fn gather(&mut self, run: Run) {
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

    /// The next input in turn that has room for a block.
    pub(super) fn next_read(&self) -> Option<usize> {
        let n = self.inputs.len();
        let reads = (0..n).map(|i| (self.turn + i) % n).find(|&i| {
            let input = &self.inputs[i];
            let words = self.block_of_input.min(input.words - input.requested);
            words > 0 && input.held() + words <= self.room_of_input
        });
        reads.filter(|_| self.origin == Origin::Memory)
    }

    /// What is asked of the memory next, if anything. The pins keep their direction for a while: a DRAM loses time at every
    /// turn.
    pub(super) fn request(&self) -> Option<Request> {
        let read = self.next_read();
        let turn = self.in_row >= self.most_in_row;
        let writes = read.is_none() || self.writing != turn;
        if let Some(run) = self.blocks.front().filter(|_| writes) {
            return Some(Request::Write { address: self.address(run), run: *run });
        }
        let stream = read?;
        let input = &self.inputs[stream];
        let words = self.block_of_input.min(input.words - input.requested);
        Some(Request::Read { stream, address: input.address + input.requested * self.word, words })
    }

    /// The memory has taken the request.
    pub(super) fn requested(&mut self, request: &Request) {
        let write = match *request {
            Request::Write { .. } => self.blocks.pop_front().is_some(),
            Request::Read { stream, words, .. } => {
                self.inputs[stream].requested += words;
                self.turn = (stream + 1) % self.inputs.len();
                false
            }
        };
        self.in_row = if write == self.writing { self.in_row + 1 } else { 1 };
        self.writing = write;
    }
}
