//! The element that computes the last levels of an inverted tree: an accumulator over a stream of nodes that arrive one
//! at a time.

use super::Slots;
use super::accumulator::Accumulator;
use super::io::{Io, Pace};
use super::registers::Levels;
use crate::datapath::Datapath;

/// The accumulator of a hybrid traversal, or the one that merges the subtrees of a depth-first traversal.
pub(super) struct TopAccumulator<D: Datapath> {
    accumulator: Accumulator<D::Word>,
    /// The level of the nodes in the stream.
    level: u32,
    element: usize,
    finished: bool,
}

impl<D: Datapath> TopAccumulator<D> {
    /// The last `levels` levels of a tree, computed from nodes of `level` on one element.
    pub(super) fn new(level: u32, levels: u32, path: &Pace, slots: Slots, element: usize) -> Self {
        let accumulator = Accumulator::new(levels, path.latency, path.ii, slots);
        Self { accumulator, level, element, finished: false }
    }

    /// Whether the root has left the unit.
    pub(super) fn finished(&self) -> bool {
        self.finished
    }

    pub(super) fn buffered(&self) -> u64 {
        self.accumulator.buffered()
    }

    pub(super) fn high_water(&self) -> &[u32] {
        self.accumulator.high_water()
    }

    pub(super) fn registers(&self) -> Levels<D::Word> {
        self.accumulator.registers()
    }

    /// Advances by a cycle; `arrival` is the node that the stream brings.
    pub(super) fn step(&mut self, io: &mut Io<'_, D>, arrival: Option<D::Word>) {
        let (level, levels) = (self.level, self.accumulator.levels());
        if levels == 0 {
            // The stream is the root. If inner nodes are written, the stage that computed this node has already written
            // it; a single leaf is not a computed node.
            if let Some(root) = arrival {
                if !io.path.keep || level == 1 {
                    io.give(level, 0, 0, &[root], 0);
                }
                self.finished = true;
            }
            return;
        }
        let data = &*io.data;
        let step = self.accumulator.tick(arrival, |k, a, b| data.combine(level + k, *a, *b));
        io.accesses(u64::from(arrival.is_some()));
        if let Some((k, pair)) = step.issued {
            io.issue(self.element..self.element + 1, level + k, pair);
            io.accesses(2);
        }
        if let Some((k, index, node)) = step.out {
            self.finished = k == levels;
            if io.path.keep || self.finished {
                io.give(level + k, 0, index, &[node], index);
            }
            io.accesses(u64::from(!self.finished));
        }
    }
}
