//! The programmable logic at the streams of a unit, at its own clock.

use std::collections::VecDeque;

/// When the operands of tasks are available, in cycles of the logic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Arrivals {
    /// The operands of each task are available at the given time.
    At(Vec<u64>),
    /// The operands of the first task are available at the start, those of a later task this many cycles after the
    /// results of the previous one.
    After(u64),
}

/// How the programmable logic gives operands and takes results. It offers a task on all streams at once when all streams
/// have accepted the previous task, in whole beats of `words`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Drive {
    /// Clock frequencies of the engines and of the logic, in any common unit.
    pub(crate) clocks: [u64; 2],
    /// Words of 32 bits that a stream gives or takes in a cycle of the logic.
    pub(crate) words: usize,
    /// Words of the FIFO that crosses between the clocks.
    pub(crate) fifo_words: usize,
    /// Words of the FIFO in the logic before each stream of operands.
    pub(crate) ahead: usize,
    /// Cycles of the receiving clock until a word that crossed is visible.
    pub(crate) crossing: u64,
    /// Intervals in cycles of the logic: between the first sums of two tasks, and between two numbers of a stream of
    /// results that enter the final reduction.
    pub(crate) intervals: [u64; 2],
    /// When the operands of tasks are available.
    pub(crate) arrivals: Arrivals,
}

impl Drive {
    /// The number of cycles of the logic that have begun before this cycle of the engines.
    pub(crate) fn edges(&self, cycle: u64) -> u64 {
        (u128::from(cycle) * u128::from(self.clocks[1]) / u128::from(self.clocks[0])) as u64
    }

    /// Cycles of the engines in this many cycles of the logic, rounded up.
    pub(crate) fn cycles(&self, edges: u64) -> u64 {
        (u128::from(edges) * u128::from(self.clocks[0])).div_ceil(u128::from(self.clocks[1])) as u64
    }
}

/// When the logic offered and finished each task, in cycles of the logic, and when the engines read and gave it, in
/// cycles of the engines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct LogicTimes {
    /// For each task, the cycle in which the logic began to offer it.
    pub(crate) offered: Vec<u64>,
    /// For each task, the cycle in which the streams had taken all of it.
    pub(crate) accepted: Vec<u64>,
    /// For each task, the cycle in which the logic had all results.
    pub(crate) finished: Vec<u64>,
    /// For each task, the cycle of the engines in which a tile took its first word from a stream.
    pub(crate) entered: Vec<u64>,
    /// For each task, the cycle of the engines in which a tile gave the last word of its results.
    pub(crate) left: Vec<u64>,
}

/// The clock-crossing FIFO of a stream that the logic gives or takes.
#[derive(Clone, Debug, Default)]
pub(super) struct Edge {
    /// The cycle from which each word is visible on the other side, the oldest first.
    words: VecDeque<u64>,
    /// Words that the logic has given or taken so far.
    by_logic: u64,
    /// Words that the tile at the stream has taken or given so far.
    by_tile: u64,
    /// The cycle of the logic from which the final reduction accepts the next task's number.
    reduces: u64,
}

/// The state of the logic during a run.
pub(super) struct Logic<'d> {
    drive: &'d Drive,
    tasks: usize,
    /// The index of the task that is offered or will be offered next.
    at: usize,
    offering: bool,
    /// The cycle of the logic from which the next first sums can begin.
    sums: u64,
    /// When the operands of the next task are available, if known.
    ready: Option<u64>,
    /// For each task, the number of result streams that have delivered all of it.
    complete: Vec<usize>,
    pub(super) times: LogicTimes,
}

impl<'d> Logic<'d> {
    pub(super) fn new(drive: &'d Drive, tasks: u64) -> Self {
        let tasks = tasks as usize;
        let mut logic = Self {
            drive,
            tasks,
            at: 0,
            offering: false,
            sums: 0,
            ready: Some(0),
            complete: vec![0; tasks],
            times: LogicTimes {
                finished: vec![0; tasks],
                entered: vec![u64::MAX; tasks],
                left: vec![0; tasks],
                ..LogicTimes::default()
            },
        };
        logic.next();
        logic
    }

    fn next(&mut self) {
        if let Arrivals::At(times) = &self.drive.arrivals {
            self.ready = times.get(self.at).copied();
        }
    }

    /// Whether the logic will still start a task although nothing moves now, in which case there is no deadlock.
    pub(super) fn waits(&self, cycle: u64) -> bool {
        let later = self.ready.is_some_and(|ready| self.drive.cycles(ready.max(self.sums) + 1) >= cycle);
        self.at < self.tasks && !self.offering && later
    }

