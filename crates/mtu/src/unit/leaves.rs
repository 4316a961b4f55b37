//! The hashes of the leaves of a Merkle tree, computed by all elements in parallel before the tree.

use super::io::{Engine, Io, Pace};
use crate::UnitConfig;
use crate::datapath::Datapath;
use pairwright_sim::{Clocked, Pipe};

/// The computation of digests in memory from data in memory, by all elements side by side.
pub(super) struct Leaves<D: Datapath> {
    leaves: u64,
    taken: u64,
    given: u64,
    pipe: Pipe<Vec<D::Word>>,
    elements: u32,
    ii: u32,
    cooldown: u32,
}

impl<D: Datapath> Leaves<D> {
    pub(super) fn new(config: &UnitConfig, path: &Pace, leaves: u64) -> Self {
        Self {
            leaves,
            taken: 0,
            given: 0,
            pipe: Pipe::new(path.latency),
            elements: config.pes,
            ii: path.ii,
            cooldown: 0,
        }
    }
}

impl<D: Datapath> Engine<D> for Leaves<D> {
    fn wants(&self) -> u32 {
        let left = self.leaves - self.taken;
        if self.cooldown == 0 { left.min(u64::from(self.elements)) as u32 } else { 0 }
    }

    fn gives(&self) -> u32 {
        self.elements
    }

    fn done(&self) -> bool {
        self.given == self.leaves
    }

    fn step(&mut self, io: &mut Io<'_, D>) {
        let words = self.wants();
        let mut input = None;
        if words > 0 {
            let from = self.taken;
            let row = (from..from + u64::from(words)).map(|i| io.data.hash_leaf(i)).collect();
            io.issue(0..words as usize, 0, from);
            self.taken += u64::from(words);
            self.cooldown = self.ii;
            input = Some(row);
        }
        self.cooldown = self.cooldown.saturating_sub(1);
        let out = self.pipe.out();
        self.pipe.tick(input);
        if let Some(digests) = out {
            io.give(1, 0, self.given, &digests, self.given);
            self.given += digests.len() as u64;
        }
    }
}
