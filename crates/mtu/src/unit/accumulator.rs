//! The DFS accumulator of an inverted tree (\[MTU\] §4.1.1, Table 2): one element that combines a stream of nodes, one a
//! slot, and everything above them.

use super::registers::Levels;
use super::{Owner, Slots};
use crate::Schedule;
use pairwright_sim::{Clocked, Pipe};
use std::collections::VecDeque;

/// What an accumulator did in a cycle.
#[derive(Clone, Debug)]
pub(crate) struct AccumulatorCycle<T> {
    /// The operands that entered the element: steps above the stream's level, and which pair.
    pub(crate) issued: Option<(u32, u64)>,
    /// The node that left it: steps above the stream's level, at least one; its index; the node.
    pub(crate) out: Option<(u32, u64, T)>,
}

/// An accumulator over words `T`: a word, or as many words as there are elements in lock step.
#[derive(Clone, Debug)]
pub(crate) struct Accumulator<T> {
    /// Words of each level that wait for their partner or their slot, by steps above the stream.
    queues: Vec<VecDeque<T>>,
    /// Pairs issued of each level.
    pairs: Vec<u64>,
    /// Levels above the stream with a complete pair, in the order in which the pairs were completed.
    ready: VecDeque<u32>,
    pipe: Pipe<(u32, u64, T)>,
    slots: Slots,
    ii: u32,
    /// Cycles until the element can take operands again.
    cooldown: u32,
    /// Slots since the stream began; none before.
    slot: Option<i64>,
    high_water: Vec<u32>,
    buffered: u64,
}

impl<T> Accumulator<T> {
    /// An accumulator for `levels` levels above the stream: `2^levels` words to one.
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

    /// Levels above the stream.
    pub(crate) fn levels(&self) -> u32 {
        self.queues.len() as u32
    }

    /// Words that wait in the queues of all levels.
    pub(crate) fn buffered(&self) -> u64 {
        self.buffered
    }

    /// The most words of each level that ever waited.
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

    /// The level whose pair enters the element in this cycle.
    fn choose(&mut self) -> Option<usize> {
        let complete = |level: usize| self.queues.get(level).is_some_and(|q| q.len() >= 2);
        match self.slots.owner(self.slot?) {
            Owner::Level(level) => complete(level).then_some(level),
            Owner::Deeper(lowest) => (lowest..self.queues.len()).rev().find(|&level| complete(level)),
            // The stream cannot wait; the others are served in turn.
            Owner::Anyone if complete(0) => Some(0),
            Owner::Anyone => self.ready.pop_front().map(|level| level as usize),
        }
    }

    /// One cycle: perhaps a word of the stream comes, perhaps a pair enters the element, perhaps a node leaves it. A
    /// word can be an operand in the cycle in which it comes from the stream, and in the one after it left the element.
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
            // Slots of a pattern come at a fixed rate, filled or not.
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
