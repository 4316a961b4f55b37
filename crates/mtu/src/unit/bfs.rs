//! Breadth-first traversal: all elements process neighbouring nodes of one level, level by level.

use super::io::{Engine, Io, Pace};
use crate::UnitConfig;
use crate::datapath::Datapath;
use pairwright_sim::{Clocked, Pipe};

/// The computation of one level from the level before it.
pub(super) struct Level<D: Datapath> {
    /// The level of the operands, their number, and the number taken so far.
    level: u32,
    operands: u64,
    taken: u64,
    /// The number of results expected, and the number given so far.
    results: u64,
    given: u64,
    forward: bool,
    pipe: Pipe<Vec<D::Word>>,
    elements: u32,
    ii: u32,
    cooldown: u32,
    /// The words of this level and of the next level. They stand for the memory of the unit where values are computed.
    nodes: Vec<D::Word>,
    next: Vec<D::Word>,
}

impl<D: Datapath> Level<D> {
    /// The computation that combines `nodes`, or splits them in a forward tree.
    pub(super) fn new(
        config: &UnitConfig,
        path: &Pace,
        level: u32,
        nodes: Vec<D::Word>,
        forward: bool,
    ) -> Self {
        let operands = nodes.len() as u64;
        Self {
            level,
            operands,
            taken: 0,
            results: if forward { 2 * operands } else { operands / 2 },
            given: 0,
            forward,
            pipe: Pipe::new(path.latency),
            elements: config.pes,
            ii: path.ii,
            cooldown: 0,
            next: Vec::with_capacity(nodes.len()),
            nodes,
        }
    }

    /// The nodes of the next level, once all of them are computed.
    pub(super) fn into_next(self) -> Vec<D::Word> {
        self.next
    }

    /// The number of words that all elements take together.
    fn width(&self) -> u32 {
        if self.forward { self.elements } else { 2 * self.elements }
    }
}

impl<D: Datapath> Engine<D> for Level<D> {
    fn wants(&self) -> u32 {
        let left = self.operands - self.taken;
        if self.cooldown == 0 { left.min(u64::from(self.width())) as u32 } else { 0 }
    }

    fn gives(&self) -> u32 {
        if self.forward { 2 * self.elements } else { self.elements }
    }

    fn done(&self) -> bool {
        self.given == self.results
    }

    fn step(&mut self, io: &mut Io<'_, D>) {
        let words = self.wants() as usize;
        let mut input = None;
        if words > 0 {
            let from = self.taken as usize;
            let row = &self.nodes[from..from + words];
            let (level, data) = (self.level, &*io.data);
            let results: Vec<D::Word> = if self.forward {
                row.iter().flat_map(|p| data.split(level - 1, *p)).collect()
            } else {
                row.chunks_exact(2).map(|c| data.combine(level, c[0], c[1])).collect()
            };
            let nodes = if self.forward { words } else { words / 2 };
            io.issue(0..nodes, level, if self.forward { self.taken } else { self.taken / 2 });
            self.taken += words as u64;
            self.cooldown = self.ii;
            input = Some(results);
        }
        self.cooldown = self.cooldown.saturating_sub(1);
        let out = self.pipe.out();
        self.pipe.tick(input);
        if let Some(results) = out {
            let level = if self.forward { self.level - 1 } else { self.level + 1 };
            io.give(level, 0, self.given, &results, self.given);
            self.given += results.len() as u64;
            self.next.extend(results);
        }
    }
}
