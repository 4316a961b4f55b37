//! The programmable logic at a unit's streams, at its own clock.

use std::collections::VecDeque;

/// When the operands of tasks are there, in cycles of the logic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Arrivals {
    /// The operands of each task are there at its time.
    At(Vec<u64>),
    /// Those of the first task are there at the start, those of a later one so many cycles after the results before it.
    After(u64),
}

/// The way in which the programmable logic gives operands and takes results. It offers a task on all streams at once when the one
/// before is accepted on all of them, whole beats of `words` at a time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Drive {
    /// Clocks of the engines and of the logic, in any unit.
    pub(crate) clocks: [u64; 2],
    /// Words of 32 bits that a stream gives or takes in a cycle of the logic.
    pub(crate) words: usize,
    /// Words of the FIFO between the clocks.
    pub(crate) fifo_words: usize,
    /// Words of a FIFO in the logic before each stream of operands.
    pub(crate) ahead: usize,
    /// Cycles of the receiving clock until a word that crossed is seen.
    pub(crate) crossing: u64,
    /// Cycles of the logic from one task's first sums to the next one's, and from one number of a stream of results to
    /// the next one into the final reduction.
    pub(crate) intervals: [u64; 2],
    /// When operands are there.
    pub(crate) arrivals: Arrivals,
}

impl Drive {
    /// Cycles of the logic that have begun before a cycle of the engines.
    pub(crate) fn edges(&self, cycle: u64) -> u64 {
        (u128::from(cycle) * u128::from(self.clocks[1]) / u128::from(self.clocks[0])) as u64
    }

    /// Cycles of the engines that so many of the logic last, rounded up.
    pub(crate) fn cycles(&self, edges: u64) -> u64 {
        (u128::from(edges) * u128::from(self.clocks[0])).div_ceil(u128::from(self.clocks[1])) as u64
    }
}

/// When the logic gave and took each task, in its own cycles, and when the engines did, in theirs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct LogicTimes {
    /// The logic began to offer the task.
    pub(crate) offered: Vec<u64>,
    /// The streams had taken all of it.
    pub(crate) accepted: Vec<u64>,
    /// The logic had all results.
    pub(crate) finished: Vec<u64>,
    /// A tile took the first word of it from a stream, in cycles of the engines.
    pub(crate) entered: Vec<u64>,
    /// A tile gave the last word of its results, in cycles of the engines.
    pub(crate) left: Vec<u64>,
}

/// The FIFO between the clocks of a stream that the logic gives or takes.
#[derive(Clone, Debug, Default)]
pub(super) struct Edge {
    /// When each word is seen on the other side, the oldest first.
    words: VecDeque<u64>,
    /// Words that the logic gave or took so far.
    by_logic: u64,
    /// Words that the first tile at the stream took or gave so far.
    by_tile: u64,
    /// The cycle of the logic from which on the final reduction takes the next task's number.
    reduces: u64,
}

/// The logic during a run.
pub(super) struct Logic<'d> {
    drive: &'d Drive,
    tasks: usize,
    /// The task that is offered, or the next one.
    at: usize,
    offering: bool,
    /// The cycle of the logic from which on first sums can begin again.
    sums: u64,
    /// When the operands of the next task are there, if that is known.
    ready: Option<u64>,
    /// Streams of results that have given all of each task.
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

    /// Whether something may still happen although nothing moves: then it is not a deadlock.
    pub(super) fn waits(&self, cycle: u64) -> bool {
        let later = self.ready.is_some_and(|ready| self.drive.cycles(ready.max(self.sums) + 1) >= cycle);
        self.at < self.tasks && !self.offering && later
    }

    /// Cycles of engines in which nothing need move: a crossing, an edge and a reduction.
    pub(super) fn patience(&self) -> u64 {
        2 * self.drive.crossing + self.drive.cycles(self.drive.crossing + self.drive.intervals[1] + 2)
    }

    /// The engines' side of a stream of operands in a cycle: whether a word goes in, if there is room.
    pub(super) fn gives(&self, edge: &mut Edge, cycle: u64, room: bool) -> bool {
        let gives = room && edge.words.front().is_some_and(|&seen| seen <= cycle);
        if gives {
            edge.words.pop_front();
        }
        gives
    }

    /// The engines' side of a stream of results in a cycle: whether a word is taken, if there is one.
    pub(super) fn takes(&self, edge: &mut Edge, cycle: u64, arrived: bool) -> bool {
        let takes = arrived && edge.words.len() < self.drive.fifo_words;
        if takes {
            edge.words.push_back(cycle + 1 + self.drive.cycles(self.drive.crossing));
        }
        takes
    }

    /// A tile has taken words of a stream of operands, `each` of them a task.
    pub(super) fn taken(&mut self, edge: &mut Edge, each: u64, words: usize, cycle: u64) {
        for _ in 0..words {
            let entered = &mut self.times.entered[(edge.by_tile / each) as usize];
            *entered = (*entered).min(cycle);
            edge.by_tile += 1;
        }
    }

    /// A tile has given words to a stream of results, `each` of them a task.
    pub(super) fn given(&mut self, edge: &mut Edge, each: u64, words: usize, cycle: u64) {
        for _ in 0..words {
            let left = &mut self.times.left[(edge.by_tile / each) as usize];
            *left = (*left).max(cycle + 1);
            edge.by_tile += 1;
        }
    }

    /// The logic's part of a cycle of the engines, if its own cycle ends with it: streams, with the words of a task on
    /// each, and whether they are of operands. Whether anything moved.
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
                // The last words of a number complete it, and go on to the reduction.
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
