//! The unified G1/G2 MSM engine of \[CP\] §IV.C (Figs. 17 to 19): bucket accumulation, bucket reduction and group
//! aggregation on one complete adder, cycle by cycle.
//!
//! ```text
//!   point memory ─► fetch ─► arbiter ─► queue ─► PADD ─► result buffer
//!                    (1)      (2) ▲▼     (3)                  (4) │
//!                            buckets 1R1W                         │
//!                                 ▲───────────────────────────────┘
//! ```
//!
//! Every stage sees the readiness of the next one through a register. A point that cannot advance stays in its stage and
//! stalls all points behind it, back to the point memory. The model runs with points ([`Projective`]) or without (`()`, when
//! only time is needed): no decision depends on a coordinate, so both take the same cycles.
//!
//! Times are core cycles of the chip. The controller gives the cycle from which on an operation may begin; the engine then
//! runs to the end of the operation, and its state is that of the cycle so reached.

mod arbiter;
mod digits;
mod error;
mod fetch;
mod formula;
mod memory;
mod padd;
mod sequencer;
#[cfg(test)]
mod tests;
mod work;

pub use crate::isa::Group;
pub use crate::spec::{Formula, MsmSpec};
pub use digits::{DigitPlan, Recoded};
pub use error::MsmEngineError;
pub use fetch::{Fetch, Split, splitter};
pub use formula::Timing;
pub use padd::Pair;
pub use sequencer::{BucketChain, Lane, ReductionStep, Sequence};
pub use work::{MsmWork, Stalls};

use memory::Buckets;
use padd::{Adder, Sum};
use pairwright_curve::{Curve, Projective};
use pairwright_field::Field;
use pairwright_sim::{Clocked, Fifo, FifoIn};
use std::collections::VecDeque;

/// The values that the engine adds: points, or nothing in a run for time alone.
pub trait Addend: Clone {
    /// The complete sum: valid for equal and opposite operands and for infinity too.
    fn add(&self, o: &Self) -> Self;
    /// The negative of a point.
    fn neg(&self) -> Self;
    /// The neutral element.
    fn infinity() -> Self;
    /// Whether this is the neutral element in the form of the point memory, in which case the fetch stage drops it.
    fn is_infinity(&self) -> bool;
    /// The image under the curve's endomorphism `(β·x, y)`; itself if the curve has none.
    fn image(&self) -> Self;
}

/// A placeholder without value, for runs that measure time alone.
impl Addend for () {
    fn add(&self, (): &Self) {}
    fn neg(&self) {}
    fn infinity() {}
    fn is_infinity(&self) -> bool {
        false
    }
    fn image(&self) {}
}

impl<C: Curve> Addend for Projective<C> {
    fn add(&self, o: &Self) -> Self {
        *self + *o
    }
    fn neg(&self) -> Self {
        -*self
    }
    fn infinity() -> Self {
        Self::INFINITY
    }
    fn is_infinity(&self) -> bool {
        self.z.is_zero()
    }
    fn image(&self) -> Self {
        C::GLV.map_or(*self, |glv| Self { x: glv.beta * self.x, ..*self })
    }
}

/// A point as the fetch stage presents it to one window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand<P> {
    /// The window, counted from 0 among those that a fetched point serves.
    pub lane: u32,
    /// The scalar's digit in this window.
    pub digit: i32,
    /// The point that is added.
    pub point: P,
}

/// The register contents of an engine, the oldest first in each queue; every sum has the bucket that it belongs to.
#[derive(Clone, Debug)]
pub struct Registers<'a, P> {
    /// Points in the fetch stage, behind the point memory.
    pub fetched: Vec<&'a (u32, P)>,
    /// The pair behind the bucket memory's read port.
    pub staged: Option<&'a Pair<P>>,
    /// Pairs in the queue before PADD.
    pub queue: Vec<&'a Pair<P>>,
    /// The registers of PADD in order; those of a cascade part by part.
    pub pipe: Vec<Option<&'a (u32, P)>>,
    /// Sums in the result buffer behind PADD.
    pub results: Vec<&'a (u32, P)>,
    /// For each bucket, whether it holds a point.
    pub occupied: &'a [bool],
}

/// Points that the fetch stage holds: two, so that a registered handshake passes one per cycle.
const FETCHED: usize = 2;

/// Number of cycles without progress after which the model is considered faulty: more than any design's PADD takes.
const MOST_IDLE_CYCLES: u32 = 1 << 20;

