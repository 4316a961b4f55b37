//! Counts of the MSM engine.

use core::ops::{AddAssign, Sub};
use serde::Serialize;

/// Cycles in which a point waited for the arbiter, by reason.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Stalls {
    /// Its bucket is empty, but the write port is taken and the buffer before it full.
    pub write_port: u64,
    /// Another pair goes to PADD in this cycle (case 5).
    pub issue: u64,
    /// The queue before PADD has no room.
    pub queue: u64,
    /// The queue of points whose bucket is in flight is full ([`super::Formula::Mixed`]).
    pub conflict: u64,
}

/// The counts of one operation of the engine, or of several.
///
/// Activity between two operations, when sums are still in flight, is counted with the later one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct MsmWork {
    /// Cycle in which the operation began; of several, the first.
    pub start: u64,
    /// First cycle after the operation; of several, the last.
    pub end: u64,
    /// Cycles from beginning to end; of several, the sum.
    pub cycles: u64,
    /// Cycles before the beginning in which sums of the previous operation were still in flight.
    pub between: u64,
    /// Cycles since the beginning in which the operation waited for these sums.
    pub drain: u64,
    /// Number of digits that brought a point to a bucket.
    pub points: u64,
    /// Number of digits that were zero or belonged to a point at infinity: each takes a cycle of the fetch stage and nothing
    /// else.
    pub dropped: u64,
    /// Cycles in which the point memory had a point but the fetch stage no room.
    pub back_pressure: u64,
    /// Point additions begun in PADD.
    pub padds: u64,
    /// `padds` times the interval: cycles in which PADD could accept no other pair.
    pub busy: u64,
    /// Busy cycles of processing elements, summed over the elements.
    pub element_cycles: u64,
    /// Cycles in which a part of PADD stalled because the next was not ready.
    #[serde(rename = "held")]
    pub padd_stall_cycles: u64,
    /// Words of the bucket memory read through the port: one per bucket in G1, two in G2.
    #[serde(rename = "bucket_reads")]
    pub bucket_word_reads: u64,
    /// Words of the bucket memory written through the port.
    #[serde(rename = "bucket_writes")]
    pub bucket_word_writes: u64,
    /// Buckets read from the buffer before the write port, which were never written.
    pub forwarded: u64,
    /// Cycles of the arbiter in each of the five cases: only a point, only a result, both for the same bucket, both with at
    /// most one bucket occupied, both with both buckets occupied.
    pub cases: [u64; 5],
    /// Cycles in which points waited, by reason.
    pub stalls: Stalls,
}

impl MsmWork {
    /// Share of the cycles in which PADD was occupied: 1 if a pair entered whenever one could. Cycles in which the engine
    /// was idle between operations do not count.
    pub fn utilisation(&self) -> f64 {
        self.busy as f64 / (self.cycles + self.between).max(1) as f64
    }

    /// Applies `f` to each pair of counters; times are unchanged.
    fn counters(&mut self, o: &Self, f: impl Fn(&mut u64, u64)) {
        f(&mut self.between, o.between);
        f(&mut self.drain, o.drain);
        f(&mut self.points, o.points);
        f(&mut self.dropped, o.dropped);
        f(&mut self.back_pressure, o.back_pressure);
        f(&mut self.padds, o.padds);
        f(&mut self.busy, o.busy);
        f(&mut self.element_cycles, o.element_cycles);
        f(&mut self.padd_stall_cycles, o.padd_stall_cycles);
        f(&mut self.bucket_word_reads, o.bucket_word_reads);
        f(&mut self.bucket_word_writes, o.bucket_word_writes);
        f(&mut self.forwarded, o.forwarded);
        self.cases.iter_mut().zip(o.cases).for_each(|(a, b)| f(a, b));
        f(&mut self.stalls.write_port, o.stalls.write_port);
        f(&mut self.stalls.issue, o.stalls.issue);
        f(&mut self.stalls.queue, o.stalls.queue);
        f(&mut self.stalls.conflict, o.stalls.conflict);
    }
}

/// The difference of two tallies: the counts of the activity between them.
impl Sub for MsmWork {
    type Output = Self;
    fn sub(mut self, earlier: Self) -> Self {
        self.counters(&earlier, |a, b| *a -= b);
        self
    }
}

/// Adds the counts of a later operation.
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
