//! The DFS accumulator of a forward tree (\[MTU\] §4.1.1, Table 3): one element that splits nodes so that those of the
//! lowest of its levels come one a slot, in the order of their indices.

use super::registers::Levels;
use super::{Owner, Slots};
use pairwright_sim::{Clocked, Pipe};
use std::collections::VecDeque;

/// What a splitting accumulator did in a cycle.
#[derive(Clone, Debug)]
pub(crate) struct SplitterCycle {
    /// The parent that entered the element: steps above the lowest level, at least one, and its index.
    pub(crate) issued: Option<(u32, u64)>,
    /// The pair that left it: steps above the lowest level, and the index of its first node.
    pub(crate) out: Option<(u32, u64)>,
}

/// An accumulator over words `T`: a word, or as many words as there are elements in lock step.
#[derive(Clone, Debug)]
pub(crate) struct Splitter<T> {
    /// Nodes of each level that wait, by steps above the lowest level.
    queues: Vec<VecDeque<T>>,
    /// Nodes of each level that wait or are on their way.
    committed: Vec<u32>,
    /// The most of them where no slot of their own limits them: what keeps the level below busy over the element's
    /// latency.
    room: Vec<u32>,
    /// Nodes of each level that have entered the element.
    taken: Vec<u64>,
    pipe: Pipe<(u32, u64, [T; 2])>,
    slots: Slots,
    /// The slot, counted from where the first parent of the lowest level would follow at once.
    slot: i64,
    high_water: Vec<u32>,
    buffered: u64,
}

impl<T> Splitter<T> {
    /// An accumulator from `top`, the nodes of the highest level, down `levels` levels.
    pub(crate) fn new(top: impl IntoIterator<Item = T>, levels: u32, latency: u32, slots: Slots) -> Self {
        let n = levels as usize + 1;
        let mut queues: Vec<VecDeque<T>> = (0..n).map(|_| VecDeque::new()).collect();
        queues[n - 1].extend(top);
        let mut high_water = vec![0; n];
        high_water[n - 1] = queues[n - 1].len() as u32;
        let mut committed = vec![0; n];
        committed[n - 1] = high_water[n - 1];
        // A level gives two nodes for each of its parents, and is asked for one in 2^k slots.
        let room = (0..levels.max(1)).map(|k| latency.div_ceil(1 << k.min(31)) + 4).collect();
        Self {
            buffered: u64::from(high_water[n - 1]),
            queues,
            committed,
            room,
            taken: vec![0; n],
            pipe: Pipe::new(latency),
            slots,
            slot: slots.start(levels),
            high_water,
        }
    }

    /// Nodes that wait in the queues of all levels.
    pub(crate) fn buffered(&self) -> u64 {
        self.buffered
    }

    /// The most nodes of each level that ever waited.
    pub(crate) fn high_water(&self) -> &[u32] {
        &self.high_water
    }

    /// What its registers hold.
    pub(super) fn registers(&self) -> Levels<T>
    where
        T: Clone,
    {
        Levels {
            queues: self.queues.iter().map(|queue| queue.iter().cloned().collect()).collect(),
            left: self.taken.clone(),
            flight: self.pipe.registers().map(|pair| pair.map(|(level, ..)| *level)).collect(),
            slot: Some(self.slot),
            cooldown: 0,
        }
    }

    /// The level, in steps above the lowest, of the parent that enters the element in this cycle.
    fn choose(&self) -> Option<usize> {
        let levels = self.queues.len() - 1;
        let has_parent = |&level: &usize| level <= levels && !self.queues[level].is_empty();
        let has_room = |&level: &usize| self.committed[level - 1] + 2 <= self.room[level - 1];
        match self.slots.owner(self.slot) {
            Owner::Level(k) => Some(k + 1).filter(has_parent),
            Owner::Deeper(k) => (k + 1..=levels).find(|level| has_parent(level) && has_room(level)),
            // The parent nearest to the leaves goes first.
            Owner::Anyone => (1..=levels).find(|level| has_parent(level) && has_room(level)),
        }
    }

    /// One cycle: perhaps the first node of the lowest level leaves, perhaps a parent enters the element, perhaps a pair
    /// of children leaves it; they can be used in the cycle after.
    pub(crate) fn tick(
        &mut self,
        take: bool,
        mut split: impl FnMut(u32, &T) -> [T; 2],
    ) -> (Option<T>, SplitterCycle)
    where
        T: Clone,
    {
        let out = self.pipe.out();
        let taken = if take { self.queues[0].pop_front() } else { None };
        if taken.is_some() {
            self.taken[0] += 1;
            self.committed[0] -= 1;
            self.buffered -= 1;
        }
        let mut issued = None;
        let mut input = None;
        if let Some(level) = self.choose()
            && let Some(parent) = self.queues[level].pop_front()
        {
            self.buffered -= 1;
            self.committed[level] -= 1;
            self.committed[level - 1] += 2;
            let index = self.taken[level];
            self.taken[level] += 1;
            let below = level as u32 - 1;
            issued = Some((level as u32, index));
            input = Some((below, 2 * index, split(below, &parent)));
        }
        self.slot += 1;
        self.pipe.tick(input);
        if let Some((level, _, pair)) = &out {
            let queue = &mut self.queues[*level as usize];
            queue.extend(pair.iter().cloned());
            self.buffered += 2;
            let most = &mut self.high_water[*level as usize];
            *most = (*most).max(queue.len() as u32);
        }
        (taken, SplitterCycle { issued, out: out.map(|(level, index, _)| (level, index)) })
    }
}
