//! Depth-first traversal: each element computes a subtree, in lock step with the others, and one element merges the
//! subtrees (in a forward tree, it computes their roots first).

use super::Slots;
use super::accumulator::Accumulator;
use super::forward::Splitter;
use super::io::{Engine, Io, Pace};
use super::top::TopAccumulator;
use crate::UnitConfig;
use crate::datapath::Datapath;

/// The accumulator that merges the roots of the subtrees, on the last element. The roots arrive together, not one per
/// slot, so that no pattern fits them.
fn merger<D: Datapath>(
    config: &UnitConfig,
    path: &Pace,
    log_leaves: u32,
    elements: u32,
) -> TopAccumulator<D> {
    let above = elements.ilog2();
    TopAccumulator::new(1 + log_leaves - above, above, path, Slots::FILLED, config.pes as usize - 1)
}

/// An inverted tree. Every element takes one leaf of its own subtree per slot, so there are as many input streams as
/// elements.
pub(super) struct Inverted<D: Datapath> {
    subtrees: Accumulator<Vec<D::Word>>,
    merger: TopAccumulator<D>,
    /// Roots of the subtrees that have not entered the merger.
    roots: Vec<D::Word>,
    elements: u32,
    first: usize,
    /// The number of leaves of a subtree, and the number of leaves of each subtree taken so far.
    leaves: u64,
    taken: u64,
    ii: u32,
    cooldown: u32,
    /// Cycles until the merger accepts another root.
    pause: u32,
}

impl<D: Datapath> Inverted<D> {
    pub(super) fn new(config: &UnitConfig, path: &Pace, log_leaves: u32, elements: u32) -> Self {
        let above = elements.ilog2();
        Self {
            subtrees: Accumulator::new(log_leaves - above, path.latency, path.ii, Slots::of(config)),
            merger: merger(config, path, log_leaves, elements),
            roots: Vec::new(),
            elements,
            first: (config.pes - elements) as usize,
            leaves: 1 << (log_leaves - above),
            taken: 0,
            ii: path.ii,
            cooldown: 0,
            pause: 0,
        }
    }

    /// Gives a row of nodes, one from each subtree.
    fn give_row(&self, io: &mut Io<'_, D>, level: u32, index: u64, row: &[D::Word]) {
        let nodes = self.leaves >> (level - 1);
        for (lane, node) in (0u32..).zip(row) {
            io.give(level, lane, index, &[*node], u64::from(lane) * nodes + index);
        }
    }
}

impl<D: Datapath> Engine<D> for Inverted<D> {
    fn wants(&self) -> u32 {
        u32::from(self.taken < self.leaves && self.cooldown == 0)
    }

    fn gives(&self) -> u32 {
        self.elements + 1
    }

    fn done(&self) -> bool {
        self.merger.finished()
    }

    fn buffered(&self) -> u64 {
        self.subtrees.buffered() * u64::from(self.elements) + self.merger.buffered()
    }

    fn high_water(&self) -> Vec<u32> {
        self.subtrees.high_water().iter().chain(self.merger.high_water()).copied().collect()
    }

    fn step(&mut self, io: &mut Io<'_, D>) {
        let all = self.first..self.first + self.elements as usize;
        let mut arrival = None;
        if self.wants() > 0 {
            let index = |lane: u32| u64::from(lane) * self.leaves + self.taken;
            arrival = Some((0..self.elements).map(|lane| io.data.leaf(index(lane))).collect::<Vec<_>>());
            self.taken += 1;
            self.cooldown = self.ii;
            io.accesses(u64::from(self.elements));
        }
        self.cooldown = self.cooldown.saturating_sub(1);
        let mut row = None;
        if self.subtrees.levels() == 0 {
            row = arrival;
        } else {
            let data = &*io.data;
            let step = self
                .subtrees
                .tick(arrival, |k, a, b| a.iter().zip(b).map(|(a, b)| data.combine(1 + k, *a, *b)).collect());
            if let Some((k, pair)) = step.issued {
                io.issue(all, 1 + k, pair);
                io.accesses(2 * u64::from(self.elements));
            }
            if let Some((k, index, nodes)) = step.out {
                if io.path.keep {
                    self.give_row(io, 1 + k, index, &nodes);
                }
                if k == self.subtrees.levels() {
                    row = Some(nodes);
                } else {
                    io.accesses(u64::from(self.elements));
                }
            }
        }
        // The roots are held in registers of the elements; the merger takes one whenever its element accepts operands.
        if let Some(mut roots) = row {
            roots.reverse();
            self.roots = roots;
        }
        let root = if self.pause == 0 { self.roots.pop() } else { None };
        if root.is_some() {
            self.pause = self.ii;
        }
        self.pause = self.pause.saturating_sub(1);
        self.merger.step(io, root);
    }
}

