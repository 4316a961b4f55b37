//! The interface between a traversal and the clock: the words that a traversal takes and gives in a cycle.

use crate::datapath::Datapath;
use crate::{ElementUse, Job, Operations, TreeDir, UnitConfig, Workload};
use core::ops::Range;

/// A traversal as a clocked machine.
pub(super) trait Engine<D: Datapath> {
    /// The number of words of each input stream that it takes if it advances in this cycle.
    fn wants(&self) -> u32;
    /// The greatest number of words that it gives if it advances in this cycle.
    fn gives(&self) -> u32;
    /// Whether the traversal has given all its results.
    fn done(&self) -> bool;
    /// Advances by a cycle in which the unit moves.
    fn step(&mut self, io: &mut Io<'_, D>);
    /// Words in the accumulators' buffers.
    fn buffered(&self) -> u64 {
        0
    }
    /// For each level, the greatest number of words that the accumulator held.
    fn high_water(&self) -> Vec<u32> {
        Vec::new()
    }
}

/// The latency, interval and operations of a workload's nodes on a unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Cycles from the operands of an element to its result.
    pub(super) latency: u32,
    /// Initiation interval of an element in cycles.
    pub(super) ii: u32,
    /// Whether every inner node is a result.
    pub(super) keep: bool,
    /// The operations of a node, or of a pair of children in a forward tree.
    pub(super) node: Operations,
}

impl Pace {
    pub(super) fn of(config: &UnitConfig, workload: Workload) -> Self {
        let (mul, add) = (config.mul_latency, config.add_latency);
        let arithmetic = |products, sums| Operations { products, sums, ..Operations::default() };
        let (latency, ii, node) = match workload {
            // One child is the product, the other the difference of parent and product.
            Workload::BuildMle => (mul + add, 1, arithmetic(1, 1)),
            Workload::MleEval => (add + mul + add, 1, arithmetic(1, 2)),
            Workload::Product | Workload::ProductMle => (mul, 1, arithmetic(1, 0)),
            Workload::Merkle | Workload::MerkleLevels => {
                (config.hash_latency, config.hash_ii, Operations { hashes: 1, ..Operations::default() })
            }
        };
        Self { latency, ii, keep: workload.keeps_levels(), node }
    }
}

/// A run of neighbouring nodes that leave the unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Run {
    pub(super) level: u32,
    /// The stream within the level: the subtree in depth-first traversal.
    pub(super) lane: u32,
    pub(super) index: u64,
    pub(super) words: u32,
}

/// The issue of operands to neighbouring elements, for a timeline.
#[derive(Clone, Debug)]
pub(super) struct Issue {
    pub(super) cycle: u64,
    pub(super) elements: Range<usize>,
    /// The level of the operands.
    pub(super) level: u32,
    /// The index of the node that the first element processes.
    pub(super) index: u64,
}

/// The access of a traversal to the unit in a cycle.
pub(super) struct Io<'a, D> {
    pub(super) now: u64,
    pub(super) data: &'a mut D,
    pub(super) path: Pace,
    /// The runs of nodes that leave the unit in this cycle.
    pub(super) runs: &'a mut Vec<Run>,
    pub(super) uses: &'a mut [ElementUse],
    pub(super) operations: &'a mut Operations,
    pub(super) issues: Option<&'a mut Vec<Issue>>,
}

impl<D: Datapath> Io<'_, D> {
    /// Counts the issue of operands to neighbouring elements.
    pub(super) fn issue(&mut self, elements: Range<usize>, level: u32, index: u64) {
        let n = elements.len() as u64;
        for element in &mut self.uses[elements.clone()] {
            element.issued += 1;
            element.busy += u64::from(self.path.ii);
        }
        let (sum, one) = (&mut *self.operations, self.path.node);
        sum.products += n * one.products;
        sum.sums += n * one.sums;
        sum.hashes += n * one.hashes;
        if let Some(issues) = &mut self.issues {
            issues.push(Issue { cycle: self.now, elements, level, index });
        }
    }

    /// Counts accesses to an accumulator's buffer.
    pub(super) fn accesses(&mut self, n: u64) {
        self.operations.buffer_accesses += n;
    }

    /// Stores neighbouring nodes of a level and sends them to memory. `global` is the index of the first node in the
    /// level, `index` its index in the lane.
    pub(super) fn give(&mut self, level: u32, lane: u32, index: u64, words: &[D::Word], global: u64) {
        for (i, word) in (global..).zip(words) {
            self.data.store(level, i, *word);
        }
        self.runs.push(Run { level, lane, index, words: words.len() as u32 });
    }
}

/// The number of elements that a tree can use: a power of two, as the number of the unit's elements.
pub(super) fn elements_for(config: &UnitConfig, job: &Job) -> u32 {
    let most = match job.workload.direction() {
        TreeDir::Inverted => job.size(),
        TreeDir::Forward => (job.size() / 2).max(1),
    };
    u64::from(config.pes).min(most) as u32
}
