//! The schedule of the DFS accumulator slot by slot, as \[MTU\] Tables 2 and 3 print it.

use super::Slots;
use super::accumulator::Accumulator;
use super::forward::Splitter;
use crate::{TreeDir, UnitConfig};
use serde::Serialize;

/// A node: its level and its index in the level.
pub type Node = (u32, u64);

/// A column of the table: the nodes that enter and leave the accumulator in a cycle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CycleNodes {
    /// The cycle, counted from the first one in which the accumulator can have work.
    pub cycle: u64,
    /// The nodes that enter: two of an inverted tree, one of a forward tree, none in an idle slot.
    pub inputs: Vec<Node>,
    /// The nodes that leave: one of an inverted tree, two of a forward tree, or none.
    pub outputs: Vec<Node>,
}

/// Runs the accumulator of a unit by itself for `cycles` cycles, with an element of latency `latency`, on the indices of
/// nodes instead of words. In an inverted tree it receives a node of level `log2(pes) + 1` per cycle from cycle 0 on. In
/// a forward tree, which has `levels` levels above that one, it has the two nodes of the highest level in cycle 0 and
/// gives a node of the lowest level to the stages whenever it has one.
pub fn schedule_table(
    config: &UnitConfig,
    direction: TreeDir,
    levels: u32,
    latency: u32,
    cycles: u64,
) -> Vec<CycleNodes> {
    let (first, slots) = (config.pes.max(1).ilog2() + 1, Slots::of(config));
    match direction {
        TreeDir::Inverted => {
            let mut accumulator = Accumulator::new(levels, latency, 1, slots);
            let column = |cycle: u64| {
                let arrival = (levels >= 64 || cycle < 1 << levels).then_some(cycle);
                // The word of a node is its index: only children 2i and 2i + 1 may be combined, into node i.
                let step = accumulator.tick(arrival, |_, left, right| {
                    assert!(left % 2 == 0 && *right == left + 1, "{left} and {right} are not a pair");
                    left / 2
                });
                let inputs = step.issued.map_or_else(Vec::new, |(k, pair)| {
                    vec![(first + k, 2 * pair), (first + k, 2 * pair + 1)]
                });
                let outputs = step.out.map_or_else(Vec::new, |(k, _, node)| vec![(first + k, node)]);
                CycleNodes { cycle, inputs, outputs }
            };
            (0..cycles).map(column).collect()
        }
        TreeDir::Forward => {
            let mut splitter = Splitter::new([0u64, 1], levels, latency, slots);
            let column = |cycle: u64| {
                let (_, step) = splitter.tick(true, |_, parent| [2 * parent, 2 * parent + 1]);
                let inputs = step.issued.map_or_else(Vec::new, |(k, index)| vec![(first + k, index)]);
                let outputs = step
                    .out
                    .map_or_else(Vec::new, |(k, index)| vec![(first + k, index), (first + k, index + 1)]);
                CycleNodes { cycle, inputs, outputs }
            };
            (0..cycles).map(column).collect()
        }
    }
}
