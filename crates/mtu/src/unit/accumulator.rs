//! The DFS accumulator of an inverted tree (\[MTU\] §4.1.1, Table 2): one element that combines a stream of nodes, one
//! per slot, and all levels above them.

use super::registers::Levels;
use super::{Owner, Slots};
use crate::Schedule;
use pairwright_sim::{Clocked, Pipe};
use std::collections::VecDeque;

/// The events of an accumulator in a cycle.
#[derive(Clone, Debug)]
pub(crate) struct AccumulatorCycle<T> {
    /// The pair of operands that entered the element: its level in steps above the stream's, and the index of the pair.
    pub(crate) issued: Option<(u32, u64)>,
    /// The node that left the element: its level in steps above the stream's, at least one; its index; its word.
    pub(crate) out: Option<(u32, u64, T)>,
}

/// An accumulator over entries `T`: one word, or one word for each of the elements that run in lock step.
#[derive(Clone, Debug)]
pub(crate) struct Accumulator<T> {
    /// For each level, in steps above the stream's, the words that wait for their partner or for their slot.
    queues: Vec<VecDeque<T>>,
    /// For each level, the number of pairs that have entered the element.
    pairs: Vec<u64>,
    /// Levels above the stream's with a complete pair, in the order in which the pairs became complete.
    ready: VecDeque<u32>,
    pipe: Pipe<(u32, u64, T)>,
    slots: Slots,
    ii: u32,
    /// Cycles until the element accepts operands again.
    cooldown: u32,
    /// The number of the slot since the stream began; `None` before.
    slot: Option<i64>,
    high_water: Vec<u32>,
    buffered: u64,
}

impl<T> Accumulator<T> {
    /// An accumulator for `levels` levels above the stream, which combines `2^levels` words to one.
    pub(crate) fn new(levels: u32, latency: u32, ii: u32, slots: Slots) -> Self {
        Self {
            queues: (0..levels).map(|_| VecDeque::new()).collect(),
            pairs: vec![0; levels as usize],
            ready: VecDeque::new(),
            pipe: Pipe::new(latency),
            slots,
            ii,
            cooldown: 0,
            slot: None,
            high_water: vec![0; levels as usize],
            buffered: 0,
        }
    }

    /// The number of levels above the stream.
    pub(crate) fn levels(&self) -> u32 {
        self.queues.len() as u32
    }

    /// The number of words in the queues of all levels.
    pub(crate) fn buffered(&self) -> u64 {
        self.buffered
    }

    /// For each level, the greatest number of words that waited.
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
            left: self.pairs.iter().map(|pairs| 2 * pairs).collect(),
            flight: self.pipe.registers().map(|node| node.map(|(level, ..)| *level)).collect(),
            slot: self.slot,
            cooldown: self.cooldown,
        }
    }

    fn hold(&mut self, level: usize, word: T) {
        self.queues[level].push_back(word);
        self.buffered += 1;
        self.high_water[level] = self.high_water[level].max(self.queues[level].len() as u32);
        if self.slots.schedule == Schedule::Filled && level > 0 && self.queues[level].len().is_multiple_of(2)
        {
            self.ready.push_back(level as u32);
        }
    }

    /// The level whose pair enters the element in this cycle, in steps above the stream's.
    fn choose(&mut self) -> Option<usize> {
        let complete = |level: usize| self.queues.get(level).is_some_and(|q| q.len() >= 2);
        match self.slots.owner(self.slot?) {
            Owner::Level(level) => complete(level).then_some(level),
            Owner::Deeper(lowest) => (lowest..self.queues.len()).rev().find(|&level| complete(level)),
            // The stream cannot wait; the other levels are served in the order of their pairs.
            Owner::Anyone if complete(0) => Some(0),
            Owner::Anyone => self.ready.pop_front().map(|level| level as usize),
        }
    }

    /// Advances by a cycle, in which a word of the stream may arrive, a pair may enter the element and a node may leave
    /// it. A word of the stream can be an operand in the cycle of its arrival, a node in the cycle after it left the
    /// element.
    pub(crate) fn tick(
        &mut self,
        arrival: Option<T>,
        mut combine: impl FnMut(u32, &T, &T) -> T,
    ) -> AccumulatorCycle<T>
    where
        T: Clone,
    {
        let out = self.pipe.out();
        if let Some(word) = arrival {
            self.slot = self.slot.or(Some(0));
            self.hold(0, word);
        }
        let mut issued = None;
        let mut input = None;
        if self.cooldown == 0 {
            if let Some(level) = self.choose() {
                let (left, right) = (self.queues[level].pop_front(), self.queues[level].pop_front());
                if let (Some(left), Some(right)) = (left, right) {
                    self.buffered -= 2;
                    let pair = self.pairs[level];
                    self.pairs[level] += 1;
                    issued = Some((level as u32, pair));
                    input = Some((level as u32 + 1, pair, combine(level as u32, &left, &right)));
                }
            }
            // Slots of a pattern have a fixed rate, whether they are used or not.
            let fixed = self.slots.schedule == Schedule::Ruler && self.slot.is_some();
            if issued.is_some() || fixed {
                self.cooldown = self.ii;
            }
            self.slot = self.slot.map(|c| c + 1);
        }
        self.cooldown = self.cooldown.saturating_sub(1);
        self.pipe.tick(input);
        if let Some((level, _, word)) = &out
            && *level < self.levels()
        {
            self.hold(*level as usize, word.clone());
        }
        AccumulatorCycle { issued, out }
    }
}