    /// Cycles of the engines in which nothing may move without a deadlock: a crossing, a clock edge and a reduction.
    pub(super) fn patience(&self) -> u64 {
        2 * self.drive.crossing + self.drive.cycles(self.drive.crossing + self.drive.intervals[1] + 2)
    }

    /// Moves a word from the logic into a stream of operands in a cycle of the engines, if there is a word and room;
    /// returns whether it did.
    pub(super) fn gives(&self, edge: &mut Edge, cycle: u64, room: bool) -> bool {
        let gives = room && edge.words.front().is_some_and(|&seen| seen <= cycle);
        if gives {
            edge.words.pop_front();
        }
        gives
    }

    /// Moves a word from a stream of results into the logic's FIFO in a cycle of the engines, if one has arrived and
    /// there is room; returns whether it did.
    pub(super) fn takes(&self, edge: &mut Edge, cycle: u64, arrived: bool) -> bool {
        let takes = arrived && edge.words.len() < self.drive.fifo_words;
        if takes {
            edge.words.push_back(cycle + 1 + self.drive.cycles(self.drive.crossing));
        }
        takes
    }

    /// Notes that a tile has taken words of a stream of operands with `each` words per task.
    pub(super) fn taken(&mut self, edge: &mut Edge, each: u64, words: usize, cycle: u64) {
        for _ in 0..words {
            let entered = &mut self.times.entered[(edge.by_tile / each) as usize];
            *entered = (*entered).min(cycle);
            edge.by_tile += 1;
        }
    }

    /// Notes that a tile has given words to a stream of results with `each` words per task.
    pub(super) fn given(&mut self, edge: &mut Edge, each: u64, words: usize, cycle: u64) {
        for _ in 0..words {
            let left = &mut self.times.left[(edge.by_tile / each) as usize];
            *left = (*left).max(cycle + 1);
            edge.by_tile += 1;
        }
    }

    /// Advances the logic if one of its cycles ends with this cycle of the engines. `edges` are the streams, each with
    /// its words per task and whether it carries operands. Returns whether anything moved.
    pub(super) fn tick<'e>(
        &mut self,
        cycle: u64,
        edges: impl Iterator<Item = (&'e mut Edge, u64, bool)>,
        done: &mut [u64],
    ) -> bool {
        let now = self.drive.edges(cycle);
        if self.drive.edges(cycle + 1) == now {
            return false;
        }
        let starts = !self.offering
            && self.at < self.tasks
            && self.ready.is_some_and(|ready| ready.max(self.sums) <= now);
        if starts {
            self.offering = true;
            self.sums = now + self.drive.intervals[0];
            self.times.offered.push(now);
        }
        let offers = self.at as u64 + u64::from(self.offering);
        let (mut moved, mut all_given, mut results) = (starts, self.offering, 0);
        let mut completed = Vec::new();
        for (edge, each, operands) in edges {
            let before = edge.by_logic;
            if operands {
                let beat = (self.drive.words as u64).min(offers * each - before);
                let room = self.drive.fifo_words + self.drive.ahead;
                if edge.words.len() as u64 + beat <= room as u64 {
                    (0..beat).for_each(|_| edge.words.push_back(cycle + 1 + self.drive.crossing));
                    edge.by_logic += beat;
                }
                all_given &= edge.by_logic == offers * each;
            } else {
                results += 1;
                let beat = (self.drive.words as u64).min(each - before % each);
                // The last words of a number complete it, and it enters the reduction.
                let completes = (before + beat).is_multiple_of(each);
                let taken = !completes || edge.reduces <= now;
                if taken && edge.words.get(beat as usize - 1).is_some_and(|&seen| seen <= cycle) {
                    edge.words.drain(..beat as usize);
                    edge.by_logic += beat;
                    if completes {
                        edge.reduces = now + self.drive.intervals[1];
                        completed.push((before / each) as usize);
                    }
                }
            }
            moved |= edge.by_logic > before;
        }
        if all_given {
            self.times.accepted.push(now + 1);
            (self.offering, self.ready) = (false, None);
            self.at += 1;
            self.next();
        }
        for task in completed {
            self.complete[task] += 1;
            if self.complete[task] == results {
                (self.times.finished[task], done[task]) = (now + 1, cycle + 1);
            }
        }
        if let Arrivals::After(gap) = self.drive.arrivals
            && self.ready.is_none()
            && let Some(&finished) = self.at.checked_sub(1).and_then(|last| self.times.finished.get(last))
            && finished > 0
        {
            self.ready = Some(finished + gap);
        }
        moved
    }

    /// Whether the logic has all results.
    pub(super) fn over(&self) -> bool {
        self.times.finished.iter().all(|&finished| finished > 0)
    }
}
