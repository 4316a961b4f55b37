//! Hybrid traversal (\[MTU\] §4, Fig. 3): the lowest levels are computed in a tree of elements, one row of leaves at a
//! time in the order of their indices, and the levels above in the DFS accumulator, which is the last element.

use super::Slots;
use super::forward::Splitter;
use super::io::{Engine, Io, Pace};
use super::registers::Flow;
use super::stage::Stage;
use super::top::TopAccumulator;
use crate::UnitConfig;
use crate::datapath::Datapath;

/// The stages of the tree, leaves first: half of the elements, a quarter, and so on down to one; the accumulator is the
/// last element. A tree smaller than the unit uses the last elements.
fn stages<T: Clone>(config: &UnitConfig, elements: u32, latency: u32, forward: bool) -> Vec<Stage<T>> {
    let mut first = (config.pes - elements) as usize;
    (0..elements.ilog2())
        .map(|s| {
            let n = (elements >> (s + 1)) as usize;
            let elements = first..first + n;
            first += n;
            // Operands are children at level s + 1, or parents at level s + 2 in a forward tree.
            Stage::new(elements, s + 1 + u32::from(forward), latency)
        })
        .collect()
}

/// Hybrid traversal of an inverted tree: stages of elements from the leaves up, then the DFS accumulator.
pub(super) struct Inverted<D: Datapath> {
    stages: Vec<Stage<D::Word>>,
    accumulator: TopAccumulator<D>,
    /// The number of words of a row, the number of leaves taken so far, and the number of all leaves.
    row: u32,
    taken: u64,
    leaves: u64,
    ii: u32,
    cooldown: u32,
}

impl<D: Datapath> Inverted<D> {
    pub(super) fn new(config: &UnitConfig, path: &Pace, log_leaves: u32, elements: u32) -> Self {
        let in_tree = elements.ilog2();
        Self {
            stages: stages(config, elements, path.latency, false),
            accumulator: TopAccumulator::new(
                in_tree + 1,
                log_leaves - in_tree,
                path,
                Slots::of(config),
                config.pes as usize - 1,
            ),
            row: elements,
            taken: 0,
            leaves: 1 << log_leaves,
            ii: path.ii,
            cooldown: 0,
        }
    }

    /// The contents of the registers.
    pub(super) fn registers(&self) -> Flow<D::Word> {
        let rows = |stage: &Stage<D::Word>| stage.rows().map(|row| row.is_some()).collect();
        Flow {
            stages: self.stages.iter().map(rows).collect(),
            levels: self.accumulator.registers(),
            cooldown: self.cooldown,
        }
    }
}

impl<D: Datapath> Engine<D> for Inverted<D> {
    fn wants(&self) -> u32 {
        if self.taken < self.leaves && self.cooldown == 0 { self.row } else { 0 }
    }

    fn gives(&self) -> u32 {
        self.row
    }

    fn done(&self) -> bool {
        self.accumulator.finished()
    }

    fn buffered(&self) -> u64 {
        self.accumulator.buffered()
    }

    fn high_water(&self) -> Vec<u32> {
        self.accumulator.high_water().to_vec()
    }

    fn step(&mut self, io: &mut Io<'_, D>) {
        let mut row = None;
        if self.wants() > 0 {
            let from = self.taken;
            row = Some((from..from + u64::from(self.row)).map(|i| io.data.leaf(i)).collect::<Vec<_>>());
            self.taken += u64::from(self.row);
            self.cooldown = self.ii;
        }
        self.cooldown = self.cooldown.saturating_sub(1);
        // Each stage takes the row that the stage before it puts out, and puts out its results one latency later.
        for stage in &mut self.stages {
            let out = stage.out();
            let parents = row.map(|children| {
                let level = stage.level;
                io.issue(stage.elements.clone(), level, stage.entered * stage.elements.len() as u64);
                children.chunks_exact(2).map(|c| io.data.combine(level, c[0], c[1])).collect()
            });
            if let Some(nodes) = &out
                && io.path.keep
            {
                let index = stage.left * nodes.len() as u64;
                io.give(stage.level + 1, 0, index, nodes, index);
            }
            stage.tick(parents);
            row = out;
        }
        self.accumulator.step(io, row.and_then(|row| row.first().copied()));
    }
}

/// Hybrid traversal of a forward tree: the DFS accumulator, then stages of elements down to the leaves.
pub(super) struct Forward<D: Datapath> {
    splitter: Splitter<D::Word>,
    /// The stages, from the accumulator's side to the leaves.
    stages: Vec<Stage<D::Word>>,
    /// The index of the accumulator's element, and the level of the nodes that it gives to the stages.
    last: usize,
    level: u32,
    row: u32,
    given: u64,
    leaves: u64,
}

impl<D: Datapath> Forward<D> {
    pub(super) fn new(
        config: &UnitConfig,
        path: &Pace,
        log_leaves: u32,
        elements: u32,
        top: [D::Word; 2],
    ) -> Self {
        let in_tree = elements.ilog2();
        let mut stages = stages(config, elements, path.latency, true);
        stages.reverse();
        // The highest level that needs no product has two nodes; a tree of one leaf has one node.
        let nodes = if log_leaves == 0 { 1 } else { 2 };
        let levels = log_leaves.saturating_sub(in_tree + 1);
        Self {
            splitter: Splitter::new(top.into_iter().take(nodes), levels, path.latency, Slots::of(config)),
            stages,
            last: config.pes as usize - 1,
            level: in_tree + 1,
            row: elements,
            given: 0,
            leaves: 1 << log_leaves,
        }
    }

    /// The contents of the registers.
    pub(super) fn registers(&self) -> Flow<D::Word> {
        let rows = |stage: &Stage<D::Word>| stage.rows().map(|row| row.is_some()).collect();
        Flow {
            stages: self.stages.iter().rev().map(rows).collect(),
            levels: self.splitter.registers(),
            cooldown: 0,
        }
    }
}

impl<D: Datapath> Engine<D> for Forward<D> {
    fn wants(&self) -> u32 {
        0
    }

    fn gives(&self) -> u32 {
        self.row
    }

    fn done(&self) -> bool {
        self.given == self.leaves
    }

    fn buffered(&self) -> u64 {
        self.splitter.buffered()
    }

    fn high_water(&self) -> Vec<u32> {
        self.splitter.high_water().to_vec()
    }

    fn step(&mut self, io: &mut Io<'_, D>) {
        let level = self.level;
        let data = &*io.data;
        // In the closure, `k` is the level of the children; in `step.issued` it is that of the parent.
        let (node, step) = self.splitter.tick(true, |k, parent| data.split(level + k, *parent));
        if let Some((k, index)) = step.issued {
            io.issue(self.last..self.last + 1, level + k, index);
        }
        io.accesses(u64::from(node.is_some()) + u64::from(step.issued.is_some()));
        io.accesses(if step.out.is_some() { 2 } else { 0 });
        let mut row = node.map(|node| vec![node]);
        for stage in &mut self.stages {
            let out = stage.out();
            let children = row.map(|parents| {
                io.issue(stage.elements.clone(), stage.level, stage.entered * parents.len() as u64);
                parents.iter().flat_map(|p| io.data.split(stage.level - 1, *p)).collect()
            });
            stage.tick(children);
            row = out;
        }
        if let Some(leaves) = row {
            io.give(1, 0, self.given, &leaves, self.given);
            self.given += leaves.len() as u64;
        }
    }
}