/// An inverted tree whose leaves arrive in the order of their indices: the elements receive their subtrees one after the
/// other.
pub(super) struct InvertedInOrder<D: Datapath> {
    subtrees: Vec<Accumulator<D::Word>>,
    merger: TopAccumulator<D>,
    /// The roots of the subtrees, and the number of roots that have entered the merger.
    roots: Vec<Option<D::Word>>,
    merged: usize,
    first: usize,
    /// The number of leaves of a subtree, and the number of leaves of the tree taken so far.
    leaves: u64,
    taken: u64,
    ii: u32,
    cooldown: u32,
    /// Cycles until the merger accepts another root.
    pause: u32,
}

impl<D: Datapath> InvertedInOrder<D> {
    pub(super) fn new(config: &UnitConfig, path: &Pace, log_leaves: u32, elements: u32) -> Self {
        let above = elements.ilog2();
        let one = Accumulator::new(log_leaves - above, path.latency, path.ii, Slots::of(config));
        Self {
            subtrees: (0..elements).map(|_| one.clone()).collect(),
            merger: merger(config, path, log_leaves, elements),
            roots: vec![None; elements as usize],
            merged: 0,
            first: (config.pes - elements) as usize,
            leaves: 1 << (log_leaves - above),
            taken: 0,
            ii: path.ii,
            cooldown: 0,
            pause: 0,
        }
    }
}

impl<D: Datapath> Engine<D> for InvertedInOrder<D>
where
    D::Word: Clone,
{
    fn wants(&self) -> u32 {
        u32::from(self.taken < self.leaves * self.subtrees.len() as u64 && self.cooldown == 0)
    }

    fn gives(&self) -> u32 {
        self.subtrees.len() as u32 + 1
    }

    fn done(&self) -> bool {
        self.merger.finished()
    }

    fn buffered(&self) -> u64 {
        self.subtrees.iter().map(Accumulator::buffered).sum::<u64>() + self.merger.buffered()
    }

    fn high_water(&self) -> Vec<u32> {
        self.subtrees[0].high_water().iter().chain(self.merger.high_water()).copied().collect()
    }

    fn step(&mut self, io: &mut Io<'_, D>) {
        let mut arrival = None;
        if self.wants() > 0 {
            arrival = Some(((self.taken / self.leaves) as usize, io.data.leaf(self.taken)));
            self.taken += 1;
            self.cooldown = self.ii;
        }
        self.cooldown = self.cooldown.saturating_sub(1);
        let levels = self.subtrees[0].levels();
        for (lane, subtree) in self.subtrees.iter_mut().enumerate() {
            let word = arrival.filter(|(to, _)| *to == lane).map(|(_, word)| word);
            if levels == 0 {
                self.roots[lane] = self.roots[lane].or(word);
                continue;
            }
            io.accesses(u64::from(word.is_some()));
            let data = &*io.data;
            let step = subtree.tick(word, |k, a, b| data.combine(1 + k, *a, *b));
            if let Some((k, pair)) = step.issued {
                io.issue(self.first + lane..self.first + lane + 1, 1 + k, pair);
                io.accesses(2);
            }
            if let Some((k, index, node)) = step.out {
                if io.path.keep {
                    let nodes = self.leaves >> k;
                    io.give(1 + k, lane as u32, index, &[node], lane as u64 * nodes + index);
                }
                if k == levels {
                    self.roots[lane] = Some(node);
                }
                io.accesses(u64::from(k < levels));
            }
        }
        // The last element finishes its own subtree before it merges.
        let ready = self.pause == 0 && self.roots.last().is_some_and(Option::is_some);
        let root = self.roots.get(self.merged).copied().flatten().filter(|_| ready);
        self.merged += usize::from(root.is_some());
        if root.is_some() {
            self.pause = self.ii;
        }
        self.pause = self.pause.saturating_sub(1);
        self.merger.step(io, root);
    }
}

