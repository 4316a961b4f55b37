//! The memory behind the unit's streams, which decides when requested words arrive, and the neighbouring stages that can
//! replace it.

use super::io::Run;
use super::streams::{Input, Layout, Origin, Request, Streams};
use crate::{MtuError, Sram, StageUse, UnitConfig};
use pairwright_sim::dram::{Dram, Piece};
use std::collections::VecDeque;

/// Cycles of requests that the memory's controller accepts ahead of its pins.
const AHEAD: u64 = 8;

/// The input and output buffers, the memory behind them, and the neighbouring stages.
pub(super) struct Memory {
    dram: Dram,
    streams: Streams,
    word: u64,
    /// The greatest number of requests per cycle.
    requests: u32,
    /// The cycle from which the controller accepts another request.
    booked: u64,
    arriving: VecDeque<(u64, usize, u64)>,
    leaving: VecDeque<(u64, u64)>,
    upstream: Option<StageUse>,
    downstream: Option<StageUse>,
    /// Leaves that wait to be taken by the stage downstream.
    downstream_waiting: u64,
    until: u64,
    pub(super) high_water: Sram,
}

impl Memory {
    pub(super) fn new(config: &UnitConfig, plan: &Layout) -> Result<Self, MtuError> {
        Ok(Self {
            dram: Dram::new(&config.dram, config.hz())?,
            streams: Streams::new(config, plan),
            word: u64::from(config.word_bytes),
            requests: config.requests,
            booked: 0,
            arriving: VecDeque::new(),
            leaving: VecDeque::new(),
            upstream: None,
            downstream: plan.downstream.map(StageUse::new),
            downstream_waiting: 0,
            until: 0,
            high_water: Sram::default(),
        })
    }

    /// Sets new inputs, when all words of the old ones have been taken.
    pub(super) fn begin(&mut self, config: &UnitConfig, inputs: Vec<Input>, origin: Origin) {
        if let Origin::Upstream(words) = origin {
            self.upstream = Some(StageUse::new(words));
        }
        self.streams.begin(config, inputs, origin);
    }

    /// Reads words that the unit needs before it begins; returns the cycle in which they are complete.
    pub(super) fn preload(&mut self, address: u64, words: u64) -> u64 {
        let bytes = (words * self.word) as u32;
        let transfer = self.dram.transfer(0, false, [Piece { address, bytes }]);
        (self.booked, self.until) = (transfer.issued, transfer.done);
        transfer.done
    }

    /// Whether every input has this many words in the buffer.
    pub(super) fn has(&self, words: u32) -> bool {
        self.streams.has(words)
    }

    /// Takes this many words of every input.
    pub(super) fn take(&mut self, words: u32) {
        self.streams.take(words);
    }

    /// Whether the output buffer has room for this many words.
    pub(super) fn has_room(&self, words: u32) -> bool {
        self.streams.has_room(words)
    }

    /// The number of words in the input buffer and in the output buffer.
    pub(super) fn held(&self) -> (u64, u64) {
        (self.streams.held_inputs(), self.streams.held_outputs)
    }

    /// Accepts nodes that leave the unit.
    pub(super) fn accept(&mut self, run: Run) {
        self.streams.held_outputs += u64::from(run.words);
        self.high_water.output = self.high_water.output.max(self.streams.held_outputs * self.word);
        if run.level == 1 && self.downstream.is_some() {
            self.downstream_waiting += u64::from(run.words);
        } else {
            self.streams.gather(run);
        }
    }

    /// Makes blocks of the words of results that wait for a full block.
    pub(super) fn flush(&mut self) {
        self.streams.flush();
    }

    /// Makes the memory write the data that it gathers, at the end of a run.
    pub(super) fn end(&mut self) {
        self.until = self.until.max(self.dram.flush());
    }

    /// Whether all words that left the unit have reached memory or the stage downstream.
    pub(super) fn is_flushed(&self) -> bool {
        self.streams.held_outputs == 0
    }

    /// The byte address of a level's first node.
    pub(super) fn place(&self, level: u32) -> u64 {
        self.streams.place(level)
    }

    /// Advances by a cycle: ends the transfers that are complete and starts new ones.
    pub(super) fn tick(&mut self, now: u64) {
        while let Some((_, stream, words)) = self.arriving.pop_front_if(|(at, ..)| *at <= now) {
            self.streams.arrive(stream, words);
        }
        while let Some((_, words)) = self.leaving.pop_front_if(|(at, _)| *at <= now) {
            self.streams.leave(words);
        }
        self.neighbours(now);
        for _ in 0..self.requests {
            let Some(request) = self.streams.request().filter(|_| self.booked <= now + AHEAD) else { break };
            self.streams.requested(&request);
            match request {
                Request::Read { stream, address, words } => self.read(now, stream, address, words),
                Request::Write { address, run } => self.write(now, address, run),
            }
        }
    }

    fn read(&mut self, now: u64, stream: usize, address: u64, words: u64) {
        let bytes = (words * self.word) as u32;
        let transfer = self.dram.transfer(now, false, [Piece { address, bytes }]);
        self.booked = transfer.issued;
        // Words arrive in the order in which they were requested.
        let at = transfer.done.max(self.arriving.back().map_or(0, |(at, ..)| *at));
        self.arriving.push_back((at, stream, words));
        self.high_water.input = self.high_water.input.max(self.streams.held_inputs() * self.word);
    }

    fn write(&mut self, now: u64, address: u64, run: Run) {
        let bytes = run.words * self.word as u32;
        let transfer = self.dram.transfer(now, true, [Piece { address, bytes }]);
        self.booked = transfer.issued;
        let at = transfer.done.max(self.leaving.back().map_or(0, |(at, _)| *at));
        self.leaving.push_back((at, u64::from(run.words)));
        self.until = self.until.max(at);
    }

    /// Advances the stages upstream and downstream by a cycle.
    fn neighbours(&mut self, now: u64) {
        let room = self.streams.room_of_input;
        if let (Origin::Upstream(rate), Some(stage), [input, ..]) =
            (self.streams.origin, &mut self.upstream, &mut self.streams.inputs[..])
        {
            let left = input.words - input.requested;
            let words = u64::from(rate).min(left);
            if words > 0 && input.held() + words <= room {
                input.requested += words;
                input.arrived += words;
                stage.moved(now, words);
                self.high_water.input = self.high_water.input.max(input.held() * self.word);
            } else if words > 0 {
                stage.wait_cycles += 1;
            }
        }
        if let Some(stage) = &mut self.downstream {
            let words = u64::from(stage.rate).min(self.downstream_waiting);
            if words > 0 {
                self.downstream_waiting -= words;
                self.streams.leave(words);
                stage.moved(now, words);
                self.until = self.until.max(now + 1);
            } else if stage.words > 0 {
                stage.wait_cycles += 1;
            }
        }
    }

    /// The next cycle after `now` in which the state here changes; `None` if it never will.
    pub(super) fn next_event(&self, now: u64) -> Option<u64> {
        let stages = matches!(self.streams.origin, Origin::Upstream(_)) || self.downstream_waiting > 0;
        let request = self.streams.request().is_some();
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

    /// The cycle in which the last word sent reaches memory.
    pub(super) fn last_arrival(&self) -> u64 {
        self.until
    }

    /// The memory, with its statistics.
    pub(super) fn dram(&self) -> &Dram {
        &self.dram
    }

    /// The words and waits of the stages upstream and downstream.
    pub(super) fn stages(&self) -> (Option<StageUse>, Option<StageUse>) {
        (self.upstream, self.downstream)
    }
}
