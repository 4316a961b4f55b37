//! Streams, cascades and buffers in shared memory as clocked components.

use pairwright_sim::Clocked;
use std::collections::VecDeque;

/// The sending core's side of a link: the words that the core has given and that have not left yet.
#[derive(Clone, Debug)]
pub(super) struct Port {
    waiting: usize,
    depth: usize,
    /// Cycles until the next word may leave.
    pause: usize,
    spacing: usize,
}

/// The inputs of a [`Port`] in a cycle.
pub(super) struct PortIn {
    /// Words that the core gives.
    pub given: usize,
    /// Whether a word leaves the port.
    pub leaves: bool,
}

/// The outputs of a [`Port`].
pub(super) struct PortOut {
    /// The number of further words that fit.
    pub room: usize,
    /// Whether a word can leave in this cycle.
    pub ready: bool,
}

impl Port {
    pub(super) fn new(depth: usize, spacing: usize) -> Self {
        Self { waiting: 0, depth, pause: 0, spacing }
    }
}

impl Clocked for Port {
    type In = PortIn;
    type Out = PortOut;

    fn out(&self) -> PortOut {
        PortOut { room: self.depth - self.waiting, ready: self.waiting > 0 && self.pause == 0 }
    }

    fn tick(&mut self, input: PortIn) {
        self.waiting = self.waiting + input.given - usize::from(input.leaves);
        self.pause = if input.leaves { self.spacing - 1 } else { self.pause.saturating_sub(1) };
    }
}

/// The connection to one receiver: a word arrives `latency` cycles after it entered and then waits in a queue.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    /// Words in the queue.
    arrived: usize,
    /// For each word in transit, the clock edge at which it arrives, the oldest first.
    arrivals: VecDeque<u64>,
    /// Clock edges so far.
    edges: u64,
    latency: usize,
    depth: usize,
}

/// The inputs of a [`Branch`] in a cycle.
pub(super) struct BranchIn {
    /// Whether a word enters the branch.
    pub enters: bool,
    /// Words that the receiver takes.
    pub taken: usize,
}

/// The outputs of a [`Branch`].
pub(super) struct BranchOut {
    /// Whether a word may enter.
    pub room: bool,
    /// How many words have arrived.
    pub arrived: usize,
}

impl Branch {
    pub(super) fn new(latency: usize, depth: usize) -> Self {
        Self { arrived: 0, arrivals: VecDeque::new(), edges: 0, latency, depth }
    }
}

impl Clocked for Branch {
    type In = BranchIn;
    type Out = BranchOut;

    fn out(&self) -> BranchOut {
        BranchOut { room: self.arrived + self.arrivals.len() < self.depth, arrived: self.arrived }
    }

    fn tick(&mut self, input: BranchIn) {
        self.arrived -= input.taken;
        self.edges += 1;
        if input.enters {
            self.arrivals.push_back(self.edges + self.latency.saturating_sub(1) as u64);
        }
        while self.arrivals.front().is_some_and(|&edge| edge <= self.edges) {
            self.arrivals.pop_front();
            self.arrived += 1;
        }
    }
}

/// Buffers in memory that two tiles reach, each with a lock: a side can acquire it when the other side has released it.
#[derive(Clone, Debug)]
pub(super) struct Buffers {
    /// Buffers whose lock the sender can acquire, and those whose lock the receiver can.
    free: [usize; 2],
    /// Releases in progress: cycles until the release is visible, and the side to which it will be.
    released: VecDeque<(usize, usize)>,
    latency: usize,
}

/// The inputs of [`Buffers`] in a cycle, for the sender and for the receiver.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct BuffersIn {
    /// Whether each side acquires a lock.
    pub acquired: [bool; 2],
    /// Whether each side releases a lock.
    pub released: [bool; 2],
}

impl Buffers {
    pub(super) fn new(count: usize, latency: usize) -> Self {
        Self { free: [count, 0], released: VecDeque::new(), latency }
    }
}

impl Clocked for Buffers {
    type In = BuffersIn;
    /// Buffers that the sender can acquire, and buffers that the receiver can acquire.
    type Out = [usize; 2];

    fn out(&self) -> [usize; 2] {
        self.free
    }

    fn tick(&mut self, input: BuffersIn) {
        for side in 0..2 {
            self.free[side] -= usize::from(input.acquired[side]);
            if input.released[side] {
                self.released.push_back((self.latency, 1 - side));
            }
        }
        self.released.iter_mut().for_each(|(left, _)| *left -= 1);
        while let Some((0, side)) = self.released.front() {
            self.free[*side] += 1;
            self.released.pop_front();
        }
    }
}