/// The MSM engine of one group.
#[derive(Clone, Debug)]
pub struct Msm<P> {
    config: MsmSpec,
    group: Group,
    buckets_per_window: u32,
    accumulation: Timing,
    reduction: Timing,
    now: u64,
    fetched: Fifo<Sum<P>>,
    buckets: Buckets<P>,
    adder: Adder<P>,
    /// Points that wait for a bucket in flight; `in_flight` has the flags of such buckets ([`Formula::Mixed`]).
    conflict: VecDeque<Sum<P>>,
    in_flight: Vec<bool>,
    returned: Option<u32>,
    /// Sums of the windows: `None` until reduced, then the sum, if there was any point.
    windows: Vec<Option<Option<P>>>,
    tally: MsmWork,
    still: u32,
}

impl<P: Addend> Msm<P> {
    /// An empty engine for a group, at cycle 0.
    ///
    /// # Errors
    /// Parameters that no engine can have.
    pub fn new(config: &MsmSpec, group: Group) -> Result<Self, MsmEngineError> {
        config.check(group)?;
        let buckets_per_window = config.buckets(group);
        let buckets = buckets_per_window * config.windows_per_fetch;
        let accumulation = config.accumulation(group);
        Ok(Self {
            config: *config,
            group,
            buckets_per_window,
            now: 0,
            fetched: Fifo::new(FETCHED),
            buckets: Buckets::new(buckets, config.bucket_banks, config.write_behind),
            adder: Adder::new(config, &accumulation),
            accumulation,
            reduction: config.reduction(group),
            conflict: VecDeque::new(),
            in_flight: vec![false; if config.formula == Formula::Mixed { buckets as usize } else { 0 }],
            returned: None,
            windows: Vec::new(),
            tally: MsmWork::default(),
            still: 0,
        })
    }

    /// The group that the engine is configured for.
    pub fn group(&self) -> Group {
        self.group
    }

    /// The cycle that the engine has reached.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// The counts of all operations so far, from cycle 0 on, including idle cycles.
    pub fn total(&self) -> MsmWork {
        let words = u64::from(self.config.words_per_bucket(self.group));
        MsmWork {
            end: self.now,
            cycles: self.now - self.tally.between,
            padds: self.adder.started,
            busy: self.adder.busy,
            element_cycles: self.adder.element_busy,
            padd_stall_cycles: self.adder.stall_cycles,
            bucket_word_reads: self.buckets.reads * words,
            bucket_word_writes: self.buckets.writes * words,
            forwarded: self.buckets.forwarded,
            ..self.tally
        }
    }

    /// Begins an MSM of `windows` windows and drops the buckets and window sums of earlier ones. Returns the number of words
    /// of the buckets, which are empty at once.
    pub fn begin(&mut self, now: u64, windows: u32) -> u64 {
        self.wait(now);
        self.drain();
        let buckets = self.buckets_per_window * self.config.windows_per_fetch;
        for bucket in 0..buckets {
            self.buckets.clear(bucket);
        }
        self.windows = vec![None; windows as usize];
        u64::from(buckets) * u64::from(self.config.words_per_bucket(self.group))
    }

    /// Accumulates points of the on-chip memory into buckets, from cycle `now` on.
    ///
    /// Returns when the last point has left the point memory, whose banks are free from `end` on; the sums in flight
    /// continue while the next points come. A digit of zero or a point at infinity takes a cycle and is dropped; a run
    /// without values does the same if it gives infinity the digit 0.
    ///
    /// # Errors
    /// A digit without a bucket; a negative digit without signed digits or halved scalars; or a lane that a fetched point
    /// does not serve. Operands before it have entered.
    pub fn accumulate(
        &mut self,
        now: u64,
        operands: impl IntoIterator<Item = Operand<P>>,
    ) -> Result<MsmWork, MsmEngineError> {
        let before = self.total();
        let start = self.wait(now);
        if self.config.glv {
            // The points wait while the first image is computed, and keep their order.
            (0..self.config.pipelined_latency).for_each(|_| self.step(None));
        }
        for Operand { lane, digit, point } in operands {
            let (size, buckets) = (digit.unsigned_abs(), self.buckets_per_window);
            if size > buckets || (digit < 0 && !self.config.signed && !self.config.glv) {
                return Err(MsmEngineError::Digit { digit, buckets });
            }
            if lane >= self.config.windows_per_fetch {
                return Err(MsmEngineError::Lane { lane, lanes: self.config.windows_per_fetch });
            }
            if size == 0 || point.is_infinity() {
                self.tally.dropped += 1;
                self.step(None);
                continue;
            }
            while self.fetched.len() == FETCHED {
                self.tally.back_pressure += 1;
                self.step(None);
            }
            self.tally.points += 1;
            let point = if digit < 0 { point.neg() } else { point };
            self.step(Some((lane * buckets + size - 1, point)));
        }
        Ok(self.since(before, start))
    }

