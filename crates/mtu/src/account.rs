//! The account of a run: time, operations, stalls, occupancy of memories, and traffic.

use crate::{Clock, Job, UnitConfig};
use pairwright_sim::dram;
use serde::Serialize;

/// The account of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Account {
    /// The unit that ran.
    pub config: UnitConfig,
    /// The job that it did.
    pub job: Job,
    /// The clock that it ran at.
    pub clock: Clock,
    /// Cycles from the first request to the last word in memory.
    pub cycles: u64,
    /// What each element did. In hybrid traversal the tree's elements come first, from the leaves' stage on, the DFS
    /// accumulator last.
    pub elements: Vec<ElementUse>,
    /// Operations of all elements.
    pub operations: Operations,
    /// Cycles in which the elements stood still.
    pub stalls: Stalls,
    /// How much of the buffers was used.
    pub sram: Sram,
    /// The memory's own account; its `read_bytes` and `write_bytes` are the traffic.
    pub dram: dram::Stats,
    /// Cycles in which the memory's data pins moved something, as far as bandwidth accounts for it.
    pub memory_busy: u64,
    /// What the stage upstream saw, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream: Option<StageUse>,
    /// What the stage downstream saw, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub downstream: Option<StageUse>,
}

/// Words and waits of a neighbouring stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct StageUse {
    /// Words it gives or takes in a cycle.
    pub rate: u32,
    /// Words it gave or took.
    pub words: u64,
    /// The cycle of the first of them.
    pub first: u64,
    /// The cycle of the last.
    pub last: u64,
    /// Cycles in which it had to wait: for room (upstream), or between words (downstream).
    pub held: u64,
}

impl StageUse {
    pub(crate) fn new(rate: u32) -> Self {
        Self { rate, words: 0, first: 0, last: 0, held: 0 }
    }

    pub(crate) fn moved(&mut self, now: u64, words: u64) {
        if self.words == 0 {
            self.first = now;
        }
        self.words += words;
        self.last = now;
    }

    /// Cycles from one of its steps to the next, on average: 1 where the rates match.
    pub fn initiation_interval(&self) -> f64 {
        let steps = self.words.div_ceil(u64::from(self.rate.max(1)));
        if steps == 0 { 0.0 } else { (self.last - self.first + 1) as f64 / steps as f64 }
    }
}

/// Occupancy of an element.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct ElementUse {
    /// Nodes (inverted) or pairs of children (forward) that entered it.
    pub issued: u64,
    /// Cycles in which it could take nothing because of what it had taken: the initiation interval of its SHA3 engine,
    /// the cycle of issue included.
    pub busy: u64,
}

/// Operations of all elements.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Operations {
    /// The number of modular multiplications.
    pub products: u64,
    /// Modular additions and subtractions.
    pub sums: u64,
    /// Permutations of SHA3, one for every pair of digests.
    pub hashes: u64,
    /// Words written to and read from the accumulators' buffers, together.
    pub buffer_accesses: u64,
}

/// Cycles in which the elements stood still.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Stalls {
    /// Cycles in which words that the elements take had not come from memory.
    pub input: u64,
    /// Cycles in which the output buffer had no room for the elements' results.
    pub output: u64,
}

/// The most that each memory on the chip ever held, in bytes.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Sram {
    /// Bytes in the input buffer, together with words under way from memory, whose place is taken.
    pub input: u64,
    /// Bytes in the output buffer.
    pub output: u64,
    /// Buffers of the accumulators, all levels and elements together, at the worst moment.
    pub accumulator: u64,
    /// The most words of each level that the accumulator held, from its lowest level up. Their sum is what it needs room
    /// for.
    pub accumulator_levels: Vec<u32>,
    /// Bytes of whole levels that breadth-first traversal keeps on the chip.
    pub levels: u64,
}

impl Account {
    /// Seconds at the unit's clock.
    pub fn seconds(&self) -> f64 {
        self.cycles as f64 / self.config.hz()
    }

    /// The share of the cycles in which an element was busy, averaged over all.
    pub fn utilisation(&self) -> f64 {
        let busy: u64 = self.elements.iter().map(|e| e.busy).sum();
        let of = self.cycles * self.elements.len() as u64;
        if of == 0 { 0.0 } else { busy as f64 / of as f64 }
    }
}
