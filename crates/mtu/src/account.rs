//! The account of a run: time, operations, stalls, occupancy of memories, and memory traffic.

use crate::{Clock, Job, UnitConfig};
use pairwright_sim::dram;
use serde::Serialize;

/// The account of a run of a job on a unit.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Account {
    /// The unit that ran.
    pub config: UnitConfig,
    /// The job that was run.
    pub job: Job,
    /// The clock at which the unit ran.
    pub clock: Clock,
    /// Cycles from the first request to memory to the last word written.
    pub cycles: u64,
    /// The use of each element. In hybrid traversal the elements of the tree come first, from the leaves' stage on, and
    /// the DFS accumulator last.
    pub elements: Vec<ElementUse>,
    /// Operations of all elements.
    pub operations: Operations,
    /// Cycles in which the elements stalled.
    pub stalls: Stalls,
    /// The greatest occupancy of the on-chip memories.
    pub sram: Sram,
    /// The statistics of the memory; its `read_bytes` and `write_bytes` are the traffic.
    pub dram: dram::Stats,
    /// Cycles in which the memory's data pins were busy, as its bandwidth accounts for them.
    pub memory_busy: u64,
    /// The words and waits of the stage upstream, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream: Option<StageUse>,
    /// The words and waits of the stage downstream, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub downstream: Option<StageUse>,
}

/// Words and waits of a neighbouring stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct StageUse {
    /// Words that it gives or takes per cycle.
    pub rate: u32,
    /// Words that it gave or took in the run.
    pub words: u64,
    /// The cycle in which the first of them moved.
    pub first: u64,
    /// The cycle in which the last of them moved.
    pub last: u64,
    /// Cycles in which it waited: for room in the input buffer (upstream), or for words after the first one (downstream).
    #[serde(rename = "held")]
    pub wait_cycles: u64,
}

impl StageUse {
    pub(crate) fn new(rate: u32) -> Self {
        Self { rate, words: 0, first: 0, last: 0, wait_cycles: 0 }
    }

    pub(crate) fn moved(&mut self, now: u64, words: u64) {
        if self.words == 0 {
            self.first = now;
        }
        self.words += words;
        self.last = now;
    }

    /// Average cycles between two transfers of `rate` words: 1 where the stage's rate matches the unit's; 0 without any
    /// transfer.
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
    /// Cycles in which the element could accept no operands because of those accepted before: the initiation interval of
    /// each issue, including the cycle of issue.
    pub busy: u64,
}

/// Operations of all elements.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Operations {
    /// The number of modular multiplications.
    pub products: u64,
    /// Modular additions and subtractions.
    pub sums: u64,
    /// SHA3 permutations: one for every pair of digests, and one for every leaf that is hashed.
    pub hashes: u64,
    /// Words written to and read from the accumulators' buffers, together.
    pub buffer_accesses: u64,
}

/// Cycles in which the elements stalled, by cause.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Stalls {
    /// Cycles in which the elements' operands had not arrived from memory.
    pub input: u64,
    /// Cycles in which the output buffer had no room for the elements' results.
    pub output: u64,
}

/// The greatest occupancy of each on-chip memory, in bytes unless stated otherwise.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Sram {
    /// Bytes in the input buffer, including the space reserved for words in transit from memory.
    pub input: u64,
    /// Bytes in the output buffer.
    pub output: u64,
    /// Bytes in the buffers of the accumulators, all levels and elements together.
    pub accumulator: u64,
    /// The greatest number of words in each level of the accumulator, from its lowest level up. Their sum is the number
    /// of words that the accumulator needs.
    pub accumulator_levels: Vec<u32>,
    /// Bytes of whole levels that breadth-first traversal keeps on the chip.
    pub levels: u64,
}

impl Account {
    /// The time of the run in seconds at the unit's clock.
    pub fn seconds(&self) -> f64 {
        self.cycles as f64 / self.config.hz()
    }

    /// The share of the cycles in which an element was busy, averaged over all elements, 0 to 1.
    pub fn utilisation(&self) -> f64 {
        let busy: u64 = self.elements.iter().map(|e| e.busy).sum();
        let of = self.cycles * self.elements.len() as u64;
        if of == 0 { 0.0 } else { busy as f64 / of as f64 }
    }
}