    /// Reduces the buckets from cycle `now` on: waits for the sums in flight, reduces the buckets of every lane, which are
    /// empty afterwards, and keeps the results as the sums of the windows from `first` on.
    ///
    /// In a window, address `k + j·K` belongs to digit `k + 1 + j·K`: with `S_j` the plain sum and `A_j` the sum weighted by
    /// `k + 1` of segment `j`, the window's sum is `Σ A_j + K·Σ j·S_j`. The segments are processed in parallel; then the two
    /// sums over the segments are, and `log2 K` doublings and an addition follow.
    /// # Errors
    /// No such window.
    pub fn reduce(&mut self, now: u64, first: u32) -> Result<MsmWork, MsmEngineError> {
        let mut run = self.begin_reduction(first)?;
        let before = self.total();
        let start = self.wait(now);
        while !run.is_done() {
            self.sequence(&mut run);
        }
        Ok(self.since(before, start))
    }

    /// Aggregates the windows of `bits` bits from cycle `now` on, from the top down: a doubling per bit and an addition per
    /// window, each of which depends on the one before.
    ///
    /// # Errors
    /// A window that was not reduced.
    pub fn aggregate(&mut self, now: u64) -> Result<(MsmWork, P), MsmEngineError> {
        let mut run = self.begin_aggregation()?;
        let before = self.total();
        let start = self.wait(now);
        while !run.is_done() {
            self.sequence(&mut run);
        }
        let sum = run.chains().and_then(|chains| chains.first()).and_then(|chain| chain.sum.clone());
        Ok((self.since(before, start), sum.unwrap_or_else(P::infinity)))
    }

    /// Whether the fetch stage accepts a point in this cycle.
    pub fn can_accept(&self) -> bool {
        self.fetched.len() < FETCHED
    }

    /// Executes a cycle of bucket accumulation, with a point for a bucket if the fetch stage accepts one
    /// ([`Msm::can_accept`]).
    pub fn cycle(&mut self, input: Option<(u32, P)>) {
        self.tally.points += u64::from(input.is_some());
        self.step(input);
    }

    /// The registers between two cycles.
    pub fn registers(&self) -> Registers<'_, P> {
        let (staged, queue, pipe, results) = self.adder.registers();
        Registers {
            fetched: self.fetched.items().collect(),
            staged,
            queue,
            pipe,
            results,
            occupied: self.buckets.flags(),
        }
    }

    /// The number of cycles in each of the arbiter's five cases, from cycle 0 on.
    pub fn cases(&self) -> [u64; 5] {
        self.tally.cases
    }

    /// Whether nothing is in flight.
    fn quiet(&self) -> bool {
        self.fetched.is_empty()
            && self.adder.is_empty()
            && self.buckets.write_buffer_is_empty()
            && self.conflict.is_empty()
    }

    /// The counts of an operation that began in cycle `start`; `before` are the counts when it was requested.
    fn since(&self, before: MsmWork, start: u64) -> MsmWork {
        MsmWork { start, cycles: self.now - start, ..self.total() - before }
    }

    /// Advances to a cycle without points; returns the cycle reached, which is later if the engine is already there.
    fn wait(&mut self, now: u64) -> u64 {
        while self.now < now && !self.quiet() {
            self.tally.between += 1;
            self.step(None);
        }
        if self.now < now {
            self.adder.rest(now - self.now);
            self.now = now;
        }
        self.now
    }

    /// Runs until nothing is in flight.
    fn drain(&mut self) {
        while !self.quiet() {
            self.tally.drain += 1;
            self.step(None);
        }
    }

    /// Executes a cycle of bucket accumulation; `input` is the point from the point memory, if the fetch stage has room.
    fn step(&mut self, input: Option<Sum<P>>) {
        let decision = self.arbitrate();
        if decision.point || input.is_some() {
            self.fetched.tick(FifoIn { push: input, pop: decision.point });
        }
        self.edge(decision.pair, decision.result);
    }

    /// The clock edge of everything behind the arbiter.
    fn edge(&mut self, pair: Option<Pair<P>>, taken: bool) {
        let still = pair.is_none() && !taken && !self.adder.is_empty();
        self.still = if still { self.still + 1 } else { 0 };
        assert!(self.still < MOST_IDLE_CYCLES, "the engine stands still with sums in flight");
        self.adder.tick(pair, taken);
        self.buckets.tick();
        self.now += 1;
    }
}
