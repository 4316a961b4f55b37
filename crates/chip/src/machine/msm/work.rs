//! What the engine did.

use core::ops::{AddAssign, Sub};
use serde::Serialize;

/// Cycles in which a point stood before the arbiter and was not taken, by reason.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Stalls {
    /// Its bucket is empty, but the write port is taken and the buffer before it full.
    pub write_port: u64,
    /// Another pair goes to PADD first (case 5).
    pub issue: u64,
    /// The queue before PADD has no room.
    pub queue: u64,
    /// The queue of points whose bucket is in flight is full ([`super::Formula::Mixed`]).
    pub conflict: u64,
}

/// What an operation of the engine did, or several of them.
///
/// What happened between two operations, when sums were still on their way, is counted with the later one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct MsmWork {
    /// Cycle in which it began; of several, the first.
    pub start: u64,
    /// First cycle in which it was over; of several, the last.
    pub end: u64,
    /// Cycles from beginning to end; of several, their sum.
    pub cycles: u64,
    /// Cycles before the beginning in which sums of the operation before were still on their way.
    pub between: u64,
    /// Cycles since the beginning in which the operation waited for them.
    pub drain: u64,
    /// Digits that came with a point into a bucket.
    pub points: u64,
    /// Digits that were zero, or came with infinity: a cycle of the fetch stage and nothing else.
    pub dropped: u64,
    /// Cycles in which the point memory had a point and the fetch stage no room.
    pub back_pressure: u64,
    /// Additions begun in PADD.
    pub padds: u64,
    /// Those times the cycles between two of them: cycles in which PADD could take no other.
    pub busy: u64,
    /// Cycles of processing elements.
    pub element_cycles: u64,
    /// Cycles in which a part of PADD stood still because the next was not ready.
    pub held: u64,
    /// Buckets read through the port.
    pub bucket_reads: u64,
    /// Buckets written through the port.
    pub bucket_writes: u64,
    /// Buckets read from the buffer before the write port: never written.
    pub forwarded: u64,
    /// Cycles of the arbiter in each of the five cases: only a point, only a result, both for the same bucket, both
    /// and at most one bucket occupied, both and both occupied.
    pub cases: [u64; 5],
    /// Why points waited.
    pub stalls: Stalls,
}

impl MsmWork {
    /// Share of the cycles in which PADD was taken: 1 if a pair entered whenever one could. Cycles in which the engine
    /// had nothing to do and was asked for nothing do not count.
    pub fn utilisation(&self) -> f64 {
        self.busy as f64 / (self.cycles + self.between).max(1) as f64
    }

    /// Applies `f` to each pair of counters; times are left alone.
    fn counters(&mut self, o: &Self, f: impl Fn(&mut u64, u64)) {
        f(&mut self.between, o.between);
        f(&mut self.drain, o.drain);
        f(&mut self.points, o.points);
        f(&mut self.dropped, o.dropped);
        f(&mut self.back_pressure, o.back_pressure);
        f(&mut self.padds, o.padds);
        f(&mut self.busy, o.busy);
        f(&mut self.element_cycles, o.element_cycles);
        f(&mut self.held, o.held);
        f(&mut self.bucket_reads, o.bucket_reads);
        f(&mut self.bucket_writes, o.bucket_writes);
        f(&mut self.forwarded, o.forwarded);
        self.cases.iter_mut().zip(o.cases).for_each(|(a, b)| f(a, b));
        f(&mut self.stalls.write_port, o.stalls.write_port);
        f(&mut self.stalls.issue, o.stalls.issue);
        f(&mut self.stalls.queue, o.stalls.queue);
        f(&mut self.stalls.conflict, o.stalls.conflict);
    }
}

/// The later of two tallies less the earlier: the counters of what happened in between.
impl Sub for MsmWork {
    type Output = Self;
    fn sub(mut self, earlier: Self) -> Self {
        self.counters(&earlier, |a, b| *a -= b);
        self
    }
}

/// An operation and a later one.
impl AddAssign for MsmWork {
    fn add_assign(&mut self, o: Self) {
        if self.cycles == 0 {
            self.start = o.start;
        }
        self.end = o.end;
        self.cycles += o.cycles;
        self.counters(&o, |a, b| *a += b);
    }
}
