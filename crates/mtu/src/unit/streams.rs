//! The unit's side of the memory port, without the memory's timing: streams that read ahead into the input buffer,
//! streams of results that are gathered into blocks, and the choice of the next request to memory.

use super::io::{Run, elements_for};
use crate::{Job, Traversal, TreeDir, UnitConfig, Workload};
use std::collections::VecDeque;

/// A stream of words that are read in the order of their addresses.
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

    /// The number of words that are in the buffer or in transit to it.
    pub(super) fn held(&self) -> u64 {
        self.requested - self.taken
    }
}

/// The source of the words of the inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    Memory,
    /// The on-chip memory of whole levels; all words are available at once.
    Chip,
    /// A stage upstream that gives this many words per cycle.
    Upstream(u32),
}

/// A stream of words that leave in the order of their addresses and wait until they form a block.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Output {
    /// Index of the first waiting word.
    pub(super) from: u64,
    pub(super) waiting: u32,
}

/// A request to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Request {
    /// Reads words of a stream from a byte address on.
    Read { stream: usize, address: u64, words: u64 },
    /// Writes nodes from a byte address on.
    Write { address: u64, run: Run },
}

/// The layout of the memory, and the number of streams of results.
pub(super) struct Layout {
    /// The number of words of the table of challenges, which is read first.
    pub(super) challenges: u64,
    /// The first byte address after the table: that of the leaves, if they are in memory.
    pub(super) table: u64,
    /// The number of levels, and the number of lanes of each level: their product is the number of streams of results.
    pub(super) levels: u32,
    pub(super) lanes: u32,
    /// The first byte address of the results, and the number of leaves of the tree; together they determine the address
    /// of each level.
    pub(super) results: u64,
    pub(super) leaves: u64,
    pub(super) downstream: Option<u32>,
    /// The number of levels whose streams are in use at the same time.
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

/// The input and output buffers, and the order of requests.
pub(super) struct Streams {
    word: u64,
    block: u64,
    /// Whether the last request was a write, and the number of successive requests in that direction.
    pub(super) writing: bool,
    pub(super) in_row: u32,
    most_in_row: u32,
    pub(super) origin: Origin,
    pub(super) inputs: Vec<Input>,
    /// The number of words that each input may hold, and the number that it requests at a time.
    pub(super) room_of_input: u64,
    block_of_input: u64,
    turn: usize,
    outputs: Vec<Output>,
    lanes: u32,
    block_of_output: u64,
    /// Blocks that are ready to be written.
    pub(super) blocks: VecDeque<Run>,
    room_of_outputs: u64,
    pub(super) held_outputs: u64,
    /// First byte address of the results.
    results: u64,
    leaves: u64,
}

impl Streams {
    pub(super) fn new(config: &UnitConfig, plan: &Layout) -> Self {
        let word = u64::from(config.word_bytes);
        let block = u64::from(config.block_bytes) / word;
        let room = u64::from(config.output_bytes) / word;
        // Incomplete blocks take at most half of the buffer.
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

    /// Sets new inputs, when all words of the old ones have been taken.
    pub(super) fn begin(&mut self, config: &UnitConfig, inputs: Vec<Input>, origin: Origin) {
        let streams = inputs.len().max(1) as u64;
        let all = u64::from(config.input_bytes) / self.word;
        self.room_of_input = (all / streams).max(1);
        self.block_of_input = self.block.min(self.room_of_input / 2).max(1);
        if let Origin::Upstream(words) = origin {
            // Between two stages there are registers instead of a buffer for memory.
            self.room_of_input = 2 * u64::from(words.max(2 * config.pes));
        }
        (self.inputs, self.origin, self.turn) = (inputs, origin, 0);
        if origin == Origin::Chip {
            for input in &mut self.inputs {
                (input.requested, input.arrived) = (input.words, input.words);
            }
        }
    }

    /// The number of levels of the tree.
    pub(super) fn levels(&self) -> u32 {
        (self.outputs.len() as u32 / self.lanes).saturating_sub(2)
    }

    /// Notes that words of an input have arrived in the buffer.
    pub(super) fn arrive(&mut self, stream: usize, words: u64) {
        self.inputs[stream].arrived += words;
    }

    /// Notes that words of results have reached memory.
    pub(super) fn leave(&mut self, words: u64) {
        self.held_outputs -= words;
    }

    /// Whether every input has this many words in the buffer.
    pub(super) fn has(&self, words: u32) -> bool {
        self.inputs.iter().all(|i| i.arrived - i.taken >= u64::from(words))
    }

    /// Takes this many words of every input.
    pub(super) fn take(&mut self, words: u32) {
        self.inputs.iter_mut().for_each(|i| i.taken += u64::from(words));
    }

    /// Whether the output buffer has room for this many words.
    pub(super) fn has_room(&self, words: u32) -> bool {
        self.held_outputs + u64::from(words) <= self.room_of_outputs
    }

    /// The number of words of all inputs that are in the buffer or in transit to it.
    pub(super) fn held_inputs(&self) -> u64 {
        self.inputs.iter().map(Input::held).sum()
    }

    /// The waiting words of the first lane of a level.
    pub(super) fn output(&self, level: u32) -> Output {
        self.outputs.get((level * self.lanes) as usize).copied().unwrap_or_default()
    }

    /// Gathers nodes that leave the unit until they form a block; `held_outputs` counts them already.
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

    /// Makes blocks of all waiting words.
    pub(super) fn flush(&mut self) {
        for (place, output) in (0u32..).zip(&mut self.outputs) {
            if output.waiting > 0 {
                let (level, lane) = (place / self.lanes, place % self.lanes);
                self.blocks.push_back(Run { level, lane, index: output.from, words: output.waiting });
                output.waiting = 0;
            }
        }
    }

    /// The number of nodes of a level.
    fn nodes(&self, level: u32) -> u64 {
        self.leaves >> level.saturating_sub(1).min(63)
    }

    /// The byte address of a level's first node. Levels are stored one after the other, with the leaves of a forward tree
    /// first.
    pub(super) fn place(&self, level: u32) -> u64 {
        let before = if level <= 1 { 0 } else { 2 * (self.leaves - self.nodes(level)) };
        self.results + before * self.word
    }

    fn address(&self, run: &Run) -> u64 {
        let lane = u64::from(run.lane) * (self.nodes(run.level) / u64::from(self.lanes)).max(1);
        self.place(run.level) + (lane + run.index) * self.word
    }

    /// The next input, in turn, that has room for a block.
    pub(super) fn next_read(&self) -> Option<usize> {
        let n = self.inputs.len();
        let reads = (0..n).map(|i| (self.turn + i) % n).find(|&i| {
            let input = &self.inputs[i];
            let words = self.block_of_input.min(input.words - input.requested);
            words > 0 && input.held() + words <= self.room_of_input
        });
        reads.filter(|_| self.origin == Origin::Memory)
    }

    /// The next request to memory, if there is one. Requests keep their direction for a while, because a DRAM loses time
    /// whenever its pins change direction.
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

    /// Notes that the memory has accepted the request.
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
