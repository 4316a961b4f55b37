//! The DFS accumulator of a forward tree (\[MTU\] §4.1.1, Table 3): one element that splits nodes so that the nodes of
//! its lowest level come out one per slot, in the order of their indices.

use super::registers::Levels;
use super::{Owner, Slots};
use pairwright_sim::{Clocked, Pipe};
use std::collections::VecDeque;

/// The events of a splitting accumulator in a cycle.
#[derive(Clone, Debug)]
pub(crate) struct SplitterCycle {
    /// The parent that entered the element: its level in steps above the lowest level, at least one, and its index.
    pub(crate) issued: Option<(u32, u64)>,
    /// The pair of nodes that left the element: its level in steps above the lowest level, and the index of its first
    /// node.
    pub(crate) out: Option<(u32, u64)>,
}

/// A splitting accumulator over entries `T`: one word, or one word for each of the elements that run in lock step.
#[derive(Clone, Debug)]
pub(crate) struct Splitter<T> {
    /// For each level, in steps above the lowest, the nodes that wait.
    queues: Vec<VecDeque<T>>,
    /// For each level, the number of nodes that wait or are in the element.
    committed: Vec<u32>,
    /// For each level, the limit of that number where the level has no slots of its own: enough nodes to keep the level
    /// below busy for the element's latency.
    room: Vec<u32>,
    /// For each level, the number of nodes that have left its queue.
    taken: Vec<u64>,
    pipe: Pipe<(u32, u64, [T; 2])>,
    slots: Slots,
    /// The number of the slot, counted from the slot in which the first parent of the lowest level can enter.
    slot: i64,
    high_water: Vec<u32>,
    buffered: u64,
}

impl<T> Splitter<T> {
    /// An accumulator that expands `top`, the nodes of the highest level, down `levels` levels.
    pub(crate) fn new(top: impl IntoIterator<Item = T>, levels: u32, latency: u32, slots: Slots) -> Self {
        let n = levels as usize + 1;
        let mut queues: Vec<VecDeque<T>> = (0..n).map(|_| VecDeque::new()).collect();
        queues[n - 1].extend(top);
        let mut high_water = vec![0; n];
        high_water[n - 1] = queues[n - 1].len() as u32;
        let mut committed = vec![0; n];
        committed[n - 1] = high_water[n - 1];
        // A level receives two nodes for each parent and gives one node in 2^k slots.
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

    /// The number of nodes in the queues of all levels.
    pub(crate) fn buffered(&self) -> u64 {
        self.buffered
    }

    /// For each level, the greatest number of nodes that waited.
    pub(crate) fn high_water(&self) -> &[u32] {
        &self.high_water
    }

    /// The contents of the registers.
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

    /// Advances by a cycle, in which the first node of the lowest level may leave, a parent may enter the element and a
    /// pair of children may leave it; the children can be used from the next cycle on.
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