/// A forward tree: one element computes the roots of the subtrees, then all elements expand theirs in lock step.
pub(super) struct Forward<D: Datapath> {
    upper: Splitter<D::Word>,
    /// The roots of the subtrees computed so far.
    roots: Vec<D::Word>,
    subtrees: Option<Splitter<Vec<D::Word>>>,
    /// The number of levels of a subtree above its leaves.
    levels: u32,
    elements: u32,
    given: u64,
    /// Whether the leaves are given one subtree after the other.
    in_turn: bool,
    config: UnitConfig,
    latency: u32,
}

impl<D: Datapath> Forward<D> {
    pub(super) fn new(
        config: &UnitConfig,
        path: &Pace,
        log_leaves: u32,
        elements: u32,
        top: [D::Word; 2],
        in_turn: bool,
    ) -> Self {
        let above = elements.ilog2();
        Self {
            upper: Splitter::new(top, above - 1, path.latency, Slots::FILLED),
            roots: Vec::new(),
            subtrees: None,
            levels: log_leaves - above,
            elements,
            given: 0,
            in_turn,
            config: *config,
            latency: path.latency,
        }
    }

    fn leaves(&self) -> u64 {
        1 << self.levels
    }
}

impl<D: Datapath> Engine<D> for Forward<D> {
    fn wants(&self) -> u32 {
        0
    }

    fn gives(&self) -> u32 {
        if self.in_turn { 1 } else { self.elements }
    }

    fn done(&self) -> bool {
        let rows = if self.in_turn { self.leaves() * u64::from(self.elements) } else { self.leaves() };
        self.given == rows
    }

    fn buffered(&self) -> u64 {
        let each = if self.in_turn { 1 } else { u64::from(self.elements) };
        self.upper.buffered() + self.subtrees.as_ref().map_or(0, |s| s.buffered() * each)
    }

    fn high_water(&self) -> Vec<u32> {
        self.subtrees.as_ref().map_or_else(Vec::new, |s| s.high_water().to_vec())
    }

    fn step(&mut self, io: &mut Io<'_, D>) {
        let first = (self.config.pes - self.elements) as usize;
        let lowest = self.levels + 1;
        if self.roots.len() < self.elements as usize {
            let data = &*io.data;
            let (root, step) = self.upper.tick(true, |k, p| data.split(lowest + k, *p));
            if let Some((k, index)) = step.issued {
                let last = first + self.elements as usize - 1;
                io.issue(last..last + 1, lowest + k, index);
            }
            io.accesses(u64::from(step.issued.is_some()) + if step.out.is_some() { 2 } else { 0 });
            self.roots.extend(root);
        }
        let ready = self.roots.len() == self.elements as usize;
        if self.subtrees.is_none() && ready {
            let top = if self.in_turn { vec![self.roots[self.turn()]] } else { self.roots.clone() };
            self.subtrees = Some(Splitter::new([top], self.levels, self.latency, Slots::of(&self.config)));
            return;
        }
        let turn = self.turn();
        let Some(subtrees) = &mut self.subtrees else { return };
        let data = &*io.data;
        let (row, step) = subtrees.tick(true, |k, parents| {
            let pairs = parents.iter().map(|p| data.split(1 + k, *p));
            let (low, high): (Vec<_>, Vec<_>) = pairs.map(|[a, b]| (a, b)).unzip();
            [low, high]
        });
        let lanes = if self.in_turn { 1 } else { u64::from(self.elements) };
        if let Some((k, index)) = step.issued {
            let from = if self.in_turn { first + turn } else { first };
            io.issue(from..from + lanes as usize, 1 + k, index);
        }
        let moved = u64::from(row.is_some()) + u64::from(step.issued.is_some());
        io.accesses(lanes * (moved + if step.out.is_some() { 2 } else { 0 }));
        if let Some(row) = row {
            let leaves = self.leaves();
            if self.in_turn {
                io.give(1, 0, self.given, &row, self.given);
            } else {
                for (lane, leaf) in (0u32..).zip(&row) {
                    io.give(1, lane, self.given, &[*leaf], u64::from(lane) * leaves + self.given);
                }
            }
            self.given += 1;
            if self.in_turn && self.given.is_multiple_of(leaves) {
                self.subtrees = None;
            }
        }
    }
}

impl<D: Datapath> Forward<D> {
    /// The element whose subtree is given next.
    fn turn(&self) -> usize {
        if self.in_turn { ((self.given / self.leaves()) as usize).min(self.elements as usize - 1) } else { 0 }
    }
}
